import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import type { Side } from '../../../src/exchange/engine/model.ts';
import { nothingObserved, type StopPrice } from '../../../src/exchange/engine/observed.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';
import { it, trial } from '../../tiers.ts';
import { noRates, Scenario, type ScenarioOptions } from './scenario.ts';
import type { Level, ScriptedEvent } from './scripted-source.ts';

const minute = 60_000;
const noon = Date.UTC(2026, 10, 18, 12);
const last: ScenarioOptions = {
  policy: (policy) => void Object.assign(policy, { observed: { ...nothingObserved, stopPrice: 'last' } }),
};

const book = (time: number, mid: number): ScriptedEvent => ({
  time,
  bids: [[mid - 1, 1_000]] as Level[],
  asks: [[mid + 1, 1_000]] as Level[],
});
const print = (time: number, price: number, aggressor: Side = 'sell', tradedAt = time): ScriptedEvent => ({
  time,
  print: [price, 1],
  aggressor,
  tradedAt,
});
const stopAt = (triggerPrice: number) => ({ mode: 'stop_market', triggerPrice }) as const;

describe('stops on the last price', () => {
  it('trigger at the first print at or beyond their price, whichever side takes, and fill from the book', () => {
    const table: [Side, trigger: number, misses: number, hits: number, aggressor: Side][] = [
      ['sell', 990, 991, 990, 'sell'],
      ['sell', 990, 991, 985, 'buy'],
      ['sell', 989.5, 990, 989, 'sell'],
      ['buy', 1_010, 1_009, 1_010, 'buy'],
      ['buy', 1_010, 1_009, 1_020, 'sell'],
      ['buy', 1_009.5, 1_009, 1_010, 'buy'],
    ];
    for (const [side, trigger, misses, hits, aggressor] of table) {
      const script = [book(0, 1_000), print(1, misses, aggressor), print(2, hits, aggressor)];
      const scenario = new Scenario(script, last).to(0);
      const stop = scenario.place(side, 10, stopAt(trigger));
      const name = `${side} at ${trigger}`;
      assert.equal(scenario.to(1).record(stop).status, 'resting', name);
      const { status, triggeredAt, notional } = scenario.to(2).record(stop);
      const price = side === 'buy' ? 1_001n : 999n;
      assert.deepEqual([status, triggeredAt, notional], ['filled', 2, price * 10n * 100_000_000n], name);
      const triggered = scenario.explanations.find(({ kind }) => kind === 'triggered')!;
      assert.deepEqual(triggered.detail, { print_price: hits, trigger_market_id: 'binance|TEST' }, name);
    }
  });

  it('do not follow the mark; take-profits and conditionals still do', () => {
    const scenario = new Scenario([book(0, 1_000), print(1, 1_030), print(1, 970), book(2, 980)], last).to(0);
    const stop = scenario.place('sell', 10, stopAt(985));
    const take = scenario.place('buy', 10, { mode: 'take_market', triggerPrice: 985 });
    const conditional = scenario.place('buy', 10, {
      mode: 'conditional',
      triggerPrice: 985,
      triggerMarketId: 'binance|TEST',
      triggerDirection: 'below',
    });
    scenario.to(1);
    assert.deepEqual(
      [stop, take, conditional].map((order) => scenario.record(order).status),
      ['filled', 'resting', 'resting'],
    );
    const later = scenario.place('sell', 10, stopAt(981.5 - 2));
    scenario.to(2);
    assert.deepEqual(
      [take, conditional, later].map((order) => scenario.record(order).status),
      ['filled', 'filled', 'resting'],
    );
  });

  it('trigger in the order in which they were requested; a good-till-date stop not after its date', () => {
    const scenario = new Scenario([book(0, 1_000), print(5, 900)], last).to(0);
    const limit = { mode: 'stop_limit', limitPrice: 2_000, timeInForce: 'gtd', gtdExpiresAt: 5 } as const;
    const [far, near] = [scenario.place('sell', 10, stopAt(950)), scenario.place('sell', 10, stopAt(990))];
    const expired = scenario.place('sell', 10, { ...limit, triggerPrice: 980 });
    scenario.to(5);
    const settled = (order: typeof far) => scenario.record(order).settleSequence;
    assert.deepEqual([settled(far), settled(near), scenario.record(expired).status], [1, 2, 'expired']);
  });

  it('are refused on the wrong side of the mark; an amended one waits for a later print', () => {
    const script = [book(0, 1_000), print(1, 950), print(6, 975, 'sell', 4), print(7, 975)];
    const scenario = new Scenario(script, last).to(1);
    assert.equal(scenario.ruleAgainst('sell', 1, stopAt(1_000)), 'trigger-side');
    const stop = scenario.place('sell', 10, stopAt(960));
    scenario.to(5);
    scenario.done({ kind: 'amend_order', orderId: stop.id, price: 980, size: null });
    assert.equal(
      scenario.to(6).record(stop).status,
      'resting',
      'that print was made at 4, before the stop moved there',
    );
    assert.equal(scenario.to(7).record(stop).status, 'filled');
  });

  it('wait for the next print when the book is too old', () => {
    const scenario = new Scenario([book(0, 1_000), print(20_000, 980), book(20_001, 1_000), print(20_002, 985)], last);
    const stop = scenario.to(0).place('sell', 10, stopAt(990));
    assert.equal(scenario.to(20_001).record(stop).status, 'resting');
    assert.equal(scenario.to(20_002).record(stop).status, 'filled');
  });

  it('as exits trigger by the print that filled their entry, if it passed both prices, and cancel their sibling', () => {
    const legs = { stopLossPrice: 980, takeProfitPrice: 1_100 };
    const scenario = new Scenario([book(0, 1_000), print(1, 970), book(2, 1_000)], last).to(0);
    const entry = scenario.place('buy', 1, { limitPrice: 990, ...legs });
    scenario.to(1);
    assert.equal(scenario.record(entry).status, 'filled');
    const exits = [...scenario.orders.values()].filter(({ exitGroup }) => exitGroup !== null);
    assert.deepEqual(exits.map(({ exitGroup, status }) => [exitGroup, status]).sort(), [
      ['sl', 'filled'],
      ['tp', 'canceled'],
    ]);
  });

  it('follow the policy when it changes: the other price counts from then on, at once if it has passed them', () => {
    const set = (scenario: Scenario, stopPrice: StopPrice) => {
      const { policy } = scenario.exchange.openState().accounts[0]!;
      const observed = { ...nothingObserved, stopPrice };
      scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy: { ...policy, observed } });
    };
    const script = [book(0, 1_000), print(1, 950), print(2, 950), book(3, 970), book(4, 969)];
    const scenario = new Scenario(script).to(0);
    const stop = scenario.place('sell', 10, stopAt(980));
    assert.equal(scenario.to(1).record(stop).status, 'resting', 'the mark is 1,000');
    set(scenario, 'last');
    assert.equal(scenario.record(stop).status, 'resting', 'that print was before');
    set(scenario, 'mark');
    assert.equal(scenario.to(2).record(stop).status, 'resting');
    set(scenario, 'last');
    assert.equal(scenario.to(3).record(stop).status, 'resting', 'no print since then');
    set(scenario, 'mark');
    assert.equal(scenario.record(stop).status, 'filled');
    const other = new Scenario(script).to(0);
    const moved = other.place('sell', 10, stopAt(980));
    set(other, 'last');
    assert.equal(other.to(1).record(moved).status, 'filled');
  });

  it('follow the mark in a state whose version lacks the field', () => {
    const { stopPrice: _, ...older } = nothingObserved;
    const policy = (present: object) => void Object.assign(present, { observed: older });
    const scenario = new Scenario([book(0, 1_000), print(1, 950), book(2, 970)], { policy }).to(0);
    const stop = scenario.place('sell', 10, stopAt(980));
    assert.equal(scenario.to(1).record(stop).status, 'resting');
    scenario.exchange = new Exchange(scenario.source, scenario.exchange.openState(), scenario.rates);
    assert.equal(scenario.to(2).record(stop).status, 'filled');
  });
});

describe('stops on the last price in synthetic markets', () => {
  const marketId = 'binance|ETHUSDT';

  /** Stops at various distances on both sides of the market, in a state where they are armed. */
  function armed(source: MarketSource): Exchange {
    const scenario = new Scenario(source, { ...last, at: noon, startingBalance: 1e7 });
    const { bids } = source.book(marketId, noon)!;
    for (let place = 1; place <= 12; place += 1) {
      const distance = 1 + (place * place) / 20_000;
      for (const side of ['buy', 'sell'] as const) {
        const units = Math.round(side === 'buy' ? bids[0]! * distance : bids[0]! / distance);
        scenario.place(side, 10, { marketId, ...stopAt(units / 100) });
      }
    }
    return scenario.exchange;
  }

  trial('trigger at the same prints in one step, in many, after reopening, and when every event is played', () => {
    const end = noon + 40 * minute;
    const predicting = syntheticSource({ seed: 5 });
    const once = armed(predicting);
    once.advance(end);
    const stepped = armed(predicting);
    for (let time = noon; time <= end; time += 7_321) stepped.advance(time);
    stepped.advance(end);
    let reopened = armed(predicting);
    for (let time = noon; time <= end; time += 3 * minute) {
      reopened.advance(time);
      reopened = new Exchange(predicting, reopened.openState(), noRates);
    }
    reopened.advance(end);
    const played = armed(withoutPrediction(predicting));
    played.advance(end);
    const triggered = 24 - once.openState().orders.length;
    assert.ok(triggered >= 3 && triggered <= 22, `${triggered} of 24 triggered`);
    for (const other of [stepped, reopened, played]) assert.equal(other.stateHash(), once.stateHash());
  });
});

/** The same source without predictions, so that the exchange must play every event. */
function withoutPrediction(source: MarketSource): MarketSource {
  return {
    name: source.name,
    definitions: source.definitions,
    book: (marketId, time) => source.book(marketId, time),
    open: (from) => source.open(from),
    volume: (marketId, from, to, asOf) => source.volume(marketId, from, to, asOf),
  };
}
