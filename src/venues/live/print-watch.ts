import type { Ms } from '../../exchange/engine/model.ts';
import type { Trade } from '../tape/tape-lines.ts';
import type { FeedServices } from './feed-services.ts';

/** How long after the last print a touch that trades away, or a volume that grows, is suspicious. */
const quietMs = 2_500;
/** From one question to the next while the touch moves without a print: doubled by each answer that has nothing new. */
const askAgainMs = 5_000;
/**
 * How often prints are compared with the venue's history, at least; and at most, where it does not reach back so far.
 */
const proveMs = 60_000;
const leastProveMs = 5_000;
const firstProveMs = 15_000;
/** How long the stream has to deliver what the history has. */
const catchUpMs = 2_000;
/** Trades this much older than a comparison have long been delivered: the next one goes back to them. */
const settledMs = 5_000;

/**
 * The result of a comparison: the stream has every print, has lost some, or has stopped. `isShort`: the history does
 * not reach back to the comparison before, so more may be missing.
 */
export type PrintProof = { kind: 'joined' } | { kind: 'lost' | 'deaf'; prints: readonly Trade[]; isShort: boolean };

/** The print facts of a market that the watch needs. */
interface WatchedPrints {
  readonly areNumbered: boolean;
  isKnown(trade: Trade): boolean;
}

/**
 * Proves a stream of trades, as the books are proved. Numbers show that none is missing between two prints; whatever
 * else may be missing, only the venue's history has: it is asked when the best levels move away, or the venue's volume
 * grows, and no print comes, and every minute anyway.
 */
export class PrintWatch {
  /** Comparisons that the stream has passed, and prints that it had lost. */
  joined = 0;
  lost = 0;
  private readonly services: FeedServices;
  private readonly prints: WatchedPrints;
  /** By the clock for durations: the last print, the last time the touch moved away, and the last comparison. */
  private heardAt: Ms = 0;
  /** When the latest print that the stream has delivered was made, in the venue's time. */
  private latest: Ms = 0;
  private touchedAt: Ms = Number.NEGATIVE_INFINITY;
  private provedAt: Ms = 0;
  private waitMs: Ms = askAgainMs;
  private volume = Number.POSITIVE_INFINITY;
  private everyMs: Ms = firstProveMs;
  private askedAt: Ms = Number.NEGATIVE_INFINITY;
  /** Since when the stream has to have every print, in the venue's time; 0 before the market is live. */
  since: Ms = 0;
  /** The last comparison found prints that the stream had lost. */
  private hasLost = false;
  private question: object | null = null;
  private found: PrintProof | null = null;

  constructor(services: FeedServices, prints: WatchedPrints) {
    this.services = services;
    this.prints = prints;
  }

  /**
   * The market is live; the stream has to have every print that is made from this time on, by our clock, and, unless
   * the market `startsOver`, those before a gap that no comparison has proved yet.
   */
  begin(since: Ms, startsOver: boolean): void {
    const now = this.services.uptime();
    this.heardAt = now;
    this.touchedAt = Number.NEGATIVE_INFINITY;
    // More may have been lost while the stream had its time to catch up.
    if (this.hasLost) this.everyMs = leastProveMs;
    this.hasLost = false;
    if (this.since > 0 && !startsOver) return;
    this.since = this.services.clock.toVenueTime(since);
    this.provedAt = now;
    this.question = null;
    this.found = null;
  }

  /** The stream has delivered prints, the latest of all made at this time by the venue. */
  heard(latest: Ms): void {
    this.latest = latest;
    this.heardAt = this.services.uptime();
    this.waitMs = askAgainMs;
  }

  /** A best level has traded away, or was canceled. */
  touched(): void {
    this.touchedAt = this.services.uptime();
  }

  /** The venue's own count of what was traded: if it grows after a while without a print, one may be lost. */
  tallied(volume: unknown): void {
    const now = this.services.uptime();
    const count = Number(volume ?? Number.NaN);
    if (count > this.volume && now - this.heardAt >= quietMs) this.touchedAt = now;
    if (count >= 0) this.volume = count;
  }

  /** Call every second while the market is live; returns what a comparison has found, once. */
  judge(): PrintProof | null {
    const { found } = this;
    this.found = null;
    if (found !== null || this.question !== null) return found;
    const now = this.services.uptime();
    const isSuspicious =
      now - this.heardAt >= quietMs && this.touchedAt > this.heardAt && now - this.askedAt >= this.waitMs;
    // Numbers prove a stream that delivers.
    const isProved = this.prints.areNumbered && now - this.heardAt < proveMs;
    if (isProved && now - this.provedAt >= proveMs) this.provedAt = now;
    const isDue = now - this.provedAt >= this.everyMs && now - this.askedAt >= leastProveMs;
    if (isSuspicious || isDue) this.compare(now);
    return null;
  }

  /** Prints that the stream should have delivered before a time, and has not. */
  missingOf(trades: readonly Trade[], before: Ms = Number.POSITIVE_INFINITY): Trade[] {
    return trades.filter(
      (trade) => trade.time >= this.since && trade.time < before && !trade.isOffBook && !this.prints.isKnown(trade),
    );
  }

  /** Whether trades of a history reach back to what is proved. */
  isReachedBy(trades: readonly Trade[]): boolean {
    return trades.some(({ time }) => time <= this.since);
  }

  private compare(now: Ms): void {
    const { askHistory, mayProve } = this.services;
    if (askHistory === null || !mayProve()) return;
    const question = {};
    this.question = question;
    this.askedAt = now;
    const { heardAt, latest } = this;
    const settled = this.services.clock.toVenueTime(this.services.now()) - settledMs;
    askHistory({ from: this.since, after: null, known: new Set() }).then(
      (trades) => {
        if (this.question !== question) return;
        const missing = this.missingOf(trades);
        // A history that is shorter than the time since the last comparison has to be asked sooner.
        const isShort = trades.length > 0 && !this.isReachedBy(trades);
        this.everyMs = isShort ? Math.max(leastProveMs, this.everyMs / 2) : Math.min(proveMs, 2 * this.everyMs);
        // An answer that ends before what the stream had delivered is an old one, and proves nothing after its end.
        const end = trades.reduce((last, { time }) => Math.max(last, time), 0);
        if (missing.length === 0 && end < latest) this.question = null;
        else if (missing.length === 0) this.pass(settled);
        else
          this.services.after(catchUpMs, () => {
            if (this.question === question) this.weigh(missing, isShort, heardAt, Math.min(settled, end));
          });
      },
      // A venue that does not answer proves nothing.
      () => {
        if (this.question === question) this.question = null;
      },
    );
  }

  private weigh(candidates: readonly Trade[], isShort: boolean, heardAt: Ms, settled: Ms): void {
    const prints = this.missingOf(candidates);
    if (prints.length === 0) {
      this.pass(settled);
      return;
    }
    this.question = null;
    this.lost += prints.length;
    this.hasLost = true;
    this.found = { kind: this.heardAt === heardAt ? 'deaf' : 'lost', prints, isShort };
  }

  private pass(settled: Ms): void {
    const now = this.services.uptime();
    this.since = Math.max(this.since, settled);
    this.question = null;
    this.joined += 1;
    this.provedAt = now;
    // Best levels also move by cancellation.
    this.touchedAt = Number.NEGATIVE_INFINITY;
    this.waitMs = Math.min(2 * this.waitMs, proveMs);
    this.found = { kind: 'joined' };
  }
}
