import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, type ClientOptions, createClient } from '../../../src/wire/client/client.ts';
import {
  ApiError,
  ConnectionError,
  CredentialError,
  NoAnswerError,
  OutcomeUnknownError,
  RequestError,
} from '../../../src/wire/client/client-errors.ts';
import type { Intent, IntentOutcome } from '../../../src/wire/client/intent.ts';
import type { RetryOptions } from '../../../src/wire/client/retry.ts';
import type { Attempt } from '../../../src/wire/client/send.ts';
import { answer, proxyPage, refusal, type ScriptedAnswer, scriptedTransport, stepClock } from './scripted-transport.ts';

const order = {
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  side: 'buy',
  size: 0.05,
  leverage: 2,
  margin_mode: 'cross',
} as const;
const { account_id, market_id, side } = order;
const made = { id: 'ord_1', account_id, market_id, side, mode: 'market', size: 0.05 };
const created = answer(201, { data: made });
const replayed = answer(200, { data: made });
const lost = new NoAnswerError('reset');
const refused = new ConnectionError('nothing is listening there', { code: 'ECONNREFUSED' });

function scene(steps: ScriptedAnswer[], options: Partial<ClientOptions> = {}, limits: RetryOptions = {}) {
  const transport = scriptedTransport(...steps);
  const { retry, waits } = stepClock();
  return {
    transport,
    waits,
    client: createClient({ transport, keepsKeys: true, retry: { ...retry, ...limits }, ...options }),
  };
}

async function failure(promise: Promise<unknown>): Promise<Error> {
  return await promise.then(
    () => assert.fail('expected a failure'),
    (error: Error) => error,
  );
}

test('a request has the path, query, body and headers of its operation', async () => {
  const quoted = answer(200, { data: { market_id: 'binance|BTC/€' } });
  const { client, transport } = scene([created, quoted], {
    credential: () => 'sim_live_k',
    userAgent: 'perp/1',
  });
  const { data, status, requestId, idempotencyKey } = await client.call('createOrder', {
    body: order,
    idempotencyKey: 'key-1',
  });
  assert.deepEqual([data.id, status, requestId, idempotencyKey], ['ord_1', 201, 'request-201', 'key-1']);
  assert.deepEqual(transport.requests, [
    {
      method: 'POST',
      target: '/v1/orders',
      headers: {
        accept: 'application/json',
        'user-agent': 'perp/1',
        'content-type': 'application/json',
        'idempotency-key': 'key-1',
        authorization: 'Bearer sim_live_k',
      },
      body: JSON.stringify(order),
    },
  ]);
  await client.call('getMarketQuote', { path: { market_id: 'binance|BTC/€' }, query: { side: 'buy', size: 1e-7 } });
  assert.equal(transport.requests[1]!.target, '/v1/markets/binance%7CBTC%2F%E2%82%AC/quote?side=buy&size=1e-7');
  assert.equal(transport.requests[1]!.body, undefined);
});

test('a write gets its own new key, and every retry has that key and the same bytes', async () => {
  const { client, transport } = scene([lost, refusal(500, 'internal'), proxyPage(502), replayed]);
  await client.call('createOrder', { body: order });
  await client.call('createOrder', { body: order });
  const [first, ...others] = transport.requests;
  assert.equal(transport.requests.length, 5);
  assert.match(first!.headers['idempotency-key']!, /^[0-9a-f-]{36}$/);
  for (const repetition of others.slice(0, 3)) assert.deepEqual(repetition, first);
  assert.notEqual(others[3]!.headers['idempotency-key'], first!.headers['idempotency-key']);
});

test('a credential is requested once, only when needed, and only sent where needed', async () => {
  let asked = 0;
  const credential = async () => `sim_live_${++asked}`;
  const { client, transport } = scene([answer(200, { data: [] })], { credential });
  await client.call('listMarkets', {});
  assert.equal(asked, 0);
  await Promise.all([client.call('listAccounts', {}), client.call('listAccounts', {})]);
  assert.deepEqual(
    transport.requests.map((request) => request.headers.authorization),
    [undefined, 'Bearer sim_live_1', 'Bearer sim_live_1'],
  );
});

test('a credential that can’t be sent in a header is refused and not shown', async () => {
  for (const credential of ['', 'sim_live_a\r\nx: y', 'sim_live_ü', 'two words']) {
    const { client, transport } = scene([answer(200, { data: [] })], { credential: () => credential });
    const error = await failure(client.call('listAccounts', {}));
    assert.ok(error instanceof CredentialError);
    assert.match(error.message, /^the credential (?:is empty|contains spaces, line breaks or non-ASCII characters)$/);
    assert.ok(credential === '' || !error.message.includes(credential));
    assert.equal(transport.requests.length, 0);
  }
});

test('an invalid request is refused with the names of its fields', async () => {
  const { client, transport } = scene([answer(200, { data: {} })]);
  const bad: [Promise<unknown>, string][] = [
    [client.call('getOrder', { path: { order_id: '' } }), 'order_id'],
    [client.call('getOrder', { path: { order_id: '..' } }), 'order_id'],
    [client.call('getOrder', { path: { order_id: '\ud800' } }), 'order_id'],
    [client.call('createOrder', { body: { ...order, size: Number.NaN } }), 'size'],
    [client.call('createOrder', { body: order, idempotencyKey: 'ü' }), 'Idempotency-Key'],
    [client.call('createOrder', { body: order, idempotencyKey: ' x' }), 'Idempotency-Key'],
    [client.call('createOrder', { body: order, idempotencyKey: 'x'.repeat(129) }), 'Idempotency-Key'],
    [client.call('listFills', { query: { account_id: 'a', limit: Number.POSITIVE_INFINITY } }), 'limit'],
  ];
  for (const [promise, field] of bad) {
    const error = await failure(promise);
    assert.ok(error instanceof RequestError, error.stack);
    assert.equal(error.issues[0]!.field, field);
  }
  assert.equal(transport.requests.length, 0);
});

test('how often each kind of request is sent, and with what result', async () => {
  const read = (client: Client) => client.call('getOrder', { path: { order_id: 'ord_1' } });
  const keyed = (client: Client) => client.call('createOrder', { body: order });
  const cancel = (client: Client) => client.call('cancelOrder', { path: { order_id: 'ord_1' } });
  const amend = (client: Client) => client.call('modifyOrder', { path: { order_id: 'ord_1' }, body: { price: 5 } });
  const margin = (client: Client) =>
    client.call('setPositionIsolatedMargin', { path: { position_id: 'pos_1' }, body: { extra_margin: 5 } });
  const position = answer(200, { data: { id: 'pos_1' } });
  const later = refusal(429, 'rate_limited');
  const rejected = refusal(422, 'rule_violation', { order_id: 'ord_1' });
  const damaged = refusal(400, 'invalid_request', {}, { connection: 'close' });
  const table: [name: string, (client: Client) => Promise<unknown>, ScriptedAnswer[], sent: number, end: string][] = [
    ['read, lost', read, [lost, created], 2, 'done'],
    ['read, always lost', read, [lost], 5, 'NoAnswerError'],
    ['read, no connection', read, [refused, created], 2, 'done'],
    ['read, proxy', read, [proxyPage(502), proxyPage(503), created], 3, 'done'],
    ['read, a page instead of data', read, [proxyPage(200)], 5, 'ProtocolError'],
    ['read, refused', read, [refusal(404, 'not_found')], 1, 'ApiError'],
    ['read, unavailable', read, [refusal(503, 'unavailable'), created], 2, 'done'],
    ['keyed, lost', keyed, [lost, created], 2, 'done'],
    ['keyed, always lost', keyed, [lost], 5, 'OutcomeUnknownError'],
    ['keyed, never a connection', keyed, [refused], 5, 'ConnectionError'],
    ['keyed, bad certificate', keyed, [new ConnectionError('expired', { retryable: false })], 1, 'ConnectionError'],
    ['keyed, half an answer', keyed, [answer(201, {}), replayed], 2, 'done'],
    ['keyed, conflict', keyed, [refusal(409, 'idempotency_conflict')], 1, 'ApiError'],
    ['keyed, rule', keyed, [refusal(422, 'rule_violation')], 1, 'ApiError'],
    ['keyed, always turned away', keyed, [later], 5, 'ApiError'],
    ['keyed, lost, then rejected and kept', keyed, [lost, rejected], 2, 'ApiError'],
    ['keyed, lost, then key taken', keyed, [lost, refusal(409, 'idempotency_conflict')], 2, 'ApiError'],
    ['keyed, lost, then refused and not kept', keyed, [lost, refusal(422, 'cooldown')], 3, 'ApiError'],
    ['keyed, lost, overtaken by a refusal, done', keyed, [lost, refusal(422, 'cooldown'), created], 3, 'done'],
    ['keyed, lost, then a conflict that is not kept', keyed, [lost, refusal(409, 'conflict')], 3, 'ApiError'],
    ['keyed, lost, then damaged on the way, then done', keyed, [lost, damaged, created], 3, 'done'],
    ['keyed, lost, then bad request', keyed, [lost, refusal(400, 'invalid_request')], 2, 'ApiError'],
    ['keyed, lost, then logged out', keyed, [lost, refusal(401, 'unauthorized')], 2, 'OutcomeUnknownError'],
    ['keyed, lost, then not found', keyed, [lost, refusal(404, 'not_found')], 2, 'OutcomeUnknownError'],
    ['keyed, lost, then turned away', keyed, [lost, later], 5, 'OutcomeUnknownError'],
    ['keyed, lost, then no connection', keyed, [lost, refused], 5, 'OutcomeUnknownError'],
    ['keyed, misdirected', keyed, [proxyPage(301)], 1, 'ProtocolError'],
    ['cancel, lost', cancel, [lost], 1, 'OutcomeUnknownError'],
    ['cancel, proxy', cancel, [proxyPage(504)], 1, 'OutcomeUnknownError'],
    ['cancel, proxy’s 503', cancel, [proxyPage(503)], 1, 'OutcomeUnknownError'],
    ['cancel, 500', cancel, [refusal(500, 'internal')], 1, 'OutcomeUnknownError'],
    ['cancel, unavailable', cancel, [refusal(503, 'unavailable'), created], 1, 'OutcomeUnknownError'],
    [
      'cancel, a gate that sent nothing',
      cancel,
      [refusal(503, 'unavailable', { details: [{ field: 'sent', issue: 'no' }] }), created],
      2,
      'done',
    ],
    ['cancel, turned away', cancel, [later, created], 2, 'done'],
    ['cancel, no connection', cancel, [refused, created], 2, 'done'],
    ['cancel, turned away, then lost', cancel, [later, lost], 2, 'OutcomeUnknownError'],
    ['cancel, too late, or delivered twice', cancel, [refusal(409, 'order_terminal')], 1, 'OutcomeUnknownError'],
    ['cancel, not allowed', cancel, [refusal(403, 'forbidden')], 1, 'ApiError'],
    ['amend, lost', amend, [lost], 1, 'OutcomeUnknownError'],
    ['margin, lost', margin, [lost, position], 2, 'done'],
    ['margin, lost, then rule', margin, [lost, refusal(422, 'rule_violation')], 2, 'OutcomeUnknownError'],
  ];
  for (const [name, call, steps, sent, end] of table) {
    const { client, transport } = scene(steps);
    const ended = await call(client).then(
      () => 'done',
      (error: Error) => error.name,
    );
    assert.deepEqual([ended, transport.requests.length], [end, sent], name);
  }
});

test('a refusal that is not kept under the key counts only after a delayed attempt would have arrived', async () => {
  const cooldown = refusal(422, 'cooldown');
  const patient = scene([lost, cooldown]);
  await failure(patient.client.call('createOrder', { body: order }));
  assert.deepEqual(patient.waits, [100, 15_100]);

  const hurried = scene([lost, cooldown], {}, { deadlineMs: 10_000 });
  assert.ok((await failure(hurried.client.call('createOrder', { body: order }))) instanceof OutcomeUnknownError);

  const nothingTravels = scene([lost, cooldown], {}, { arrivalMs: 0 });
  assert.ok((await failure(nothingTravels.client.call('createOrder', { body: order }))) instanceof ApiError);
  assert.deepEqual(nothingTravels.waits, [100]);
});

test('a client waits as long as the service asks, and does not wait if that is beyond the deadline', async () => {
  const patient = scene([refusal(429, 'rate_limited', {}, { 'retry-after': '7' }), created]);
  await patient.client.call('createOrder', { body: order });
  assert.deepEqual(patient.waits, [7_100]);

  const hopeless = scene([refusal(503, 'unavailable', {}, { 'retry-after': '3600' })]);
  const error = await failure(hopeless.client.call('listAccounts', {}));
  assert.ok(error instanceof ApiError);
  assert.deepEqual([error.retryAfterMs, error.retryable], [3_600_000, true]);
  assert.deepEqual(hopeless.waits, []);
});

test('an answer about another order is not accepted, and its connection is abandoned', async () => {
  const { client, transport } = scene([
    answer(201, { data: { ...made, id: 'ord_0', client_order_id: 'the-one-before' } }),
    answer(200, { data: { ...made, client_order_id: 'mine' } }),
  ]);
  const { data } = await client.call('createOrder', { body: { ...order, client_order_id: 'mine' } });
  assert.equal(data.id, 'ord_1');
  assert.equal(transport.renewals, 1);
  const wrong = scene([answer(200, { data: { id: 'ord_7', canceled: true } })]);
  assert.ok(
    (await failure(wrong.client.call('cancelOrder', { path: { order_id: 'ord_1' } }))) instanceof OutcomeUnknownError,
  );
});

test('fields that this version does not know are passed through', async () => {
  const body = { data: { id: 'ord_1', size: 1, brand_new: { x: 1 } }, more: true };
  const { client } = scene([answer(200, body)]);
  const result = await client.call('getOrder', { path: { order_id: 'ord_1' } });
  assert.deepEqual(result.body, body);
});

test('stopping rejects with the signal’s reason while no write is open, and with outcome unknown once a write may have been done', async () => {
  const controller = new AbortController();
  const { client, transport } = scene([
    () => {
      controller.abort(new Error('Ctrl-C'));
      return lost;
    },
  ]);
  assert.ok(
    (await failure(client.call('createOrder', { body: order, signal: controller.signal }))) instanceof
      OutcomeUnknownError,
  );
  assert.equal(
    (await failure(client.call('createOrder', { body: order, signal: controller.signal }))).message,
    'Ctrl-C',
  );
  assert.equal((await failure(client.call('listAccounts', { signal: controller.signal }))).message, 'Ctrl-C');
  assert.equal(transport.requests.length, 1);
});

test('every attempt is reported without secrets, and an error in the listener has no effect', async () => {
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => {
    attempts.push(attempt);
    throw new Error('stderr is closed');
  };
  const { client } = scene([refusal(429, 'rate_limited'), created], { onAttempt, credential: () => 'sim_live_secret' });
  await client.call('createOrder', { body: order });
  assert.deepEqual(
    attempts.map(({ durationMs, ...attempt }) => attempt),
    [
      {
        operationId: 'createOrder',
        method: 'POST',
        target: '/v1/orders',
        attempt: 1,
        status: 429,
        requestId: 'request-429',
        error: 'it is rate_limited',
        retryInMs: 100,
      },
      {
        operationId: 'createOrder',
        method: 'POST',
        target: '/v1/orders',
        attempt: 2,
        status: 201,
        requestId: 'request-201',
      },
    ],
  );
  assert.doesNotMatch(JSON.stringify(attempts), /secret/);
});

test('if it is stopped while a refusal arrives, the refusal is reported', async () => {
  const controller = new AbortController();
  const { client } = scene([
    () => {
      controller.abort(new Error('Ctrl-C'));
      return refusal(422, 'rule_violation');
    },
  ]);
  assert.ok(
    (await failure(client.call('createOrder', { body: order, signal: controller.signal }))) instanceof ApiError,
  );
});

function keeper() {
  const log: string[] = [];
  const kept: Intent[] = [];
  return {
    log,
    kept,
    intents: {
      beforeSend: async (intent: Intent) => {
        await Promise.resolve();
        kept.push(structuredClone(intent));
        log.push(`open ${intent.operationId}`);
      },
      afterAnswer: async (_intent: Intent, outcome: IntentOutcome) => {
        await Promise.resolve();
        log.push(outcome.kind === 'done' ? `done ${outcome.status}` : `not done: ${outcome.error.name}`);
      },
    },
  };
}

test('a write is kept before it is sent, and settled once its outcome is known', async () => {
  const table: [name: string, ScriptedAnswer[], log: string[]][] = [
    ['done', [created], ['open createOrder', 'sent', 'done 201']],
    ['done at the second attempt', [lost, replayed], ['open createOrder', 'sent', 'sent', 'done 200']],
    ['refused', [refusal(422, 'rule_violation')], ['open createOrder', 'sent', 'not done: ApiError']],
    ['unknown', [lost], ['open createOrder', 'sent', 'sent', 'sent', 'sent', 'sent']],
  ];
  for (const [name, steps, log] of table) {
    const kept = keeper();
    const { client } = scene(
      steps.map((step) => (request) => {
        kept.log.push('sent');
        return typeof step === 'function' ? step(request) : step;
      }),
      { intents: kept.intents },
    );
    await client.call('createOrder', { body: order }).catch(() => {});
    assert.deepEqual(kept.log, log, name);
  }
});

test('an answer is returned even if its outcome can’t be kept', async () => {
  const afterAnswer = () => Promise.reject(new Error('disk full'));
  const { client } = scene([created], { intents: { ...keeper().intents, afterAnswer } });
  assert.equal((await client.call('createOrder', { body: order })).data.id, 'ord_1');
});

test('a write that cannot be kept is not sent; reads and the token exchange are never kept', async () => {
  const kept = keeper();
  const { client, transport } = scene([answer(200, { data: [] }), answer(200, { data: { api_key: 'k' } })], {
    intents: { ...kept.intents, beforeSend: () => Promise.reject(new Error('disk full')) },
  });
  assert.equal((await failure(client.call('createOrder', { body: order }))).message, 'disk full');
  assert.equal(transport.requests.length, 0);
  await client.call('listAccounts', {});
  await client.call('exchangeCliAuthorizationCode', { body: { code: 'secret', code_verifier: 'secret' } });
  assert.deepEqual(kept.log, []);
});

test('an intent is plain JSON, and retrying it sends the same bytes under the same key', async () => {
  const kept = keeper();
  const first = scene([lost], { intents: kept.intents });
  const unknown = await failure(first.client.call('createOrder', { body: { ...order, client_order_id: 'mine' } }));
  assert.ok(unknown instanceof OutcomeUnknownError);
  assert.deepEqual(unknown.intent, kept.kept[0]);
  assert.equal(unknown.intent.clientOrderId, 'mine');

  const fromDisk = JSON.parse(JSON.stringify(unknown.intent)) as Intent;
  const second = scene([answer(200, { data: { ...made, client_order_id: 'mine' } })], { intents: kept.intents });
  kept.log.length = 0;
  const { data } = await second.client.repeat(fromDisk);
  assert.deepEqual([(data as { id: string }).id, kept.log], ['ord_1', ['done 200']]);
  assert.deepEqual(second.transport.requests[0], first.transport.requests[0]);
});

test('a retry that fails authentication leaves the intent open', async () => {
  const first = scene([lost]);
  const { intent } = (await failure(first.client.call('createOrder', { body: order }))) as OutcomeUnknownError;
  const doors: [string, ScriptedAnswer[], Partial<ClientOptions>][] = [
    ['logged out', [refusal(401, 'unauthorized')], {}],
    ['no connection', [refused], {}],
    ['no credential', [created], { credential: () => '' }],
    ['keychain silent', [created], { credential: () => Promise.reject(new Error('the keychain does not answer')) }],
  ];
  for (const [name, steps, options] of doors) {
    const kept = keeper();
    const { client } = scene(steps, { ...options, intents: kept.intents });
    assert.ok((await failure(client.repeat(intent))) instanceof OutcomeUnknownError, name);
    assert.deepEqual(kept.log, [], name);
  }
  const kept = keeper();
  const { client } = scene([refusal(422, 'rule_violation')], { intents: kept.intents });
  assert.ok((await failure(client.repeat(intent))) instanceof ApiError);
  assert.deepEqual(kept.log, ['not done: ApiError']);
});

test('a write without a key is never retried from an intent', async () => {
  const first = scene([lost]);
  const { intent } = (await failure(
    first.client.call('cancelOrder', { path: { order_id: 'o' } }),
  )) as OutcomeUnknownError;
  assert.ok((await failure(first.client.repeat(intent))) instanceof RequestError);
  assert.equal(first.transport.requests.length, 1);
});
