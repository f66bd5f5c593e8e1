import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import { syntheticSource } from '../../../../src/exchange/markets/synthetic/synthetic-source.ts';
import {
  type Bot,
  defineStrategy,
  type Fill,
  type Order,
  type OrderRequest,
  type Refusal,
  type Strategy,
  StrategyError,
} from '../../../../src/programs/sdk/strategy/define-strategy.ts';
import { EngineRun, type EngineRunOptions } from '../../../../src/programs/sdk/strategy/engine-run.ts';
import { beginning } from '../../../seed.ts';
import { it, trial } from '../../../tiers.ts';
import { drawnPlan, drawnStrategy } from './drawn-strategy.ts';

const source = syntheticSource({ seed: beginning.seed });
const start = Math.ceil(beginning.startTime / 1000) * 1000;

/** Runs a strategy for some seconds of market time, on the synthetic markets. */
function run(strategy: Strategy, seconds: number, options: Partial<EngineRunOptions> = {}): EngineRun {
  const started = new EngineRun(strategy, { source, start, ...options });
  started.advance(start + seconds * 1000);
  started.finish();
  return started;
}

function errorOf(strategy: Strategy, options: Partial<EngineRunOptions> = {}): StrategyError {
  try {
    run(strategy, 2, options);
  } catch (error) {
    assert.ok(error instanceof StrategyError, String(error));
    return error;
  }
  return assert.fail('no error');
}

describe('a strategy on the engine', () => {
  it('sees in its quotes and its equity what the exchange quotes and what its risk is', () => {
    const read: string[] = [];
    const look = (bot: Bot) => {
      const [quote, position] = [bot.quote('BTC'), bot.position('BTC')];
      const { bid, ask, mid, time } = quote;
      read.push(JSON.stringify([bid, ask, mid, time, bot.account().equity]));
      if (position.size === 0) bot.place({ market: 'BTC', side: 'buy', size: 0.5 });
    };
    const started = new EngineRun({ markets: ['BTC'], every: { '1s': look } }, { source, start });
    const { marketId, priceDecimals } = source.definitions.find(({ symbol }) => symbol === 'BTC')!;
    for (let second = 1; second <= 5; second += 1) {
      started.advance(start + second * 1000 - 1);
      const { exchange, accountId } = started;
      exchange.advance(start + second * 1000);
      const quote = exchange.quote(marketId);
      assert.ok(quote.ok);
      const shown = [quote.bid!, quote.ask!, quote.mid! / 2].map((price) =>
        Number((price / 10 ** priceDecimals).toFixed(8)),
      );
      const equity = Number(exchange.risk(accountId).equity) / 1e8;
      assert.equal(exchange.equity(accountId), exchange.risk(accountId).equity);
      assert.equal(started.equity, equity);
      started.advance(start + second * 1000);
      assert.equal(read.at(-1), JSON.stringify([...shown, quote.time, equity]));
    }
  });

  it('reads a quote and a position, places orders, and learns their fills', () => {
    const fills: Fill[] = [];
    const orders: Order[] = [];
    const trader = defineStrategy({
      markets: ['BTC'],
      parameters: { size: 0.01 },
      every: {
        '1s'(bot) {
          if (bot.position('BTC').size === 0)
            assert.match(bot.place({ market: 'BTC', side: 'buy', size: bot.parameters.size }), /^run-\d+$/);
          else bot.close('BTC');
        },
      },
      onFill: (bot, fill) => {
        assert.equal(bot.position('BTC').size, fill.side === 'buy' ? 0.02 : 0);
        fills.push(fill);
      },
      onOrder: (_, order) => void orders.push(order),
    });
    const account = run(trader, 4, { parameters: { size: 0.02 } }).account();
    assert.deepEqual(
      fills.map(({ side, size, clientId }) => [side, size, clientId]),
      [
        ['buy', 0.02, 'run-1'],
        ['sell', 0.02, 'run-2'],
        ['buy', 0.02, 'run-3'],
        ['sell', 0.02, 'run-4'],
      ],
    );
    assert.deepEqual(
      orders.map(({ status, filled }) => [status, filled]),
      fills.map(() => ['filled', 0.02]),
    );
    const costs = fills.reduce((sum, { fee, pnl }) => sum + fee - (pnl ?? 0), 0);
    assert.ok(Math.abs(100_000 - costs - account.balance) < 1e-6, `${account.balance}`);
  });

  it('sees an order as sent until it is answered, and may cancel it in the same callback', () => {
    const seen: string[] = [];
    run(
      {
        markets: ['BTC'],
        start(bot) {
          const price = bot.market('BTC').roundPrice(bot.quote('BTC').bid! * 0.9, 'down');
          const id = bot.place({ market: 'BTC', side: 'buy', size: 0.01, price });
          seen.push(...bot.orders('BTC').map(({ status }) => status));
          bot.cancel(id);
        },
        onOrder: (bot, { status }) => void seen.push(status, String(bot.orders().length)),
        onRefusal: (_, refusal) => assert.fail(refusal.message),
      },
      1,
    );
    assert.deepEqual(seen, ['sent', 'canceled', '0']);
  });

  it('is called at full intervals and at the times it asked for', () => {
    const calls: string[] = [];
    run(
      {
        markets: ['BTC'],
        start: (bot) => {
          bot.after('1500ms', () => void calls.push(`after ${bot.now - start}`));
          bot.at(start + 2000, () => void calls.push(`at ${bot.now - start}`));
        },
        every: { '1s': (bot) => void calls.push(`every ${bot.now - start}`) },
        end: (bot) => void calls.push(`end ${bot.now - start}`),
      },
      3,
    );
    assert.deepEqual(calls, ['every 1000', 'after 1500', 'at 2000', 'every 2000', 'every 3000', 'end 3000']);
  });

  it('decides the same again with the same seed, and draws other numbers with another', () => {
    const drawn = (seed: number) => {
      const numbers: number[] = [];
      run({ markets: ['BTC'], start: (bot) => void numbers.push(bot.random(), bot.random()) }, 0, { seed });
      return numbers;
    };
    assert.deepEqual(drawn(7), drawn(7));
    assert.notDeepEqual(drawn(7), drawn(8));
    assert.equal(new Set(drawn(7)).size, 2);
  });

  trial('any strategy that is run again leads to the same state', () => {
    fc.assert(
      fc.property(drawnPlan, (plan) => {
        const ended = () => {
          const seen: unknown[] = [];
          const { exchange } = run(drawnStrategy(plan, seen), 3, { seed: 7 });
          return { seen, state: exchange.openState() };
        };
        assert.deepEqual(ended(), ended());
      }),
      { numRuns: 30 },
    );
  });

  it('charges the time of a decision to the market’s clock', () => {
    const fills: number[] = [];
    const strategy: Strategy = {
      markets: ['BTC'],
      start: (bot) => void bot.place({ market: 'BTC', side: 'buy', size: 0.01 }),
      onFill: (_, { time }) => void fills.push(time - start),
    };
    run(strategy, 1);
    run(strategy, 1, { thinkMs: 250 });
    assert.deepEqual(fills, [0, 250]);
  });

  it('learns why something was refused', () => {
    const refusals: Refusal[] = [];
    const orders: Order[] = [];
    run(
      {
        markets: ['BTC'],
        start(bot) {
          bot.place({ market: 'BTC', side: 'buy', size: 1000 });
          bot.cancel('ord_00000zzzz');
        },
        onOrder: (_, order) => void orders.push(order),
        onRefusal: (_, refusal) => void refusals.push(refusal),
      },
      1,
    );
    assert.deepEqual(
      refusals.map(({ asked, order, code }) => [asked, order, code]),
      [
        ['place', 'run-1', 'rule_violation'],
        ['cancel', 'ord_00000zzzz', 'not_found'],
      ],
    );
    assert.deepEqual(
      orders.map(({ status, clientId }) => [status, clientId]),
      [['rejected', 'run-1']],
    );
  });
});

describe('a strategy that makes a mistake ends with an error that names', () => {
  const order = { market: 'BTC', side: 'buy', size: 0.01 } as const;
  const mistakes: [what: string, strategy: Strategy, at: string | undefined, field: string | undefined][] = [
    [
      'the callback that threw',
      {
        markets: ['BTC'],
        onTick() {
          throw new RangeError('no');
        },
      },
      'onTick',
      undefined,
    ],
    [
      'the callback that returned a promise',
      { markets: ['BTC'], every: { '1s': (async () => {}) as () => void } },
      'every 1s',
      undefined,
    ],
    ['a market that does not exist', { markets: ['BTCC'] }, undefined, 'markets'],
    ['a market that it does not list', { markets: ['BTC'], start: (bot) => void bot.quote('ETH') }, 'start', 'market'],
    ['a size that is no number', starting({ ...order, size: Number.NaN }), 'start', 'size'],
    ['a size off the grid', starting({ ...order, size: 0.0123456789 }), 'start', 'size'],
    ['a price off the grid', starting({ ...order, price: 60000.123456 }), 'start', 'price'],
    ['a misspelled field', starting({ ...order, stoploss: 60000 } as OrderRequest), 'start', 'stoploss'],
    ['no order at all', starting(undefined as unknown as OrderRequest), 'start', 'order'],
    [
      'no function to call back',
      { markets: ['BTC'], start: (bot) => bot.after('1s', 5 as never) },
      'start',
      'callback',
    ],
    ['a field that the type does not take', starting({ ...order, triggerPrice: 60000 }), 'start', 'triggerPrice'],
    [
      'a flood',
      {
        markets: ['BTC'],
        every: {
          '1s'(bot) {
            for (;;) bot.place(order);
          },
        },
      },
      'every 1s',
      undefined,
    ],
    ['a word that no strategy has', { markets: ['BTC'], ontick() {} } as Strategy, undefined, 'ontick'],
    ['an interval that is no duration', { markets: ['BTC'], every: { often() {} } }, undefined, 'every often'],
  ];
  for (const [what, strategy, at, field] of mistakes)
    it(what, () => {
      const error = errorOf(strategy);
      assert.deepEqual([error.at, error.field], [at, field], error.message);
    });

  it('a parameter that it does not have, or of another type', () => {
    const strategy = defineStrategy({ markets: ['BTC'], parameters: { fast: 5 } });
    assert.equal(errorOf(strategy, { parameters: { slow: 5 } }).field, 'slow');
    assert.equal(errorOf(strategy, { parameters: { fast: '5' } }).field, 'fast');
  });

  it('what it read after its end', () => {
    let kept: Bot | undefined;
    run(
      {
        markets: ['BTC'],
        start(bot) {
          kept = bot;
        },
      },
      1,
    );
    assert.throws(() => kept!.quote('BTC'), { name: 'StrategyError', code: 'ended' });
    assert.throws(() => kept!.place(order), { name: 'StrategyError', code: 'ended' });
  });

  it('the noise of binary fractions is not a mistake', () => {
    const sizes: number[] = [];
    run(
      {
        markets: ['BTC'],
        start: (bot) => void bot.place({ ...order, size: 0.1 + 0.2 }),
        onFill: (_, { size }) => void sizes.push(size),
      },
      1,
    );
    assert.deepEqual(sizes, [0.3]);
  });
});

function starting(order: OrderRequest): Strategy {
  return { markets: ['BTC'], start: (bot) => void bot.place(order) };
}
