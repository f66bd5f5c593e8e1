import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PriceLadder } from '../../../src/desk/ladder/price-ladder.ts';
import { LiveModel } from '../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { screenFrame } from '../../../src/terminal/screen/layout.ts';
import { type Dialog, firstView, type ScreenView } from '../../../src/terminal/screen/view.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { tell } from '../../desk/account/tell.ts';
import { test, trial } from '../../tiers.ts';

const market = (symbol: string) =>
  ({ market_id: `x|${symbol}`, provider: 'x', symbol, coin: `${symbol}USDT`, size_decimals: 3 }) as unknown as Market;
const markets = ['BTC', 'ETH', 'SOL', 'DOGE', 'XRP'].map(market);
const time = Date.UTC(2026, 5, 10, 14);
const setting = { place: () => 'SIM default, synthetic', isHost: false, localTime: () => '06:00' };
const common = { account_id: 'acc_1', leverage: 3, margin_mode: 'cross', provider: 'x', created_at: time };
const orders = Array.from({ length: 5 }, (_, at) => ({
  ...common,
  ...{ id: `ord_00000000${at}`, market_id: 'x|BTC', symbol: 'BTC', side: at % 2 ? 'buy' : 'sell', size: 0.317 + at },
  ...{ mode: 'limit', type: 'limit', status: 'resting', limit_price: 85_869.7 - 11.3 * at, requested_at: time },
}));
const exits = (['stop_market', 'take_profit'] as const).map((type, at) => ({
  ...common,
  ...{ id: `ord_00000001${at}`, market_id: 'x|BTC', symbol: 'BTC', side: 'sell', size: 12.345, type, mode: type },
  ...{ status: 'resting', trigger_price: [84_123.4, 91_234.5][at], reduce_only: true, requested_at: time },
  ...{ target_position_id: 'pos_000000000', exit_group: ['sl', 'tp'][at] },
}));
const positions = markets.slice(0, 3).map(({ market_id, symbol }, at) => ({
  ...common,
  ...{ id: `pos_00000000${at}`, market_id, symbol, side: at % 2 ? 'short' : 'long', size: 12.345 + at },
  ...{ entry_price: 85_912.3 / (at + 1), unrealized_pnl: -4321.98, liquidation_price: 61_234.5, status: 'open' },
}));

/** A market day whose figures are long. */
function modelOf(): LiveModel {
  const model = new LiveModel({ markets, watched: markets, interval: '1m' });
  const account = {
    ...{ id: 'acc_1', name: 'Challenge 1', status: 'active', starting_balance: 100_000, balance: 98_765.43 },
    risk: {
      ...{ daily_loss_floor: 97_123.45, max_drawdown_floor: 95_432.1, equity: 98_111.22, available_margin: 41_234.56 },
      requirements: { daily_loss_pct: 3, max_drawdown_pct: 5 },
    },
  };
  tell(model, {
    type: 'snapshot',
    seq: 1,
    time,
    account_id: 'acc_1',
    account,
    positions,
    orders: [...orders, ...exits],
  } as never);
  tell(model, { type: 'snapshot_end' } as never);
  const candle = (at: number) => ({
    ...{ type: 'candle', provider: 'x', symbol: 'BTCUSDT', interval: '1m', openTime: time + at * 60_000 },
    ...{ closeTime: time + at * 60_000 + 59_999, isFinal: true, volume: '2.125', trades: 3 },
    ...{ open: `${85_800 + at}.1`, high: `${85_802 + at}.2`, low: `${85_799 + at}.3`, close: `${85_801 + at}.4` },
  });
  const levels = (way: 1 | -1) =>
    Array.from({ length: 40 }, (_, at) => ({ px: (85_869.7 + way * (at + 1) * 0.7).toFixed(1), sz: `${at + 1}.125` }));
  model.takeEvents([
    ...Array.from({ length: 90 }, (_, at) => candle(at)),
    ...markets.map(({ coin }, at) => ({
      ...{ type: 'tick', provider: 'x', symbol: coin, kind: 'mid', time, price: `${85_869.65 / (at + 1)}`.slice(0, 9) },
    })),
    ...markets.map(({ coin }, at) => ({ type: 'marketStats', provider: 'x', symbol: coin, change24hPct: -1.87 + at })),
    { type: 'book', provider: 'x', symbol: 'BTCUSDT', time, bids: levels(-1), asks: levels(1) },
    { type: 'trade', provider: 'x', symbol: 'BTCUSDT', time, side: 'buy', size: '0.318', price: '85870.4' },
  ] as never);
  return model;
}

const output = Array.from({ length: 40 }, (_, at) => `figure ${at}  ${(87_654.32 * (at + 1)).toFixed(2)} USD\n`).join(
  '',
);
const text = 'order place BTC buy 0.317 --stop-loss 84123.4 --take-profit 91234.5';
const dialogs: readonly (Dialog | undefined)[] = [
  undefined,
  { stage: 'typing', text, cursor: text.length },
  { stage: 'asking', text, output, question: 'Place market buy 0.317 BTC on SIM?', isShown: true },
  { stage: 'done', text, output },
];

function textOfFrame(model: LiveModel, view: ScreenView, columns: number, rows: number): string[] {
  const ladder = new PriceLadder();
  const lines = [{ name: 'stop', price: 85_866.2 }];
  const held = { marketId: 'x|BTC', tick: 0.1, book: model.book, ahead: new Map(), prints: model.prints, lines };
  const cockpit = {
    ...{ ladder, market: { ...held, orders: orders as never }, ticket: undefined },
    ...{
      said: [{ text: 'Filled: buy 0.317 BTC at 85869.7', isBad: false }],
      ownKeys: new Map<string, string>(),
      uptime: 0,
    },
    armed:
      view.ladder === 'whole'
        ? {
            place: 'SIM default',
            terms: '0.317 BTC a key  position <= 12,345.67',
            leftMs: 9e5,
            idleLeftMs: 6e4,
            reportsFocus: true,
            lostUsd: 123.45,
          }
        : undefined,
  };
  const glyphs = glyphsFor({ LANG: 'C.UTF-8' }, true);
  const drawn = screenFrame(model, view, setting, { columns, rows }, glyphs, cockpit);
  return drawn.rows.map((row) => row.map(textOf).join(''));
}

/** Numbers as they are written, with a mark behind those that were cut. */
const numbersIn = (rows: readonly string[]) => rows.flatMap((row) => row.match(/\d[\d.,]*\u2026?/g) ?? []);
/** What a chart finds of the candles on it. */
const isPrice = (number: string) => /^\d\.\d\d$|^85[789]\d\d\.\d$|^8586\d\.\d$/.test(number);

function checkMarks(runs: number): void {
  const model = modelOf();
  const view = fc.record({
    ladder: fc.constantFrom('off', 'pane', 'whole'),
    dialog: fc.constantFrom(...dialogs),
    isTrading: fc.boolean(),
    mode: fc.constantFrom('watching', 'watching', 'help'),
    selected: fc.integer({ min: 0, max: 7 }),
    zoom: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2),
  });
  const whole = new Map<string, Set<string>>();
  const wholeOf = (shown: ScreenView) => {
    const key = JSON.stringify({ ...shown, selected: 0 });
    if (!whole.has(key)) {
      const sizes = [
        [49, 60],
        [400, 200],
        [200, 60],
        [120, 100],
        [100, 120],
        [78, 100],
        [64, 100],
        [50, 100],
      ] as const;
      whole.set(key, new Set(sizes.flatMap(([columns, rows]) => numbersIn(textOfFrame(model, shown, columns, rows)))));
    }
    return whole.get(key)!;
  };
  fc.assert(
    fc.property(view, fc.integer({ min: 40, max: 300 }), fc.integer({ min: 10, max: 100 }), (part, columns, rows) => {
      const shown = { ...firstView, ...part } as ScreenView;
      const known = wholeOf(shown);
      const drawn = textOfFrame(model, shown, columns, rows);
      assert.equal(drawn.length, rows);
      for (const row of drawn) {
        assert.equal(row.length, columns, row);
        const numbers = numbersIn([row.replaceAll(/\+\d+(?= *$| {2})/g, '').replace(/Lines \d+ to \d+/, '')]);
        for (const number of numbers) {
          const isWhole =
            number.endsWith('\u2026') || known.has(number) || isPrice(number) || /^\d$|^\d\d$|^00$/.test(number);
          assert.ok(isWhole, `${number} at ${columns}x${rows}\n${drawn.join('\n')}`);
        }
      }
    }),
    { numRuns: runs },
  );
}

trial('at every size, on every screen, a number is whole or marked', () => checkMarks(1_000));

test('every row fills its width, so that nothing of an earlier one stays: also with no account yet, none, or a new run', () => {
  const model = new LiveModel({ markets, watched: markets, interval: '1m' });
  const drawn = () => textOfFrame(model, { ...firstView, ladder: 'pane', isTrading: true }, 80, 24);
  const alone = (text: string) => {
    for (const row of drawn()) assert.equal(row.length, 80, row);
    assert.equal(drawn()[1]!.trimEnd(), text);
  };
  alone('Waiting for the account.');
  model.streams.heard('account', 'stream');
  alone('This credential has no accounts.');
  model.startAnew();
  alone('Waiting for the account.');
});

test('beside a ticket, the stop and the risk of a position stay longer than its target, that longer than its leverage', () => {
  const model = modelOf();
  const headers = (columns: number) =>
    textOfFrame(model, { ...firstView, dialog: dialogs[1] }, columns, 40).find((row) => row.includes('POSITION'))!;
  for (let columns = 78; columns < 300; columns += 17) {
    const [stop, risk, target, leverage] = ['STOP', 'RISK', 'TARGET', 'LEVERAGE'].map((name) =>
      headers(columns).includes(name),
    );
    assert.ok(!leverage || target, `${columns}`);
    assert.ok(!target || risk, `${columns}`);
    assert.ok(!risk || stop, `${columns}`);
  }
});

test('lists say how many rows they hide', () => {
  const drawn = textOfFrame(modelOf(), firstView, 100, 24);
  assert.match(drawn.find((row) => row.includes('ORDER'))!, /\+\d/);
});
