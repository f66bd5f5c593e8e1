import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { retryAfterMs } from '../../../src/base/sockets/front.ts';
import { ApiError, ConnectionError, NoAnswerError, ProtocolError } from '../../../src/wire/client/client-errors.ts';
import {
  judgeAnswer,
  judgeFailure,
  mayRepeatBlindly,
  RetrySchedule,
  type Verdict,
} from '../../../src/wire/client/retry.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import type { WireResponse } from '../../../src/wire/contract/wire.ts';
import { answer, proxyPage, refusal } from './scripted-transport.ts';

const now = Date.UTC(2026, 0, 5, 12, 0, 0);

test('what an answer reveals about the fate of the request', () => {
  const table: [answer: WireResponse, kind: Verdict['kind']][] = [
    [answer(200, { data: {} }), 'done'],
    [answer(201, { data: { id: 'a' }, surplus: [1] }), 'done'],
    [answer(202, { data: { status: 'running' } }), 'done'],
    [answer(200, { data: null }), 'done'],
    [answer(200, {}), 'unclear'],
    [answer(200, []), 'unclear'],
    [answer(204, undefined), 'unclear'],
    [proxyPage(200), 'unclear'],
    [refusal(400, 'invalid_request'), 'refused'],
    [
      refusal(400, 'invalid_request', { details: [{ field: 'size', issue: 'is 0' }] }, { connection: 'close' }),
      'refused',
    ],
    [refusal(400, 'invalid_request', {}, { connection: 'close' }), 'unclear'],
    [proxyPage(400, { connection: 'Close' }), 'unclear'],
    [answer(400, { code: 'invalid_grant', message: 'used', request_id: 'r' }), 'refused'],
    [refusal(401, 'unauthorized'), 'refused'],
    [refusal(403, 'forbidden'), 'refused'],
    [refusal(404, 'not_found'), 'refused'],
    [proxyPage(404), 'refused'],
    [proxyPage(408), 'unclear'],
    [refusal(409, 'idempotency_conflict'), 'refused'],
    [refusal(413, 'payload_too_large'), 'refused'],
    [refusal(422, 'rule_violation'), 'refused'],
    [refusal(422, 'cooldown'), 'refused'],
    [refusal(418, 'brand_new_code'), 'refused'],
    [refusal(429, 'rate_limited'), 'later'],
    [proxyPage(429), 'later'],
    [refusal(500, 'internal'), 'unclear'],
    [refusal(501, 'not_built'), 'refused'],
    [proxyPage(502), 'unclear'],
    [refusal(503, 'unavailable'), 'later'],
    [proxyPage(503), 'unclear'],
    [answer(503, { error: 'upstream connect error' }), 'unclear'],
    [proxyPage(504), 'unclear'],
    [proxyPage(520), 'unclear'],
    [proxyPage(301, { location: 'https://elsewhere' }), 'refused'],
    [proxyPage(302, { location: '/done' }), 'unclear'],
    [proxyPage(303, { location: '/done' }), 'unclear'],
    [proxyPage(308), 'refused'],
  ];
  for (const [given, kind] of table)
    assert.equal(
      judgeAnswer(given, now, undefined, operations.cancelAllAccountOrders).kind,
      kind,
      JSON.stringify(given),
    );
});

test('a transport error says whether anything was sent', () => {
  assert.equal(judgeFailure(new ConnectionError('refused')).kind, 'later');
  assert.equal(judgeFailure(new ConnectionError('certificate', { retryable: false })).kind, 'refused');
  assert.equal(judgeFailure(new NoAnswerError('reset')).kind, 'unclear');
  assert.equal(judgeFailure(new TypeError('a bug')).kind, 'unclear');
});

test('errors parse every form of refusal', () => {
  const read = (given: WireResponse) => {
    const verdict = judgeAnswer(given, now, 'key-1', operations.createOrder);
    assert.ok(verdict.kind === 'refused' && verdict.error instanceof ApiError);
    return verdict.error;
  };
  const details = [{ field: 'size', issue: 'must be greater than 0' }];
  const full = read(refusal(400, 'invalid_request', { details }));
  assert.deepEqual(
    [full.code, full.status, full.requestId, full.idempotencyKey],
    ['invalid_request', 400, 'request-400', 'key-1'],
  );
  assert.deepEqual(full.issues, details);

  const rejected = read(
    refusal(422, 'rule_violation', { rule_id: 'insufficient-depth', order_id: 'o', details: { available_size: 3 } }),
  );
  assert.deepEqual(
    [rejected.ruleId, rejected.orderId, rejected.details],
    ['insufficient-depth', 'o', { available_size: 3 }],
  );
  assert.deepEqual(rejected.issues, []);

  const bare = read(answer(400, { code: 'invalid_grant', message: 'the code was used', request_id: 'r9' }));
  assert.deepEqual([bare.code, bare.message, bare.requestId], ['invalid_grant', 'the code was used', 'r9']);

  const text = read(answer(403, { error: 'no' }));
  assert.deepEqual([text.code, text.message, text.requestId], ['forbidden', 'no', 'request-403']);

  const strange: unknown[] = [
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { error: null },
    { error: [] },
    { error: { code: 5, message: {} } },
  ];
  for (const body of strange) {
    const error = read(answer(409, body));
    assert.deepEqual([error.code, error.status], ['conflict', 409]);
    assert.match(error.message, /409/);
  }
  assert.equal(read(proxyPage(499)).code, 'foreign_answer');
});

test('a redirect and a page without the API’s data are reported as such', () => {
  for (const status of [300, 399])
    assert.match(
      (judgeAnswer(proxyPage(status), now, undefined, operations.createOrder) as { error: Error }).error.message,
      /redirect/,
    );
  const redirect = judgeAnswer(
    proxyPage(302, { location: 'https://evil\u001b[31m' }),
    now,
    undefined,
    operations.createOrder,
  ) as {
    error: Error;
  };
  assert.ok(redirect.error instanceof ProtocolError);
  assert.match(redirect.error.message, /redirect to "https:\/\/evil\\u001b\[31m", which is not followed/);
  const page = judgeAnswer(proxyPage(200), now, undefined, operations.createOrder) as { error: Error };
  assert.match(page.error.message, /in front of the service answered with status 200 and a page \(text\/html\)/);
});

test('Retry-After is read as seconds or as a date, relative to the server’s clock', () => {
  const table: [headers: Record<string, string>, ms: number | undefined][] = [
    [{ 'retry-after': '1' }, 1_000],
    [{ 'retry-after': ' 30 ' }, 30_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after': 'Mon, 05 Jan 2026 12:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Mon, 05 Jan 2026 11:59:00 GMT' }, 0],
    [{ 'retry-after': 'Mon, 05 Jan 2026 13:00:07 GMT', date: 'Mon, 05 Jan 2026 13:00:05 GMT' }, 2_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ];
  for (const [headers, ms] of table) assert.equal(retryAfterMs(headers, now), ms, JSON.stringify(headers));
});

test('waits double with full jitter, within the attempts and the deadline', () => {
  const schedule = new RetrySchedule({
    attempts: 6,
    baseDelayMs: 100,
    maxDelayMs: 500,
    deadlineMs: 10_000,
    now: () => now,
    random: () => 0.999,
  });
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => Math.round(schedule.delayMs(attempt, now, undefined) ?? -1));
  assert.deepEqual(waits, [100, 200, 400, 500, 500, -1]);
  assert.equal(schedule.delayMs(1, now, 60_000), undefined, 'a wait beyond the deadline does not start');
  assert.equal(schedule.delayMs(1, now - 9_990, undefined), undefined);
});

test('a wait is never shorter than the service asks, or longer than the deadline', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.option(fc.nat(100_000)),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, asked, random) => {
        const schedule = new RetrySchedule({ random: () => random, now: () => now });
        const delay = schedule.delayMs(attempt, now - 5_000, asked ?? undefined);
        if (delay === undefined) return;
        assert.ok(delay >= (asked ?? 0) && delay < 55_000);
      },
    ),
  );
});

test('what is retried without looking when the first outcome is unknown: less where a key may be forgotten', () => {
  const repeatable = (keepsKeys: boolean) =>
    Object.values(operations)
      .filter((operation) => operation.method !== 'GET' && mayRepeatBlindly(operation, keepsKeys))
      .map((operation) => operation.id)
      .sort();
  const anywhere = ['cancelAllAccountOrders', 'closeAllAccountPositions', 'setPositionIsolatedMargin'];
  assert.deepEqual(repeatable(false), anywhere);
  const witnessed = ['closePosition', 'createOrder', 'createScaledOrder', 'createTwapOrder'];
  assert.deepEqual(repeatable(true), [...anywhere, ...witnessed].sort());
});
