import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bin } from '../terminal/cli/built-perp.ts';
import { perpFromSource } from '../terminal/cli/practice.ts';
import { test, trial } from '../tiers.ts';
import { env, folder, installed, noFullDevice, perp, perpHere, serve, sh } from './installed.ts';

installed();

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

trial('help, version, a trade and an error have the right output and exit status', () => {
  assert.match(perp(['--help']).out, /^perp: a trading desk/);
  assert.match(perp(['--version']).out, /^perp \d+\.\d+\.\d+\n$/);
  const order = perp(['order', 'place', 'BTC', 'buy', '0.05', '--yes']);
  assert.equal(order.exit, 0, order.err);
  assert.match(order.out, /Filled[\s\S]*Position {2}long/);
  const error = perp(['order', 'place', 'BTC', 'buy', '0', '--json']);
  assert.deepEqual([error.exit, error.error.code, error.out], [2, 'usage', '']);
});

trial('the bundle can send a request with a body to a venue', () => {
  perp(['config', 'set', 'venues.hyperliquid.rest_url', 'http://127.0.0.1:9']);
  const run = perp(['sim', 'record', 'BTC', '--venue', 'hyperliquid', '--for', '1s', '-o', join(folder, 'tape.jsonl')]);
  assert.match(run.err, /Hyperliquid does not answer: .*(bad port|ECONNREFUSED)/);
});

trial('without a terminal, nothing prints escape codes', () => {
  for (const args of [['markets'], ['help', 'order', 'place'], ['quote', 'NOPE']]) {
    const { out, err } = perp(args, { TERM: 'xterm-256color', COLORTERM: 'truecolor' });
    assert.doesNotMatch(out + err, /\u001b/);
  }
});

test('COLUMNS narrows tables', () => {
  for (const text of perp(['markets'], { COLUMNS: '40' }).out.split('\n')) assert.ok(text.length <= 40, text);
});

trial('a closed pipe ends perp quietly, even with pipefail', () => {
  const run = sh('perp markets -o ndjson | head -1; perp help environment | head -1; perp markets --json | true');
  assert.deepEqual([run.exit, run.err], [0, 'SIM default, synthetic\n'.repeat(2)]);
});

// More commands: batch/scripts.faults.test.ts.
trial('lost output exits 8 if something was changed, 7 after a read', { skip: noFullDevice }, () => {
  const cases: [command: string, exit: number][] = [
    ['order list --json', 7],
    ['config set trade.leverage 2', 8],
  ];
  for (const [command, exit] of cases) {
    assert.equal(sh(`perp ${command} >/dev/full || exit $?`).exit, exit, command);
  }
});

trial('without HOME, or with a read-only state folder, perp works or says what to do', () => {
  const { HOME: _, XDG_CACHE_HOME: __, ...homeless } = env;
  const run = spawnSync(process.execPath, [bin, 'markets', '--json'], { env: homeless, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  const stuck = perp(['markets'], { PERP_STATE_DIR: file });
  assert.equal(stuck.exit, 7, stuck.err);
  assert.doesNotMatch(stuck.err, /bug in perp/);
});

trial(
  'a home folder in which no folders can be created is an error, and no command retries forever',
  {
    skip: existsSync('/proc/self') ? false : 'no /proc here',
  },
  async () => {
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
      const { exit, err } = await perpFromSource(command.split(' '), {
        variables: { ...rest, ...host, HOME: '/proc' },
      });
      assert.ok([2, 4, 7].includes(exit), `${command}: ${exit} ${err}`);
      assert.match(err, says, command);
    }
  },
);

trial('the command line uses the served simulation, and reset is refused while it is served', async () => {
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
    const key = (await perpHere(['sim', 'key', 'add', '--scope', 'read', '--json'])).json.api_key;
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

trial(
  'serving a simulation moves no command without a terminal, not even with --use; its name reaches it',
  async () => {
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
      assert.equal(await service.stop('SIGINT'), 'SIGINT');
    }
  },
);

trial('Ctrl-C ends a watch with exit 130 and leaves complete lines', async () => {
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
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGINT', 'which a shell reports as 130');
  for (const row of text.trim().split('\n')) assert.ok(JSON.parse(row).bid > 0);
});

test('no answer exits 7, and nothing was changed', async () => {
  const run = await perpHere(['accounts', '--env', 'live', '--timeout', '1', '--json'], {
    PERP_BASE_URL: 'http://127.0.0.1:1',
    PERP_API_KEY: 'x_live_0123456789',
  });
  assert.deepEqual([run.exit, run.error.code], [7, 'no_connection']);
});

trial('to a program that reads it through pipes, perp loads none of Node’s networking', () => {
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
