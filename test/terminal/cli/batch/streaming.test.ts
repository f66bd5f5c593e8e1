import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { unsettledWrites } from '../../../../src/desk/intents/intent-files.ts';
import { type Gate, gate } from '../../../desk/intents/gate.ts';
import { test, trial } from '../../../tiers.ts';
import { BuiltRun, bin, buildPerp, freshWorld, machine, type Served, servedWorld } from '../built-perp.ts';
import { FakeHost } from '../hostile/fake-host.ts';

const here = machine();
let served: Served;
let entrance: Gate;
let isShut = false;
let variables: Record<string, string>;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 1);
  served = await servedWorld(here.variables);
  entrance = await gate(served.baseUrl, () => isShut);
  variables = { ...here.variables, PERP_ENV: 'live', PERP_BASE_URL: entrance.url, PERP_API_KEY: served.key };
});
after(async () => {
  await entrance.close();
  await served.stop();
  here.remove();
});

const place = (price: number) => `order place BTC buy 0.01 --limit-price ${price} --leverage 2 --margin isolated`;
const answersIn = (out: string) =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

trial('each answer is printed as soon as its command is done, while the input is still open', async () => {
  const batch = new BuiltRun(['batch'], variables);
  for (let line = 1; line <= 3; line++) {
    batch.process.stdin.write(`${place(30_000 + line)}\n`);
    await batch.printed(new RegExp(`^\\{"line":${line},"ok":true`, 'm'));
  }
  batch.process.stdin.end(place(30_004));
  const { exit, out } = await batch.ended;
  assert.deepEqual([exit, answersIn(out).length], [0, 4]);
});

test('--stop-on-error stops at once, even if the input stays open', async () => {
  const batch = new BuiltRun(['batch', '--stop-on-error'], variables);
  batch.process.stdin.write('order show nothing-such\n');
  assert.equal((await batch.ended).exit, 3);
});

/** Waits until a process has a file open, or for a fixed time if the system can't show that. */
async function opening(pid: number, file: string): Promise<void> {
  if (process.platform !== 'linux') return delay(1_500);
  const folder = `/proc/${pid}/fd`;
  const isOpen = (descriptor: string) => {
    try {
      return readlinkSync(join(folder, descriptor)) === file;
    } catch {
      return false;
    }
  };
  while (!readdirSync(folder).some(isOpen)) await delay(5);
}

trial('a named pipe without a writer can be interrupted, and is read once it has one', async (t) => {
  if (process.platform === 'win32') return t.skip('Windows has no named pipes among its files');
  const fifo = join(here.folder, 'commands');
  assert.equal(spawnSync('mkfifo', [fifo]).status, 0);
  const waiting = new BuiltRun(['batch', fifo], variables);
  await opening(waiting.process.pid!, fifo);
  const tooLong = setTimeout(() => waiting.process.kill('SIGKILL'), 120_000);
  waiting.process.kill('SIGTERM');
  assert.equal((await waiting.ended).exit, 130);
  clearTimeout(tooLong);

  const read = new BuiltRun(['batch', fifo], variables);
  const writer = spawn('sh', ['-c', `(echo "${place(30_005)}"; sleep 1; echo "${place(30_006)}") > "${fifo}"`]);
  const { exit, out } = await read.ended;
  assert.deepEqual([exit, answersIn(out).length], [0, 2]);
  writer.kill();
});

test('Ctrl-C exits 130 after printing the current answer; the next line is not started', async () => {
  const batch = new BuiltRun(['batch'], variables);
  batch.process.stdin.write(`${place(31_000)}\n`);
  await batch.printed(/"line":1/);
  batch.process.kill('SIGINT');
  const { exit, out } = await batch.ended;
  assert.deepEqual([exit, answersIn(out).length], [130, 1]);
});

test('Ctrl-C while the next line waits for its answer prints both: what is sent is never left out', async (t) => {
  const host = await FakeHost.open();
  t.after(() => host.close());
  const second = Promise.withResolvers<void>();
  let orders = 0;
  host.behave = async (id, honest) => {
    if (id !== 'createOrder' || ++orders === 1) return honest;
    second.resolve();
    return new Promise(() => {});
  };
  const elsewhere = { PERP_BASE_URL: host.url, PERP_STATE_DIR: join(here.folder, 'interrupted') };
  const batch = new BuiltRun(['batch'], { ...variables, ...elsewhere, PERP_FLOOR_CHECK: 'off' });
  batch.process.stdin.write([50_000, 50_001, 50_002].map((price) => `${place(price)}\n`).join(''));
  await Promise.all([second.promise, batch.printed(/"line":1/)]);
  batch.process.kill('SIGINT');
  const { exit, out } = await batch.ended;
  const answers = answersIn(out).map((answer) => [answer.line, answer.exit]);
  assert.deepEqual(
    [exit, answers],
    [
      8,
      [
        [1, 0],
        [2, 8],
      ],
    ],
  );
});

trial(
  'when the reader of the answers goes away in between, what was sent is answered before the batch ends',
  async () => {
    const batch = spawn(process.execPath, [bin, 'batch'], { env: variables });
    const prices = Array.from({ length: 40 }, (_, at) => 34_000 + at);
    batch.stdin.on('error', () => {}).end(prices.map(place).join('\n'));
    await once(batch.stdout, 'data');
    batch.stdout.destroy();
    assert.deepEqual(await once(batch, 'exit'), [9, null]);
    assert.deepEqual(unsettledWrites(`${here.variables.PERP_STATE_DIR}/intents`).writes, []);
  },
);

trial('when the reader of the answers is gone, nothing more is sent, and the exit status reports it', async () => {
  const batch = spawn(process.execPath, [bin, 'batch'], { env: variables });
  batch.stdout.destroy();
  const prices = Array.from({ length: 40 }, (_, at) => 32_000 + at);
  batch.stdin.on('error', () => {}).end(prices.map(place).join('\n'));
  const [exit] = await once(batch, 'exit');
  assert.equal(exit, 9);
  const made = (await served.world.workingOrders()).filter(({ limit_price }) => prices.includes(limit_price!));
  assert.ok(made.length <= 2, `${made.length} orders`);
  assert.deepEqual(unsettledWrites(`${here.variables.PERP_STATE_DIR}/intents`).writes, []);
});

trial(
  'a line without an answer is exit 8, its repetition is refused, other lines run, and the batch exits 8',
  async () => {
    const batch = new BuiltRun(['batch', '--timeout', '5'], variables);
    batch.process.stdin.write(`${place(33_000)}\n`);
    await batch.printed(/"line":1/);
    const order = entrance.sent(/"limit_price":33001/);
    batch.process.stdin.write(`${place(33_001)}\n`);
    await order;
    isShut = true;
    entrance.cut();
    await batch.printed(/"line":2/);
    isShut = false;
    batch.process.stdin.end(`${place(33_001)}\n${place(33_002)}\n`);
    const { exit, out } = await batch.ended;
    const answers = answersIn(out);
    assert.deepEqual([exit, answers.map((answer) => answer.exit)], [8, [0, 8, 6, 0]], out);
    const [settled] = answersIn((await new BuiltRun(['pending', 'resume', '-o', 'ndjson'], variables).ended).out);
    assert.equal(settled.outcome, 'done');
    assert.equal(await served.world.workingAt(33_001), 1);
  },
);
