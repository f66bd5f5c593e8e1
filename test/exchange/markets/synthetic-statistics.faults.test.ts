import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultCatalog } from '../../../src/exchange/markets/catalog.ts';
import {
  correlation,
  type Figure,
  mean,
  minuteFigures,
  moveCorrelation,
  movesOf,
  playedFigures,
  strongestPhase,
} from '../../../src/exchange/markets/statistics/figures.ts';
import { type Gates, measureGates, pooledFigures } from '../../../src/exchange/markets/statistics/gates.ts';
import { sample } from '../../../src/exchange/markets/statistics/samples.ts';
import { SyntheticMarkets, syntheticSource } from '../../../src/exchange/markets/synthetic/synthetic-source.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const isLong = process.env.PERP_LONG !== undefined;
const btc = 'binance|BTCUSDT';

test('BTC trades like real BTC: bursts of prints, runs of one side, a touch that thins before a move, makers who lose to informed takers', () => {
  const seeds = isLong ? [1, 2, 3, 4, 5] : [3];
  const hours = isLong ? 24 : 4;
  const all = seeds.map((seed) => playedFigures(sample(syntheticSource({ seed }), btc, noon, noon + hours * hour)));
  // Lots do not follow the level of the price.
  const levels = seeds.map((seed) => syntheticSource({ seed }).book(btc, noon)!.bids[0]! / 950_000);
  const figure = (name: string) => median(all.map((figures) => figureOf(figures, name)));
  const atLevel = (name: string) => median(all.map((figures, at) => figureOf(figures, name) / levels[at]!));
  assertWithin(figure('books'), 9.9, 10.1, 'books');
  assertWithin(atLevel('touch, median'), 128_000, 285_000, 'touch');
  assertWithin(atLevel('depth within 10 bps, one side'), 9.2e6, 20.7e6, 'depth 10');
  assertWithin(atLevel('depth within 25 bps, one side'), 26e6, 59e6, 'depth 25');
  assertWithin(atLevel('traded'), 435_000 / 3, 435_000 * 3, 'traded');
  assertWithin(figure('prints per second, variance / mean'), 20, 400, 'dispersion');
  assertWithin(figure("takers' sides, autocorrelation at lag 1"), 0.53, 0.95, 'sides, lag 1');
  assertWithin(figure("takers' sides, autocorrelation at lag 10"), 0.39, 0.87, 'sides, lag 10');
  assertWithin(figure('flow and move in 1 s, correlation'), 0.4, 0.9, 'flow');
  assertWithin(figure('touch before it gives way / other side'), 0.3, 0.55, 'thinning');
  assertWithin(figure('imbalance and next move (450 ms), correlation'), 0.27, 0.59, 'imbalance');
  assertWithin(figure('autocorrelation of 1 s moves, largest of lags 1 to 10'), -0.03, 0.03, 'autocorrelation');
});

test('no clock is visible: no phase of any period stands out', () => {
  for (const seed of isLong ? [1, 2, 3, 4, 5] : [4]) {
    const { touchMids } = sample(syntheticSource({ seed }), btc, noon, noon + (isLong ? 24 : 12) * hour, false);
    assertWithin(strongestPhase(movesOf(touchMids), 64, 5), 1, 1.5, `seed ${seed}`);
  }
});

test('markets of the same kind move together within a second; others do not', () => {
  const source = syntheticSource({ seed: 5 });
  const of = (marketId: string) => sample(source, marketId, noon, noon + (isLong ? 12 : 1) * hour, false);
  const bitcoin = of(btc);
  assertWithin(moveCorrelation(bitcoin, of('binance|ETHUSDT')), 0.5, 0.95, 'ETH');
  assertWithin(moveCorrelation(bitcoin, of('binance|SOLUSDT')), 0.4, 0.8, 'SOL');
  assertWithin(moveCorrelation(bitcoin, of('binance|HYPEUSDT')), 0.4, 0.8, 'HYPE');
  assertWithin(moveCorrelation(bitcoin, of('hyperliquid|xyz:GOLD')), -0.1, 0.1, 'GOLD');
});

test('moves over minutes and hours have fat tails, and come in clusters that decay slowly', () => {
  const days = isLong ? 30 : 12;
  const all = (isLong ? [11, 12, 13, 14, 15] : [14]).map((seed) => {
    const bars = syntheticSource({ seed }).bars(btc, '1m', noon, days * 1440, noon + 2 * days * day);
    return minuteFigures(bars.map(({ close }) => close!));
  });
  const figure = (name: string) => median(all.map((figures) => figureOf(figures, name)));
  assertWithin(figure('kurtosis of 1 min moves, without the 5 largest'), 4, 20, '1 min');
  assertWithin(figure('kurtosis of 1 h moves, without the 5 largest'), 1.5, 8, '1 h');
  const memory = [1, 5, 30].map((lag) => figure(`autocorrelation of move sizes, lag ${lag} min`));
  assert.ok(memory[0]! > memory[1]! && memory[1]! > memory[2]! && memory[2]! > 0.05, memory.join(' '));
  assertWithin(figure('largest move in 1 h'), 1, 12, 'largest');
});

/** The markets whose gates are checked, and for how many hours. */
const gated = { BTC: 2, ETH: 2, LINK: 6, NVDA: 6, GOLD: 6, EUR: 6 };

test('order flow moves the book, and nobody is paid for waiting or for a simple signal', () => {
  const seed = 6;
  const source = syntheticSource({ seed });
  const all: Gates[] = [];
  for (const [symbol, hours] of Object.entries(gated)) {
    const market = defaultCatalog.find((one) => one.symbol === symbol)!;
    const to = noon + (isLong ? 24 : hours) * hour;
    const samples = sample(source, market.marketId, noon, to, false);
    const leader = symbol === 'BTC' ? null : btc;
    const gates = measureGates(source, market, { from: noon, to, samples, leader });
    all.push(gates);
    const value = (name: string) => figureOf(gates.figures, name);
    assertWithin(value('volume printed outside the neighboring books'), 0, 0.1, symbol);
    assertWithin(value('wick of a minute beyond its best prices, largest'), 0, 1, symbol);
    assertWithin(value('prints through the displayed touch'), 0, 5, symbol);
    assert.equal(value('volume that the book did not display'), 0, symbol);
    assertWithin(value('maker at the back of both touches, share of volume'), 0.01, 0.5, `${symbol}: maker`);
    assert.ok(
      value('maker at their front, share of volume') > value('maker at the back of both touches, share of volume'),
    );
    assertWithin(value('resting orders, mean + 3 standard errors'), -30, 0, `${symbol}: resting`);
    // The most of 72 cells, and of more than 200 sets.
    assertWithin(value('best cell of resting orders'), -100, 4.5, `${symbol}: cell`);
    const bot = value('best bot');
    assert.ok(Number.isNaN(bot) || bot < 4, `${symbol}: bot ${bot}`);
  }
  for (const { name, value } of pooledFigures('all', all))
    assert.ok(Number.isNaN(value) || value < (name.startsWith('resting') ? 0 : 4.5), `${name}: ${value}`);
});

test('what takers of BTC and ETH gain in a second, they lose a part of in half a minute', () => {
  const seeds = isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [1, 2, 3, 4];
  for (const [symbol, least, most] of [
    ['BTC', isLong ? 0.5 : 0.4, 1],
    ['ETH', 0.4 / 1.5, 0.4 * 1.5],
  ] as const) {
    const market = defaultCatalog.find((one) => one.symbol === symbol)!;
    const means = seeds.map((seed) => {
      const from = noon + seed * day;
      const to = from + (isLong ? 24 : 3) * hour;
      const source = syntheticSource({ seed });
      const samples = sample(source, market.marketId, from, from + hour, false);
      const { figures } = measureGates(source, market, { from, to, samples, leader: null });
      return [1, 30].map((seconds) => figureOf(figures, `markout from the mid before, ${seconds} s`));
    });
    const [second, half] = [0, 1].map((i) => mean(means.map((one) => one[i]!))) as [number, number];
    assertWithin(second, least, most, `${symbol}: markout after 1 s`);
    assertWithin(half, 0.2 * second, second, `${symbol}: markout after 30 s`);
  }
});

test('moves of ten and twenty seconds have no memory, inside a minute and across its end', () => {
  const of = new Map<string, number[][]>();
  const add = (name: string, marketId: string, seed: number, after: number, hours: number) =>
    of.set(name, [...(of.get(name) ?? []), memoriesOf(marketId, seed, noon + after * day, hours)]);
  for (let seed = 1; seed <= (isLong ? 40 : 12); seed += 1) add('BTC', btc, seed, seed, 24);
  // Each market has days of its own: on one day, they move together.
  for (let seed = 1; seed <= (isLong ? 10 : 2); seed += 1)
    for (const [place, { marketId, category }] of defaultCatalog.entries())
      add(category, marketId, seed, place, category === 'fx' ? 72 : 6);
  for (const [name, all] of of) {
    const [inTen, acrossTen, inTwenty, acrossTwenty] = [0, 1, 2, 3].map((i) => mean(all.map((one) => one[i]!)));
    // There are only two currencies: the error is 0.015. Where ticks are coarse, rounding makes prices bounce.
    const most = name === 'fx' || name === 'crypto' ? 0.03 : 0.02;
    assertWithin(inTen!, -most, most, `${name}: 10 s inside`);
    assertWithin(acrossTen!, -most, most, `${name}: 10 s across`);
    assertWithin(inTwenty!, -most, most, `${name}: 20 s inside`);
    assertWithin(acrossTwenty!, -most, most, `${name}: 20 s across`);
  }
});

/** Autocorrelations of a market's moves of 10 s inside minutes and across their ends, and of 20 s, from its books. */
function memoriesOf(marketId: string, seed: number, from: number, hours: number): number[] {
  const { minute } = new SyntheticMarkets(seed, defaultCatalog).at(marketId);
  const prices = Array.from({ length: hours * 3600 }, (_, second) => {
    minute.load(from / 60_000 + Math.floor(second / 60));
    return minute.halfPrice(Math.floor(((second % 60) * minute.slots) / 60));
  });
  return [10, 20].flatMap((length) =>
    [true, false].map((isInside) => {
      const [before, after]: [number[], number[]] = [[], []];
      for (let at = length; at + length < prices.length; at += 1) {
        const second = at % 60;
        if (isInside ? second < length || second + length > 60 : second > 5 && second < 55) continue;
        before.push(prices[at]! / prices[at - length]! - 1);
        after.push(prices[at + length]! / prices[at]! - 1);
      }
      return correlation(before, after);
    }),
  );
}

function figureOf(figures: readonly Figure[], name: string): number {
  const found = figures.find((figure) => figure.name === name);
  assert.ok(found, name);
  return found.value;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

function assertWithin(value: number, least: number, most: number, what: string): void {
  assert.ok(value >= least && value <= most, `${what}: ${value}`);
}
