import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '../../../src/wire/client/client.ts';
import {
  ApiError,
  BulkIncompleteError,
  NoAnswerError,
  OutcomeUnknownError,
} from '../../../src/wire/client/client-errors.ts';
import type { IntentOutcome } from '../../../src/wire/client/intent.ts';
import { answer, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const path = { account_id: 'acc_1' };
const slice = (status: number, done: number, headers: Record<string, string> = {}) =>
  answer(
    status,
    { data: { id: 'op_1', account_id: 'acc_1', total_count: 3, succeeded_count: done, failed_count: 0, results: [] } },
    headers,
  );

function scene(steps: ScriptedAnswer[]) {
  const transport = scriptedTransport(...steps);
  const { retry, waits } = stepClock();
  const outcomes: string[] = [];
  const intents = {
    beforeSend: () => void outcomes.push('open'),
    afterAnswer: (_: unknown, outcome: IntentOutcome) => void outcomes.push(outcome.kind),
  };
  return { transport, waits, outcomes, client: createClient({ transport, retry, intents }) };
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => assert.fail('expected a failure'),
    (error: Error) => error,
  );
}

test('a bulk operation continues under one key after each Retry-After until the end, and reports progress', async () => {
  const { client, transport, waits, outcomes } = scene([
    slice(202, 1, { 'retry-after': '2' }),
    new NoAnswerError('reset'),
    slice(202, 2),
    refusal(503, 'unavailable', {}, { 'retry-after': '1' }),
    slice(201, 3),
  ]);
  const progress: number[] = [];
  const done = await client.runBulk('closeAllAccountPositions', { path }, (state) =>
    progress.push(state.succeeded_count),
  );
  assert.deepEqual([done.status, done.data.succeeded_count], [201, 3]);
  assert.deepEqual(progress, [1, 2, 3]);
  assert.deepEqual(waits, [2_000, 100, 1_000, 1_100]);
  assert.equal(new Set(transport.requests.map((request) => request.headers['idempotency-key'])).size, 1);
  assert.deepEqual(outcomes, ['open', 'done']);
});

test('a refusal of the first part is an ordinary refusal', async () => {
  const { client, outcomes } = scene([refusal(404, 'not_found')]);
  assert.ok((await failure(client.runBulk('cancelAllAccountOrders', { path }))) instanceof ApiError);
  assert.deepEqual(outcomes, ['open', 'not_done']);
});

test('when stopped before the end, its intent stays open under its key', async () => {
  const stops: [name: string, ScriptedAnswer, cause: unknown][] = [
    ['logged out', refusal(401, 'unauthorized'), ApiError],
    ['answers stop', new NoAnswerError('reset'), OutcomeUnknownError],
  ];
  for (const [name, step, cause] of stops) {
    const { client, outcomes } = scene([slice(202, 2), step]);
    const error = await failure(client.runBulk('cancelAllAccountOrders', { path, idempotencyKey: 'key-9' }));
    assert.ok(error instanceof BulkIncompleteError, name);
    assert.equal(error.idempotencyKey, 'key-9');
    assert.ok(error.cause instanceof (cause as typeof ApiError), name);
    assert.deepEqual(outcomes, ['open'], name);
  }
});

test('when stopped by its signal between two parts, it can be resumed under its key', async () => {
  const controller = new AbortController();
  const { client, transport } = scene([
    () => {
      controller.abort(new Error('Ctrl-C'));
      return slice(202, 1);
    },
    slice(200, 3),
  ]);
  const request = { path, idempotencyKey: 'key-9' };
  const error = await failure(client.runBulk('closeAllAccountPositions', { ...request, signal: controller.signal }));
  assert.ok(error instanceof BulkIncompleteError);
  assert.equal((await client.runBulk('closeAllAccountPositions', request)).data.succeeded_count, 3);
  assert.equal(transport.requests.length, 2);
});

test('a bulk operation whose parts make no progress is given up', async () => {
  const { client, transport } = scene([slice(202, 1)]);
  const error = await failure(client.runBulk('cancelAllAccountOrders', { path }));
  assert.match(error.message, /made no progress/);
  assert.equal(transport.requests.length, 61);
});

test('one plain call of a bulk operation leaves the intent open when it answers 202; retrying it runs to the end', async () => {
  const { client, outcomes } = scene([slice(202, 1), slice(202, 2), slice(200, 3)]);
  const intent = client.intend('cancelAllAccountOrders', { path, idempotencyKey: 'key-9' });
  assert.equal((await client.call('cancelAllAccountOrders', { path, idempotencyKey: 'key-9' })).status, 202);
  assert.deepEqual(outcomes, ['open']);
  assert.equal((await client.repeat(intent)).status, 200);
  assert.deepEqual(outcomes, ['open', 'done']);
});
