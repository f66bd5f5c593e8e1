import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { PartCompile, PartTape } from '../tape/part-tape.ts';
import { partFile } from '../tape/parts.ts';
import { definitionsOf, TapeSource } from '../tape/tape-source.ts';
import type { TapeWriter } from '../tape/tape-writer.ts';
import { LiveFeeds, type LiveFeedsOptions, type LiveStatus } from './live-feeds.ts';
import type { Network } from './network.ts';

/** How long a market stays subscribed after it was last requested or held. */
const graceMs = 120_000;
const interestMs = 5_000;

/** Feeds, and how long a market without readers stays subscribed. */
export interface LiveMarketsOptions extends LiveFeedsOptions {
  /** How long a market stays subscribed after it was last requested or held; default two minutes. */
  graceMs?: Ms;
  /** Ids of markets that are always subscribed. */
  always?: readonly string[];
}

/**
 * Live markets as a source for the engine. It reads the tape that the feeds write, so live trading replays to the same
 * state. A market is subscribed while clients request it or an account has orders or positions there. The engine must
 * run on the real clock: nothing is ever added to a time that was already played.
 */
export class LiveMarkets {
  readonly source: MarketSource;
  private readonly feeds: LiveFeeds;
  private readonly tape: TapeSource;
  private readonly network: Network;
  private readonly graceMs: Ms;
  private readonly always: readonly string[];
  private readonly lookedAt = new Map<string, Ms>();
  private readonly listeners = new Set<() => void>();
  private cancelTick: () => void;
  private isUpdating = false;

  /** Like `LiveFeeds.open`; also throws a RecordingError if the existing tape is damaged. */
  static async open(options: LiveMarketsOptions): Promise<LiveMarkets> {
    const feeds = await LiveFeeds.open(options);
    try {
      return new LiveMarkets(feeds, options);
    } catch (error) {
      await feeds.close();
      throw error;
    }
  }

  private constructor(feeds: LiveFeeds, options: LiveMarketsOptions) {
    const { network } = options;
    const { writer } = feeds;
    this.feeds = feeds;
    this.network = network;
    this.graceMs = options.graceMs ?? graceMs;
    this.always = options.always ?? [];
    this.tape = new TapeSource(writer.tape, 'live', definitionsWith(feeds), writer.summaries, {
      // Every venue publishes its own prices.
      hasMarks: (marketId) => feeds.market(marketId) !== null,
      looked: (marketId) => this.look(marketId),
      seal: (time) => writer.seal(time),
      now: () => feeds.now(),
    });
    this.source = this.tape;
    this.read(writer);
    this.cancelTick = network.after(0, () => this.tick());
  }

  /** The time to advance the exchange to: now, but not before the newest event. */
  time(): Ms {
    return Math.max(this.feeds.now(), this.feeds.writer.status.lastTime ?? 0);
  }

  /** Marks a market as in use: it is subscribed, and stays subscribed for `graceMs`. */
  look(marketId: string): void {
    this.lookedAt.set(marketId, this.feeds.now());
    if (this.feeds.has(marketId) || this.isUpdating) return;
    this.isUpdating = true;
    this.network.after(0, () => this.updateInterest());
  }

  /**
   * Resolves to true once a market has a tradable book, or to false after this many milliseconds. Does not wait for a
   * market whose feed is broken.
   */
  async ready(marketId: string, timeoutMs: Ms): Promise<boolean> {
    this.look(marketId);
    if (this.feeds.isLive(marketId)) return true;
    const gap = this.feeds.feed(marketId)?.status().gap?.reason ?? 'unsubscribed';
    if (gap !== 'unsubscribed' && gap !== 'restart') return false;
    return await new Promise((resolve) => {
      const done = (isLive: boolean) => {
        cancel();
        forget();
        resolve(isLive);
      };
      const cancel = this.network.after(timeoutMs, () => done(false));
      const forget = this.onEvents(() => {
        if (this.feeds.isLive(marketId)) done(true);
      });
    });
  }

  /**
   * Calls `listener` whenever the tape has new data; the exchange may then advance to `time()`. Returns a function that
   * stops it.
   */
  onEvents(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  status(): LiveStatus {
    return this.feeds.status();
  }

  /** A market as its venue reports it, beyond its definition; null if no venue lists it. */
  market(marketId: string) {
    return this.feeds.market(marketId);
  }

  async close(): Promise<void> {
    this.cancelTick();
    await this.feeds.close();
    this.tape.close();
  }

  /** Compiles the tape's open part, and every further line as it is written. */
  private read(writer: TapeWriter): void {
    const openPart = () => writer.summaries.at(-1)!;
    const file = partFile(writer.tape, openPart().number, false);
    const compile = new PartCompile({ number: openPart().number, file, isGzip: false });
    compile.step();
    let part = compile.tape;
    this.tape.grow(openPart(), part);
    writer.listener = {
      part: (number) => {
        part = new PartTape(partFile(writer.tape, number, false));
        this.tape.grow(openPart(), part);
      },
      lines: (lines) => {
        for (const line of lines) part.take(line.slice(0, -1));
        for (const listener of this.listeners) listener();
      },
      repaired: () => this.feeds.repaired(),
    };
  }

  private tick(): void {
    this.cancelTick = this.network.after(interestMs, () => this.tick());
    this.updateInterest();
  }

  /** Subscribes to markets in use, and unsubscribes from those that have not been used for a while. */
  private updateInterest(): void {
    this.isUpdating = false;
    const since = this.feeds.now() - this.graceMs;
    const wanted = this.tape.watchedSince(since);
    for (const marketId of this.always) wanted.add(marketId);
    for (const [marketId, at] of this.lookedAt) {
      if (at >= since) wanted.add(marketId);
      else this.lookedAt.delete(marketId);
    }
    for (const { marketId } of this.source.definitions) {
      if (wanted.has(marketId)) this.feeds.want(marketId);
      else if (this.feeds.has(marketId)) this.feeds.drop(marketId);
    }
  }
}

/** The markets that the venues list, plus those that the tape has and no venue lists any longer. */
function definitionsWith(feeds: LiveFeeds): MarketDefinition[] {
  const listed = feeds.definitions;
  const ids = new Set(listed.map(({ marketId }) => marketId));
  return [...listed, ...definitionsOf(feeds.writer.summaries).filter(({ marketId }) => !ids.has(marketId))];
}
