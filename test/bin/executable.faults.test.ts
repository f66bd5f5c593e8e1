import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { executableFolder, makeArchives, targets } from '../../scripts/executables.ts';
import { bin, buildPerp } from '../terminal/cli/built-perp.ts';
import { Person } from '../terminal/cli/login/person.ts';

const isHere = process.platform === 'linux' && process.arch === 'x64';
const folder = mkdtempSync(join(tmpdir(), 'perp-executable-'));
const root = join(folder, 'root');
/** Where it is in this root: in a place with a space and letters that are no ASCII. */
const place = '/opt/für alle/perp';
const home = '/home/ada';
/** It runs where nothing else is but what it is linked to, if this machine lets a process change its root. */
const entered = (before = ':', environment = '', user = '') =>
  `mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && cd "$0" && ${before} && ` +
  `exec ${environment} "$(command -v chroot)" ${user} . "$@"`;
const enter = entered();
const walls = [
  ['unshare', '--mount'],
  ['unshare', '--user', '--map-root-user', '--mount'],
];
let wall: readonly string[] | undefined;

/** The words that run it, from a link that has another name. */
function words(...args: readonly string[]): [string, ...string[]] {
  if (wall === undefined) return [join(root, 'bin/desk'), ...args];
  return [wall[0]!, ...wall.slice(1), 'sh', '-c', enter, root, '/bin/desk', ...args];
}

/** Nothing but a home; and what a test adds. */
function environment(variables: Record<string, string> = {}): Record<string, string> {
  return { HOME: wall === undefined ? join(root, home) : home, ...variables, ...(wall === undefined ? {} : path) };
}

/** Copies what a program is linked to. */
function copyLibrariesOf(program: string): void {
  for (const [, library] of execFileSync('ldd', [program], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(dirname(join(root, library!)), { recursive: true });
    copyFileSync(library!, join(root, library!));
  }
}

/** For the programs outside that change the root. */
const path = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' };

function perp(args: readonly string[], { input = '', ...variables }: Record<string, string> = {}): string {
  const [program, ...rest] = words(...args);
  const env = environment(variables);
  const run = spawnSync(program, rest, { env, input, encoding: 'utf8', timeout: 60_000, killSignal: 'SIGKILL' });
  assert.equal(run.status, 0, `perp ${args.join(' ')}: ${run.signal ?? ''} ${run.stdout}${run.stderr}`);
  return run.stdout;
}

/** Waits until a process has printed this, and fails if it ends before or takes a minute. */
async function printed(child: ChildProcess, pattern: RegExp, stream: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  let text = '';
  const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
  try {
    for await (const chunk of child[stream]!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      text += chunk;
      if (pattern.test(text)) return pattern.exec(text)![0];
    }
    throw new Error(`it ended without ${pattern}: ${text}`);
  } finally {
    clearTimeout(late);
    child[stream]!.resume();
  }
}

describe('perp as one file, in a root that has only the libraries that it is linked to', {
  skip: !isHere && 'made for Linux on x64',
}, () => {
  before(() => {
    buildPerp();
    const made = executableFolder('linux-x64', folder, join(dirname(bin), '../dist'));
    const file = join(root, place);
    mkdirSync(dirname(file), { recursive: true });
    for (const name of ['bin', 'proc', 'dev', 'tmp', home]) mkdirSync(join(root, name), { recursive: true });
    cpSync(join(made, 'perp'), file);
    symlinkSync(`..${place}`, join(root, 'bin/desk'));
    copyLibrariesOf(file);
    cpSync(resolve(import.meta.dirname, '../../examples/breakout.ts'), join(root, home, 'breakout.ts'));
    wall = walls.find(([program, ...args]) => {
      const tried = [...args, 'sh', '-c', enter, root, '/bin/desk', '--version'];
      return spawnSync(program!, tried, { env: path, timeout: 60_000 }).status === 0;
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('places a first order, which the copy from npm then sees, and the other way round', (trial) => {
    trial.diagnostic(wall === undefined ? 'this machine lets no process change its root' : wall.join(' '));
    assert.match(perp(['order', 'place', 'BTC', 'buy', '0.05', '--yes']), /^Filled +buy 0\.05 BTC/);
    const env = { HOME: join(root, home) };
    const copy = (...args: string[]) =>
      execFileSync(process.execPath, [bin, ...args], { env, encoding: 'utf8', stdio: 'pipe', timeout: 60_000 });
    assert.match(copy('positions', '-o', 'csv'), /BTC,.*\blong,0\.05\b/);
    copy('order', 'place', 'ETH', 'sell', '1', '--yes');
    assert.match(perp(['positions', '-o', 'csv']), /ETH,.*\bshort,1\b/);
  });

  it('shares a state with another version that runs at the same time', async () => {
    const orders = 4;
    const env = environment({ PERP_STATE: 'shared' });
    const copyEnv = { HOME: join(root, home), PERP_STATE: 'shared' };
    const order = ['order', 'place', 'SOL', 'buy', '1', '--yes', '-q'];
    const runs = Array.from({ length: orders }, () => [
      spawn(words(...order)[0], words(...order).slice(1), { env, stdio: 'ignore', timeout: 60_000 }),
      spawn(process.execPath, [bin, ...order], { env: copyEnv, stdio: 'ignore', timeout: 60_000 }),
    ]).flat();
    const ends = await Promise.all(runs.map((run) => once(run, 'exit')));
    assert.deepEqual(new Set(ends.map(([status]) => status)), new Set([0]));
    const position = perp(['positions', '-o', 'csv'], { PERP_STATE: 'shared' });
    assert.match(position, new RegExp(`SOL,.*\\blong,${2 * orders}\\b`));
  });

  it('runs for cron, for another user and from a disk that takes no writes, or says what is missing', (trial) => {
    if (wall === undefined || process.getuid?.() !== 0) return trial.skip('needs root, to be another user');
    const order = ['/bin/desk', 'order', 'place', 'BTC', 'buy', '0.05', '--yes'];
    const run = (before: string, variables: string, user = '') => {
      const [program, ...rest] = [...wall!, 'sh', '-c', entered(before, variables, user), root, ...order];
      return spawnSync(program!, rest, { env: path, encoding: 'utf8', timeout: 60_000 });
    };
    const cron = run(':', 'env -i');
    assert.deepEqual([cron.status, /There is no home folder/.test(cron.stderr)], [2, true], cron.stderr);
    mkdirSync(join(root, 'home/eve'));
    chownSync(join(root, 'home/eve'), 1234, 1234);
    const eve = run(':', 'env HOME=/home/eve', '--userspec=1234:1234');
    assert.match(eve.stdout, /^Filled/, eve.stderr);
    chmodSync(join(root, home), 0o700);
    const foreign = run(':', `env HOME=${home}`, '--userspec=1234:1234');
    assert.deepEqual([foreign.status, /permission denied/.test(foreign.stderr)], [2, true], foreign.stderr);
    const fixed = 'mount --bind opt opt && mount -o remount,ro,bind opt';
    assert.match(run(fixed, 'env HOME=/home/ada').stdout, /^Filled/);
    const all = 'mount --bind home home && mount -o remount,ro,bind home';
    const unwritten = run(all, 'env HOME=/home/new');
    assert.deepEqual([unwritten.status, /read-only[\s\S]*PERP_STATE_DIR/.test(unwritten.stderr)], [7, true]);
  });

  it('filters in a thread, writes a report, completes, and answers agents', () => {
    assert.equal(perp(['quote', 'BTC', '--json', '--jq', '.symbol']), 'BTC\n');
    perp(
      ['report', '-o', `${home}/page.html`].map((word) =>
        wall === undefined ? word.replace(home, join(root, home)) : word,
      ),
    );
    assert.ok(existsSync(join(root, home, 'page.html')));
    assert.match(perp(['completion', 'bash']), /^# bash completion/);
    const ask = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'try', version: '1' } };
    const asked = [
      ask(1, 'initialize', hello),
      ask(2, 'resources/read', { uri: 'perp://docs/glossary' }),
      ask(3, 'tools/call', { name: 'get_account' }),
    ];
    const answers = perp(['mcp'], { input: asked.join('') });
    assert.match(answers, /# Glossary/);
    assert.match(answers, /acc_\d+ is active/);
  });

  it('runs a lab with two workers', () => {
    const at = wall === undefined ? join(root, home) : home;
    const argv = [
      'lab',
      'run',
      `${at}/breakout.ts`,
      '--for',
      '5m',
      '--seeds',
      '1..2',
      '-j',
      '2',
      '--out',
      `${at}/trials.sqlite`,
    ];
    assert.match(perp(argv), /^trials +2 of 2$/m);
  });

  it('runs a program against a simulation: itself', () => {
    const self = wall === undefined ? join(root, 'bin/desk') : '/bin/desk';
    assert.match(perp(['sim', 'run', '--quiet', '--', self, 'quote', 'BTC', '-o', 'csv']), /^ok,.*,BTC,/m);
  });

  it('shows the watch screen on a terminal', async (trial) => {
    const quoted = words('watch').map((word) => `'${word}'`);
    const env = { ...environment({ TERM: 'xterm-256color' }), ...path };
    const child = spawn('script', ['-qfec', `stty cols 120 rows 40; ${quoted.join(' ')}`, '/dev/null'], { env });
    trial.after(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    await printed(child, /BTC[\s\S]*ETH/);
    child.stdin.write('q');
    assert.deepEqual(await ended, [0, null]);
  });

  it('serves a simulation, logs in to it with the credential in a file, and says why not in the keychain', async (trial) => {
    const start = (args: readonly string[], variables: Record<string, string> = {}) => {
      const [program, ...rest] = words(...args);
      const child = spawn(program, rest, { env: environment(variables) });
      trial.after(() => void child.kill('SIGKILL'));
      return child;
    };
    const serving = start(['sim', 'serve', '--state', 'served', '--port', '0', '--sandbox-port', '0', '--json']);
    const address = JSON.parse(await printed(serving, /\{[\s\S]*\}\n/)).base_url as string;
    const live = { PERP_BASE_URL: address, PERP_ENV: 'live' };
    const inKeychain = start(['login', '--no-browser', '--json'], live);
    assert.match(await printed(inKeychain, /"error"[\s\S]*\n/, 'stderr'), /keychain_missing.*--insecure-storage/);

    const login = start(['login', '--no-browser', '--insecure-storage'], live);
    const ended = once(login, 'exit');
    await new Person().approve(await printed(login, /https?:\/\/\S+code_challenge=\S+/, 'stderr'));
    assert.deepEqual(await ended, [0, null]);
    assert.equal(JSON.parse(perp(['whoami', '--json'], live)).source, 'file');
    const stopped = once(serving, 'exit');
    serving.kill('SIGTERM');
    await stopped;
  });

  if (process.env.PERP_LONG)
    it('is made for every system, at most 46 MB to fetch', () => {
      for (const archive of makeArchives(join(folder, 'all'), Object.keys(targets)))
        assert.ok(statSync(archive).size <= 46_000_000, archive);
    });

  it(`is not the way to run a part of it: ${basename(place)} __part is no command of a user`, () => {
    const [program, ...rest] = words('__part', 'nothing');
    const run = spawnSync(program, rest, { env: environment(), encoding: 'utf8', timeout: 60_000 });
    assert.deepEqual([run.status, /Unknown command/.test(run.stderr)], [2, true]);
  });
});
