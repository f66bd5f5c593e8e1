import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { beginWorld, bin, buildPerp, builtCache } from '../cli/built-perp.ts';
import { perpFromSource, type Run, runOf } from '../cli/practice.ts';

const noFullDevice = existsSync('/dev/full') ? false : 'no /dev/full here';

const folder = mkdtempSync(join(tmpdir(), 'perp-bin-'));
// perp uses its own compile cache, not that of the test run.
const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
const env = {
  ...inherited,
  HOME: folder,
  XDG_CACHE_HOME: builtCache,
  PERP_STATE_DIR: join(folder, 'state'),
  PERP_CONFIG_DIR: join(folder, 'config'),
};

before(async () => {
  buildPerp();
  await beginWorld(env);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function perp(args: readonly string[], variables: Record<string, string> = {}): Run {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    env: { ...env, ...variables },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  assert.equal(signal, null);
  return runOf(status ?? -1, stdout, stderr);
}

/** From source and in this process, where the executable itself is not the subject. */
function perpHere(args: readonly string[], variables: Record<string, string> = {}): Promise<Run> {
  return perpFromSource(args, { variables: { ...(env as Record<string, string>), ...variables } });
}

function sh(script: string): Run {
  const run = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', `perp() { '${process.execPath}' '${bin}' "$@"; }\n${script}`],
    { env, encoding: 'utf8' },
  );
  return runOf(run.status ?? -1, run.stdout, run.stderr);
}

async function serve(
  ...args: string[]
): Promise<{ child: ChildProcess; address: string; stop(signal?: NodeJS.Signals): Promise<number | null> }> {
  const child = spawn(
    process.execPath,
    [bin, 'sim', 'serve', '--port', '0', '--sandbox-port', '0', '--json', ...args],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  child.stdout!.setEncoding('utf8');
  while (!text.includes('}')) text += (await once(child.stdout!, 'data'))[0];
  return {
    child,
    address: JSON.parse(text).base_url,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return (await once(child, 'exit'))[0];
    },
  };
}

test('an old Node prints one message and exits 2, without a syntax error', () => {
  const copy = join(folder, 'old');
  mkdirSync(copy);
  const pretended = readFileSync(bin, 'utf8').replace('process.versions.node.split', "'20.18.0'.split");
  assert.notEqual(pretended, readFileSync(bin, 'utf8'));
  writeFileSync(join(copy, 'perp.js'), pretended);
  const run = spawnSync(process.execPath, [join(copy, 'perp.js')], { encoding: 'utf8' });
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^perp needs Node 24\.15 or newer.*nodejs\.org.*npx perp.*\n$/);
});

test('without a bundle, perp says how to build one', () => {
  const copy = join(folder, 'unbuilt');
  cpSync(dirname(bin), join(copy, 'bin'), { recursive: true });
  const run = spawnSync(process.execPath, [join(copy, 'bin/perp.js'), 'markets'], { encoding: 'utf8', env });
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^perp is not built yet: run npm run build/);
});

test('help, version, a trade and an error have the right output and exit status', () => {
  assert.match(perp(['--help']).out, /^perp: a trading desk/);
  assert.match(perp(['--version']).out, /^perp \d+\.\d+\.\d+\n$/);
  const order = perp(['order', 'place', 'BTC', 'buy', '0.05', '--yes']);
  assert.equal(order.exit, 0, order.err);
  assert.match(order.out, /Filled[\s\S]*Position {2}long/);
  const error = perp(['order', 'place', 'BTC', 'buy', '0', '--json']);
  assert.deepEqual([error.exit, error.error.code, error.out], [2, 'usage', '']);
});

test('without a terminal, nothing prints escape codes', () => {
  for (const args of [['markets'], ['help', 'order', 'place'], ['quote', 'NOPE']]) {
    const { out, err } = perp(args, { TERM: 'xterm-256color', COLORTERM: 'truecolor' });
    assert.doesNotMatch(out + err, /\u001b/);
  }
});

test('COLUMNS narrows tables', () => {
  for (const text of perp(['markets'], { COLUMNS: '40' }).out.split('\n')) assert.ok(text.length <= 40, text);
});

test('a closed pipe ends perp quietly, even with pipefail', () => {
  const run = sh('perp markets -o ndjson | head -1; perp help environment | head -1; perp markets --json | true');
  assert.deepEqual([run.exit, run.err], [0, 'SIM default, synthetic\n'.repeat(2)]);
});

test('a pipe that no longer waits for its reader gets the whole output too', () => {
  // Node makes a pipe non-blocking for all of its writers; if killed, it does not restore it.
  const unwaiting = `'${process.execPath}' -e 'process.stdout.write(" "); process.kill(process.pid, "SIGKILL")'`;
  const run = sh(`{ ${unwaiting} || perp candles BTC --limit 1000 --json; } | cat`);
  assert.equal((JSON.parse(run.out) as unknown[]).length, 1000);
});

test('a full disk under stdout prints one clear message, no stack trace, and never exits 0', {
  skip: noFullDevice,
}, () => {
  const table = sh('perp markets >/dev/full && echo done || echo "exit $?" >&2');
  assert.equal(table.out, '');
  assert.match(
    table.err,
    /^SIM default, synthetic\nError: The output can't be written: ENOSPC.*\n.*try again\.\nexit 7\n$/,
  );
  const order = sh('perp order place BTC buy 0.001 --json >/dev/full || [ $? = 8 ]');
  assert.equal(order.exit, 0);
  const { code, hint } = JSON.parse(order.err.trim().split('\n').at(-1)!).error;
  assert.deepEqual([code, /before repeating it/.test(hint)], ['output_lost', true]);
});

// More commands: batch/scripts.faults.test.ts.
test('lost output exits 8 if something was changed, 7 after a read', { skip: noFullDevice }, () => {
  const cases: [command: string, exit: number][] = [
    ['order list --json', 7],
    ['config set trade.leverage 2', 8],
  ];
  for (const [command, exit] of cases) {
    assert.equal(sh(`perp ${command} >/dev/full || exit $?`).exit, exit, command);
  }
});

test('without HOME, or with a read-only state folder, perp works or says what to do', () => {
  const { HOME: _, XDG_CACHE_HOME: __, ...homeless } = env;
  const run = spawnSync(process.execPath, [bin, 'markets', '--json'], { env: homeless, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const stuck = perp(['markets'], { PERP_STATE_DIR: file });
  assert.equal(stuck.exit, 7, stuck.err);
  assert.doesNotMatch(stuck.err, /bug in perp/);
});

test('a home folder in which no folders can be created is an error, and no command retries forever', {
  skip: existsSync('/proc/self') ? false : 'no /proc here',
}, async () => {
  const { PERP_STATE_DIR: _, PERP_CONFIG_DIR: __, XDG_CACHE_HOME: ___, ...rest } = env as Record<string, string>;
  const host = { PERP_BASE_URL: 'http://127.0.0.1:9', PERP_API_KEY: 'sim_live_0123456789abcdef' };
  const cases: [command: string, says: RegExp][] = [
    ['markets', /PERP_STATE_DIR/],
    ['sim reset --yes', /PERP_STATE_DIR/],
    ['sim serve --port 0 --sandbox-port 0', /PERP_STATE_DIR/],
    ['config set trade.leverage 2', /PERP_CONFIG_DIR/],
    ['login --insecure-storage --no-browser', /PERP_STATE_DIR|PERP_LOGIN_URL/],
    // It reads what it would leave without a stop, if it can, and what it reads from does not answer.
    ['cancel-all --account acc_1 --yes --env live', /PERP_STATE_DIR|No connection/],
  ];
  for (const [command, says] of cases) {
    const { exit, err } = await perpFromSource(command.split(' '), { variables: { ...rest, ...host, HOME: '/proc' } });
    assert.ok([2, 4, 7].includes(exit), `${command}: ${exit} ${err}`);
    assert.match(err, says, command);
  }
});

test('the command line uses the served simulation, and reset is refused while it is served', async () => {
  const service = await serve();
  try {
    const here = await perpHere(['sim', 'status']);
    assert.match(here.out, new RegExp(`served at ${service.address}`));
    const order = perp(['order', 'place', 'ETH', 'buy', '0.1', '--json']);
    assert.equal(order.json.status, 'filled', order.err);
    const reset = await perpHere(['sim', 'reset', '--yes', '--json']);
    assert.deepEqual([reset.exit, reset.error.code], [6, 'conflict']);
    const second = perp(['sim', 'serve', '--port', '0', '--sandbox-port', '0']);
    assert.equal(second.exit, 6);
    assert.match(second.err, new RegExp(`by process \\d+ at ${service.address}`));
    assert.match(second.err, /perp sim status.*Ctrl-C, or kill \d+; or serve another --state/);
    const taken = await perpHere([
      'sim',
      'serve',
      '--state',
      'beside',
      '--port',
      new URL(service.address).port,
      '--sandbox-port',
      '0',
    ]);
    assert.equal(taken.exit, 6, taken.err);
    assert.match(taken.err, /--port/);
    const settled = await perpHere(['markets', '--clock', 'manual']);
    assert.equal(settled.exit, 2);
    assert.match(settled.err, /can't change while it runs/);
    const key = (await perpHere(['sim', 'keys', 'create', '--scope', 'read', '--json'])).json.api_key;
    const remote = { PERP_BASE_URL: service.address, PERP_API_KEY: key };
    const [far, near] = [
      await perpHere(['fills', '--env', 'live', '--json'], remote),
      await perpHere(['fills', '--json']),
    ];
    assert.deepEqual(far.json, near.json);
    const denied = await perpHere(['order', 'place', 'ETH', 'buy', '0.1', '--env', 'live', '--json'], remote);
    assert.deepEqual([denied.exit, denied.error.code], [4, 'forbidden']);
  } finally {
    assert.equal(await service.stop(), 0);
  }
  assert.match((await perpHere(['sim', 'status'])).out, /in this process/);
});

test('serving a simulation moves no command without a terminal, not even with --use; its name reaches it', async () => {
  const service = await serve('--state', 'friday', '--use');
  try {
    const stateOf = async (...argv: string[]) => (await perpHere(['sim', 'status', '--json', ...argv])).json.state;
    assert.equal(await stateOf(), 'default');
    assert.equal(await stateOf('--state', 'friday'), 'friday');
    assert.equal((await perpHere(['sim', 'use', 'friday'])).exit, 0);
    assert.equal(await stateOf(), 'friday', 'put in use by hand');
    assert.equal((await perpHere(['sim', 'reset', '--yes'])).exit, 6, 'a reset means it, too');
    assert.equal((await perpHere(['sim', 'use', 'default'])).exit, 0);
    assert.equal(await stateOf(), 'default');
  } finally {
    assert.equal(await service.stop('SIGINT'), 130);
  }
});

test('Ctrl-C ends a watch with exit 130 and leaves complete lines', async () => {
  const child = spawn(process.execPath, [bin, 'quote', 'BTC', '--watch', '-o', 'ndjson'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  while (!text.includes('\n')) await once(child.stdout!, 'data');
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 130);
  for (const row of text.trim().split('\n')) assert.ok(JSON.parse(row).bid > 0);
});

test('no answer exits 7, and nothing was changed', async () => {
  const run = await perpHere(['accounts', '--env', 'live', '--timeout', '1', '--json'], {
    PERP_BASE_URL: 'http://127.0.0.1:1',
    PERP_API_KEY: 'x_live_0123456789',
  });
  assert.deepEqual([run.exit, run.error.code], [7, 'no_connection']);
});

test('a compile cache that other users could write to is not used', () => {
  const homes = mkdtempSync(join(folder, 'caches-'));
  const cases: [name: string, isUsed: boolean, spoil: (home: string) => void][] = [
    ['new', true, () => {}],
    ['own', true, (home) => mkdirSync(join(home, 'perp'), { mode: 0o700 })],
    ['everybody’s', false, (home) => chmodSync(made(home), 0o777)],
    ['the group’s', false, (home) => chmodSync(made(home), 0o770)],
    ['below everybody’s', false, (home) => chmodSync(join(made(home), '..'), 0o777)],
    ['below a sticky one', true, (home) => chmodSync(join(made(home), '..'), 0o1777)],
    ['a link to everybody’s', false, (home) => symlinkSync(chmodded(join(home, 'other'), 0o777), join(home, 'perp'))],
  ];
  // Only root can change a folder's owner.
  if (process.getuid?.() === 0) {
    cases.push(['somebody else’s', false, (home) => chownSync(made(home), 12_345, 12_345)]);
    cases.push(['below another user’s', false, (home) => chownSync(join(made(home), '..'), 12_345, 12_345)]);
  }
  for (const [name, isUsed, spoil] of cases) {
    const home = join(homes, name);
    mkdirSync(home);
    spoil(home);
    const { exit, err } = perp(['--version'], { XDG_CACHE_HOME: home, TMPDIR: home });
    assert.equal(exit, 0, err);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    assert.equal(files.length > 0, isUsed, name);
  }
});

/** The files of compiled code below this home, by name. */
function compiledIn(home: string): Map<string, Buffer> {
  const folder = join(home, 'perp');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}

test('what a run compiled is used by the next run of the command, unless somebody has changed it', () => {
  const home = mkdtempSync(join(folder, 'compiled-'));
  const markets = () => assert.equal(perp(['markets', '--json'], { XDG_CACHE_HOME: home }).exit, 0);
  markets();
  const [[name, code]] = [...compiledIn(home)] as [[string, Buffer]];
  assert.match(name, /^markets-perp-\w+-js-v\d+/);
  markets();
  assert.deepEqual(compiledIn(home).get(name), code, 'not written again');

  const damaged = Buffer.from(code);
  damaged.fill(0x5a, damaged.length >> 1, (damaged.length >> 1) + 1_000);
  for (const bytes of [damaged, code.subarray(0, code.length >> 1), Buffer.alloc(100), Buffer.from('null\n')]) {
    writeFileSync(join(home, 'perp', name), bytes);
    markets();
    const renewed = compiledIn(home).get(name)!;
    assert.ok(renewed.length > 100_000 && !renewed.equals(bytes), 'written again');
  }
});

test('a failed run keeps nothing, and what another build left unused for a week goes, and nothing else', () => {
  const home = mkdtempSync(join(folder, 'old-'));
  const cache = chmodded(join(home, 'perp'), 0o700);
  const other = 'quote-perp-OLD-js-v24.15.0-x64';
  const kept = ['default.db', 'intents', 'quote-perp-NEW-js-v24.15.0-x64'];
  for (const name of [other, `${other}.17`, ...kept]) writeFileSync(join(cache, name), '');
  const eightDaysAgo = Date.now() / 1_000 - 8 * 86_400;
  for (const name of [other, `${other}.17`, 'default.db', 'intents'])
    utimesSync(join(cache, name), eightDaysAgo, eightDaysAgo);
  assert.equal(perp(['quote', 'NOPE'], { XDG_CACHE_HOME: home }).exit, 3);
  assert.equal(compiledIn(home).size, 5);
  assert.equal(perp(['markets'], { XDG_CACHE_HOME: home }).exit, 0);
  const [own] = [...compiledIn(home).keys()].filter((name) => name.startsWith('markets-'));
  assert.deepEqual([...compiledIn(home).keys()].sort(), [...kept, own].sort());
});

test('to a program that reads it through pipes, perp loads none of Node’s networking', () => {
  const hook = join(folder, 'loaded.cjs');
  const list = join(folder, 'loaded.txt');
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join('\\n')));`,
  );
  for (const args of [['--help'], ['__complete', 'quote', ''], ['quote', 'BTC', '--json']]) {
    const run = perp(args, { NODE_OPTIONS: `--require=${hook}` });
    assert.equal(run.exit, 0, run.err);
    const loaded = readFileSync(list, 'utf8').split('\n');
    const slow = ['net', 'tty', 'http', 'stream', 'crypto', 'zlib', 'child_process', 'worker_threads'];
    assert.deepEqual(
      slow.filter((name) => loaded.includes(`NativeModule ${name}`)),
      [],
      args.join(' '),
    );
  }
});

function chmodded(path: string, mode: number): string {
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

function made(home: string): string {
  return chmodded(join(home, 'perp'), 0o700);
}
