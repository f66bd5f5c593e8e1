import assert from 'node:assert/strict';
import { createClient } from '../../../src/wire/client/client.ts';
import { OutcomeUnknownError, ProtocolError } from '../../../src/wire/client/client-errors.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { test, trial } from '../../tiers.ts';
import { answer, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';
import { anOrder, hostileBodies, type WriteAnswer, writeAnswers } from './write-answers.ts';

const names = Object.keys(writeAnswers);

function scene(...steps: ScriptedAnswer[]) {
  const transport = scriptedTransport(...steps);
  const told: string[] = [];
  const intents = {
    beforeSend: () => {},
    afterAnswer: (_: Intent, { kind }: { kind: string }) => void told.push(kind),
  };
  return { transport, told, client: createClient({ transport, keepsKeys: true, intents, retry: stepClock().retry }) };
}

/** `done` or `unknown`; an unknown write never counts as settled. */
async function verdict({ call }: WriteAnswer, step: ScriptedAnswer): Promise<string> {
  const { client, told } = scene(step);
  try {
    await call(client);
    assert.deepEqual(told, ['done']);
    return 'done';
  } catch (error) {
    assert.ok(error instanceof OutcomeUnknownError, (error as Error).stack);
    assert.deepEqual(told, [], 'no outcome is reported to the keeper');
    return 'unknown';
  }
}

const statusOf = (name: string) => (operations[name as 'createOrder'].responses[201] === undefined ? 200 : 201);

trial('an answer that fits its request is accepted, whatever other fields it has or lacks', async () => {
  for (const name of names) {
    const write = writeAnswers[name]!;
    const { data, identifies, size } = write;
    const status = statusOf(name);
    assert.equal(await verdict(write, answer(status, { data })), 'done', name);
    const others = Object.keys(data).filter((field) => !(field in identifies) && field !== size);
    for (const field of others) {
      const { [field]: _, ...rest } = data;
      for (const value of [null, 'a_new_word', {}, []]) {
        const changed = { ...data, [field]: value };
        assert.equal(await verdict(write, answer(status, { data: changed })), 'done', `${name} ${field} ${value}`);
      }
      assert.equal(await verdict(write, answer(status, { data: rest })), 'done', `${name} without ${field}`);
    }
    const more = { data: { ...data, brand_new: { x: 1 } }, more: true };
    assert.equal(await verdict(write, answer(status, more)), 'done', name);
  }
});

test('a success with an unusual status is accepted if its answer fits, and nothing stays open', async () => {
  for (const status of [200, 201, 202, 203, 299]) {
    assert.equal(await verdict(writeAnswers.createOrder!, answer(status, { data: anOrder })), 'done', `${status}`);
    const { cancelOrder } = writeAnswers;
    assert.equal(await verdict(cancelOrder!, answer(status, { data: cancelOrder!.data })), 'done', `${status}`);
  }
});

test('an answer that does not fit a write leaves its outcome unknown', async () => {
  for (const name of names) {
    for (const body of hostileBodies) {
      for (const status of [200, 201]) {
        const where = `${name} ${status} ${JSON.stringify(body)}`;
        assert.equal(await verdict(writeAnswers[name]!, answer(status, body)), 'unknown', where);
      }
    }
  }
});

test('an answer that echoes another request is refused', async () => {
  for (const name of names) {
    const write = writeAnswers[name]!;
    for (const [field, other] of Object.entries(write.identifies)) {
      const { [field]: _, ...absent } = write.data;
      const cases: [what: string, data: object][] = [
        [`${field} ${other}`, { ...write.data, [field]: other }],
        [`no ${field}`, absent],
        [`${field} null`, { ...write.data, [field]: null }],
      ];
      for (const [what, data] of cases)
        assert.equal(await verdict(write, answer(200, { data })), 'unknown', `${name}, ${what}`);
    }
  }
});

test('the size is compared with the request for a new order, not for a replay', async () => {
  for (const name of names) {
    const write = writeAnswers[name]!;
    if (write.size === undefined) continue;
    for (const larger of [7, 1e15]) {
      const changed: Record<string, unknown> = { ...write.data, size: larger, [write.size]: larger };
      assert.equal(await verdict(write, answer(201, { data: changed })), 'unknown', name);
      assert.equal(await verdict(write, answer(200, { data: changed })), 'done', name);
    }
    const absent = { ...write.data, size: null, [write.size]: undefined };
    assert.equal(await verdict(write, answer(201, { data: absent })), 'done', `${name}: nothing to compare`);
  }
  const write = writeAnswers.createOrder!;
  const { initial_size: _, ...order } = anOrder;
  const wanted = anOrder.initial_size;
  const shown = (data: object) => answer(201, { data: { ...order, ...data } });
  assert.equal(await verdict(write, shown({ size: 0.5 })), 'done', 'without initial_size');
  assert.equal(
    await verdict(write, shown({ size: 0.3, filled_size: 0.2 })),
    'done',
    'what remains, and what is filled',
  );
  assert.equal(await verdict(write, shown({ size: 0.3 })), 'unknown');
  const silent = { ...order, size: wanted - 1, filled_size: undefined };
  assert.equal(await verdict(write, answer(201, { data: silent })), 'unknown', 'what is not said to be filled is not');
  const cut = { ...anOrder, reduce_only: true, initial_size: 0.2, size: 0.2 };
  assert.equal(await verdict(writeAnswers.closePosition!, answer(201, { data: cut })), 'done', 'cut to the position');
});

test('a twap does not pass for a vwap, or cancel-all for close-all; unknown words pass', async () => {
  const cases: [name: string, field: string, word: string, expected: string][] = [
    ['createTwapOrder', 'strategy', 'vwap', 'unknown'],
    ['createTwapOrder', 'strategy', 'pov', 'done'],
    ['cancelAllAccountOrders', 'operation', 'close_all_positions', 'unknown'],
    ['closeAllAccountPositions', 'operation', 'cancel_all_orders', 'unknown'],
    ['cancelAllAccountOrders', 'operation', 'sweep', 'done'],
    ['cancelOrder', 'canceled', false as unknown as string, 'unknown'],
    ['saveCopyTradingConfigurations', 'ok', false as unknown as string, 'unknown'],
  ];
  for (const [name, field, word, expected] of cases) {
    const write = writeAnswers[name]!;
    const data = { ...write.data, [field]: word };
    assert.equal(await verdict(write, answer(200, { data })), expected, `${name} ${field} ${word}`);
  }
});

test('a refusal about another order is not accepted', async () => {
  const { createOrder } = writeAnswers;
  const theirs = refusal(422, 'rule_violation', { client_order_id: 'theirs' });
  assert.equal(await verdict(createOrder!, theirs), 'unknown');
  const { client } = scene(theirs, answer(201, { data: anOrder }));
  assert.equal(
    ((await createOrder!.call(client)) as { data: { id: string } }).data.id,
    'ord_1',
    'the request is sent again',
  );
});

test('an answer to a read that is about something else, or has another shape, is invalid', async () => {
  const cases: [name: string, call: (client: ReturnType<typeof createClient>) => Promise<unknown>, data: unknown][] = [
    ['an order without id', (client) => client.call('getOrder', { path: { order_id: 'o' } }), {}],
    ['another order', (client) => client.call('getOrder', { path: { order_id: 'o' } }), { id: 'p' }],
    ['another market', (client) => client.call('getMarketQuote', { path: { market_id: 'm' } }), { market_id: 'n' }],
    [
      'another policy',
      (client) => client.call('getAccountTradingPolicy', { path: { account_id: 'a' } }),
      { account_id: 'b' },
    ],
    ['no list', (client) => client.call('listMarkets', {}), { 0: {} }],
    ['a list of numbers', (client) => client.call('listMarkets', {}), [5]],
    ['a list of nothing', (client) => client.call('listMarkets', {}), [null]],
    [
      'orders of another account',
      (client) => client.call('listOrders', { query: { account_id: 'a' } }),
      [{ id: 'o', account_id: 'b' }],
    ],
    [
      'an order with another id',
      (client) => client.call('listOrders', { query: { client_order_id: 'mine' } }),
      [{ id: 'o', client_order_id: 'theirs' }],
    ],
  ];
  for (const [name, call, data] of cases) {
    const { client } = scene(answer(200, { data }));
    await assert.rejects(call(client), ProtocolError, name);
  }
  const { client } = scene(answer(200, { data: { id: 'ord_1', client_order_id: 'mine', size: 1 } }));
  await client.call('getOrder', { path: { order_id: 'mine' } });
});

test('every write is compared with its answer, except the login, which has its own check', () => {
  const writes = Object.values(operations).filter(({ method }) => method !== 'GET');
  const missing = writes.map(({ id }) => id).filter((id) => !(id in writeAnswers));
  assert.deepEqual(missing, ['exchangeCliAuthorizationCode']);
});
