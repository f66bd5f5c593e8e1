import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Candle,
  type Chart,
  candleChart,
  volumeBars,
} from '../../../../src/terminal/console/charts/candle-chart.ts';
import { type Row, rowWidth } from '../../../../src/terminal/console/charts/cells.ts';
import { type Glyphs, glyphsFor } from '../../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../../src/terminal/console/output/result.ts';
import { Desk } from '../../cli/practice.ts';

const unicode = glyphsFor({ LANG: 'en_US.UTF-8' }, true);
const start = Date.UTC(2026, 10, 21, 22, 0);
const minute = 60_000;

const candle = (index: number, open: number, high: number, low: number, close: number): Candle => ({
  openTime: start + index * 15 * minute,
  open,
  high,
  low,
  close,
});

const text = (rows: readonly Row[]) => rows.map((row) => row.map(textOf).join('').trimEnd());
const draw = (chart: Partial<Chart>, width: number, height: number, glyphs: Glyphs = unicode) =>
  candleChart({ candles: [], levels: [], fills: [], decimals: 0, ...chart }, { width, height }, glyphs);

const three = [candle(0, 10, 14, 10, 12), candle(1, 12, 16, 12, 16), candle(2, 16, 17, 10, 11)];

test('a candle has its body between open and close and its wick from low to high', () => {
  assert.deepEqual(text(draw({ candles: three }, 20, 4)), [
    '        ╻ ╽  17',
    '      ╷ ┃ ┃',
    '      ╽ ┃ ┃',
    '      ┃   ╿  11 last',
  ]);
});

test('without colors, falling candles are solid', () => {
  const glyphs = glyphsFor({ LANG: 'en_US.UTF-8' }, false);
  assert.deepEqual(text(draw({ candles: three }, 20, 4, glyphs))[1], '      ╷ ┃ █');
});

test('without UTF-8, everything is ASCII', () => {
  for (const variables of [{}, { LANG: 'C' }, { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }]) {
    const levels = [{ price: 12, label: 'buy' }];
    const fills = [{ time: start, price: 12, side: 'sell' as const }];
    const drawn = text(draw({ candles: three, levels, fills }, 40, 8, glyphsFor(variables, true))).join('\n');
    assert.match(drawn, /^[\x20-\x7e\n]*$/);
    assert.match(drawn, /O.*#/);
  }
});

test('own orders are lines with a price and a label, own fills are triangles at their candle', () => {
  const levels = [{ price: 13, label: 'buy' }];
  const fills = [
    { time: start + 20 * minute, price: 15, side: 'buy' as const },
    { time: start - minute, price: 15, side: 'buy' as const },
  ];
  const rows = text(draw({ candles: three, levels, fills }, 24, 8));
  const line = rows.find((row) => row.includes('buy'))!;
  assert.match(line, /┈/);
  assert.match(line, /13 buy$/);
  assert.equal(rows.join('').split('▲').length - 1, 1, 'only the fill within the chart');
  assert.equal(rows.find((row) => row.includes('▲'))!.indexOf('▲'), 12, 'the second candle');
});

test('a level far away does not compress the candles, and is omitted', () => {
  const near = text(draw({ candles: three }, 30, 8));
  const levels = [{ price: 1, label: 'liq' }];
  const far = text(draw({ candles: three, levels }, 30, 8));
  assert.doesNotMatch(far.join('\n'), /liq/);
  assert.deepEqual(far, near);
});

test('a level counts as far away from half the height of the candles on', () => {
  const high = (price: number) => text(draw({ candles: three, levels: [{ price, label: 'buy' }] }, 30, 8)).join('\n');
  assert.match(high(20), /20 buy/);
  assert.doesNotMatch(high(20.5), /buy/);
});

test('volumes are bars below their candles, the largest as high as the chart', () => {
  const candles = three.map((one, at) => ({ ...one, volume: [2, 4, 0][at]! }));
  const chart = { candles, levels: [], fills: [], decimals: 0 };
  const bars = text(volumeBars(chart, { width: 20, rows: 4 }, 2, unicode));
  assert.deepEqual(bars, ['        █    volume…', '      █ █']);
});

test('times are below their candles, with the date at midnight', () => {
  const candles = Array.from({ length: 40 }, (_, index) => candle(index, 10, 12, 9, 11));
  const rows = text(draw({ candles }, 60, 6));
  assert.equal(rows.at(-1)!.trim().replaceAll(/ +/g, ' '), 'Nov 22 04:00');
  assert.equal(rows.at(-1)!.indexOf('Nov 22'), 60 - ' 12 last'.length - 40 + 8);
});

test('the axis has room for a level that needs a digit more than the candles', () => {
  const levels = [{ price: 999_999_999.5, label: 'stop' }];
  const candles = [candle(0, 999_999_990, 999_999_999, 999_999_980, 999_999_991)];
  for (const row of draw({ candles, levels }, 24, 1)) assert.equal(rowWidth(row), 24);
});

test('every chart has exactly its height, and no row is wider than the terminal', () => {
  const price = fc.oneof(fc.constant(5), fc.double({ min: 1e-7, max: 1e9, noNaN: true }));
  const prices = fc.tuple(price, price, price, price);
  const any = fc.record({
    bars: fc.array(prices, { maxLength: 60 }),
    levels: fc.array(fc.record({ price, label: fc.constantFrom('buy', 'stop', '价格') }), { maxLength: 4 }),
    fills: fc.array(fc.record({ price, time: fc.integer({ min: start - minute, max: start * 2 }) }), { maxLength: 4 }),
    width: fc.integer({ min: 1, max: 130 }),
    height: fc.integer({ min: 1, max: 40 }),
    decimals: fc.integer({ min: 0, max: 8 }),
  });
  fc.assert(
    fc.property(any, ({ bars, levels, fills, width, height, decimals }) => {
      const candles = bars.map((four, index) => candle(index, four[0], Math.max(...four), Math.min(...four), four[1]));
      const marks = fills.map((fill) => ({ ...fill, side: 'buy' as const }));
      const rows = draw({ candles, levels, fills: marks, decimals }, width, height);
      assert.equal(rows.length, height);
      for (const row of rows) assert.ok(rowWidth(row) <= Math.max(width, 1), JSON.stringify(row));
    }),
    { numRuns: 60 },
  );
});

test('perp chart prints candles, own fills and orders once', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--yes');
  // At both ends of what is drawn: one of the two is far from the entry.
  const drawn = await desk.json('chart', 'BTC', '--interval', '1m', '--width', '76');
  const low = Math.min(...drawn.candles.map((candle: { low: string }) => Number(candle.low)));
  const high = Math.max(...drawn.candles.map((candle: { high: string }) => Number(candle.high)));
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', String(low));
  await desk.json('order', 'place', 'BTC', 'sell', '0.01', '--limit-price', String(high));
  const variables = { LANG: 'C.UTF-8' };
  const { exit, out } = await desk.perp(['chart', 'BTC', '--interval', '1m', '--width', '90'], { variables });
  assert.equal(exit, 0);
  assert.match(out, /^BTC binance:BTCUSDT {2}1m {2}\d+\.\d {2}[+-]?\d\.\d\d% {2}high/);
  for (const expected of [/[┃█]/, /▲/, /┈.* \d+\.\d (buy|sell)$/m, / entry$/m]) assert.match(out, expected);
  assert.equal(out.trimEnd().split('\n').length, 21);
  const json = await desk.json('chart', 'BTC', '--interval', '1m');
  assert.deepEqual([json.candles.length, json.orders.length, json.fills.length], [100, 2, 1]);
  assert.equal(json.position.size, 0.01);
  const bare = await desk.perp(['chart', 'BTC', '--bare', '--height', '5'], { variables });
  assert.doesNotMatch(bare.out, /▲|entry|buy|sell/);
});
