import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { VenueName } from '../../../src/base/terms/venues.ts';
import { LiveMarkets, type LiveMarketsOptions } from '../../../src/venues/live/live-markets.ts';
import { venues } from '../../../src/venues/live/venues.ts';
import { checkComplete, partFiles } from '../../../src/venues/tape/parts.ts';
import { type LogMarket, logDialect } from './servers/log.ts';
import { bookText, ModelMarket } from './servers/model.ts';
import { rigs } from './servers/rigs.ts';
import { type Dialect, VenueServer } from './servers/server.ts';
import { VirtualWorld } from './virtual-world.ts';

/** A line of a tape, with the fields that tests check. */
export interface TapeLine {
  time: number;
  market_id?: string;
  market?: { market_id: string };
  tape?: { part?: number; failed_since?: number; problem?: string; clock_set_ms?: number };
  delta?: true;
  bids?: [string, string][];
  asks?: [string, string][];
  trade?: { price: string; size: string; id: string; traded_at: number; history?: true };
  gap?: { reason?: string; since?: number; prints?: number; history?: string };
}

export const startMs = Date.UTC(2026, 10, 21, 12);

/** A venue's server with the markets that tests use. */
export function venueServer(venue: VenueName, now: () => number, random = Math.random): VenueServer {
  const models = rigs[venue].coins.map((coin, number) => new ModelMarket(coin, number, random));
  return new VenueServer(rigs[venue].dialect, models, now);
}

type SceneOptions = Partial<LiveMarketsOptions>;
type MakeModel = (coin: string, number: number, random: () => number) => ModelMarket;

/** Live markets of a venue in a virtual world. */
export class LiveScene {
  readonly venue: VenueName;
  readonly world: VirtualWorld;
  readonly server: VenueServer;
  readonly folder = mkdtempSync(join(tmpdir(), 'perp-live-'));
  live!: LiveMarkets;
  /** How far the venue's clock is ahead of ours. */
  venueAheadMs = 0;
  private readonly options: SceneOptions;
  /** Number of levels per side that are compared. */
  private readonly compared: number;
  private readonly trueBooks = new Map<ModelMarket, { states: number; cut: Set<string> }>();

  private constructor(venue: VenueName, dialect: Dialect, start: number, seed: number, options: SceneOptions) {
    this.venue = venue;
    this.compared = rigs[venue].compared ?? Number.POSITIVE_INFINITY;
    this.options = options;
    const now = () => this.world.uptime() + this.venueAheadMs;
    this.server = new VenueServer(dialect, [], now);
    this.world = new VirtualWorld(this.server, start, seed);
  }

  /** Opens it, with its two markets subscribed and live. */
  static async open(
    venue: VenueName,
    {
      seed = 1,
      model = (coin, number, random) => new ModelMarket(coin, number, random),
      ...options
    }: SceneOptions & { seed?: number; model?: MakeModel } = {},
  ): Promise<LiveScene> {
    const desk = new LiveScene(venue, rigs[venue].dialect, startMs, seed, options);
    const random = () => desk.world.random();
    for (const [number, coin] of rigs[venue].coins.entries()) {
      desk.server.markets.push(model(coin, number, random));
    }
    await desk.start();
    await desk.run(3_000);
    return desk;
  }

  /** Opens it on a venue that plays logs, three seconds before the first log starts. */
  static async onLogs(venue: VenueName, logs: readonly LogMarket[], options: SceneOptions = {}): Promise<LiveScene> {
    const start = Math.min(...logs.map(({ startMs }) => startMs)) - 3_000;
    const desk = new LiveScene(venue, logDialect(rigs[venue].dialect), start, 1, options);
    desk.server.markets.push(...logs);
    for (const log of logs) {
      for (const { at } of log.changes) desk.world.after(at - start, () => desk.server.step(log));
    }
    await desk.start();
    return desk;
  }

  get tape(): string {
    return join(this.folder, 'tape.jsonl.gz');
  }

  get marketIds(): string[] {
    const provider = this.venue === 'service' ? 'binance' : this.venue;
    return this.server.markets.map(({ coin }) => `${provider}|${coin}`);
  }

  async start(): Promise<void> {
    const venue = venues[this.venue];
    const opening = LiveMarkets.open({
      tape: this.tape,
      venues: [{ venue, address: { wsUrl: 'wss://venue', restUrl: 'https://venue' } }],
      network: this.world,
      cache: null,
      ...this.options,
    });
    // Time must advance until the promise settles, whatever the result.
    opening.catch(() => {});
    await this.world.pass(1_000);
    this.live = await opening;
    for (const marketId of this.marketIds) this.live.look(marketId);
  }

  /** Simulates a restart of the process: the tape is continued. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const closing = this.live.close();
    await this.world.pass(100);
    await closing;
  }

  /** Deletes its files. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Advances time, using every market and checking what it shows twice a second. */
  async watch(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 500) {
      await this.world.pass(500);
      for (const marketId of this.marketIds) this.live.look(marketId);
      this.checkBooks();
    }
  }

  /** Advances time while the markets move, one of them every 100 ms. */
  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      const { markets } = this.server;
      this.server.step(markets[Math.floor(this.world.random() * markets.length)]!);
      await this.world.pass(100);
      for (const marketId of this.marketIds) this.live.look(marketId);
    }
  }

  /** A market's status. */
  status(marketId = this.marketIds[0]!) {
    return this.live.status().feeds[0]!.markets.find((market) => market.marketId === marketId)!;
  }

  connections() {
    return this.live.status().feeds[0]!.connections;
  }

  /** Every line of the tape, part by part. */
  tapeLines(): TapeLine[] {
    // A part that is being compressed exists twice for a moment.
    const parts = partFiles(this.tape).filter(({ number }, at, all) => all[at - 1]?.number !== number);
    checkComplete(this.tape, parts);
    return parts.flatMap(({ file, isGzip }) => {
      const bytes = readFileSync(file);
      const text = (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as TapeLine);
    });
  }

  /** The gaps of a market on the tape: their reasons, and what is known of their prints. */
  gaps(marketId = this.marketIds[0]!): string[] {
    const lines = this.tapeLines().filter(({ market_id: id, gap }) => id === marketId && gap !== undefined);
    return lines.map(({ gap }) => gap!.reason ?? `${gap!.prints} ${gap!.history}`);
  }

  /** The book on the tape as text; null if there is no usable book. */
  book(marketId = this.marketIds[0]!): string | null {
    const book = this.live.source.book(marketId, this.live.time());
    if (book === null || book.gap !== undefined) return null;
    const inModelUnits = (levels: readonly number[]) =>
      levels.map((value, at) => (at % 2 === 0 ? this.modelPrice(marketId, value) : this.modelSize(marketId, value)));
    return bookText(inModelUnits(book.bids), inModelUnits(book.asks));
  }

  /** A price of the tape in the model's units. */
  modelPrice(marketId: string, price: number): number {
    const { priceDecimals, coin } = this.live.market(marketId)!.definition;
    return price / 10 ** (priceDecimals - this.server.market(coin)!.priceDecimals);
  }

  /** A size of the tape in the model's units. */
  modelSize(marketId: string, size: number): number {
    const { sizeDecimals, coin } = this.live.market(marketId)!.definition;
    return size / 10 ** (sizeDecimals - this.server.market(coin)!.sizeDecimals);
  }

  /** Checks that every market has a book that the venue once had, is in a gap, or has no book yet. */
  checkBooks(): void {
    for (const [at, marketId] of this.marketIds.entries()) {
      const book = this.book(marketId);
      const model = this.server.markets[at]!;
      if (book === null) continue;
      assert.ok(this.isTrue(book, model), `${marketId} shows a book that never was`);
    }
  }

  /** Checks that every market is live again and has the venue's current book. */
  checkHealed(): void {
    for (const [at, marketId] of this.marketIds.entries()) {
      const model = this.server.markets[at]!;
      const status = this.status(marketId);
      assert.equal(status?.state, 'live', `${marketId}: ${JSON.stringify(status)}`);
      this.checkBook(marketId, model.text());
    }
  }

  /** Whether a market shows this book, as far as its venue reports it. */
  checkBook(marketId: string, truth: string): void {
    const book = this.book(marketId);
    assert.ok(book !== null && cut(book, this.compared) === cut(truth, this.compared), `${marketId}: another book`);
  }

  async close(): Promise<void> {
    await this.stop();
    this.remove();
  }

  private isTrue(book: string, model: ModelMarket): boolean {
    if (this.compared === Number.POSITIVE_INFINITY) return model.states.has(book);
    const known = this.trueBooks.get(model) ?? { states: 0, cut: new Set<string>() };
    this.trueBooks.set(model, known);
    for (const state of [...model.states].slice(known.states)) known.cut.add(cut(state, this.compared));
    known.states = model.states.size;
    return known.cut.has(cut(book, this.compared));
  }
}

/** The best levels of both sides, at most this many per side. */
function cut(book: string, levels: number): string {
  if (levels === Number.POSITIVE_INFINITY) return book;
  const sides = book.split(' | ').map((side) => side.split(' ').slice(0, 2 * levels));
  return sides.map((side) => side.join(' ')).join(' | ');
}
