import assert from 'node:assert/strict';
import { test } from 'node:test';
import { glyphsFor } from '../../src/console/charts/glyphs.ts';
import { textOf } from '../../src/console/output/result.ts';
import type { Market } from '../../src/contract/markets.ts';
import { PriceLadder } from '../../src/desk/ladder/price-ladder.ts';
import { LiveModel } from '../../src/desk/watch/live-model.ts';
import { screenFrame } from '../../src/screen/layout.ts';
import { firstView, type ScreenView } from '../../src/screen/view.ts';

const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const setting = { place: () => 'SIM', isHost: false, localTime: () => '06:00' };
const cockpit = {
  ...{ ladder: new PriceLadder(), market: undefined, ticket: undefined, armed: undefined, said: [] },
  ...{ ownKeys: new Map<string, string>(), uptime: 0 },
};

/** The screen of a market whose candles rise, in text. */
function screenOf(columns: number, rows: number, view: Partial<ScreenView> = {}): string[] {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  const candle = (at: number) => ({
    ...{
      type: 'candle',
      provider: 'bybit',
      symbol: 'BTCUSDT',
      interval: '1m',
      openTime: at * 60_000,
      closeTime: at * 60_000 + 59_999,
      isFinal: true,
    },
    ...{ open: `${100 + at}`, high: `${102 + at}`, low: `${99 + at}`, close: `${101 + at}`, volume: '2', trades: 3 },
  });
  model.takeEvents(Array.from({ length: 30 }, (_, at) => candle(at)) as never);
  const { rows: drawn } = screenFrame(
    model,
    { ...firstView, ...view },
    setting,
    { columns, rows },
    glyphsFor({ LANG: 'C.UTF-8' }, true),
    cockpit,
  );
  return drawn.map((row) => row.map(textOf).join(''));
}

test('at every size the screen has exactly its rows, none wider than it; a large one shows volume, too', () => {
  for (const [columns, rows] of [
    [20, 5],
    [50, 14],
    [80, 24],
    [150, 45],
    [220, 70],
  ] as const) {
    const drawn = screenOf(columns, rows);
    assert.equal(drawn.length, rows);
    assert.ok(
      drawn.every((row) => row.length <= columns),
      `${columns}x${rows}`,
    );
    const text = drawn.join('\n');
    assert.equal(/volume/.test(text), columns === 220, `${columns}x${rows}`);
    if (rows >= 24) assert.match(text, /^BTC 1m {2}\d/m);
    if (rows >= 24) assert.ok([...text].filter((glyph) => '┃╽╿│╹╻'.includes(glyph)).length > 10, `${columns}x${rows}`);
  }
});

test('a notice takes the last row until the next key', () => {
  const keys = screenOf(80, 24).at(-1)!;
  assert.match(keys, /q quit/);
  assert.equal(
    screenOf(80, 24, { notice: 'The market stream is gone.' }).at(-1)!.trimEnd(),
    'The market stream is gone.',
  );
});
