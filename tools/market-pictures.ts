/** Draws the pictures of docs/markets.md: `node tools/market-pictures.ts`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { autocorrelation, movesOf } from '../src/exchange/markets/statistics/figures.ts';
import { sample } from '../src/exchange/markets/statistics/samples.ts';
import { syntheticSource } from '../src/exchange/markets/synthetic/synthetic-source.ts';

const folder = new URL('../docs/pictures/', import.meta.url);
const source = syntheticSource({ seed: 1 });
const btc = 'binance|BTCUSDT';
const eth = 'binance|ETHUSDT';
const noon = Date.UTC(2026, 10, 18, 12);
const dayMs = 86_400_000;
const width = 760;
const height = 150;

type Curve = readonly [x: number, y: number][];

mkdirSync(folder, { recursive: true });
save('days.svg', 'Sixty days of synthetic prices', [
  chart('BTC and ETH over 60 days, in percent of the first price', [percent(closes(btc)), percent(closes(eth))]),
  chart('BTC: range of each hour, in percent', [ranges()]),
]);
save('minutes.svg', 'Ten minutes of synthetic BTC', minuteCharts());
save('memory.svg', 'Volatility clustering', [
  chart('Autocorrelation of the size of 1 min moves, by lag in minutes (30 days of BTC)', [memory()]),
]);

function closes(marketId: string): number[] {
  return source.bars(marketId, '1h', noon - 60 * dayMs, 1440, noon).map(({ close }) => close!);
}

function percent(values: readonly number[]): Curve {
  return values.map((value, i) => [i / 24, 100 * (value / values[0]! - 1)]);
}

function ranges(): Curve {
  return source
    .bars(btc, '1h', noon - 60 * dayMs, 1440, noon)
    .map(({ high, low }, i) => [i / 24, 100 * (high! / low! - 1)]);
}

function minuteCharts(): string[] {
  const seen = sample(source, btc, noon, noon + 600_000);
  return [
    chart('BTC over ten minutes: the mid, second by second', [seen.mids.map((mid, i) => [i, mid])]),
    chart('Prints per second', [seen.counts.map((count, i) => [i, count])]),
    chart('Buys minus sells, in BTC per second', [seen.flows.map((flow, i) => [i, flow])]),
  ];
}

function memory(): Curve {
  const bars = source.bars(btc, '1m', noon - 30 * dayMs, 30 * 1440, noon);
  const sizes = movesOf(bars.map(({ close }) => close!)).map(Math.abs);
  return Array.from({ length: 120 }, (_, i) => [i + 1, autocorrelation(sizes, i + 1)]);
}

/** One chart with labels at the ends of its axes; its top left corner is at 0, 0. */
function chart(title: string, curves: readonly Curve[]): string {
  const all = curves.flat();
  const [left, right] = [Math.min(...all.map(([x]) => x)), Math.max(...all.map(([x]) => x))];
  const [low, high] = [Math.min(...all.map(([, y]) => y)), Math.max(...all.map(([, y]) => y))];
  const place = ([x, y]: readonly [number, number]) =>
    `${(60 + ((x - left) / (right - left)) * (width - 70)).toFixed(1)},${(25 + ((high - y) / (high - low)) * (height - 45)).toFixed(1)}`;
  const lines = curves.map(
    (curve, i) =>
      `<polyline fill="none" stroke="${['#0969da', '#bf8700'][i]}" stroke-width="1" points="${curve.map(place).join(' ')}"/>`,
  );
  const text = (x: number, y: number, words: string, anchor = 'start') =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="sans-serif" font-size="11" fill="#57606a">${words}</text>`;
  return [
    text(60, 14, title),
    text(54, 32, shown(high), 'end'),
    text(54, height - 18, shown(low), 'end'),
    text(60, height - 4, shown(left)),
    text(width - 10, height - 4, shown(right), 'end'),
    ...lines,
  ].join('\n');
}

function shown(value: number): string {
  return Math.abs(value) >= 1000 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function save(name: string, title: string, charts: readonly string[]): void {
  const rows = charts.map((one, i) => `<g transform="translate(0 ${i * (height + 10)})">\n${one}\n</g>`);
  const total = charts.length * (height + 10);
  writeFileSync(
    new URL(name, folder),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${total}" width="${width}" height="${total}">\n<title>${title}</title>\n<rect width="100%" height="100%" fill="#ffffff"/>\n${rows.join('\n')}\n</svg>\n`,
  );
}
