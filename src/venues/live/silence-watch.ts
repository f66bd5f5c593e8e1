import type { Ms } from '../../exchange/engine/model.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import type { LiveBook } from '../tape/live-book.ts';
import type { FeedServices } from './feed-services.ts';
import type { BookMessage } from './protocols/venue.ts';

/** A book that has not changed for this long is compared with the venue's. */
const quietMs = 5_000;
/** How long the stream has to deliver a detected difference. */
const catchUpMs = 2_000;
/** Without proof that the market is calm, silence of this length is a gap. */
const silentMs = 20_000;

/** The meaning of a silence: nothing yet, a market proved calm, or a stream that has stopped. */
type Silence = 'none' | 'calm' | 'deaf';

/**
 * Distinguishes a calm market from a stream that has stopped ("deaf"). When a book does not change, its best levels are
 * compared with the venue's from REST. If they are equal, the market is calm and its book is current. If they differ
 * and the stream delivers nothing within two seconds, it is deaf. Where the venue can't be asked, twenty seconds of
 * silence are a gap.
 */
export class SilenceWatch {
  private readonly services: FeedServices;
  private calmAt: Ms = Number.NEGATIVE_INFINITY;
  private askAgainAt: Ms = Number.NEGATIVE_INFINITY;
  /** The comparison in progress; a message from the stream ends it. */
  private question: object | null = null;
  private verdict: 'calm' | 'deaf' | null = null;

  constructor(services: FeedServices) {
    this.services = services;
  }

  /** Call every second: judges the silence since `heardAt`. Returns `calm` once for each proof. */
  judge(book: LiveBook, heardAt: Ms): Silence {
    const { verdict } = this;
    this.verdict = null;
    if (verdict !== null) return verdict;
    const now = this.services.uptime();
    const unverifiedMs = now - Math.max(heardAt, this.calmAt);
    if (unverifiedMs >= quietMs && now >= this.askAgainAt) this.compare(book);
    return unverifiedMs >= silentMs ? 'deaf' : 'none';
  }

  /** A message came from the stream. */
  heard(): void {
    this.question = null;
    this.verdict = null;
  }

  private compare(book: LiveBook): void {
    const { askBook } = this.services;
    if (askBook === null) return;
    const question = {};
    this.question = question;
    this.askAgainAt = this.services.uptime() + quietMs;
    askBook(true).then(
      (top) => {
        if (this.question === question) this.weigh(book, top, question);
      },
      // A venue that does not answer proves nothing.
      () => {},
    );
  }

  private weigh(book: LiveBook, top: BookMessage, question: object): void {
    if (isSame(book, top)) {
      this.calmAt = this.services.uptime();
      this.verdict = 'calm';
      return;
    }
    this.services.after(catchUpMs, () => {
      if (this.question === question) this.verdict = 'deaf';
    });
  }
}

function isSame(book: LiveBook, top: BookMessage): boolean {
  try {
    return book.startsWith(top);
  } catch (error) {
    if (error instanceof LineProblem) return false;
    throw error;
  }
}

/**
 * A message this late makes the book unusable for trading; it is usable again once messages are less late than
 * `goneMs`.
 */
const tooLargeMs = 5_000;
const goneMs = 2_000;
/** How long a late message waits for the venue's clock. */
const clockAnswerMs = 2_000;

/** How late a market's messages come. */
export class LagWatch {
  /** Of the last message, ms; null if unknown. */
  lagMs: Ms | null = null;
  private readonly services: FeedServices;
  /** Since when messages look late, while the venue's clock is being asked. */
  private lateSince: Ms | null = null;

  constructor(services: FeedServices) {
    this.services = services;
  }

  /** Whether the book is not usable yet: its last message was late. */
  get isLagging(): boolean {
    return (this.lagMs ?? 0) > goneMs;
  }

  /** Forgets the messages so far. */
  reset(): void {
    this.lagMs = null;
    this.lateSince = null;
  }

  /**
   * Takes the venue's time of a message; returns whether it is too late. A message also looks late when a clock was set
   * or this machine slept: the venue is asked before it counts.
   */
  isTooLate(venueTime: Ms): boolean {
    const { clock } = this.services;
    const now = clock.now();
    if (now === null || venueTime <= 0) return false;
    const lagMs = now - venueTime;
    if (lagMs <= tooLargeMs) {
      this.lateSince = null;
      this.lagMs = lagMs;
      return false;
    }
    this.lateSince ??= this.services.uptime();
    if (!clock.isFresh) this.services.sampleClock();
    if (!clock.isFresh && this.services.uptime() - this.lateSince < clockAnswerMs) return false;
    this.lagMs = lagMs;
    return true;
  }
}
