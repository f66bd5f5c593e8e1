import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import {
  bodyIssues,
  idempotencyKeyIssues,
  parseQuery,
  queryIssues,
  readBody,
} from '../../../src/wire/contract/request.ts';
import { simulationOperations } from '../../../src/wire/contract/simulation.ts';
import { it, trial } from '../../tiers.ts';
import { anyBody, anyQuery } from './arbitrary.ts';

const queried = (operation: Operation, text: string) => {
  const reading = parseQuery(operation, new URLSearchParams(text));
  return reading.ok ? reading.value : reading.issues.map(({ field, issue }) => `${field} ${issue}`);
};

describe('a query is read', () => {
  const { listOrders, listOpenPositions, listFills, getMarketQuote, getAccount } = operations;
  const cases: readonly [name: string, operation: Operation, text: string, result: unknown][] = [
    ['with its defaults', listOpenPositions, 'account_id=a', { account_id: 'a', status: 'open', limit: 50 }],
    ['numbers as numbers', listFills, 'account_id=1&limit=7', { account_id: '1', limit: 7 }],
    ['decimals as JSON writes them', getMarketQuote, 'side=buy&size=1e-7', { side: 'buy', size: 1e-7 }],
    ['what it does not know is ignored', listFills, 'account_id=a&_=123', { account_id: 'a', limit: 50 }],
    ['of an operation that takes none', getAccount, 'x=1', null],
    ['a required one is missing', listFills, '', ['account_id is required']],
    ['one is given twice', listFills, 'account_id=a&account_id=b', ['account_id is given more than once']],
    ['an empty limit', listFills, 'account_id=a&limit=', ['limit must be an integer']],
    ['a hexadecimal limit', listFills, 'account_id=a&limit=0x10', ['limit must be an integer']],
    ['a padded limit', listFills, 'account_id=a&limit=%205', ['limit must be an integer']],
    ['a fractional limit', listFills, 'account_id=a&limit=1.5', ['limit must be an integer']],
    ['a limit of none', listFills, 'account_id=a&limit=0', ['limit must be at least 1']],
    ['a limit of too many', listFills, 'account_id=a&limit=101', ['limit must be at most 100']],
    ['an infinite size', getMarketQuote, 'side=buy&size=1e400', ['size must be a finite number']],
    ['a named infinity', getMarketQuote, 'side=buy&size=Infinity', ['size must be a number']],
    [
      'a huge cursor',
      listFills,
      `account_id=a&cursor=${'x'.repeat(1025)}`,
      ['cursor must have at most 1024 characters'],
    ],
    [
      'several mistakes at once',
      listFills,
      'limit=x&cursor=%1b',
      ['account_id is required', 'limit must be an integer', 'cursor must not contain control characters'],
    ],
    ['a side without a size', getMarketQuote, 'side=buy', ['size is required with side']],
    ['a size without a side', getMarketQuote, 'size=1', ['side is required with size']],
    ['a quote without both', getMarketQuote, '', {}],
    ['a quote for an account', getMarketQuote, 'account_id=a', { account_id: 'a' }],
    ['orders without an account', listOrders, '', { limit: 50 }],
    ['a client order id alone', listOrders, 'client_order_id=a', { client_order_id: 'a', limit: 50 }],
    [
      'a client order id in an account',
      listOrders,
      'client_order_id=a&account_id=b',
      { client_order_id: 'a', account_id: 'b', limit: 50 },
    ],
    ['an empty client order id', listOrders, 'client_order_id=', ['client_order_id must not be empty']],
    [
      'a client order id with anything else',
      listOrders,
      'client_order_id=a&status=working&limit=1&cursor=c',
      ['status', 'limit', 'cursor'].map((field) => `${field} is not allowed with client_order_id`),
    ],
    ['the working set with a limit', listOrders, 'status=working&limit=1', { status: 'working', limit: 1 }],
    [
      'the working set with a cursor',
      listOrders,
      'status=working&cursor=c',
      ['cursor is not allowed with status: the working set has no pages'],
    ],
    [
      'open positions with a cursor',
      listOpenPositions,
      'account_id=a&cursor=c',
      ['cursor is only allowed with status closed: open positions have no pages'],
    ],
    [
      'open positions with an empty cursor',
      listOpenPositions,
      'account_id=a&cursor=',
      { account_id: 'a', status: 'open', cursor: '', limit: 50 },
    ],
    [
      'closed positions with a cursor',
      listOpenPositions,
      'account_id=a&status=closed&cursor=c',
      { account_id: 'a', status: 'closed', cursor: 'c', limit: 50 },
    ],
  ];
  for (const [name, operation, text, result] of cases)
    it(name, () => assert.deepEqual(queried(operation, text), result));

  it('however a valid one is written', () => {
    for (const operation of [listOrders, listOpenPositions, listFills, getMarketQuote]) {
      const written = anyQuery(operation).map((query) => {
        return new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
        );
      });
      fc.assert(
        fc.property(written, (parameters) => assert.ok(parseQuery(operation, parameters).ok, String(parameters))),
        { numRuns: 50 },
      );
    }
  });

  it('a query of typed values is checked by the rules of its text', () => {
    assert.deepEqual(queryIssues(getMarketQuote, { side: 'buy' }), [{ field: 'size', issue: 'is required with side' }]);
    assert.deepEqual(queryIssues(listFills, { account_id: 'a', limit: 1 }), []);
  });
});

describe('a body is read', () => {
  const order = { account_id: 'a', market_id: 'm', side: 'buy', size: 1, leverage: 1, margin_mode: 'cross' };

  it('with its defaults, and as it was sent', () => {
    const reading = readBody(operations.createOrder, JSON.stringify(order));
    assert.deepEqual(reading, { ok: true, value: { ...order, type: 'market', reduce_only: false }, sent: order });
  });

  it('however a valid one is written as JSON text', () => {
    const { createOrder, createTwapOrder, closePosition, replacePositionExitOrders } = operations;
    for (const operation of [createOrder, createTwapOrder, closePosition, replacePositionExitOrders]) {
      fc.assert(
        fc.property(anyBody(operation), (body) => assert.ok(readBody(operation, JSON.stringify(body)).ok)),
        { numRuns: 50 },
      );
    }
  });

  it('with one issue for a field, even if two things are wrong with it', () => {
    assert.deepEqual(bodyIssues(operations.createOrder, { ...order, limit_price: 'x' }), [
      { field: 'limit_price', issue: 'must be a number' },
    ]);
  });

  it('fields that are not allowed are listed with fields that are invalid', () => {
    const fields = bodyIssues(operations.createOrder, { ...order, size: -1, type: 'limit', chase_offset: 1 }).map(
      ({ field }) => field,
    );
    assert.deepEqual(fields, ['size', 'limit_price', 'chase_offset']);
  });

  it('the token exchange ignores other properties', () => {
    const body = { code: 'c', code_verifier: 'v', grant_type: 'authorization_code' };
    assert.deepEqual(readBody(operations.exchangeCliAuthorizationCode, JSON.stringify(body)), {
      ok: true,
      value: body,
      sent: body,
    });
  });

  trial('rules between fields accept any value without throwing', () => {
    const known: Operation[] = [...Object.values(operations), ...Object.values(simulationOperations)];
    for (const operation of known) {
      const names = fc.constantFrom(...Object.keys(operation.body?.properties ?? { a: 1 }));
      const nonsense = fc.oneof(fc.anything(), fc.dictionary(names, fc.jsonValue()));
      fc.assert(
        fc.property(nonsense, (body) => assert.ok(Array.isArray(bodyIssues(operation, body)))),
        { numRuns: 50 },
      );
    }
  });
});

describe('an idempotency key', () => {
  const cases: readonly [name: string, key: string | undefined, issue: string | null][] = [
    ['is any printable text', 'order 1, Monday ~', null],
    ['has up to 128 characters', 'k'.repeat(128), null],
    ['no more', 'k'.repeat(129), 'must have at most 128 characters'],
    ['is there', undefined, 'is required'],
    ['is not empty', '', 'is required'],
    ['has no control characters', 'a\tb', 'must be printable ASCII'],
    ['is ASCII', 'schlüssel', 'must be printable ASCII'],
  ];
  for (const [name, key, issue] of cases) {
    it(name, () =>
      assert.deepEqual(idempotencyKeyIssues(key), issue === null ? [] : [{ field: 'Idempotency-Key', issue }]),
    );
  }
});

describe('a clock is moved to one time', () => {
  const issues = (body: object) =>
    bodyIssues(simulationOperations.simAdvance, body).map(({ field, issue }) => `${field} ${issue}`);

  it('in one of three ways', () => {
    for (const body of [{ duration_ms: 1 }, { to: 5 }, { end: true }]) assert.deepEqual(issues(body), []);
    assert.deepEqual(issues({}), ['body must have one of duration_ms, to, end']);
    assert.deepEqual(issues({ to: 5, end: true }), ['end is not allowed with to']);
  });
});

describe('copy-trading groups to save', () => {
  const issues = (body: object) =>
    bodyIssues(operations.saveCopyTradingConfigurations, body).map(({ field, issue }) => `${field} ${issue}`);
  const group = (config_id?: string) => ({
    enabled: false,
    source_account_id: 'lead',
    targets: [],
    ...(config_id === undefined ? {} : { config_id }),
  });

  it('are each named only once, which is checked before they are looked up', () => {
    assert.deepEqual(issues({ groups: [group('a'), group('b'), group(), group()], deleted_config_ids: ['c'] }), []);
    assert.deepEqual(issues({ groups: [group('a'), group(), group('a')], deleted_config_ids: [] }), [
      'groups[2].config_id names a group twice',
    ]);
    assert.deepEqual(issues({ groups: [group('a')], deleted_config_ids: ['a'] }), [
      'groups[0].config_id names a group that this request also deletes',
    ]);
    assert.deepEqual(issues({ groups: 'all', deleted_config_ids: [] }), ['groups must be a list']);
  });
});

describe('a change of a simulated policy', () => {
  const fields = (body: object) => bodyIssues(simulationOperations.simSetPolicy, body).map(({ field }) => field);

  it('names its account, unless it only halts trading', () => {
    assert.deepEqual(fields({ trading_halt: { platform: true, categories: [] } }), []);
    assert.deepEqual(fields({ fee_exempt: true, account_id: 'a' }), []);
    assert.deepEqual(fields({ fee_exempt: true }), ['account_id']);
    assert.deepEqual(fields({}), ['body']);
  });
});
