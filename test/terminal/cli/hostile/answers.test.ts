import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { operations } from '../../../../src/wire/contract/operations.ts';
import { test, trial } from '../../../tiers.ts';
import { writeAnswers, writeCommands } from '../../../wire/client/write-answers.ts';
import { hostileFields, wrongBodies, wrongWriteAnswers } from './answer-trials.ts';
import { readCommands } from './commands.ts';
import type { Behavior } from './fake-host.ts';
import { Lanes } from './lane.ts';

let lanes: Lanes;
before(async () => {
  lanes = await Lanes.open(8);
});
after(() => lanes.close());

const honest: Behavior = (_, answer) => answer;

trial('answers of a correct host to every operation are shown, and every write is settled', async () => {
  const asked = new Set(['exchangeCliAuthorizationCode', 'revokeCliSession']);
  await lanes.each([...readCommands, ...Object.values(writeCommands)], async (lane, command) => {
    const run = await lane.run(command, honest);
    // The host changes nothing: cancel-all and close-all still find everything afterward.
    assert.ok(run.exit === 0 || run.exit === 9, `${command}: ${run.exit} ${run.err}`);
    assert.doesNotMatch(run.out + run.err, /undefined|NaN|null|as received/, command);
    for (const operation of lane.host.asked) asked.add(operation);
    assert.deepEqual(await lane.pending(), [], command);
  });
  const missing = Object.keys(operations).filter((id) => !asked.has(id));
  assert.deepEqual(
    missing,
    [],
    'give each a command in commands.ts or write-answers.ts, and a new kind of answer a sample in fake-host.ts',
  );
});

trial('a write whose answer does not match it exits 8 and is kept, as text and as JSON', () =>
  wrongWriteAnswers(lanes, (turn) => [wrongBodies[turn % wrongBodies.length]]),
);

test('an answer nested thirty thousand levels deep fails its line, not the batch', async () => {
  const lane = lanes.first;
  const deep = `${'{"data":'.repeat(30_000)}1${'}'.repeat(30_000)}`;
  const file = join(lane.desk.folder, 'lines');
  writeFileSync(file, ['markets', 'order cancel ord_1', 'order show ord_1', 'accounts'].join('\n'));
  const run = await lane.run(`batch ${file}`, (id, answer) =>
    id === 'cancelOrder' || id === 'getOrder' || id === 'listMarkets' ? { ...answer, body: deep } : answer,
  );
  const exits = run.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).exit);
  assert.deepEqual(exits, [7, 7, 7, 0], run.err);
  const half = await lane.run(`batch ${file}`, (id, answer) =>
    id === 'cancelOrder' ? { ...answer, body: deep } : answer,
  );
  assert.deepEqual(
    half.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).exit),
    [0, 8, 0, 0],
    half.err,
  );
  await lane.forget();
});

test('resuming does not mistake another request’s order for its own', async () => {
  const lane = lanes.first;
  const lost = await lane.run(writeCommands.createOrder!, (id, answer) =>
    id === 'createOrder' ? { status: 200, body: {} } : answer,
  );
  assert.equal(lost.exit, 8, lost.err);
  const [{ client_order_id }] = (await lane.desk.json('pending')) as [{ client_order_id: string }];
  const theirs = { ...writeAnswers.createOrder!.data, client_order_id };
  for (const other of [
    { account_id: 'acc_2' },
    { market_id: 'x|Y' },
    { side: 'sell' },
    { mode: 'market' },
    { id: 5 },
  ]) {
    const run = await lane.run('pending resume --json', (id, answer) =>
      id === 'listOrders' ? { status: 200, body: { data: [{ ...theirs, ...other }], has_more: false } } : answer,
    );
    assert.deepEqual([run.exit, run.json[0].outcome], [8, 'unknown'], JSON.stringify(other));
  }
  const own = await lane.run('pending resume --json', (id, answer) =>
    id === 'listOrders' ? { status: 200, body: { data: [theirs], has_more: false } } : answer,
  );
  assert.deepEqual([own.exit, own.json[0].outcome], [0, 'done']);
});

trial('an invalid answer to a read exits 7 as bad_answer', async () => {
  const bodies = [{}, { data: 5 }, { data: 'x' }, { data: null }];
  const cases = readCommands.flatMap((command, at) => ({ command, body: bodies[at % bodies.length] }));
  await lanes.each(cases, async (lane, { command, body }) => {
    await lane.run(`${command} --json`, honest);
    const last = lane.host.asked.at(-1);
    const run = await lane.run(`${command} --json`, (id, answer) => (id === last ? { ...answer, body } : answer));
    // Data in addition to the answer becomes a note, or is omitted.
    if (run.exit === 0) assert.ok(/whoami|^quote/.test(command) || /could not be fetched/.test(run.err), command);
    else assert.deepEqual([run.exit, run.error.code], [7, 'bad_answer'], `${command}: ${run.err}`);
  });
});

test('a command that needs a missing field names it, whatever the status of the answer', async () => {
  const lane = lanes.first;
  for (const status of [200, 202, 206]) {
    const run = await lane.run('order place BTC buy 0.5 --json', (id, honest) =>
      id === 'listMarkets' ? { status, body: { data: [{ market_id: 'binance|BTCUSDT' }] } } : honest,
    );
    assert.deepEqual([run.exit, run.error.code], [7, 'bad_answer'], run.err);
    assert.match(run.error.message, /The host's answer to listMarkets does not match the API: data\[0\]\./);
  }
});

trial('no field of any answer crashes a command, whether missing, null, new or absurd: one in sixty', () =>
  hostileFields(lanes, 60),
);

test('names from a host are sanitized in prompts and completion', async () => {
  const lane = lanes.first;
  const evil = 'B\u001b[2JT\u3164C\u{e0041}';
  const behave: Behavior = (_, answer) => ({
    ...answer,
    body: JSON.parse(JSON.stringify(answer.body).replaceAll('"symbol":"BTC"', `"symbol":${JSON.stringify(evil)}`)),
  });
  lane.host.behave = behave;
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: lane.host.url, PERP_API_KEY: 'x_live_k' };
  const terminal = { variables, terminal: true, answer: false };
  for (const command of [
    'order cancel ord_1',
    'order amend ord_1 --price 60500 --force',
    'positions close pos_1',
    'cancel-all',
  ]) {
    const asked = lane.desk.questions.length;
    const run = await lane.desk.perp(command.split(' '), terminal);
    assert.equal(run.exit, 130, run.err);
    for (const text of [...lane.desk.questions.slice(asked), run.out, run.err])
      assert.doesNotMatch(text, /[\u001b\u3164\u{e0041}]/u, command);
  }
  await lane.desk.perp(['markets'], { variables });
  for (const kind of ['market', 'order', 'position', 'account']) {
    const { exit, out } = await lane.desk.perp(['__complete', kind, 'live'], { variables });
    assert.equal(exit, 0);
    assert.doesNotMatch(out, /[\u001b\u3164\u{e0041}]/u, kind);
  }
});
