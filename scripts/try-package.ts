/**
 * Installs a packed perp into an empty prefix with its own home folder, and tries there what a new user would try
 * first, and one command for each library that is loaded only when needed. Throws if anything fails or if it installs
 * too much.
 *
 *   node scripts/try-package.ts perp-0.1.0.tgz
 *
 * Needs npm's registry, and man, bash and script on this machine.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, globSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm } from './package.ts';

/** perp, the keychain library, and the headers that it names as a dependency. */
const maxPackages = 3;
const maxBytes = 10_000_000;

/** Throws if this package can't be installed, installs too much or does not work; `say` gets a line for each step. */
export function tryPackage(tarball: string, version: string, say: (line: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'perp-package-'));
  try {
    const run = runner(folder);
    const quiet = ['--no-fund', '--no-audit', '--prefer-offline'];
    run('npm', 'install', '--global', '--prefix', join(folder, 'prefix'), ...quiet, resolve(tarball));
    say(`installed: ${measured(join(folder, 'prefix/lib/node_modules'))}`);
    for (const { title, command, expected } of trials(version)) {
      const output = run(...command);
      if (!expected.test(output)) throw new Error(`${title}: expected ${expected}, got:\n${output.slice(0, 2_000)}`);
      say(`${title}: ${expected.exec(output)![0].split('\n')[0]}`);
    }
    const name = `node-${process.platform.replace('win32', 'win')}-${process.arch}`;
    run('npm', 'install', '--prefix', join(folder, 'old'), '--ignore-scripts', ...quiet, `${name}@20`);
    say(`Node 20: ${refusal(join(folder, 'old/node_modules', name, 'bin/node'), join(folder, 'prefix/bin/perp'))}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Counts what was installed below this folder; throws if it is too much. */
function measured(modules: string): string {
  const packages = globSync('**/node_modules/{@*/,}[!.@]*/package.json', { cwd: dirname(modules) });
  const files = globSync('**', { cwd: modules, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).blocks * 512, 0);
  const needless = files.filter(({ name }) => /\.(map|png|svg)$/.test(name)).map(({ name }) => name);
  const counted = `${packages.length} packages, ${(bytes / 1e6).toFixed(1)} MB on disk`;
  if (packages.length > maxPackages) throw new Error(`${counted}: ${packages.join(', ')}`);
  if (bytes > maxBytes || bytes === 0) throw new Error(`${counted}; at most ${maxBytes / 1e6} MB`);
  if (needless.length > 0) throw new Error(`A source map or picture is packaged: ${needless.join(', ')}`);
  return counted;
}

/** What perp says on a Node that is too old; throws unless it is one line and exit status 2. */
function refusal(node: string, perp: string): string {
  const { status, stdout, stderr } = spawnSync(node, [perp, 'markets'], { encoding: 'utf8' });
  if (status !== 2 || stdout !== '' || !/^perp needs Node [\d.]+ or newer, but this is Node 20\.[^\n]*\n$/.test(stderr))
    throw new Error(`On Node 20 it ended with ${status}: ${stdout}${stderr}`);
  return stderr.trim();
}

interface Trial {
  readonly title: string;
  readonly command: readonly [string, ...string[]];
  /** What the output must contain. */
  readonly expected: RegExp;
}

/** What bash does for `perp order pl` and TAB. */
const completeInBash = `
source <(perp completion bash)
COMP_WORDS=(perp order pl) COMP_CWORD=2 COMP_LINE='perp order pl' COMP_POINT=13
name=$(complete -p perp) name=\${name##*-F } name=\${name%% *}
"$name" perp pl order
printf '%s\\n' "\${COMPREPLY[@]}"`;

/** Answers the question once it is on the screen. */
const asked = `
touch screen
(until grep -q 'y/N' screen; do sleep 0.05; done; printf 'n\\r') | script -qfec 'perp flatten' screen || [ $? = 130 ]`;

/** A recording as Parquet tables, and back again. */
const tables = `
perp sim import '${join(import.meta.dirname, '../test/fixtures/bybit-xrpusdt-ob500.jsonl')}' -o day.jsonl
perp sim export day.jsonl --to parquet -o day
perp sim import day -o again.jsonl
ls day again.jsonl`;

/** A file in a ZIP archive (of one trade of Bybit), as venues publish them. */
const zipped = `
base64 -d > trades.zip <<'END'
UEsDBBQAAAAIAAAAIVoi5yIMlQAAALgAAAAVAAAAQlRDVVNEVDIwMjUtMDEtMDEuY3N2NY0xD4IwFIR3fssLKdYCXZXFARfQwa2WJ7zYUtKWQX+9xegN
l7svl1wkiyEqu0B42bszEGjAZG+ExZNGiKSfDXnUkdwM0Q+tino6NTB6F8JVmRVhchbPbhsoAw/nkcb537Oi4qKsZclYzmS1h0N/vHRNDx0aA4kxDpIL
viW4oXctzWvo0yuoAnY1E5J99dsmkguZfQBQSwECFAMUAAAACAAAACFaIuciDJUAAAC4AAAAFQAAAAAAAAAAAAAAgAEAAAAAQlRDVVNEVDIwMjUtMDEt
MDEuY3N2UEsFBgAAAAABAAEAQwAAAMgAAAAAAA==
END
perp sim import --check trades.zip`;

/** An order and a stream over HTTP, at a simulation that another process serves. */
const served = `
perp sim serve --state served --port 0 --sandbox-port 0 --json > served.json &
trap "kill $!; wait" EXIT
until grep -q '}' served.json; do kill -0 $! && sleep 0.05; done
export PERP_ENV=live PERP_BASE_URL=$(grep -o 'http://[0-9.:]*' served.json | head -1)
export PERP_API_KEY=$(perp --env sim --state served sim key add --scope trade --json --jq .api_key)
perp order place ETH buy 1 --yes
export PERP_MARKET_STREAM_URL=ws:\${PERP_BASE_URL#http:}
perp stream books BTC --max-events 1`;

/** A client of the agent tools: lines of JSON-RPC. */
const agent = `
printf '%s\\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"try","version":"1"}}}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_account"}}' | perp mcp`;

/** Programs that import the library: for one run, and in a folder that is linked to it. */
const imported = `
mkdir 'my bots'
cd 'my bots'
cat > library.mjs <<'END'
import { connect } from 'perp/client';
import { Simulation } from 'perp/sim';
import { backtest, defineStrategy } from 'perp/strategy';
await using sim = await Simulation.open({ seed: 1, start: 1781100000000 });
await sim.advance('1s');
const buys = defineStrategy({ markets: ['BTC'], start: (bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.01 }) });
const { fills } = await backtest(buys, { seed: 1, from: 1781100000000, to: 1781100001000 });
console.log(typeof connect, await sim.now(), fills.length);
END
echo "const { connect } = require('perp/client'); console.log('required', typeof connect);" > required.cjs
echo "import { type Client, connect } from 'perp/client'; const made: Client = connect({ baseUrl: 'http://127.0.0.1:1' }); console.log('typed', typeof made);" > typed.ts
! node library.mjs 2> alone
grep ERR_MODULE_NOT_FOUND alone
perp sim run --quiet -- sh -c 'node library.mjs && node required.cjs && node typed.ts'
perp sdk link
node library.mjs
node required.cjs
node typed.ts
ls node_modules/perp/dist/sdk node_modules/perp/package.json && ! grep -q source node_modules/perp/package.json`;

function trials(version: string): Trial[] {
  const perp = (title: string, expected: RegExp, ...argv: string[]): Trial => {
    return { title, command: ['perp', ...argv], expected };
  };
  const bash = (title: string, expected: RegExp, script: string): Trial => {
    return { title, command: ['bash', '--norc', '-euc', script], expected };
  };
  return [
    { title: 'node', command: ['node', '--version'], expected: /^v(?:2[4-9]|[3-9]\d)\.\S+/ },
    bash(
      'the library',
      /^(?:function 1781100001000 1\nrequired function\ntyped object\n(?:.*leads to.*\n)?){2}/m,
      imported,
    ),
    perp('perp --version', new RegExp(`\\b${RegExp.escape(version)}\\b`), '--version'),
    perp('perp order place', /^Filled +buy 0\.05 BTC at [\d.]+$/m, 'order', 'place', 'BTC', 'buy', '0.05', '--yes'),
    perp('perp positions', /BTC,.*\blong,0\.05\b/, 'positions', '-o', 'csv'),
    perp('a table', /^BTC +long +0\.05\b/m, 'positions'),
    perp('jq', /^BTC$/m, 'quote', 'BTC', '--json', '--jq', '.symbol'),
    bash('the chart library', /TradingView Lightweight Charts/, 'perp report -o page.html; cat page.html'),
    bash(
      'the rules file',
      /^.*\b7\b.*$/m,
      `perp guard add; echo '[max-trades]
trades = 7' >> .config/perp/guard.toml; perp guard rules`,
    ),
    bash('a question on a terminal', /Nothing was sent\./, asked),
    bash(
      'the browser',
      /^opened .*page\.html$/m,
      'DISPLAY=:9 perp report --open --force -o page.html; until [ -s opened ]; do sleep 0.05; done; cat opened',
    ),
    bash('HTTP and streams', /^Filled +buy 1 ETH at (?:.*\n)+.*"symbol":"BTCUSDT"/m, served),
    bash('the tools of agents', /"account":"acc_\d+"/, agent),
    bash('ZIP', /^events +0 books, 0 changes, 1 print$/m, zipped),
    bash('Parquet', /^books\.parquet$/m, tables),
    perp('the check of a state', /is undamaged/, 'sim', 'check'),
    bash(
      'the keychain',
      /"check": "keychain",\s+"status": "(?:ok|warn)",\s+"message": "(?!.*Cannot find).*/,
      'perp doctor --json || true',
    ),
    { title: 'man perp', command: ['man', '-P', 'cat', 'perp'], expected: /^PERP\(1\)/m },
    bash('completion', /^place\b/m, completeInBash),
  ];
}

/** Runs programs with the prefix and this Node first on the PATH; all but npm without this user's environment. */
function runner(folder: string): (program: string, ...args: string[]) => string {
  const home = join(folder, 'home');
  const programs = join(folder, 'programs');
  mkdirSync(home);
  mkdirSync(programs);
  // In place of the desktop's program that opens a page.
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "opened $1" > '${join(home, 'opened')}'\n`);
  chmodSync(join(programs, 'xdg-open'), 0o755);
  const PATH = [join(folder, 'prefix/bin'), dirname(process.execPath), programs, process.env.PATH].join(delimiter);
  const fresh = { HOME: home, PATH, MANPATH: join(folder, 'prefix/share/man'), LANG: 'C.UTF-8' };
  return (program, ...args) => {
    // npm needs its registry and proxy settings.
    if (program === 'npm') return npm(args, { cwd: home, env: { ...process.env, PATH } });
    const options = { cwd: home, env: fresh, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 } as const;
    return execFileSync(program, args, options).trim();
  };
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const tarball = process.argv[2];
  if (tarball === undefined) throw new Error('Give the packed file: node scripts/try-package.ts perp-0.1.0.tgz');
  const manifest = execFileSync('tar', ['-xOf', tarball, 'package/package.json'], { encoding: 'utf8' });
  tryPackage(tarball, (JSON.parse(manifest) as { version: string }).version, console.log);
}
