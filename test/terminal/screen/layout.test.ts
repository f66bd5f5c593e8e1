import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PriceLadder } from '../../../src/desk/ladder/price-ladder.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { headerRow, marketRow } from '../../../src/terminal/screen/header-rows.ts';
import { type ScreenFrame, screenFrame } from '../../../src/terminal/screen/layout.ts';
import { firstView, type ScreenView } from '../../../src/terminal/screen/view.ts';
import { StreamTable } from '../../../src/wire/client/streams/stream-state.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';

const btc = { market_id: 'bybit|BTC', provider: 'bybit', symbol: 'BTC', coin: 'BTCUSDT' } as unknown as Market;
const setting = { place: () => 'SIM', isHost: false, localTime: () => '06:00' };
const cockpit = {
  ...{ ladder: new PriceLadder(), market: undefined, ticket: undefined, armed: undefined, said: [] },
  ...{ ownKeys: new Map<string, string>(), uptime: 0 },
};

/** The screen of a market whose candles rise, in text. */
function screenOf(columns: number, rows: number, view: Partial<ScreenView> = {}): string[] {
  return frameOf(columns, rows, view).rows.map((row) => row.map(textOf).join(''));
}

function frameOf(columns: number, rows: number, view: Partial<ScreenView>): ScreenFrame {
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
  return screenFrame(
    model,
    { ...firstView, ...view },
    setting,
    { columns, rows },
    glyphsFor({ LANG: 'C.UTF-8' }, true),
    cockpit,
  );
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

test('the price ladder is where clicks on it are looked for, beside a chart of at least 24 columns or alone', () => {
  const widths: number[] = [];
  for (let columns = 50; columns <= 160; columns += 1) {
    const { rows, ladder } = frameOf(columns, 30, { ladder: 'pane' });
    const text = rows.map((row) => row.map(textOf).join(''));
    const candles = text.slice(ladder!.top, ladder!.top + ladder!.height).map((row) => row.search(/[┃╽╿│╹╻]/));
    const first = Math.min(...candles.filter((at) => at >= 0));
    assert.equal(Number.isFinite(first), ladder!.left > 0, `${columns} columns`);
    if (ladder!.left === 0) continue;
    widths.push(ladder!.left - 2);
    assert.ok(first < ladder!.left, `${columns} columns: ${first}`);
  }
  assert.equal(Math.min(...widths), 24);
});

test('of the watched markets, the chosen one stands out', () => {
  const eth = { ...btc, market_id: 'bybit|ETH', symbol: 'ETH', coin: 'ETHUSDT' };
  const model = new LiveModel({ markets: [btc, eth], watched: [btc, eth], interval: '1m' });
  const tones = () =>
    marketRow(model, 80).flatMap((cell) => (typeof cell === 'string' ? [] : [[cell.text, cell.tone ?? 'plain']]));
  const named = (symbol: string) => tones().find(([text]) => text === symbol)?.[1];
  assert.equal(named('BTC'), 'strong');
  assert.notEqual(named('ETH'), 'strong');
});

test('a notice takes the last row until the next key', () => {
  const keys = screenOf(80, 24).at(-1)!;
  assert.match(keys, /q quit/);
  assert.equal(
    screenOf(80, 24, { notice: 'The market stream is gone.' }).at(-1)!.trimEnd(),
    'The market stream is gone.',
  );
});

test('a search says how many more markets it found, and how to go on fits beside the market', () => {
  const offers = Array.from({ length: 25 }, (_, at) => `COIN${at}`);
  const dialog = { stage: 'typing', text: 'coin', cursor: 4, pick: 0, offers } as const;
  assert.match(screenOf(80, 24, { dialog }).join('\n'), /COIN9[\s\S]*Enter shows it; .*\+15/);
  const alone = { ...dialog, offers: offers.slice(0, 10) };
  assert.match(screenOf(80, 24, { dialog: alone }).join('\n'), /Enter shows it; up, down select; Esc leaves\. *$/m);
  const typing = { stage: 'typing', text: 'stop BTC', cursor: 8 } as const;
  assert.match(screenOf(80, 24, { dialog: typing }).join('\n'), /Tab completes\. *$/m);
});

test('of lost streams, the first row says how old the data are before why they can not be read', () => {
  let now = 0;
  const streams = new StreamTable(() => now);
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m', streams });
  for (const subject of ['market', 'account'] as const) {
    streams.heard(subject, 'stream');
    streams.took(subject, { kind: 'reconnecting', reason: 'connect ECONNREFUSED', end: {} } as never);
    streams.notRead(subject, 'No connection to http://127.0.0.1:18991: nothing is listening there');
  }
  now = 7_000;
  const first = (width: number) => headerRow(model, setting, width).map(textOf).join('').trimEnd();
  assert.equal(
    first(120),
    'SIM  market stream not available, 7s old; account stream not available, 7s old (connect ECONNREFUSED)',
  );
  assert.match(first(250), /7s old, can't read: No connection.*; account stream not available, 7s old, can't read/);
  assert.equal(first(60), 'SIM  market stream not available; account stream not availa…');
});
