import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import { NoAnswerError, OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import type { Transport } from '../../../src/wire/contract/wire.ts';
import { finish } from './outcomes.ts';
import { answer, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const sentAt = Date.UTC(2026, 0, 5);
const lost = new NoAnswerError('reset');
const page = (...rows: object[]) => answer(200, { data: rows, has_more: false });
const absent = page();
const wanted = {
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  side: 'buy',
  leverage: 1,
  margin_mode: 'cross',
} as const;
const name = 'perp-0a4d99ab-95ba-45ac-ab97-f17590501b7b';
const order = { id: 'ord_1', ...wanted, mode: 'market', status: 'filled', size: 1, client_order_id: name };
const made = answer(201, { data: order });
const conflict = refusal(409, 'client_order_id_conflict');

interface End {
  /** `answered`, `seen`, or the code or name of the error. */
  end: string;
  sent: string;
  /** Waits of more than a second. */
  waits: number[];
  says: string;
}

/** A host whose accounts show its time; everything else is answered in order. */
function hostOf(steps: ScriptedAnswer[], time: number) {
  const scripted = scriptedTransport(...steps);
  const account = answer(200, { data: { id: 'acc_1', balance: 1, risk: { observed_at: time } } });
  const transport: Transport = async (request, limits) =>
    request.target === '/v1/accounts/acc_1' ? account : scripted(request, limits);
  return { transport, requests: scripted.requests };
}

async function run(
  act: (client: Client) => Promise<unknown>,
  steps: ScriptedAnswer[],
  { maxWaitMs, time = sentAt }: { maxWaitMs?: number; time?: number } = {},
): Promise<End> {
  const { transport, requests } = hostOf(steps, time);
  const { retry, waits } = stepClock();
  const client = createClient({ transport, retry });
  const finished = await act(client)
    .then(() => ({ end: 'answered', says: '' }))
    .catch(async (error: unknown) => {
      if (!(error instanceof OutcomeUnknownError)) throw error;
      const { seen = '' } = await finish(client, error, { maxWaitMs });
      return { end: seen === '' ? 'answered' : 'seen', says: seen };
    })
    .catch((error: Error & { code?: string }) => ({ end: error.code ?? error.name, says: error.message }));
  const sent = requests.map(({ method }) => method).join(' ');
  return { ...finished, sent, waits: waits.filter((ms) => ms > 1_000) };
}

function place(client_order_id: string, idempotencyKey = client_order_id.replace('perp-', ''), size = 1) {
  return (client: Client) => client.call('createOrder', { body: { ...wanted, size, client_order_id }, idempotencyKey });
}

test('an order that got no answer is repeated only when a read says, after the arrival window, that it is absent', async () => {
  const window = 16_500;
  const rejected = page({ ...order, status: 'rejected', reject_message: 'too large' });
  const table: [what: string, steps: ScriptedAnswer[], end: string, sent: string, waits: number[]][] = [
    ['answered', [made], 'answered', 'POST', []],
    ['there at once', [lost, page(order)], 'seen', 'POST GET', []],
    ['there, and rejected', [lost, rejected], 'seen', 'POST GET', []],
    ['there late', [lost, absent, page(order)], 'seen', 'POST GET GET', [window]],
    ['absent', [lost, absent, absent, made], 'answered', 'POST GET GET POST', [window]],
    ['lost twice, then there', [lost, absent, absent, lost, page(order)], 'seen', 'POST GET GET POST GET', [window]],
    [
      'absent for good',
      [lost, absent, absent, lost, absent, absent, lost, absent],
      'NoAnswerError',
      'POST GET GET POST GET GET POST GET GET',
      [window, window, window],
    ],
    ['not readable', [lost, refusal(401, 'unauthorized')], 'OutcomeUnknownError', 'POST GET GET', [window]],
    ['no such list', [lost, refusal(404, 'not_found')], 'OutcomeUnknownError', 'POST GET GET', [window]],
    ['not readable at first', [lost, refusal(401, 'no'), page(order)], 'seen', 'POST GET GET', [window]],
    ['readable at first only', [lost, absent, refusal(401, 'no')], 'OutcomeUnknownError', 'POST GET GET', [window]],
    ['two of them', [lost, page(order, order)], 'OutcomeUnknownError', 'POST GET', []],
    [
      'the repetition meets the first',
      [lost, absent, absent, conflict, page(order)],
      'seen',
      'POST GET GET POST GET',
      [window],
    ],
    [
      'the repetition is refused',
      [lost, absent, absent, refusal(422, 'rule_violation'), absent],
      'rule_violation',
      'POST GET GET POST GET',
      [window],
    ],
    [
      'answered with another order, absent',
      [answer(201, { data: { ...order, client_order_id: 'another' } }), absent],
      'OutcomeUnknownError',
      'POST GET GET',
      [window],
    ],
    ['delivered twice', [conflict, page(order)], 'seen', 'POST GET', []],
    ['a conflict with nothing', [conflict, absent], 'client_order_id_conflict', 'POST GET', []],
  ];
  for (const [what, steps, end, sent, waits] of table) {
    const { says, ...ended } = await run(place(name), steps);
    assert.deepEqual(ended, { end, sent, waits }, `${what}: ${says}`);
  }
});

test('an id that the user chose may belong to an earlier order: its size must be as asked, and a conflict stands', async () => {
  const theirs = page({ ...order, client_order_id: 'mine', size: 5 });
  const other = await run(place('mine', 'key-1'), [lost, theirs]);
  assert.deepEqual([other.end, other.sent], ['OutcomeUnknownError', 'POST GET']);
  assert.match(other.says, /the answer's size is 5, not 1: it belongs to another request/);
  const taken = await run(place('mine', 'key-1'), [conflict]);
  assert.deepEqual([taken.end, taken.sent], ['client_order_id_conflict', 'POST']);
});

test('with a --timeout shorter than the arrival window, an absent order stays unknown, and the message says for how long', async () => {
  const { end, sent, says } = await run(place(name), [lost, absent], { maxWaitMs: 5_000 });
  assert.deepEqual([end, sent], ['OutcomeUnknownError', 'POST GET GET']);
  assert.match(says, /it was not done within 5 s; it may still arrive within the next 10 s/);
});

const twapBody = {
  ...wanted,
  size: 5,
  expected_price: 1,
  duration_minutes: 30,
} as const;
const twap = (id: string, more: object = {}) => ({
  id,
  ...wanted,
  strategy: 'twap',
  total_size: 5,
  duration_minutes: 30,
  started_at: sentAt,
  status: 'running',
  ...more,
});
const ladderBody = {
  ...wanted,
  size: 2,
  start_price: 100,
  end_price: 90,
  rung_count: 3,
  distribution: 'flat',
} as const;

test('a TWAP and a ladder are found in their lists by their terms and their time; what can’t be matched says so', async () => {
  const start = (client: Client) => client.call('createTwapOrder', { body: twapBody });
  const ladder = (client: Client) => client.call('createScaledOrder', { body: ladderBody });
  const rungs = {
    id: 'l',
    ...wanted,
    total_size: 2,
    start_price: 100,
    end_price: 90,
    rung_count: 3,
    started_at: sentAt,
  };
  const at = (...rows: object[]): ScriptedAnswer[] => [lost, page(...rows), absent, absent];
  type Case = [
    what: string,
    (client: Client) => Promise<unknown>,
    ScriptedAnswer[],
    end: string,
    sent: string,
    time?: number,
  ];
  const table: Case[] = [
    ['running', start, at(twap('t')), 'seen', 'POST GET GET GET'],
    [
      'canceled since',
      start,
      [lost, absent, absent, page(twap('t', { status: 'canceled' }))],
      'seen',
      'POST GET GET GET',
    ],
    [
      'among others',
      start,
      at(twap('u', { side: 'sell' }), twap('t'), twap('v', { total_size: 4 })),
      'seen',
      'POST GET GET GET',
    ],
    ['two equal ones', start, at(twap('t'), twap('u')), 'OutcomeUnknownError', 'POST GET GET GET'],
    [
      'an equal one, an hour later',
      start,
      at(twap('t', { started_at: sentAt + 3_600_000 })),
      'OutcomeUnknownError',
      'POST GET GET GET',
    ],
    [
      'on a host whose clock is an hour ahead',
      start,
      at(twap('t', { started_at: sentAt + 3_600_000 })),
      'seen',
      'POST GET GET GET',
      sentAt + 3_600_000,
    ],
    [
      'only an earlier one',
      start,
      [...at(twap('t', { started_at: sentAt - 600_000 })), absent, absent, absent, answer(201, { data: twap('u') })],
      'answered',
      'POST GET GET GET GET GET GET POST',
    ],
    ['not readable', start, [lost, refusal(403, 'forbidden')], 'OutcomeUnknownError', 'POST GET GET'],
    ['a ladder', ladder, [lost, page(rungs)], 'seen', 'POST GET'],
    [
      'another ladder',
      ladder,
      [lost, page({ ...rungs, end_price: 90.01 }), absent, answer(201, { data: rungs })],
      'answered',
      'POST GET GET POST',
    ],
  ];
  for (const [what, act, steps, end, sent, time = sentAt] of table) {
    const ended = await run(act, steps, { time });
    assert.deepEqual([ended.end, ended.sent], [end, sent], `${what}: ${ended.says}`);
  }
});

test('a TWAP that was answered is not taken for an equal one that was not', async () => {
  const { transport } = hostOf([answer(201, { data: twap('t') }), lost, page(twap('t')), absent], sentAt);
  const client = createClient({ transport, retry: stepClock().retry });
  await client.call('createTwapOrder', { body: twapBody });
  const error = await client.call('createTwapOrder', { body: twapBody }).catch((thrown: unknown) => thrown);
  await assert.rejects(finish(client, error as OutcomeUnknownError, { maxWaitMs: 1 }), /it may still arrive/);
});

test('an older order under a client order id that is used again is not taken for the new one', async () => {
  const hour = 3_600_000;
  const drawn = name.replace('perp-', '');
  const found = (requested_at: number) => page({ ...order, client_order_id: 'entry', requested_at });
  const table: [what: string, key: string, requestedAt: number, end: string, hostTime?: number][] = [
    ['of an hour ago', drawn, sentAt - hour, 'OutcomeUnknownError'],
    ['of that very moment', drawn, sentAt, 'seen'],
    ['of now', drawn, sentAt + 5, 'seen'],
    ['of now, by a clock that is two hours ahead', drawn, sentAt + 2 * hour, 'seen', sentAt + 2 * hour],
    [
      'of an hour ago, by a clock that is two hours ahead',
      drawn,
      sentAt + hour,
      'OutcomeUnknownError',
      sentAt + 2 * hour,
    ],
    ['of now, by a clock that is two hours behind', drawn, sentAt - 2 * hour, 'seen', sentAt - 2 * hour],
    ['of an hour ago, under a key of the caller', 'job-7', sentAt - hour, 'seen'],
  ];
  for (const [what, key, requestedAt, end, time = sentAt] of table) {
    const ended = await run(place('entry', key), [lost, found(requestedAt), found(requestedAt)], { time });
    assert.equal(ended.end, end, `${what}: ${ended.says}`);
  }
});
