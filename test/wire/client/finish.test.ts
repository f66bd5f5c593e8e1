import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import { NoAnswerError, OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import type { OutcomeOptions } from '../../../src/wire/client/outcome.ts';
import { finish } from './outcomes.ts';
import { answer, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const lost = new NoAnswerError('reset');
const data = (value: unknown) => answer(200, { data: value });
const resting = { id: 'o', status: 'resting', size: 2, limit_price: 100 };
const canceled = data({ ...resting, status: 'canceled' });
const confirmation = data({ id: 'o', canceled: true });
const here = data(resting);
const path = { order_id: 'o' };

interface End {
  /** `answered`, `seen`, or the name of the error. */
  end: string;
  /** Methods of all requests. */
  sent: string;
  /** The events of the intent file. */
  told: string;
  data: unknown;
}

/** Sends a write whose answer is lost, and finishes it. */
function run(act: (client: Client) => Promise<unknown>, before: unknown, ...steps: ScriptedAnswer[]): Promise<End> {
  return runAfter(lost, act, before, steps);
}

async function runAfter(
  first: ScriptedAnswer,
  act: (client: Client) => Promise<unknown>,
  before: unknown,
  steps: ScriptedAnswer[],
  times: OutcomeOptions = { arrivalMs: 1 },
): Promise<End> {
  const transport = scriptedTransport(first, ...steps);
  const log: string[] = [];
  const intents = {
    beforeSend: () => void log.push('opened'),
    afterAnswer: (_: Intent, outcome: { kind: string }) => void log.push(outcome.kind),
  };
  const client = createClient({ transport, intents, retry: stepClock().retry });
  const error = await act(client).then(
    () => assert.fail('the answer was expected to be lost'),
    (rejected: unknown) => rejected,
  );
  assert.ok(error instanceof OutcomeUnknownError);
  const facts = await finish(client, error, { before, ...times }).then(
    ({ answer: given, seen }) => ({ end: seen === undefined ? 'answered' : 'seen', data: given.data as unknown }),
    (rejected: Error & { code?: string }) => ({ end: rejected.code ?? rejected.name, data: undefined }),
  );
  const sent = transport.requests.map(({ method }) => method).join(' ');
  return { ...facts, sent, told: log.join(' ') };
}

const cancel = (client: Client) => client.call('cancelOrder', { path });
const amend =
  (body: { price: number; size?: number }) =>
  (client: Client): Promise<unknown> =>
    client.call('modifyOrder', { path, body });

test('a write without a key whose answer was lost is read back, and sent again if it has not happened', async () => {
  const table: [name: string, steps: ScriptedAnswer[], end: string, sent: string, told: string][] = [
    ['done', [canceled], 'seen', 'DELETE GET', 'opened done'],
    ['not done; done now', [here, confirmation], 'answered', 'DELETE GET DELETE', 'opened done'],
    ['lost again, but done', [here, lost, canceled], 'seen', 'DELETE GET DELETE GET', 'opened done'],
    ['it can’t be read back', [refusal(401, 'unauthorized')], 'OutcomeUnknownError', 'DELETE GET', 'opened'],
    [
      'it can no longer be read back',
      [here, lost, refusal(401, 'unauthorized')],
      'OutcomeUnknownError',
      'DELETE GET DELETE GET',
      'opened',
    ],
    [
      'refused, because the first one had arrived after all',
      [here, refusal(409, 'order_terminal'), canceled],
      'seen',
      'DELETE GET DELETE GET',
      'opened done',
    ],
    [
      'refused, because it filled in the meantime',
      [here, refusal(409, 'order_terminal'), data({ ...resting, status: 'filled' })],
      'order_terminal',
      'DELETE GET DELETE GET',
      'opened not_done',
    ],
    [
      'never answered, never there',
      [here, lost, here, lost, here],
      'NoAnswerError',
      'DELETE GET DELETE GET DELETE GET GET',
      'opened not_done',
    ],
    [
      'never answered, found after its maximum travel time',
      [here, lost, here, lost, here, canceled],
      'seen',
      'DELETE GET DELETE GET DELETE GET GET',
      'opened done',
    ],
  ];
  for (const [name, steps, end, sent, told] of table) {
    const ended = await run(cancel, undefined, ...steps);
    assert.deepEqual([ended.end, ended.sent, ended.told], [end, sent, told], name);
    const isDone = end === 'seen' || end === 'answered';
    assert.deepEqual(ended.data, isDone ? { id: 'o', canceled: true } : undefined, name);
  }
});

test('if a late first write and a second would both take effect, nothing is sent again: the client waits instead', async () => {
  const group = { enabled: false, source_account_id: 'lead', targets: [] };
  const save = (config_id?: string) => (client: Client) =>
    client.call('saveCopyTradingConfigurations', {
      body: { groups: [config_id === undefined ? group : { config_id, ...group }], deleted_config_ids: [] },
    });
  const armed = { ...resting, trigger_price: 90 };
  const { limit_price: _, ...trigger } = armed;
  const table: [name: string, act: (client: Client) => Promise<unknown>, before: unknown, isSentAgain: boolean][] = [
    ['a new copy group', save(), [], false],
    ['a known one', save('g1'), [{ ...group, config_id: 'g1', enabled: true }], true],
    ['a price', amend({ price: 101 }), resting, true],
    ['a price, of an order not seen before', amend({ price: 101 }), undefined, false],
    ['a price and a remainder: fills may come between', amend({ price: 101, size: 1 }), resting, false],
    ['a trigger', amend({ price: 101 }), trigger, true],
    ['a trigger with a limit: the second may move the limit', amend({ price: 101 }), armed, false],
  ];
  for (const [name, act, before, isSentAgain] of table) {
    const isGroup = name.includes('known one');
    const answered = isGroup ? data({ ok: true }) : data(resting);
    const ended = await run(act, before, ({ method }) => (method === 'GET' ? data(before ?? resting) : answered));
    const again = ended.sent.split(' ').filter((method) => method !== 'GET').length > 1;
    assert.deepEqual(
      [again, ended.end, ended.told],
      [isSentAgain, isSentAgain ? 'answered' : 'NoAnswerError', isSentAgain ? 'opened done' : 'opened not_done'],
      name,
    );
  }
});

test('a refusal that may be for a second delivery is reported only if the write has not happened', async () => {
  const ended = refusal(409, 'order_terminal');
  const rule = refusal(422, 'rule_violation');
  const stop = { stopped_at: 7, acknowledged_at: 9 };
  const policy = (copy_stop: object) => data({ account_id: 'a', copy_stop });
  const group = { config_id: 'g1', enabled: false, source_account_id: 'lead', targets: [] };
  const acknowledge = (client: Client) =>
    client.call('acknowledgeCopyTradingStop', { path: { account_id: 'a' }, body: { stopped_at: 7 } });
  const disable = (client: Client) => client.call('disableCopyTradingConfiguration', { path: { config_id: 'g1' } });
  const remove = (client: Client) =>
    client.call('saveCopyTradingConfigurations', { body: { groups: [], deleted_config_ids: ['g1'] } });
  const stopTwap = (client: Client) => client.call('cancelTwapOrder', { path: { twap_order_id: 't' } });
  const place = (client: Client) =>
    client.call('replacePositionExitOrders', {
      path: { position_id: 'p' },
      body: {
        expected_position_size: 1,
        expected_orders: [{ order_id: 'old', price: 90, size: 1 }],
        operations: [
          { kind: 'cancel', order_id: 'old' },
          { kind: 'place', group: 'sl', price: 95, size: 1 },
        ],
      },
    });
  const position = data({ id: 'p', account_id: 'a', size: 1, entry_price: 100 });
  const exit = { id: 'new', type: 'stop_market', trigger_price: 95, size: 1, target_position_id: 'p' };
  const old = (status: string) => data({ id: 'old', size: 1, status });
  const stale = refusal(409, 'stale_snapshot');
  type Case = [
    name: string,
    (client: Client) => Promise<unknown>,
    before: unknown,
    ScriptedAnswer,
    shown: ScriptedAnswer[],
    end: string,
  ];
  const table: Case[] = [
    ['canceled by this one', cancel, resting, ended, [canceled], 'seen'],
    ['canceled before', cancel, { ...resting, status: 'canceled' }, ended, [canceled], 'order_terminal'],
    ['filled in the meantime', cancel, resting, ended, [data({ ...resting, status: 'filled' })], 'order_terminal'],
    ['it can’t be read back', cancel, resting, ended, [refusal(401, 'unauthorized')], 'OutcomeUnknownError'],
    ['shown with a new word', cancel, resting, ended, [data({ ...resting, status: 'paused' })], 'order_terminal'],
    ['moved by this one', amend({ price: 101 }), resting, rule, [data({ ...resting, limit_price: 101 })], 'seen'],
    ['there already', amend({ price: 100 }), resting, rule, [here], 'rule_violation'],
    ['not moved', amend({ price: 101 }), resting, rule, [here], 'rule_violation'],
    ['exits, by this one', place, undefined, stale, [position, data([exit]), old('canceled')], 'seen'],
    ['exits, not', place, undefined, stale, [position, data([]), old('resting')], 'stale_snapshot'],
    ['exits, by others in part', place, undefined, stale, [position, data([]), old('canceled')], 'stale_snapshot'],
    [
      'twap, by this one',
      stopTwap,
      { status: 'running' },
      ended,
      [data({ id: 't', status: 'canceled', total_size: 1 })],
      'seen',
    ],
    [
      'twap, before',
      stopTwap,
      { status: 'canceled' },
      ended,
      [data({ id: 't', status: 'canceled', total_size: 1 })],
      'order_terminal',
    ],
    ['acknowledged', acknowledge, { copy_stop: { ...stop, acknowledged_at: null } }, rule, [policy(stop)], 'seen'],
    ['acknowledged before', acknowledge, { copy_stop: stop }, rule, [policy(stop)], 'rule_violation'],
    ['disabled', disable, [{ ...group, enabled: true }], rule, [data([group])], 'seen'],
    ['disabled before', disable, [group], rule, [data([group])], 'rule_violation'],
    ['deleted', remove, [group], refusal(404, 'not_found'), [data([])], 'seen'],
    ['deleted before', remove, [], refusal(404, 'not_found'), [data([])], 'not_found'],
  ];
  for (const [name, act, before, first, shown, end] of table) {
    const finished = await runAfter(first, act, before, shown);
    const told = { seen: 'opened done', OutcomeUnknownError: 'opened' }[finished.end] ?? 'opened not_done';
    assert.deepEqual([finished.end, finished.told], [end, told], name);
    assert.ok(!/ (DELETE|PATCH|PUT|POST)/.test(finished.sent), `${name}: nothing is sent twice`);
  }
});

test('after an invalid answer, a write without effect does not count as not done', async () => {
  const nonsense = data({});
  const table: [name: string, steps: ScriptedAnswer[], end: string, told: string][] = [
    ['never there', [here, nonsense, here, nonsense, here], 'OutcomeUnknownError', 'opened'],
    ['there after all', [canceled], 'seen', 'opened done'],
    ['answered the second time', [here, confirmation], 'answered', 'opened done'],
    ['never there, and no answer to the others', [here, lost, here, lost, here], 'OutcomeUnknownError', 'opened'],
    ['reading back is answered invalidly, too', [nonsense], 'OutcomeUnknownError', 'opened'],
  ];
  for (const [name, steps, end, told] of table) {
    const ended = await runAfter(nonsense, cancel, resting, steps);
    assert.deepEqual([ended.end, ended.told], [end, told], name);
  }
});

test('a write that may still arrive after the wait stays open, and the message says for how long', async () => {
  const times = { arrivalMs: 15_000, maxWaitMs: 1 };
  const resized = amend({ price: 101, size: 1 });
  const open = await runAfter(lost, resized, resting, [here, here], times);
  assert.deepEqual([open.end, open.told, open.sent], ['OutcomeUnknownError', 'opened', 'PATCH GET GET']);
  const { client } = { client: createClient({ transport: scriptedTransport(lost, here), retry: stepClock().retry }) };
  const error = await resized(client).catch((unknown: unknown) => unknown);
  await assert.rejects(
    finish(client, error as OutcomeUnknownError, { before: resting, ...times, maxWaitMs: 100 }),
    /it was not done within 0\.1 s; it may still arrive within the next 14\.9 s/,
  );
  const late = await runAfter(lost, resized, resting, [here, data({ ...resting, limit_price: 101, size: 1 })], times);
  assert.deepEqual([late.end, late.told], ['seen', 'opened done']);
});
