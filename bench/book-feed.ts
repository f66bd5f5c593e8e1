/**
 * A market stream that plays recorded books, faster than a service sends them (at most ten a second): the best levels
 * of a real BTC book, its trades and its mid, twenty times a second.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type WebSocket, WebSocketServer } from 'ws';

const extract = resolve(import.meta.dirname, '../test/fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
/** Between two books, ms. */
export const feedMs = 50;
/** Recorded time between them: something on the screen changes almost every time. */
const recordedMs = 100;
const levels = 50;

interface Line {
  readonly time: number;
  readonly delta?: boolean;
  readonly bids?: readonly (readonly [string, string])[];
  readonly asks?: readonly (readonly [string, string])[];
  readonly trade?: { readonly price: string; readonly size: string; readonly side: string };
}

/** Serves the feed until it is closed. */
export async function bookFeed(): Promise<{ url: string; close(): void }> {
  const http = createServer();
  const timers = new Set<NodeJS.Timeout>();
  new WebSocketServer({ server: http }).on('connection', (socket) => serve(socket, timers));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close() {
      for (const timer of timers) clearInterval(timer);
      http.closeAllConnections();
      http.close();
    },
  };
}

function serve(socket: WebSocket, timers: Set<NodeJS.Timeout>): void {
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const subs = new Map<string, { id: string; market: object }>();
  const tell = (channel: string, events: object[]) => {
    const sub = subs.get(channel);
    if (sub === undefined || events.length === 0) return;
    send({ op: 'events', sub: sub.id, events: events.map((event) => ({ ...event, ...sub.market })) });
  };
  socket.on('message', (data) => {
    const { op, id, channel, payload } = JSON.parse(String(data));
    if (op === 'req') send({ op: 'res', id, result: Date.now() });
    if (op !== 'sub') return;
    send({ op: 'sub_ok', id, sub: String(id), snapshotBoundary: false });
    subs.set(channel, { id: String(id), market: { provider: payload.providers[0], symbol: payload.symbols[0] } });
    if (channel === 'candles') tell('candles', candles(payload.intervals ?? ['1m']));
  });
  const replay = replayed();
  const timer = setInterval(() => {
    const { book, trades, mid } = replay.next().value!;
    tell('books', [book]);
    tell('trades', trades);
    const tick = { type: 'tick', price: mid, time: book.time };
    tell('ticks', [
      { ...tick, kind: 'mid' },
      { ...tick, kind: 'mark' },
    ]);
  }, feedMs);
  timers.add(timer);
  socket.on('close', () => clearInterval(timer));
}

interface Step {
  readonly book: { type: 'book'; time: number; bids: object[]; asks: object[] };
  readonly trades: object[];
  readonly mid: string;
}

/** The recording, step by step, over and over. */
function* replayed(): Generator<Step, never> {
  const lines = gunzipSync(readFileSync(extract))
    .toString()
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
  for (;;) {
    const [bids, asks] = [new Map<string, string>(), new Map<string, string>()];
    let trades: object[] = [];
    let due = 0;
    for (const { time, delta, bids: b = [], asks: a = [], trade } of lines) {
      if (trade !== undefined)
        trades.push({ type: 'trade', tradeId: `${time}-${trades.length}`, ...trade, time: Date.now() });
      if (b.length + a.length === 0) continue;
      apply(bids, b, delta !== true);
      apply(asks, a, delta !== true);
      due ||= time + recordedMs;
      if (time < due || bids.size === 0 || asks.size === 0) continue;
      due = time + recordedMs;
      const [best, others] = [top(bids, -1), top(asks, 1)];
      const mid = ((Number(best[0]!.px) + Number(others[0]!.px)) / 2).toFixed(2);
      yield { book: { type: 'book', time: Date.now(), bids: best, asks: others }, trades, mid };
      trades = [];
    }
  }
}

function apply(side: Map<string, string>, changes: readonly (readonly [string, string])[], isWhole: boolean): void {
  if (isWhole) side.clear();
  for (const [price, size] of changes) {
    if (Number(size) === 0) side.delete(price);
    else side.set(price, size);
  }
}

function top(side: ReadonlyMap<string, string>, way: 1 | -1): { px: string; sz: string }[] {
  return [...side]
    .sort(([one], [other]) => way * (Number(one) - Number(other)))
    .slice(0, levels)
    .map(([px, sz]) => ({ px, sz }));
}

/** A history, so that the chart has something to draw. */
function candles(intervals: readonly string[]): object[] {
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  return intervals.flatMap((interval) =>
    Array.from({ length: 300 }, (_, at) => {
      const [open, close] = [at, at + 1].map((point) => (61_800 + 60 * Math.sin(point / 3)).toFixed(1));
      const [high, low] = [Math.max(Number(open), Number(close)) + 5, Math.min(Number(open), Number(close)) - 5];
      const openTime = minute - (299 - at) * 60_000;
      const prices = { open, high: high.toFixed(1), low: low.toFixed(1), close };
      const rest = { volume: '10', quoteVolume: null, trades: null, isFinal: true };
      return { type: 'candle', interval, openTime, closeTime: openTime + 59_999, ...prices, ...rest };
    }),
  );
}
