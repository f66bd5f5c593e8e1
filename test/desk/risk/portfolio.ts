import assert from 'node:assert/strict';
import type { Account } from '../../../src/contract/accounts.ts';
import { breachPrice, type MarkedPosition, nearestFloor } from '../../../src/desk/risk/breach.ts';
import { equityAt, type HeldPosition } from '../../../src/desk/risk/profit.ts';
import type { HalfPrice, MarketDefinition } from '../../../src/engine/model.ts';
import { presentAccount } from '../../../src/service/present/account.ts';
import { presentPosition } from '../../../src/service/present/position.ts';
import { Chance } from '../../engine/chance.ts';
import { Scenario } from '../../engine/scenario.ts';
import { definition, type ScriptedEvent, ScriptedSource } from '../../engine/scripted-source.ts';

const placedAt = 1000;
const lookedAt = 2000;
const movedAt = 3000;

/** A book around a mark, deep enough for any order of these tests. */
function bookAt(market: string, time: number, mark: HalfPrice): ScriptedEvent {
  const bid = Math.ceil(mark / 2) - 1;
  return { time, market, bids: [[bid, 1e9]], asks: [[mark - bid, 1e9]] };
}

interface Holding {
  readonly market: MarketDefinition;
  /** Marks at entry and when the account is read, in half price units. */
  readonly entry: HalfPrice;
  readonly mark: HalfPrice;
  readonly side: 'buy' | 'sell';
  readonly size: number;
  readonly leverage: number;
  readonly marginMode: 'cross' | 'isolated';
}

/** Random positions of an account with floors, as API resources, and how the engine reacts when marks move. */
class Portfolio {
  readonly holdings: readonly Holding[];
  readonly #plan: 'select' | 'prime';

  constructor(chance: Chance) {
    const count = chance.between(1, 3);
    this.#plan = chance.pick(['select', 'prime']);
    this.holdings = Array.from({ length: count }, (_, at) => randomHolding(chance, at, count));
  }

  /** The account and its positions as the API shows them; undefined if setting them up failed. */
  look(): { account: Account; marked: MarkedPosition[]; liquidations: (number | undefined)[] } | undefined {
    const scenario = this.#play([]);
    const account = scenario.account();
    if (account.status !== 'active') return undefined;
    const held = this.holdings.flatMap(({ market, mark }) => {
      const position = scenario.position(market.marketId);
      if (position === undefined) return [];
      const units = scenario.exchange.liquidationPrice(position.id);
      const price = units === null ? null : units / 10 ** market.priceDecimals;
      const wire: HeldPosition & { liquidation_price?: number | undefined } = presentPosition(position, market, price);
      const marked = { position: wire, mark: markOf(market, mark), tick: 10 ** -market.priceDecimals };
      return [{ marked, liquidation: wire.liquidation_price }];
    });
    return {
      account: presentAccount(account, scenario.exchange.risk(account.id)),
      marked: held.map(({ marked }) => marked),
      liquidations: held.map(({ liquidation }) => liquidation),
    };
  }

  /** Whether the account has failed after these markets moved to these marks. */
  failsAt(marks: ReadonlyMap<string, HalfPrice>): boolean {
    const events = [...marks].map(([id, mark]) => bookAt(id, movedAt, mark));
    return this.#play(events).account().status === 'failed';
  }

  #play(moved: readonly ScriptedEvent[]): Scenario {
    const { holdings } = this;
    const script = [
      ...holdings.map(({ market, entry }) => bookAt(market.marketId, placedAt, entry)),
      ...holdings.map(({ market, mark }) => bookAt(market.marketId, lookedAt, mark)),
      ...moved,
    ];
    const source = new ScriptedSource(
      script,
      holdings.map(({ market }) => market),
    );
    const rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 0 } };
    const scenario = new Scenario(source, { plan: this.#plan, rates }).to(placedAt);
    for (const { market, side, size, leverage, marginMode } of holdings) {
      scenario.execute(scenario.order(side, size, { marketId: market.marketId, leverage, marginMode }));
    }
    return scenario.to(movedAt);
  }
}

function randomHolding(chance: Chance, at: number, count: number): Holding {
  const priceDecimals = chance.between(0, 6);
  const sizeDecimals = chance.between(0, 4);
  const market = definition({ marketId: `binance|M${at}`, symbol: `M${at}`, priceDecimals, sizeDecimals });
  const entry = chance.between(2_000, 2_000_000);
  const mark = Math.round(entry * (1 + (chance.next() - 0.5) * 0.01));
  const notional = (chance.between(2_000, 150_000) / count) * chance.next() + 20;
  const price = entry / 2 / 10 ** priceDecimals;
  const lots = Math.max(1, Math.round((notional / price) * 10 ** sizeDecimals));
  return {
    market,
    entry,
    mark,
    side: chance.pick(['buy', 'sell']),
    size: Number(`${lots}e-${sizeDecimals}`),
    leverage: chance.between(2, 5),
    marginMode: chance.pick(['cross', 'cross', 'isolated']),
  };
}

/** A mark as a JSON number. */
function markOf(market: MarketDefinition, mark: HalfPrice): number {
  return Number(`${mark * 5}e-${market.priceDecimals + 1}`);
}

/** Checks every stated price of a random portfolio against the engine; returns their number. */
export function checkPortfolio(seed: number): number {
  const portfolio = new Portfolio(new Chance(seed));
  const seen = portfolio.look();
  const floor = nearestFloor(seen?.account.risk);
  if (seen === undefined || floor === undefined) return 0;
  const marks = new Map(seen.marked.map(({ position, mark }) => [position.market_id, mark]));
  const held = seen.marked.map(({ position }) => position);
  const equity = equityAt(seen.account.balance, held, (market) => marks.get(market));
  assert.equal(equity, seen.account.risk?.equity, `seed ${seed}: equity`);
  let stated = 0;
  for (const [at, marked] of seen.marked.entries()) {
    const price = breachPrice(marked, floor.room);
    const liquidation = seen.liquidations[at];
    const isLong = marked.position.side === 'long';
    if (price === undefined) continue;
    // A liquidation that comes first ends the position.
    if (liquidation !== undefined && (isLong ? liquidation > price - 1e-9 : liquidation < price + 1e-9)) continue;
    const { market } = portfolio.holdings.find(({ market: { marketId } }) => marketId === marked.position.market_id)!;
    const halves = price * 2 * 10 ** market.priceDecimals;
    const first = isLong ? Math.floor(halves + 1e-6) : Math.ceil(halves - 1e-6);
    const inside = isLong ? first + 1 : first - 1;
    if (first < 4) continue;
    const told = `seed ${seed}, ${market.marketId}: ${price}`;
    assert.equal(portfolio.failsAt(new Map([[market.marketId, first]])), true, `${told}: no breach at ${first}`);
    assert.equal(portfolio.failsAt(new Map([[market.marketId, inside]])), false, `${told}: breach at ${inside}`);
    stated += 1;
  }
  return stated;
}
