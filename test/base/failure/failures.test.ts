import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  exitCodeForStatus,
  exitCodeForStreamEnd,
  exitCodes,
  Failure,
  interruptedFailure,
  notFoundFailure,
  usageFailure,
} from '../../../src/base/failure/failure.ts';
import { factsOf, failureReport } from '../../../src/base/failure/report.ts';
import { RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { wantsJson } from '../../../src/terminal/console/terminal/io.ts';
import {
  ApiError,
  BulkIncompleteError,
  ConnectionError,
  CredentialError,
  NoAnswerError,
  OutcomeUnknownError,
  ProtocolError,
  RequestError,
} from '../../../src/wire/client/client-errors.ts';
import { errorCodes } from '../../../src/wire/contract/errors.ts';
import { Desk } from '../../terminal/cli/practice.ts';

const intent = {
  operationId: 'createOrder',
  method: 'POST',
  target: '/v1/orders',
  path: {},
  payloadHash: '',
  idempotencyKey: 'k-1',
} as const;
const refusal = (code: string, status: number, more = {}) =>
  new ApiError({ status, headers: {}, body: { error: { code, message: 'No.', request_id: 'r-1', ...more } } });

test('every API error has its documented exit status', () => {
  const byStatus: Record<number, number> = {
    400: 2,
    413: 2,
    415: 2,
    404: 3,
    401: 4,
    403: 4,
    422: 5,
    409: 6,
    429: 7,
    500: 7,
    503: 7,
  };
  for (const [code, { status }] of Object.entries(errorCodes)) {
    assert.equal(factsOf(refusal(code, status)).exit, byStatus[status], code);
  }
});

test('a message is capitalized unless it starts with an id or a field name', () => {
  const table = [
    ['no such thing', 'No such thing.'],
    ['binance|BTCUSDT is held', 'binance|BTCUSDT is held.'],
    ['gtd_expires_at: must lie ahead', 'gtd_expires_at: must lie ahead.'],
    ['size: must be above 0', 'size: must be above 0.'],
  ] as const;
  for (const [message, shown] of table) {
    const body = { error: { code: 'conflict', message, request_id: 'r-1' } };
    assert.equal(factsOf(new ApiError({ status: 409, headers: {}, body })).message, shown);
  }
});

test('everything else that may be thrown has an exit status', () => {
  const table: [unknown, number][] = [
    [usageFailure('x'), 2],
    [new RequestError([{ field: 'size', issue: 'must be greater than 0' }]), 2],
    [notFoundFailure('x'), 3],
    [new CredentialError('x'), 4],
    [new ConnectionError('x'), 7],
    [new NoAnswerError('x'), 7],
    [new ProtocolError('x'), 7],
    [Object.assign(new Error('listen'), { code: 'EADDRINUSE', syscall: 'listen' }), 6],
    [Object.assign(new Error('open'), { code: 'EROFS', syscall: 'open' }), 7],
    [new OutcomeUnknownError(intent, new Error('gone')), 8],
    [new BulkIncompleteError('x', 'k'), 8],
    [interruptedFailure('x'), 130],
    [Object.assign(new Error(), { name: 'AbortError' }), 130],
    [new TypeError('x is not a function'), 1],
    ['not even an error', 1],
  ];
  for (const [error, exit] of table) assert.equal(factsOf(error).exit, exit, String(error));
});

test('as text: what happened, why, what next, request id', () => {
  const error = refusal('rule_violation', 422, {
    rule_id: 'insufficient-margin',
    details: { required_margin: 6165.13, available_balance: 3000 },
  });
  assert.equal(
    failureReport(factsOf(error), false),
    [
      'Error: No.',
      '  required margin: 6165.13',
      '  available balance: 3000',
      '  rule: insufficient-margin',
      'Trade a smaller size or use more --leverage; perp accounts show prints the available balance.',
      '  request id: r-1',
      '',
    ].join('\n'),
  );
});

test('invalid fields are given by their options', () => {
  const error = refusal('invalid_request', 400, {
    details: [
      { field: 'limit_price', issue: 'is required for type limit' },
      { field: 'time_in_force', issue: 'is odd' },
      { field: 'duration_minutes', issue: 'must be at least 5' },
    ],
  });
  assert.match(
    failureReport(factsOf(error), false),
    /--type limit requires --limit-price\n {2}--tif is odd\n {2}--duration must be at least 5m/,
  );
});

test('as JSON: exactly the fields that apply', () => {
  const error = refusal('rate_limited', 429);
  assert.deepEqual(JSON.parse(failureReport(factsOf(error), true)), {
    error: {
      code: 'rate_limited',
      message: 'No.',
      sent: 'yes',
      status: 429,
      request_id: 'r-1',
      retryable: true,
      hint: 'Wait a moment and try again.',
    },
  });
  const unknown = JSON.parse(failureReport(factsOf(new OutcomeUnknownError(intent, new Error('gone'))), true)).error;
  assert.equal(unknown.code, 'outcome_unknown');
  assert.equal(unknown.sent, 'unknown');
  assert.equal(unknown.idempotency_key, 'k-1');
});

test("text from a server can't control the terminal", () => {
  const error = refusal('not_found', 404, { message: 'gone\u001b[2J\r\u202e', details: { '\u001b[1m': '\u0007' } });
  for (const json of [false, true]) {
    assert.doesNotMatch(failureReport(factsOf(error), json).replaceAll('\n', ''), /[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
});

test('errors are JSON if results are', () => {
  const table: [string, Record<string, string>, boolean][] = [
    ['order list', {}, false],
    ['order list --json', {}, true],
    ['order list -o json', {}, true],
    ['order list -ojson', {}, true],
    ['order list --output=ndjson', {}, true],
    ['order list -o csv', {}, false],
    ['order list', { PERP_OUTPUT: 'json' }, true],
    ['order list -o table', { PERP_OUTPUT: 'json' }, false],
    ['order cancel -- --json', {}, false],
  ];
  for (const [line, variables, wanted] of table) assert.equal(wantsJson(line.split(' '), variables), wanted, line);
});

test("a recording's file name is not capitalized", () => {
  const facts = factsOf(new RecordingError('friday.jsonl', 3, 'is not JSON'));
  assert.equal(facts.message, 'friday.jsonl:3: is not JSON.');
});

test('every error class sets its name explicitly, so bundling does not change it', () => {
  const source = resolve(import.meta.dirname, '../../../src');
  const declaration = /^export class (\w+) extends \w*Error \{(?:(?!^\})[\s\S])*/gm;
  const classes = globSync('**/*.ts', { cwd: source }).flatMap((file) => [
    ...readFileSync(join(source, file), 'utf8').matchAll(declaration),
  ]);
  assert.ok(classes.length > 10, `only ${classes.length} found`);
  for (const [text, name] of classes) assert.match(text, new RegExp(`\\bname = '${name}';`), name);
});

test("errors wrap between words at the terminal's width, and do not wrap in a pipe", async () => {
  const error = refusal('rule_violation', 422, { rule_id: 'insufficient-margin' });
  const text = failureReport(factsOf(error), false, 40);
  assert.ok(text.split('\n').every((line) => line.length <= 40));
  assert.match(
    text,
    /^Trade a smaller size or use more\n--leverage; perp accounts show prints\nthe available balance\.$/m,
  );
  using desk = new Desk();
  const line = ['order', 'place', 'BTC', 'buy', '0,05'];
  const piped = await desk.perp(line);
  assert.equal(piped.err.trimEnd().split('\n').length, 2);
  const narrow = await desk.perp(line, { columns: 30 });
  assert.ok(
    narrow.err.split('\n').every((text) => text.length <= 30),
    narrow.err,
  );
  assert.equal(narrow.err.replaceAll('\n', ' '), piped.err.replaceAll('\n', ' '));
});

test('times among the facts of a refusal are written as times everywhere else', () => {
  const details = {
    account_id: 'acc_1',
    since: Date.UTC(2026, 10, 22, 14),
    until: Date.UTC(2026, 10, 23, 5),
    size_at: 7,
  };
  const failure = new Failure({ code: 'guard_lock', message: 'The account is locked.', details });
  const text = failureReport(factsOf(failure), false);
  assert.match(text, /\n {2}since: 2026-11-2\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)\n {2}until: 2026-11-2\d /);
  assert.match(text, /\n {2}size at: 7\n/);
  assert.match(failureReport(factsOf(failure), true), /"until":1795\d{9}/);
});

test('the exit status of a failed answer or stream says whether another try can help', () => {
  const { notFound, notAllowed, rejected, conflict, unavailable, usage } = exitCodes;
  const statuses = { 400: usage, 401: notAllowed, 403: notAllowed, 404: notFound, 409: conflict, 418: usage };
  const later = { 422: rejected, 429: unavailable, 499: usage, 500: unavailable, 503: unavailable };
  for (const [status, exit] of Object.entries({ ...statuses, ...later }))
    assert.equal(exitCodeForStatus(Number(status)), exit, status);
  const ends: [Parameters<typeof exitCodeForStreamEnd>[0], number][] = [
    [{ code: 1006, status: 401 }, notAllowed],
    [{ code: 1006, status: 403 }, notAllowed],
    [{ code: 1006, status: 404 }, notFound],
    [{ code: 1006, status: 400 }, unavailable],
    [{ code: 1006 }, unavailable],
    [{ code: 4003 }, notAllowed],
    [{ code: 4004 }, unavailable],
  ];
  for (const [end, exit] of ends) assert.equal(exitCodeForStreamEnd(end), exit, JSON.stringify(end));
});
