import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { simulationOperations } from '../../../src/wire/contract/simulation.ts';
import { isPathValue, pathNames, Router } from '../../../src/wire/contract/target.ts';
import { anyText } from '../../any-text.ts';

const all: Operation[] = [...Object.values(operations), ...Object.values(simulationOperations)];
const router = new Router(all);
const found = (method: string, pathname: string) => {
  const { operation, ...rest } = router.find(method, pathname);
  return operation === null ? rest : [operation.id, ...Object.values('path' in rest ? rest.path : {})];
};

describe('a request is routed', () => {
  const cases: readonly [method: string, pathname: string, result: unknown][] = [
    ['GET', '/v1', ['getApiInformation']],
    ['GET', '/v1/', ['getApiInformation']],
    ['GET', '/v1/orders', ['listOrders']],
    ['POST', '/v1/orders/', ['createOrder']],
    ['PUT', '/v1/orders/ord_1/attached-exits', ['updateAttachedExits', 'ord_1']],
    ['GET', '/v1/markets/binance%7CBTCUSDT/quote', ['getMarketQuote', 'binance|BTCUSDT']],
    ['GET', '/v1/markets/binance|BTCUSDT/quote', ['getMarketQuote', 'binance|BTCUSDT']],
    ['GET', '/v1/markets/hyperliquid|xyz:GOLD', ['getMarket', 'hyperliquid|xyz:GOLD']],
    ['GET', '/v1/orders/a%2Fb', ['getOrder', 'a/b']],
    ['GET', '/sim/orders/ord_1/explanation', ['simExplainOrder', 'ord_1']],
    ['DELETE', '/v1/orders', { methods: ['GET', 'POST'] }],
    ['GET', '/v1/orders/a/b', { methods: [] }],
    ['GET', '/v1/accounts//trading-policy', { methods: [] }],
    ['GET', '/v1/orders/%zz', { methods: [] }],
    ['GET', '/v1/orders/%2e%2e', { methods: [] }],
    ['GET', '/V1/orders', { methods: [] }],
    ['GET', '/', { methods: [] }],
    ['GET', '', { methods: [] }],
  ];
  for (const [method, pathname, result] of cases)
    it(`${method} ${pathname}`, () => assert.deepEqual(found(method, pathname), result));

  it('with any values in its path', () => {
    const value = anyText({ minLength: 1 }).filter(isPathValue);
    const request = fc.constantFrom(...all).chain((operation) => {
      const names = pathNames(operation);
      return fc.tuple(
        fc.constant(operation),
        fc.record(Object.fromEntries(names.map((name) => [name, value])), { noNullPrototype: true }),
      );
    });
    fc.assert(
      fc.property(request, ([operation, path]) => {
        const pathname = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name]!));
        assert.deepEqual(router.find(operation.method, pathname), { operation, path });
      }),
    );
  });

  it('without throwing for any path', () => {
    fc.assert(fc.property(fc.string(), (pathname) => assert.ok(router.find('GET', `/v1/${pathname}`))));
  });
});
