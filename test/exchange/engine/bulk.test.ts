import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { BulkOperation } from '../../../src/exchange/engine/model.ts';
import { noRates, Scenario } from './scenario.ts';
import { definition, type Level, ScriptedSource } from './scripted-source.ts';

const marketIds = ['binance|A', 'binance|B', 'binance|C'];
const book = (market: string) => ({
  time: 0,
  market,
  bids: [[99, 1_000]] as Level[],
  asks: [[101, 1_000]] as Level[],
});
const definitions = marketIds.map((marketId) => definition({ marketId }));
const source = () =>
  new ScriptedSource(
    marketIds.map((market) => book(market)),
    definitions,
  );

test('cancel-all takes a snapshot of resting orders and cancels fifty of them per call', () => {
  const scenario = new Scenario(source()).to(0);
  const orders = Array.from({ length: 110 }, () => scenario.place('buy', 1, { limitPrice: 50 }));
  let operation = scenario.done({ kind: 'start_bulk', operation: 'cancel_all_orders', accountId: scenario.accountId })
    .operation!;
  assert.deepEqual([operation.status, operation.targets.length, operation.results.length], ['running', 110, 50]);
  // Later orders are not in the snapshot; orders that end in the meantime fail.
  const late = scenario.place('buy', 1, { limitPrice: 50 });
  scenario.done({ kind: 'cancel_order', orderId: orders[109]!.id });
  scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), noRates);
  const next = () => scenario.done({ kind: 'continue_bulk', operationId: operation.id }).operation!;
  operation = next();
  assert.deepEqual([operation.status, operation.results.length], ['running', 100]);
  operation = next();
  assert.deepEqual([operation.status, operation.completedAt], ['completed', 0]);
  assert.deepEqual(
    operation.results.map(({ targetId }) => targetId),
    orders.map(({ id }) => id),
  );
  assert.deepEqual(operation.results.at(-1), {
    targetId: orders[109]!.id,
    status: 'failed',
    orderId: orders[109]!.id,
    failureCode: 'order_terminal',
    ruleId: null,
  });
  assert.equal(scenario.record(late).status, 'resting');
  assert.equal(scenario.refused({ kind: 'continue_bulk', operationId: operation.id }).code, 'not_found');
});

test('orders on their way to the book are not in the snapshot', () => {
  const delayed = new Scenario(source(), {
    policy: (policy) => void Object.assign(policy.limits, { executionDelayMinMs: 10, executionDelayMaxMs: 10 }),
  }).to(0);
  delayed.place('buy', 1);
  const operation = delayed.done({ kind: 'start_bulk', operation: 'cancel_all_orders', accountId: delayed.accountId })
    .operation!;
  assert.deepEqual([operation.status, operation.targets], ['completed', []]);
});

test('close-all closes one position per call with a reduce-only market order, and reports a refused one', () => {
  const [first, second, third] = marketIds.map((marketId) => book(marketId));
  // The second market's book is stale when its position is to be closed.
  const later = [first!, third!].map((one) => ({ ...one, time: 60_000 }));
  const events = [first!, second!, third!, ...later];
  const scenario = new Scenario(new ScriptedSource(events, definitions)).to(0);
  for (const marketId of marketIds) scenario.place('buy', 10, { marketId });
  scenario.to(60_000);
  const calls: BulkOperation[] = [];
  calls.push(
    scenario.done({ kind: 'start_bulk', operation: 'close_all_positions', accountId: scenario.accountId }).operation!,
  );
  while (calls.at(-1)!.status === 'running') {
    calls.push(scenario.done({ kind: 'continue_bulk', operationId: calls[0]!.id }).operation!);
  }
  assert.deepEqual(
    calls.map(({ results }) => results.length),
    [1, 2, 3],
  );
  const { results } = calls.at(-1)!;
  assert.deepEqual(
    results.map(({ status, failureCode, ruleId }) => [status, failureCode, ruleId]),
    [
      ['submitted', null, null],
      ['failed', 'rule_violation', 'stale-book'],
      ['submitted', null, null],
    ],
  );
  const closing = scenario.orders.get(results[0]!.orderId!)!;
  assert.deepEqual(
    [closing.type, closing.side, closing.size, closing.reduceOnly, closing.slippageToleranceBps],
    ['market', 'sell', 10, true, 250],
  );
  assert.equal(scenario.exchange.openState().positions.length, 1);
});
