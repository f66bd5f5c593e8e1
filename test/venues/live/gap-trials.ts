import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { plans } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { plainOrder } from '../../exchange/engine/scenario.ts';
import { seed as seedOfTests } from '../../seed.ts';
import { faults } from './drawn-faults.ts';
import { LiveScene } from './live-scene.ts';
import { type ModelChange, ModelMarket, type ModelTrade } from './servers/model.ts';
import { rigs } from './servers/rigs.ts';

/** What cuts a market's data off, each for a few seconds; `restart` ends the process meanwhile. */
const cuts = ['a cut connection', 'a half-open socket', 'connections refused', 'a silent route', 'restart'] as const;
/** How long the data comes back after a cut ends. */
const healMs = 12_000;
const stepMs = 100;

/** A print of a seller or a buyer, and what it leaves of the levels that it took. */
interface Deal {
  atMs: number;
  trades: Omit<ModelTrade, 'number' | 'time'>[];
  bids: [number, number][];
  asks: [number, number][];
}

/** A market whose levels change only by its deals. */
class DealtMarket extends ModelMarket {
  private planned: Pick<ModelChange, 'bids' | 'asks'> & { trades: Deal['trades'] } = { bids: [], asks: [], trades: [] };

  /** What the next step does. */
  set next(change: { bids?: [number, number][]; asks?: [number, number][]; trades?: Deal['trades'] }) {
    this.planned = { bids: [], asks: [], trades: [], ...change };
  }

  override step(time: number): ModelChange {
    const previous = this.id;
    this.id += 1;
    this.count += 1;
    const { bids, asks, trades } = this.planned;
    for (const [side, levels] of [
      [this.bids, bids],
      [this.asks, asks],
    ] as const) {
      for (const [price, size] of levels) {
        if (size === 0) side.delete(price);
        else side.set(price, size);
      }
    }
    this.remember();
    const made = trades.map((trade, at): ModelTrade => ({ number: 5_000 + this.trades.length + at, time, ...trade }));
    this.trades.push(...made);
    this.planned = { bids: [], asks: [], trades: [] };
    return { time, first: this.id, last: this.id, previous, bids, asks, trades: made };
  }
}

/** A drawn day: an order that rests from the beginning, deals, and a cut in the middle. */
interface Day {
  side: 'buy' | 'sell';
  /** Its place: 0 is the best level of its side. */
  place: number;
  lots: number;
  deals: Deal[];
  cut: (typeof cuts)[number];
  cutAtMs: number;
  cutMs: number;
  endMs: number;
}

function drawnDay(chance: Chance, market: ModelMarket): Day {
  const side = chance.pick(['buy', 'sell'] as const);
  const name = side === 'buy' ? 'bids' : 'asks';
  const levels = new Map(market.levels(name));
  const deals: Deal[] = [];
  const cutAtMs = 1_000 + chance.between(0, 2_000);
  const cutMs = 500 + chance.between(0, 9_000);
  const endMs = cutAtMs + cutMs + healMs;
  for (let atMs = 500; atMs < endMs && levels.size > 4; atMs += stepMs * chance.between(1, 8)) {
    const changed: [number, number][] = [];
    const trades: Deal['trades'] = [];
    // A taker works through the best levels; mostly it takes only a part of the first.
    let left = chance.chance(0.25) ? chance.between(1, 9_000) : chance.between(1, 900);
    while (left > 0 && levels.size > 4) {
      const [price, size] = levels.entries().next().value!;
      const taken = Math.min(left, size);
      trades.push({ price, size: taken, side: side === 'buy' ? 'sell' : 'buy' });
      if (taken === size) levels.delete(price);
      else levels.set(price, size - taken);
      changed.push([price, size - taken]);
      left -= taken;
    }
    deals.push({ atMs, trades, bids: name === 'bids' ? changed : [], asks: name === 'asks' ? changed : [] });
  }
  const lots = chance.between(1, 6_000);
  return { side, place: chance.between(0, 3), lots, deals, cut: chance.pick(cuts), cutAtMs, cutMs, endMs };
}

/** Lives a day on live markets, with its cut or without; returns what became of the order, and its market's gaps. */
async function live(venue: VenueName, seed: number, isCut: boolean) {
  const scene = await LiveScene.open(venue, { seed, model: dealtMarket(seed) });
  try {
    const chance = new Chance(seed);
    const market = scene.server.markets[0] as DealtMarket;
    const day = drawnDay(chance, market);
    const marketId = scene.marketIds[0]!;
    let exchange = new Exchange(scene.live.source, emptyState(seed, scene.live.time()));
    exchange.execute(account);
    const [price] = market.levels(day.side === 'buy' ? 'bids' : 'asks')[day.place]!;
    const { id: accountId } = exchange.openState().accounts[0]!;
    const facts = { accountId, marketId, mode: 'limit', side: day.side } as const;
    const limitPrice = price / 10 ** market.priceDecimals;
    exchange.execute({ ...plainOrder, ...facts, size: day.lots / 10 ** market.sizeDecimals, limitPrice });
    const [order] = exchange.openState().orders;
    assert.equal(order?.status, 'resting');
    let mend: (() => void) | null = null;
    const deals = [...day.deals];
    for (let ms = 0; ms < day.endMs; ms += stepMs) {
      if (isCut && ms === floor(day.cutAtMs)) {
        if (day.cut === 'restart') await scene.stop();
        else mend = faults[day.cut]!(scene, (low) => low);
      }
      if (isCut && ms === floor(day.cutAtMs) + floor(day.cutMs)) {
        if (day.cut === 'restart') {
          await scene.start();
          exchange = new Exchange(scene.live.source, exchange.openState());
        } else mend?.();
      }
      while (deals[0] !== undefined && deals[0].atMs <= ms) {
        const { trades, ...levels } = deals.shift()!;
        // Venues report a trade before the levels that it leaves.
        market.next = { trades };
        scene.server.step(market);
        await scene.world.pass(20);
        market.next = levels;
        scene.server.step(market);
      }
      await scene.world.pass(stepMs);
      const isDown =
        isCut && day.cut === 'restart' && ms >= floor(day.cutAtMs) && ms < floor(day.cutAtMs) + floor(day.cutMs);
      if (isDown) continue;
      scene.live.look(marketId);
      exchange.advance(scene.live.time());
    }
    const gaps = scene.gaps(marketId);
    const isWhole = gaps.length > 0 && gaps.every((one, at) => at % 2 === 0 || one.endsWith(' whole'));
    const tape = new Set(scene.tapeLines().flatMap(({ trade }) => /\d+$/.exec(trade?.id ?? '')?.[0] ?? []));
    const missing = market.trades.filter(({ number }) => !tape.has(String(number))).length;
    const isOver = scene.status(marketId).state === 'live';
    return { day, gaps, isWhole, isOver, missing, outcome: outcomeOf(exchange, order!.id) };
  } finally {
    await scene.close();
  }
}

/** What became of an order: an order that has ended is no longer in the open state. */
function outcomeOf(exchange: Exchange, orderId: string) {
  const { orders, positions } = exchange.openState();
  const order = orders.find(({ id }) => id === orderId);
  const held = positions.map(({ direction, size, cost }) => [direction, size, String(cost)]);
  return { filled: order?.filledSize ?? 'all', queueAhead: order?.queueAhead ?? null, held };
}

/** Prices that every venue's grid has. */
const wholePrices = { priceDecimals: 0, writtenDecimals: 1 };

function dealtMarket(seed: number) {
  const chance = new Chance(seed);
  return (coin: string, number: number) => new DealtMarket(coin, number, () => chance.next(), wholePrices);
}

const account = {
  kind: 'open_account',
  owner: 'local',
  environment: 'live',
  name: 'one',
  plan: plans.none,
  startingBalance: 1e9,
} as const;

const floor = (ms: number) => ms - (ms % stepMs);

/**
 * Trials: an order that lived through a gap fills as it would have without it, wherever the tape has the gap's prints;
 * and where it says that it has them, it does.
 */
export function gapTrials(venue: VenueName, count: number): void {
  test(`${venue}: ${count} orders that live through a gap fill as they would have without it`, async (t) => {
    let [equal, whole] = [0, 0];
    for (let number = 0; number < count; number += 1) {
      const seed = seedOfTests * count + number;
      const [cut, uncut] = [await live(venue, seed, true), await live(venue, seed, false)];
      const { deals: _, ...day } = cut.day;
      const story = `seed ${seed}: ${JSON.stringify(day)}; gaps: ${cut.gaps.join(', ')}`;
      // Without a sequence, nobody can know that a connection said nothing for a while.
      const isSeen = rigs[venue].isSequenced || !['a silent route', 'a half-open socket'].includes(day.cut);
      if (cut.isOver && cut.isWhole && isSeen) assert.equal(cut.missing, 0, story);
      if (!cut.isOver || cut.missing > 0) continue;
      equal += 1;
      whole += cut.isWhole ? 1 : 0;
      assert.deepEqual(cut.outcome, uncut.outcome, story);
    }
    t.diagnostic(`${equal} of ${count} tapes have every print, ${whole} say so`);
  });
}
