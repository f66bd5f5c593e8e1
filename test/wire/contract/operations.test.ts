import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { closeFields, requestFields } from '../../../src/base/terms/order-fields.ts';
import { errorCodes } from '../../../src/wire/contract/errors.ts';
import { nearest } from '../../../src/wire/contract/nearest.ts';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import {
  type BodyOf,
  type DataOf,
  type OperationId,
  operations,
  type ReadBodyOf,
  type ReadQueryOf,
  type RequestOf,
} from '../../../src/wire/contract/operations.ts';
import { CreateOrderRequest } from '../../../src/wire/contract/orders.ts';
import { ClosePositionRequest } from '../../../src/wire/contract/positions.ts';
import { simulationOperations } from '../../../src/wire/contract/simulation.ts';

const api: [string, Operation][] = Object.entries(operations);
const simulation: [string, Operation][] = Object.entries(simulationOperations);
const idsWhere = (holds: (operation: Operation) => boolean) =>
  api.filter(([, operation]) => holds(operation)).map(([id]) => id);

describe('the operations', () => {
  it('have the ids under which they are listed', () => {
    for (const [id, operation] of [...api, ...simulation]) assert.equal(operation.id, id);
  });

  it('that place or close take exactly the fields that the table of order fields says', () => {
    for (const [fields, request] of [
      [requestFields, CreateOrderRequest],
      [closeFields, ClosePositionRequest],
    ] as const)
      assert.deepEqual(fields.map(({ asked }) => asked).sort(), Object.keys(request.properties).sort());
  });

  it('each have their own request line', () => {
    const lines = [...api, ...simulation].map(([, { method, path }]) => `${method} ${path}`);
    assert.equal(new Set(lines).size, lines.length);
  });

  it('are under /v1, or /sim for those of the simulation', () => {
    for (const [, { path }] of api) assert.match(path, /^\/v1(\/|$)/);
    for (const [id, { path }] of simulation) assert.ok(path.startsWith('/sim/') && id.startsWith('sim'), id);
  });

  it('have a sentence of help', () => {
    for (const [, { summary }] of [...api, ...simulation]) assert.match(summary, /^[A-Z].*[^.]\.$/);
  });

  it('need a credential, except five', () => {
    assert.deepEqual(
      idsWhere(({ auth }) => auth !== 'required'),
      ['getApiInformation', 'listRestrictedCountries', 'exchangeCliAuthorizationCode', 'listMarkets', 'getMarket'],
      'list here what anyone may call, or leave out its auth',
    );
  });

  it('need trade scope to write, except the session’s own', () => {
    const isSession = (path: string) => path.startsWith('/v1/auth/');
    for (const [id, { method, path, scope }] of api) {
      assert.equal(scope, method === 'GET' || isSession(path) ? 'read' : 'trade', id);
    }
  });

  it('need an idempotency key if a repeat would happen twice', () => {
    assert.deepEqual(idsWhere(({ idempotent }) => idempotent).sort(), [
      'cancelAllAccountOrders',
      'closeAllAccountPositions',
      'closePosition',
      'createOrder',
      'createScaledOrder',
      'createTwapOrder',
    ]);
  });

  it('accept an order of at most 16 KiB, and the largest possible copy save', () => {
    assert.equal(operations.createOrder.maxBodyBytes, 16 * 1024);
    const targets = Array.from({ length: 20 }, () => ({ account_id: 'a'.repeat(64), multiplier_bps: 10_000 }));
    const group = { config_id: 'c'.repeat(64), enabled: true, source_account_id: 'a'.repeat(64), targets };
    const largest = {
      groups: Array.from({ length: 20 }, () => group),
      deleted_config_ids: Array(20).fill('c'.repeat(64)),
    };
    assert.ok(JSON.stringify(largest).length <= operations.saveCopyTradingConfigurations.maxBodyBytes);
  });

  it('cannot be changed by their users', () => {
    const isDeeplyFrozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));
    for (const [id, { body, query, responses }] of [...api, ...simulation]) {
      assert.ok(isDeeplyFrozen(body) && isDeeplyFrozen(query), id);
      for (const { schema } of Object.values(responses)) assert.ok(isDeeplyFrozen(schema), id);
    }
    assert.ok(isDeeplyFrozen(errorCodes));
  });
});

describe('the error codes', () => {
  it('are those of the simulation’s list, each with its status', () => {
    const byStatus = Map.groupBy(Object.entries(errorCodes), ([, { status }]) => status);
    const table = Object.fromEntries([...byStatus].map(([status, codes]) => [status, codes.map(([code]) => code)]));
    assert.deepEqual(table, {
      400: ['invalid_request', 'invalid_grant'],
      401: ['unauthorized', 'wrong_environment'],
      403: ['forbidden'],
      404: ['not_found'],
      409: [
        'idempotency_conflict',
        'client_order_id_conflict',
        'order_terminal',
        'copy_managed',
        'stale_snapshot',
        'conflict',
      ],
      413: ['payload_too_large'],
      415: ['unsupported_media_type'],
      422: ['rule_violation', 'cooldown'],
      429: ['rate_limited'],
      500: ['internal'],
      503: ['unavailable'],
    });
  });

  it('suggest a retry only if nothing was changed and waiting may help', () => {
    const retryable = Object.entries(errorCodes).filter(([, code]) => code.retryable);
    assert.deepEqual(
      retryable.map(([code]) => code),
      ['rate_limited', 'unavailable'],
    );
  });
});

describe('the word that was probably meant', () => {
  const words = ['reduce_only', 'size', 'side', 'limit_price', 'take_profit_price'];
  const cases: readonly [word: string, meant: string | undefined][] = [
    ['reduceonly', 'reduce_only'],
    ['reduceOnly', 'reduce_only'],
    ['REDUCE-ONLY', 'reduce_only'],
    ['limit_prise', 'limit_price'],
    ['takeprofitprices', 'take_profit_price'],
    ['siez', 'size'],
    ['sid', 'side'],
    ['price', undefined],
    ['', undefined],
    ['x', undefined],
    ['r'.repeat(100_000), undefined],
  ];
  for (const [word, meant] of cases)
    it(`${word.slice(0, 20)} → ${meant}`, () => assert.equal(nearest(word, words), meant));
});

/** Compile-time checks of what the types promise to client and service. */
describe('the types', () => {
  const order: BodyOf<'createOrder'> = {
    account_id: 'a',
    market_id: 'm',
    side: 'buy',
    size: 1,
    leverage: 1,
    margin_mode: 'cross',
  };

  it('let a caller omit what has a default, and give a handler all of it', () => {
    const sent: RequestOf<'createOrder'> = { body: { ...order, limit_price: undefined } };
    const read: ReadBodyOf<'createOrder'> = { ...order, type: 'market', reduce_only: false };
    // @ts-expect-error a handler always sees the type
    const incomplete: ReadBodyOf<'createOrder'> = order;
    const page: ReadQueryOf<'listFills'> = { account_id: 'a', limit: 50 };
    // @ts-expect-error a required parameter
    const unowned: RequestOf<'listFills'> = { query: {} };
    // @ts-expect-error no such side
    const sideways: BodyOf<'createOrder'> = { ...order, side: 'up' };
    assert.ok([sent, read, incomplete, page, unowned, sideways]);
  });

  it('require a path, a query and a body only if there is one', () => {
    const none: RequestOf<'listAccounts'> = {};
    const path: RequestOf<'getMarketQuote'> = { path: { market_id: 'm' } };
    // @ts-expect-error the path's value is missing
    const nowhere: RequestOf<'getOrder'> = {};
    // @ts-expect-error there is no body
    const surplus: RequestOf<'getOrder'> = { path: { order_id: 'o' }, body: {} };
    assert.ok([none, path, nowhere, surplus]);
  });

  it('name the resource inside the envelope', () => {
    const canceled: DataOf<'cancelOrder'> = { id: 'o', canceled: true };
    const restriction: DataOf<'getAccountTradingPolicy'>['restriction'] = null;
    const status: DataOf<'listOrders'>[number]['status'] = 'resting';
    const id: OperationId = 'createOrder';
    assert.ok([canceled, restriction, status, id]);
  });
});
