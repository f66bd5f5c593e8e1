import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { jsonText } from '../../../../src/base/text/plain-text.ts';
import { openMarks } from '../../../../src/desk/guard/marks-stream.ts';
import { PriceLadder } from '../../../../src/desk/ladder/price-ladder.ts';
import { LiveModel } from '../../../../src/desk/watch/live-model.ts';
import { glyphsFor } from '../../../../src/terminal/console/charts/glyphs.ts';
import { csvRow } from '../../../../src/terminal/console/output/csv.ts';
import { plainPalette } from '../../../../src/terminal/console/output/themes.ts';
import {
  accountView,
  bookView,
  candleView,
  type EventView,
  statsView,
  tickView,
  tradeView,
} from '../../../../src/terminal/console/views/stream-view.ts';
import { screenFrame } from '../../../../src/terminal/screen/layout.ts';
import { recordOf } from '../../../../src/terminal/screen/plain-watch.ts';
import { firstView } from '../../../../src/terminal/screen/view.ts';
import { AccountFollower } from '../../../../src/wire/client/streams/account-follower.ts';
import { MarketFollower } from '../../../../src/wire/client/streams/market-follower.ts';
import { type Channel, streamPaths } from '../../../../src/wire/contract/streams.ts';
import { tell } from '../../../desk/account/tell.ts';
import { Chance } from '../../../exchange/engine/chance.ts';
import { drawnFrame } from '../../../frames/drawn-frames.ts';
import { ScriptedHost, VirtualTime } from '../../../wire/client/streams/scripted-stream.ts';

// biome-ignore lint/suspicious/noExplicitAny: frames of every shape.
type Frame = any;

const of = { provider: 'binance', symbol: 'BTCUSDT' };
const btc = {
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  size_decimals: 3,
  max_leverage: 10,
} as const;
const time = 1_790_000_000_000;
const bar = {
  ...of,
  type: 'candle',
  interval: '1m',
  openTime: time - 20_000,
  closeTime: time + 39_999,
  open: '1.0',
  high: '2',
  low: '1',
  close: '1.5',
  volume: '3',
  quoteVolume: null,
  trades: 4,
  isFinal: false,
};

const views: Readonly<Partial<Record<Channel, EventView>>> = {
  ticks: tickView,
  books: bookView,
  trades: tradeView,
  candles: candleView,
  marketStats: statsView,
};
const events: Readonly<Partial<Record<Channel, Frame>>> = {
  ticks: { type: 'tick', ...of, kind: 'mark', price: '84000.10', time },
  books: { type: 'book', ...of, bids: [{ px: '84000.0', sz: '1.5' }], asks: [{ px: '84000.1', sz: '0.2' }], time },
  trades: { type: 'trade', ...of, tradeId: '17', side: 'buy', price: '84000.1', size: '0.01', time },
  candles: bar,
  marketStats: { type: 'marketStats', ...of, markPx: 84_000, change24hPct: -1.5, fundingRate: null, time },
};

/** What a trial counts. */
export interface FrameCounts {
  frames: number;
  /** Frames after which the connection was renewed, each told once. */
  renewed: number;
}

const setting = { place: () => 'LIVE', isHost: true, localTime: () => '06:00' };
const glyphs = glyphsFor({ LANG: 'C.UTF-8' }, false);

function screenOf(): { model: LiveModel; draw(): void } {
  const model = new LiveModel({ markets: [btc], watched: [btc], interval: '1m' });
  model.areLocksKnown = true;
  const draw = () => {
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 12, rows: 4 },
    ]) {
      const market = { marketId: btc.market_id, tick: 0.1, book: model.book, prints: model.prints };
      const nothing = { orders: [], ahead: new Map(), lines: [] };
      const shown = {
        ladder: new PriceLadder(),
        market: { ...market, ...nothing },
        ticket: undefined,
        armed: undefined,
      };
      const view = { ...firstView, ladder: 'pane' } as const;
      const cockpit = { ...shown, said: [], ownKeys: new Map(), uptime: 0 };
      const { rows } = screenFrame(model, view, setting, size, glyphs, cockpit);
      assert.equal(rows.length, size.rows);
      for (const row of rows) assertClean(row.map(plainPalette).join(''));
    }
    jsonText(recordOf(model) ?? null);
  };
  return { model, draw };
}

/** No control character of a host reaches a terminal. */
function assertClean(text: string): void {
  assert.doesNotMatch(text, /[\p{Cc}]/u);
}

function print(view: EventView, event: unknown): void {
  assertClean(
    view
      .line(event as never)
      .map(plainPalette)
      .join(''),
  );
  jsonText(event);
  for (const row of view.rows?.(event as never) ?? [event as object]) csvRow(row, view.fields);
}

/** Feeds one frame and checks that it is told at most once, and that a lost connection is renewed. */
async function feed(
  host: ScriptedHost,
  clock: VirtualTime,
  told: () => number,
  text: string,
  counts: FrameCounts,
): Promise<boolean> {
  const before = told();
  const connection = host.newest;
  connection.events.text(text);
  counts.frames += 1;
  const isLost = connection.isClosed;
  assert.equal(told() - before, isLost ? 1 : 0, `told once: ${text.slice(0, 300)}`);
  if (!isLost) return false;
  counts.renewed += 1;
  const count = host.connections.length;
  for (let waitedMs = 0; waitedMs < 61_000 && host.connections.length === count; waitedMs += 250) await clock.pass(250);
  assert.ok(host.connections.length > count, 'renewed');
  host.connections.splice(0, host.connections.length - 1);
  return true;
}

/** Accepts every subscription under its channel's name. */
function acceptAll({ newest }: ScriptedHost): void {
  for (const { id, channel } of newest.sent.splice(0).filter(({ op }) => op === 'sub'))
    newest.say({ op: 'sub_ok', id, sub: channel, snapshotBoundary: false });
}

/** Drawn frames into what perp stream, perp watch and the guard do with the market stream. */
export async function marketFrames(seed: number, count: number): Promise<FrameCounts> {
  const [chance, host, clock, counts] = [
    new Chance(seed),
    new ScriptedHost(),
    new VirtualTime(),
    { frames: 0, renewed: 0 },
  ];
  const { model, draw } = screenOf();
  let told = 0;
  const follower = new MarketFollower({
    transport: host.transport,
    timing: clock,
    onState: ({ kind }) => {
      if (kind === 'reconnecting') told += 1;
    },
  });
  const guarded = new ScriptedHost();
  const marks = await openMarks(guarded.transport, clock as never, { mark: () => {}, time: () => {} });
  marks.follow([btc]);
  await clock.pass(0);
  const payload = { symbols: ['BTCUSDT'], providers: ['binance'] };
  for (const channel of Object.keys(views) as Channel[])
    follower.subscribe(channel, channel === 'candles' ? { ...payload, intervals: ['1m'], historyLimit: 1 } : payload, {
      events: (batch) => {
        for (const event of batch) print(views[channel]!, event);
        model.takeEvents(batch);
      },
      refused: () => {},
    });
  const samples = () => {
    const request = host.newest.last('req')?.id ?? 1;
    return [
      ...Object.entries(events).map(([channel, event]) => ({ op: 'events', sub: channel, events: [event, event] })),
      { op: 'sub_ok', id: 2, sub: 'ticks', snapshotBoundary: false },
      { op: 'snapshot_end', id: 3 },
      { op: 'sub_err', id: 900, error: { code: 'unknown_market', message: 'unknown market' } },
      { op: 'res', id: request, result: [bar] },
      { op: 'err', id: request, error: { message: 'busy', source: 'transport' } },
      { op: 'end', id: 901 },
    ];
  };
  acceptAll(host);
  for (let at = 0; at < count; at += 1) {
    if (at % 50 === 0) follower.request('candles.history', { limit: 1 }).catch(() => {});
    const text = drawnFrame(samples(), chance);
    acceptAll(guarded);
    guarded.newest.events.text(text);
    const isRenewed = await feed(host, clock, () => told, text, counts);
    if (isRenewed) acceptAll(host);
    if (at % 20 === 0) draw();
    if (at % 500 === 0) await turn();
  }
  follower.close();
  marks.close();
  return counts;
}

const order = {
  id: 'ord_1',
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  type: 'limit',
  mode: 'limit',
  side: 'buy',
  size: 0.1,
  expected_price: 1,
  limit_price: 80_000,
  leverage: 1,
  margin_mode: 'cross',
  reduce_only: false,
  status: 'resting',
  requested_at: time,
};
const stop = {
  ...order,
  id: 'ord_2',
  side: 'sell',
  type: 'stop_market',
  mode: 'stop_market',
  trigger_price: 70_000,
  target_position_id: 'pos_1',
  reduce_only: true,
};
const position = {
  id: 'pos_1',
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  provider: 'binance',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  side: 'long',
  size: 0.5,
  entry_price: 84_000,
  leverage: 2,
  margin_mode: 'cross',
  isolated_margin_extra: 0,
  status: 'open',
  opened_at: time,
};
const account = {
  id: 'acc_1',
  account_number: 'P-1',
  name: 'Challenge 1',
  stage: 'evaluation',
  status: 'active',
  starting_balance: 100_000,
  balance: 100_000,
  created_at: time,
  risk: {
    observed_at: time,
    marks_complete: true,
    missing_markets: [],
    equity: 100_000,
    unrealized_pnl: 0,
    margin_used: 0,
    available_balance: 100_000,
    gross_exposure: 0,
    daily_loss_floor: 97_000,
    max_drawdown_floor: 97_000,
    daily_loss_room: 3_000,
    max_drawdown_room: 3_000,
    remaining_profit: 9_000,
    requirements: {},
  },
};

/** Drawn frames into what perp stream account and perp watch do with the account stream. */
export async function accountFrames(seed: number, count: number): Promise<FrameCounts> {
  const [chance, host, clock, counts] = [
    new Chance(seed),
    new ScriptedHost(),
    new VirtualTime(),
    { frames: 0, renewed: 0 },
  ];
  const { model, draw } = screenOf();
  model.streams.heard('account', 'stream');
  model.takeMid('binance|BTCUSDT', 84_000, time);
  let told = 0;
  const follower = new AccountFollower({
    transport: host.transport,
    path: streamPaths.live,
    timing: clock,
    onFrame: (frame) => {
      if ('account_id' in frame) print(accountView, frame);
      tell(model, frame);
    },
    onState: ({ kind }) => {
      if (kind === 'reconnecting') told += 1;
    },
    onEnd: (error) => assert.fail(error),
  });
  await clock.pass(0);
  let seq = 1;
  const begin = () => {
    host.newest.say({ type: 'hello', stream_id: 'st_1', resumed: false });
    host.newest.say({
      type: 'snapshot',
      seq: ++seq,
      time,
      account_id: 'acc_1',
      account,
      positions: [position],
      orders: [order, stop],
    });
    host.newest.say({ type: 'snapshot_end' });
  };
  begin();
  for (let at = 0; at < count; at += 1) {
    seq += 1;
    const of = { seq, time: time + at, account_id: 'acc_1' };
    const samples = [
      { type: 'snapshot', ...of, account, positions: [position], orders: [order, stop] },
      { type: 'order', ...of, event: 'updated', order },
      { type: 'order', ...of, event: 'filled', order: { ...order, status: 'filled' } },
      { type: 'position', ...of, event: 'updated', position },
      { type: 'account', ...of, event: 'updated', account },
      {
        type: 'fill',
        ...of,
        fill: { ...order, id: `fill_${at}`, status: 'filled', fill_price: 84_000, fee: 1, settled_at: time },
      },
      { type: 'hello', stream_id: 'st_1', resumed: true },
      { type: 'error', code: 'internal', message: 'oops' },
      { type: 'heartbeat' },
    ];
    const isRenewed = await feed(host, clock, () => told, drawnFrame(samples, chance), counts);
    if (isRenewed) begin();
    if (at % 20 === 0) draw();
    if (at % 500 === 0) await turn();
  }
  follower.close();
  return counts;
}
