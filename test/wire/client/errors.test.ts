import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ApiError,
  ConnectionError,
  isServiceError,
  NoAnswerError,
  OutcomeUnknownError,
  ProtocolError,
  RequestError,
  refusalOf,
} from '../../../src/wire/client/client-errors.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';

const answered = (status: number, body: unknown, headers = {}) => ({ status, headers, body });

describe('a refusal', () => {
  it('carries every fact of the answer', () => {
    const facts = {
      code: 'order_rejected',
      message: 'no margin',
      request_id: 'req_1',
      rule_id: 'insufficient-margin',
      order_id: 'ord_1',
      client_order_id: 'mine',
      details: { missing: 3 },
    };
    const error = new ApiError(answered(422, { error: facts }), { retryAfterMs: 7, idempotencyKey: 'key' });
    assert.deepEqual(
      { ...error, message: error.message },
      {
        name: 'ApiError',
        status: 422,
        code: 'order_rejected',
        message: 'no margin',
        sent: 'yes',
        requestId: 'req_1',
        ruleId: 'insufficient-margin',
        orderId: 'ord_1',
        clientOrderId: 'mine',
        details: { missing: 3 },
        retryable: false,
        retryAfterMs: 7,
        idempotencyKey: 'key',
      },
    );
  });

  it('without a code has that of its status, and the request id of the header', () => {
    const codes = [400, 401, 404, 409, 418].map(
      (status) => new ApiError(answered(status, null, { 'x-request-id': 'req_1' })).code,
    );
    assert.deepEqual(codes, ['invalid_request', 'unauthorized', 'not_found', 'conflict', 'http_418']);
    const error = new ApiError(answered(418, { error: { code: '' } }, { 'x-request-id': 'req_2' }));
    assert.deepEqual([error.code, error.requestId], ['http_418', 'req_2']);
    assert.match(error.message, /418 without a reason/);
  });

  it('may be sent again later if the service is busy or away, and only then', () => {
    const retryable = [400, 401, 404, 409, 422, 429, 500, 502, 503, 504].filter(
      (status) => new ApiError(answered(status, {})).retryable,
    );
    assert.deepEqual(retryable, [429, 503]);
  });

  it('names the invalid fields of a list of them', () => {
    const issue = { field: 'size', issue: 'must be positive' };
    const issues = (details: unknown) => new ApiError(answered(400, { error: { details } })).issues;
    assert.deepEqual(issues([issue, { field: 'size' }, { field: 1, issue: '' }, 'size']), [issue]);
    assert.deepEqual(issues({ 0: issue }), []);
  });

  it('is read in every shape that services send', () => {
    assert.deepEqual(refusalOf({ error: { code: 'a' } }), { code: 'a' });
    assert.deepEqual(refusalOf({ error: 'text' }), { message: 'text' });
    assert.deepEqual(refusalOf({ code: 'a', message: 'b' }), { code: 'a', message: 'b' });
    for (const body of [{ message: 'no code' }, 'text', null, [{ code: 'a' }]]) assert.deepEqual(refusalOf(body), {});
    assert.ok(isServiceError({ code: 'a' }));
    assert.ok(!isServiceError({ error: 'a page' }));
  });
});

describe('an error without an answer', () => {
  it('says whether trying again can help', () => {
    const cause = new Error('reset');
    const lost = new ConnectionError('lost', { code: 'ECONNRESET', cause });
    assert.deepEqual([lost.code, lost.retryable, lost.cause], ['ECONNRESET', true, cause]);
    assert.equal(new ConnectionError('unknown host', { retryable: false }).retryable, false);
    const silent = new NoAnswerError('silent', { code: 'ETIMEDOUT', cause });
    assert.deepEqual([silent.code, silent.cause], ['ETIMEDOUT', cause]);
  });

  it('names the answer that the service itself does not give', () => {
    const { status, requestId } = new ProtocolError('a page', answered(302, '', { 'x-request-id': 'req_3' }));
    assert.deepEqual([status, requestId], [302, 'req_3']);
    assert.equal(new ProtocolError('nothing').status, undefined);
  });

  it('of a write whose outcome is unknown keeps the write, when it was sent, and a refusal of a later delivery', () => {
    const intent = { operationId: 'createOrder', idempotencyKey: 'key' } as Intent;
    const refusal = new ApiError(answered(409, {}));
    const error = new OutcomeUnknownError(intent, new NoAnswerError('silent'), refusal, 5);
    assert.deepEqual([error.intent, error.idempotencyKey, error.refusal, error.sentAt], [intent, 'key', refusal, 5]);
    assert.match(error.message, /createOrder is unknown: silent/);
  });

  it('of an invalid request names each field', () => {
    const issues = [
      { field: 'size', issue: 'must be positive' },
      { field: 'side', issue: 'is required' },
    ];
    const error = new RequestError(issues);
    assert.equal(error.message, 'size must be positive; side is required');
    assert.deepEqual(error.issues, issues);
  });
});
