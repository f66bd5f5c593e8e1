import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Figure, minuteFigures, moveCorrelation, playedFigures } from '../../src/markets/statistics/figures.ts';
import { movesOf, strongestPhase } from '../../src/markets/statistics/moments.ts';
import { sample } from '../../src/markets/statistics/samples.ts';
import { syntheticSource } from '../../src/markets/synthetic.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 18, 12);
const isLong = process.env.PERP_LONG !== undefined;
const btc = 'binance|BTCUSDT';

test('BTC trades like real BTC: bursts of prints, runs of one side, a touch that thins before a move, makers who lose to informed takers', () => {
  const seeds = isLong ? [1, 2, 3, 4, 5] : [3];
  const hours = isLong ? 24 : 4;
  const all = seeds.map((seed) => playedFigures(sample(syntheticSource({ seed }), btc, noon, noon + hours * hour)));
  const figure = (name: string) => median(all.map((figures) => figureOf(figures, name)));
  assertWithin(figure('books'), 2.9, 3.1, 'books');
  assertWithin(figure('spread of one tick'), 98, 99.9, 'one tick');
  assertWithin(figure('depth within 10 bps, one side'), 5e6, 14e6, 'depth 10');
  assertWithin(figure('depth within 25 bps, one side'), 13e6, 32e6, 'depth 25');
  assertWithin(figure('traded'), 185_000 / 2, 440_000 * 2, 'traded');
  assertWithin(figure('prints per second, variance / mean'), 20, 400, 'dispersion');
  assertWithin(figure("takers' sides, autocorrelation at lag 1"), 0.4, 0.9, 'sides');
  assertWithin(figure('flow and move in 1 s, correlation'), 0.4, 0.8, 'flow');
  assertWithin(figure('touch before it gives way / other side'), 0.3, 0.8, 'thinning');
  assertWithin(figure('imbalance and next move (450 ms), correlation'), 0.2, 0.5, 'imbalance');
  assertWithin(figure('markout against makers after 1 s'), 0.2, 0.9, 'markout');
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
  assertWithin(moveCorrelation(bitcoin, of('binance|ETHUSDT')), 0.5, 0.8, 'ETH');
  assertWithin(moveCorrelation(bitcoin, of('binance|SOLUSDT')), 0.4, 0.7, 'SOL');
  assertWithin(moveCorrelation(bitcoin, of('binance|HYPEUSDT')), 0.4, 0.7, 'HYPE');
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
