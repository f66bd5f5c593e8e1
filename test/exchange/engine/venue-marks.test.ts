import assert from 'node:assert/strict';
import { describe } from 'node:test';
import type { PlaceTwap } from '../../../src/exchange/engine/commands.ts';
import { venueMarkStaleMs } from '../../../src/exchange/engine/defaults.ts';
import { Exchange } from '../../../src/exchange/engine/exchange.ts';
import { nothingObserved, type ObservedBehavior } from '../../../src/exchange/engine/observed.ts';
import { beginning } from '../../seed.ts';
import { it, trial } from '../../tiers.ts';
import { Chance } from './chance.ts';
import { Scenario, type ScenarioOptions, usd } from './scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const book = (time: number, mid: number, size = 1_000): ScriptedEvent => ({
  time,
  bids: [[mid - 1, size]] as Level[],
  asks: [[mid + 1, size]] as Level[],
});
const marks = (time: number, mark: number, index = mark): ScriptedEvent => ({ time, mark, index });
const print = (time: number, price: number): ScriptedEvent => ({ time, print: [price, 1], aggressor: 'sell' });

function observing(changes: Partial<ObservedBehavior>, others: ScenarioOptions = {}): ScenarioOptions {
  return {
    policy: (policy) => void Object.assign(policy, { observed: { ...nothingObserved, ...changes } }),
    ...others,
  };
}
const venue = observing({ marks: 'venue' });
const stopAt = (triggerPrice: number) => ({ mode: 'stop_market', triggerPrice }) as const;
/** Buys 100 lots in slices once the mark is at 990 or below, until it is above 1,020. */
const waitingTwap = ({ accountId }: Scenario): PlaceTwap => ({
  ...{ kind: 'place_twap', accountId, marketId: 'binance|TEST', strategy: 'twap', side: 'buy' },
  ...{ size: 100, expectedPrice: 1_000, leverage: 1, marginMode: 'cross', durationMinutes: 5 },
  ...{ sliceIntervalSeconds: 30, randomize: false, reduceOnly: false },
  ...{ triggerPrice: 990, maxPrice: 1_020, minPrice: null },
});

describe("an account on its venue's marks", () => {
  it('triggers at another moment by midpoint, by last price, by mark and by index', () => {
    const script = [
      book(0, 1_000),
      marks(0, 1_000),
      book(10, 989),
      print(20, 988),
      marks(30, 995, 990),
      marks(40, 990, 990),
    ];
    const expected: [Partial<ObservedBehavior>, triggeredAt: number, fact: string][] = [
      [{}, 10, 'mark_half_price'],
      [{ stopPrice: 'last' }, 20, 'print_price'],
      [{ stopPrice: 'last', marks: 'venue' }, 20, 'print_price'],
      [{ stopPrice: 'index' }, 30, 'venue_index_half_price'],
      [{ marks: 'venue' }, 40, 'venue_mark_half_price'],
    ];
    for (const [behavior, at, fact] of expected) {
      const scenario = new Scenario(script, observing(behavior)).to(0);
      const stop = scenario.place('sell', 10, stopAt(990));
      const { triggeredAt, status } = scenario.to(50).record(stop);
      assert.deepEqual([triggeredAt, status], [at, 'filled'], JSON.stringify(behavior));
      const { detail } = scenario.explanations.find(({ kind }) => kind === 'triggered')!;
      assert.ok(fact in detail, `${fact} of ${JSON.stringify(detail)}`);
    }
  });

  it('refuses a trigger that the mark, or for an index stop the index, already meets', () => {
    const script = [book(0, 1_000), marks(0, 990, 980)];
    const ofMark = new Scenario(script, venue).to(0);
    assert.deepEqual(ofMark.refused(ofMark.order('sell', 1, stopAt(995))).details, { trigger_price: 995, mark: 990 });
    ofMark.place('sell', 1, stopAt(985));
    const ofIndex = new Scenario(script, observing({ stopPrice: 'index' })).to(0);
    assert.deepEqual(ofIndex.refused(ofIndex.order('sell', 1, stopAt(985))).details, {
      trigger_price: 985,
      index: 980,
    });
    ofIndex.place('sell', 1, stopAt(975));
  });

  it('is liquidated where the mark says so, and not where the midpoint would', () => {
    const long = (scenario: Scenario) => scenario.place('buy', 100, { leverage: 10, marginMode: 'isolated' });
    const byBook = [book(0, 1_000), marks(0, 1_000), book(10, 900), marks(20, 990)];
    const byMark = [book(0, 1_000), marks(0, 1_000), book(10, 999), marks(20, 905)];
    const cases: [ScriptedEvent[], ScenarioOptions, isLiquidated: boolean][] = [
      [byBook, {}, true],
      [byBook, venue, false],
      [byMark, {}, false],
      [byMark, venue, true],
    ];
    for (const [script, options, isLiquidated] of cases) {
      const scenario = new Scenario(script, options).to(0);
      long(scenario);
      scenario.to(30);
      assert.equal(scenario.exchange.openState().positions.length === 0, isLiquidated, JSON.stringify(script));
    }
  });

  it('fails its plan at the mark that touches a floor, and is measured by it until then', () => {
    const script = [book(0, 1_000), marks(0, 1_000), marks(10, 972), book(15, 1_000), marks(20, 969)];
    const scenario = new Scenario(script, { ...venue, plan: 'select' }).to(0);
    scenario.place('buy', 100, { leverage: 2 });
    const { equity } = scenario.to(15).exchange.risk(scenario.accountId);
    assert.equal(equity, usd(100_000 - 100 * 29));
    assert.equal(scenario.accounts.get(scenario.accountId)!.status, 'active');
    scenario.to(20);
    assert.equal(scenario.accounts.get(scenario.accountId)!.status, 'failed');
  });

  it('while the mark is missing, too old or in a gap: nothing triggers or is liquidated, and new exposure is refused', () => {
    const stale = venueMarkStaleMs + 1;
    const cases: [what: string, ScriptedEvent[]][] = [
      ['missing', [book(0, 1_000), book(stale, 900)]],
      ['too old', [book(0, 1_000), marks(0, 1_000), book(stale, 900)]],
      ['in a gap', [book(0, 1_000), marks(0, 1_000), { time: 5, gap: 'lag' }, marks(6, 900), book(stale, 900)]],
    ];
    for (const [what, script] of cases) {
      const scenario = new Scenario(script, observing({ marks: 'book' })).to(0);
      scenario.place('buy', 100, { leverage: 10, marginMode: 'isolated' });
      const stop = scenario.place('sell', 10, stopAt(950));
      const { policy } = scenario.exchange.openState().accounts[0]!;
      const observed = { ...nothingObserved, marks: 'venue' as const };
      scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy: { ...policy, observed } });
      scenario.to(stale);
      assert.equal(scenario.record(stop).status, 'resting', what);
      const risk = scenario.exchange.risk(scenario.accountId);
      assert.deepEqual([risk.marksComplete, risk.equity], [false, null], what);
      assert.equal(scenario.ruleAgainst('buy', 1), 'stale-book', what);
      assert.equal(scenario.place('sell', 10, { reduceOnly: true }).status, 'filled', what);
    }
  });

  it('goes on with the first mark after a gap', () => {
    const script = [book(0, 1_000), marks(0, 1_000), { time: 5, gap: 'lag' }, book(10, 1_000), marks(12, 940)];
    const scenario = new Scenario(script, venue).to(0);
    const stop = scenario.place('sell', 10, stopAt(950));
    assert.equal(scenario.to(11).record(stop).status, 'resting');
    assert.deepEqual(scenario.to(12).record(stop).triggeredAt, 12);
  });

  it('a quote says which mark counts for it, and what the venue publishes', () => {
    const scenario = new Scenario([book(0, 1_000), marks(0, 990, 985)], venue).to(0);
    const quote = scenario.exchange.quote('binance|TEST', { accountId: scenario.accountId });
    assert.ok(quote.ok);
    assert.deepEqual([quote.mid, quote.mark, quote.isVenueMark, quote.venue?.index], [2_000, 1_980, true, 1_970]);
    const other = scenario.exchange.quote('binance|TEST', {});
    assert.ok(other.ok);
    assert.deepEqual([other.mark, other.isVenueMark, other.venue?.mark], [2_000, false, 1_980]);
  });

  it('a TWAP that waits follows the other marks as soon as the policy names them', () => {
    const cases: [from: 'book' | 'venue', to: 'book' | 'venue', start: ScriptedEvent][] = [
      ['book', 'venue', marks(20, 985)],
      ['venue', 'book', book(20, 985)],
    ];
    for (const [before, after, start] of cases) {
      const script = [book(0, 1_000), marks(0, 1_000), start];
      const scenario = new Scenario(script, observing({ marks: before })).to(0);
      const { twap } = scenario.done(waitingTwap(scenario));
      const { policy } = scenario.exchange.openState().accounts[0]!;
      const observed = { ...nothingObserved, marks: after };
      scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy: { ...policy, observed } });
      assert.equal(scenario.to(19).twaps.get(twap!.id)!.activatedAt, null);
      assert.equal(scenario.to(20).twaps.get(twap!.id)!.activatedAt, 20, after);
    }
  });

  it('a TWAP starts and ends by it', () => {
    const script = [book(0, 1_000), marks(0, 1_000), book(10, 980), marks(20, 985), book(30, 1_000), marks(40, 1_030)];
    const scenario = new Scenario(script, venue).to(0);
    const { twap } = scenario.done(waitingTwap(scenario));
    assert.equal(scenario.to(15).twaps.get(twap!.id)!.activatedAt, null);
    assert.equal(scenario.to(20).twaps.get(twap!.id)!.activatedAt, 20);
    assert.equal(scenario.to(40).twaps.get(twap!.id)!.completionReason, 'price_limit');
  });
});

trial("random days on a venue's marks: in one step or many, reopened at any time, the state is the same", () => {
  for (let day = 0; day < 12; day += 1) {
    const chance = new Chance(beginning.seed * 1_000 + day);
    const source = new ScriptedSource(randomDay(chance), [definition()]);
    const behavior = chance.pick([{ marks: 'venue' }, { marks: 'venue', stopPrice: 'index' }] as const);
    const scenario = new Scenario(source, observing(behavior, { plan: 'select' })).to(0);
    for (let number = 0; number < 6; number += 1) {
      const side = chance.pick(['buy', 'sell'] as const);
      scenario.execute(scenario.order(side, chance.between(1, 40), { leverage: 5 }));
      const [mode, triggerPrice] = [chance.pick(['stop_market', 'take_market'] as const), chance.between(970, 1_030)];
      scenario.execute(scenario.order(side, chance.between(1, 20), { mode, triggerPrice, leverage: 5 }));
    }
    const before = scenario.exchange.openState();
    const ends = [1, 7, 50].map((step) => {
      let exchange = new Exchange(source, before, scenario.rates);
      for (let time = 0; time <= 4_000; time += 4_000 / step) {
        exchange.advance(Math.round(time));
        if (step === 50) exchange = new Exchange(source, exchange.openState(), scenario.rates);
      }
      exchange.advance(4_000);
      return exchange.stateHash();
    });
    assert.equal(new Set(ends).size, 1, `day ${day}`);
  }
});

/** Books, and the venue's prices somewhere near them, with gaps. */
function randomDay(chance: Chance): ScriptedEvent[] {
  const script: ScriptedEvent[] = [book(0, 1_000), marks(0, 1_000)];
  let [time, mid, isKnown] = [0, 1_000, true];
  while (time < 4_000) {
    time += chance.pick([0, 1, 20, 60]);
    mid += chance.between(-6, 6);
    const next = chance.next();
    if (!isKnown || next < 0.5) script.push(book(time, mid, chance.between(5, 60)));
    else if (next < 0.9) script.push(marks(time, mid + chance.between(-9, 9), mid + chance.between(-4, 4)));
    else if (next < 0.95) script.push(print(time, mid));
    else script.push({ time, gap: 'lag' });
    isKnown = !('gap' in script.at(-1)!);
  }
  return script;
}
