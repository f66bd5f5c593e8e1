import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { BuiltRun, buildPerp, machine } from '../built-perp.ts';

const own = machine();
const { variables } = own;
/** A run's folder is where the system's temporary files are. */
const runs = () => readdirSync(own.folder).filter((name) => name.startsWith('perp-run-'));

/** `perp sim run` of a program for Node. */
function running(options: readonly string[], program: string, folder = own.folder): BuiltRun {
  const argv = ['sim', 'run', ...options, '--', process.execPath, '--input-type=module', '-e', program];
  return new BuiltRun(argv, { ...variables, TMPDIR: folder });
}

/** As a stranger wrote it: hosts built in, its key in its own variable, old prices refused. */
const stranger = `
const headers = { authorization: 'Bearer ' + process.env.BOT_KEY, 'content-type': 'application/json' };
const { data: [{ id }] } = await (await fetch('https://api.example.com/v1/accounts', { headers })).json();
const socket = new WebSocket('wss://stream.example.com/v1/market-data');
const payload = { symbols: ['BTCUSDT'], providers: ['binance'] };
socket.onopen = () => socket.send(JSON.stringify({ op: 'sub', id: 1, channel: 'ticks', payload }));
await new Promise((resolve) => {
  socket.onmessage = ({ data }) => {
    const [event] = JSON.parse(data).events ?? [];
    if (event?.type === 'tick' && Math.abs(Date.now() - event.time) < 60_000) resolve();
  };
});
const order = { account_id: id, market_id: 'binance|BTCUSDT', side: 'buy', type: 'market', size: 0.01, leverage: 1, margin_mode: 'cross' };
const answer = await fetch('https://api.example.com/v1/orders', {
  method: 'POST', headers: { ...headers, 'idempotency-key': crypto.randomUUID() }, body: JSON.stringify(order) });
console.log(answer.status, (await answer.json()).data.status, process.argv.includes(process.env.BOT_KEY));
process.exit(5);
`;
const hosts = ['--as', 'api.example.com', '--as', 'stream.example.com', '--key-variable', 'BOT_KEY'];
const tape = join(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');

describe('perp sim run', () => {
  before(buildPerp);
  after(own.remove);

  for (const network of [[], ['--network', 'shared']])
    it(`runs a stranger’s program unmodified on a tape as of now ${network.join(' ')}`, async () => {
      const run = running([...hosts, ...network, '--books', tape, '--as-now'], stranger);
      const { exit, out, err } = await run.ended;
      assert.deepEqual([exit, out], [5, '201 filled false\n'], err);
      const last = err.trim().split('\n').at(-1)!;
      assert.match(
        last,
        /^perp: 3 requests, the first after .*; 1 order, 1 fill, equity .* USD, no breach; journal not kept/,
      );
      assert.deepEqual(runs(), [], 'nothing is left');
    });

  it('keeps a named simulation, whose summary counts what this run did', async () => {
    for (const fills of [1, 1]) {
      const { exit, err } = await running([...hosts, '--state', 'kept', '--json'], stranger).ended;
      const { orders, fills: counted, state } = JSON.parse(err.trim().split('\n').at(-1)!);
      assert.deepEqual([exit, orders, counted, state], [5, 1, fills, 'kept']);
    }
    assert.ok(existsSync(join(variables.PERP_STATE_DIR!, 'kept.db')));
    assert.equal(readFileSync('/etc/hosts', 'utf8').includes('api.example.com'), false);
  });

  it('gives its certificates to a program that gives up its privileges, and the rest of its folder to nobody', async () => {
    const reads = `
      import { readFileSync, readdirSync, statSync } from 'node:fs';
      import { dirname } from 'node:path';
      const file = process.env.SSL_CERT_FILE;
      const modes = [file, dirname(file), dirname(dirname(file)), process.env.PERP_STATE_DIR].map((path) => (statSync(path).mode & 0o777).toString(8));
      if (process.getuid() === 0) process.setuid(65534);
      let names = [];
      if (process.getuid() === 65534) try { names = readdirSync(process.env.PERP_STATE_DIR); } catch {}
      console.log(readFileSync(file, 'utf8').includes('BEGIN CERTIFICATE'), modes.join(), names.length);`;
    // A folder of a test is its own.
    const { out, err } = await running(hosts, reads, '/tmp').ended;
    assert.equal(out, 'true 644,755,711,700 0\n', err);
  });

  it('passes signals on, and the exit status back', async () => {
    const traps = `process.on('SIGTERM', () => process.exit(3)); console.log('ready'); setInterval(() => {}, 1000);`;
    const run = running(hosts, traps);
    await run.printed(/ready/);
    run.process.kill('SIGTERM');
    assert.equal((await run.ended).exit, 3);
    const ends = await running([], `process.kill(process.pid, 'SIGKILL')`).ended;
    assert.equal(ends.exit, 137, 'as a shell reports it');
  });

  it('leaves nothing when it is killed: no program, no child of it, no folder', async () => {
    const parent = `
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      process.on('SIGTERM', () => {});
      console.log(JSON.stringify([process.pid, child.pid]));
      setInterval(() => {}, 1000);`;
    const run = running([...hosts, '--state', 'killed'], parent);
    await run.printed(/\]/);
    const [program, child] = JSON.parse(run.out) as [number, number];
    const hasOwnNetwork = !run.err.includes('No network of its own');
    assert.equal(runs().length, 1);
    run.process.kill('SIGKILL');
    for (const pid of hasOwnNetwork ? [program, child] : [program]) while (isRunning(pid)) await delay(20);
    while (runs().length > 0) await delay(20);
    if (!hasOwnNetwork) process.kill(child, 'SIGKILL');
    const again = await running([...hosts, '--state', 'killed'], stranger).ended;
    assert.equal(again.exit, 5, `the state is sound: ${again.err}`);
  });

  it('names what can’t be run, and starts nothing', async () => {
    const run = new BuiltRun(['sim', 'run', '--', join(dirname(tape), 'README.md')], variables);
    const { exit, err } = await run.ended;
    assert.equal(exit, 2);
    assert.match(err, /README\.md can't be run: it is not executable/);
    const alone = await running(['--network', 'own'], 'console.log(1)').ended;
    assert.deepEqual([alone.exit, alone.out], [2, '']);
    assert.match(alone.err, /--network own is about the hosts of --as, and there are none/);
  });
});

function isRunning(pid: number): boolean {
  try {
    // A process that ended and was not waited for yet does not run.
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
