import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { EventTimes, GapReason } from '../../exchange/markets/recorded/line.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import { isEmptyBook, LiveBook } from '../tape/live-book.ts';
import type { Standing, StandingGap } from '../tape/summary.ts';
import { type HistoryKnown, microseconds, type TapeLine, TapeLines, type Trade } from '../tape/tape-lines.ts';
import { BookOrder } from './book-order.ts';
import { bookRequests, silenceWatch } from './book-requests.ts';
import type { FeedServices } from './feed-services.ts';
import { GridWatch } from './grid-watch.ts';
import { MarkFeed } from './mark-feed.ts';
import { PrintFeed } from './print-feed.ts';
import type { PrintProof } from './print-watch.ts';
import type { BookMessage, RestBook, Venue, VenueMarket } from './protocols/venue.ts';
import { LagWatch } from './venue-clock.ts';

/** How long bids and asks may stay crossed before the book counts as broken. */
const crossedMs = 2_000;
/** How long a gap's end waits for history, an overlap of connections for a missing update, and a market for a book. */
const maxWaitMs = 3_000;
/** Live for this long, a market has recovered from any earlier problem. */
const steadyMs = 2_000;

/**
 * `off`: not in use. `waiting`: for a full book. `healing`: the book is complete, but not on the tape yet. `live`: the
 * tape has every change.
 */
type MarketState = 'off' | 'waiting' | 'healing' | 'live';

/** The status of a market's feed. */
export type MarketStatus = ReturnType<MarketFeed['status']>;

interface OpenGap {
  since: Ms;
  reason: GapReason;
  /** How much of its prints is known; null until the venue is asked. */
  history: HistoryKnown | 'asked' | null;
}

/**
 * One market of a live feed: builds its book from messages and writes events, or a gap where that fails, to the tape.
 */
export class MarketFeed {
  readonly market: VenueMarket;
  state: MarketState = 'off';
  private readonly services: FeedServices;
  private readonly assemble: ((message: BookMessage) => BookMessage) | null;
  private readonly lines: TapeLines;
  private readonly order: BookOrder;
  readonly book: LiveBook;
  readonly prints: PrintFeed;
  readonly marks: MarkFeed;
  readonly grid: GridWatch;
  private readonly silence: ReturnType<typeof silenceWatch>;
  private readonly lag: LagWatch;
  private readonly requests: ReturnType<typeof bookRequests>;
  /** Of the last message that the book took. */
  private times: EventTimes = { exchangeUs: null, receivedUs: null };
  /** When the tape last got book data; null if never. */
  private recordedAt: Ms | null = null;
  /** The streams that have started on an open connection. */
  private streams = { books: false, trades: false };
  private gap: OpenGap | null = null;
  /** When `state` last changed, or the book was requested again. */
  private since: Ms = 0;
  private crossedSince: Ms | null = null;
  private heardAt: Ms | null = null;
  private readonly counts = { gaps: 0, messages: 0 };
  private problem: string | null = null;

  constructor(market: VenueMarket, venue: Venue, services: FeedServices) {
    this.market = market;
    this.services = services;
    this.assemble = venue.assembler?.() ?? null;
    this.lines = new TapeLines(market.definition);
    this.grid = new GridWatch(this.lines);
    this.order = new BookOrder(venue.needsRestBook === true);
    this.book = new LiveBook(market.definition);
    this.prints = new PrintFeed(market, venue, this.lines, services, () =>
      this.state === 'live' ? 'live' : this.state === 'off' || this.gap === null ? 'none' : 'gap',
    );
    this.marks = new MarkFeed(market.definition.priceDecimals, this.lines, services, () => this.state === 'live');
    this.silence = silenceWatch(services);
    this.lag = new LagWatch(services);
    this.requests = bookRequests(services, venue.needsRestBook === true, {
      isNeeded: () => this.state === 'waiting',
      fetched: (book) => this.join(book),
      failed: (problem) => {
        this.problem = problem;
      },
    });
  }

  status() {
    const { market, state, gap, heardAt } = this;
    return {
      ...{ marketId: market.definition.marketId, state, ...this.counts },
      /** The current gap; null if there is none, or if there has been no book yet. */
      gap: gap === null ? null : { since: gap.since, reason: gap.reason },
      /** How late its last message came, and how long ago, ms; null if unknown. */
      ...{ lagMs: this.lag.lagMs, quietMs: heardAt === null ? null : this.services.uptime() - heardAt },
      /** Messages received twice and ignored. */
      duplicates: this.order.duplicates,
      /** The venue's own prices, or why they are not known; null for the other one. */
      ...{ marks: this.marks.status(), marksProblem: this.marks.problem },
      /** How often its prints were joined to the venue's history, and how many of them the stream had lost. */
      prints: { joined: this.prints.watch.joined, lost: this.prints.watch.lost },
      /** The venue's changes to tick and lots while the market was followed; null if there are none. */
      change: this.grid.unfit ?? this.grid.change,
      /** The last problem; null if there was none. */
      problem: this.grid.unfit ?? this.problem ?? this.grid.change,
    };
  }

  /** Takes the market's definition as the venue lists it now: a change of tick or lots is on the tape from now on. */
  redefine(now: MarketDefinition): void {
    this.grid.redefine(now, () => this.recordedAt === null || this.write([this.lines.market()]));
    if (this.grid.unfit !== null && this.state === 'live') this.pause('misfit');
  }

  /** Starts the market: it is being subscribed. */
  start(): void {
    if (this.state !== 'off') return;
    // While the market was unsubscribed, nobody had an order there.
    if (this.gap?.reason === 'unsubscribed') this.prints.forget();
    this.enter('waiting');
  }

  /** Continues a tape that already has the market and left it in this gap. */
  resume({ since, reason, lastPrintAt, printIds }: StandingGap): void {
    this.recordedAt = since;
    this.gap = { since, reason, history: null };
    this.prints.resume(lastPrintAt ?? since, printIds);
  }

  /** Stops the market, which is no longer in use. */
  stop(): void {
    this.lose('unsubscribed', 'streams');
    this.marks.stop();
    this.enter('off');
  }

  /** Its stream of trades has started. */
  tradesBegan(): void {
    this.streams.trades = true;
    this.prints.begin();
    if (this.state === 'healing') this.heal();
  }

  /** Its stream of books has started. */
  booksBegan(): void {
    this.streams.books = true;
    if (this.state === 'waiting') this.requests.begin();
  }

  /** The venue refused a subscription, or does not list the market any longer. */
  refuse(reason: string, kind: 'books' | 'trades' | 'both'): void {
    if (this.state !== 'waiting' || this.streams.books || this.streams.trades) this.loseStream(kind);
    this.problem = reason;
  }

  /** One or both of its streams are lost; the other one's data is kept. */
  loseStream(kind: 'books' | 'trades' | 'both'): void {
    const { books, trades } = this.streams;
    this.lose('connection', 'streams');
    if (kind !== 'both') this.streams = { books: kind === 'trades' && books, trades: kind === 'books' && trades };
  }

  /**
   * The book on the tape is no longer valid: nothing fills in this market until the next full book. `of`: whether all
   * its streams are lost, or only the book must start over.
   */
  lose(reason: GapReason, of: 'streams' | 'book'): void {
    if (this.state === 'off') return;
    if (of === 'streams') {
      this.streams = { books: false, trades: false };
      this.prints.lose();
    }
    if (this.recordedAt !== null && this.gap === null) this.beginGap(reason, null);
    if (of === 'streams') this.order.begin();
    this.crossedSince = null;
    this.lag.reset();
    this.enter('waiting');
  }

  /** The tape failed and is writable again: what happened in between is not on it. */
  tapeFailed(): void {
    if (this.recordedAt === null) return;
    if (this.state === 'live') this.pause('tape');
    else if (this.gap !== null) this.write([this.lines.gap(this.gap.reason, this.gap.since)]);
  }

  /** The book as the tape has it, and since when; null if changes have been held back since. */
  standing(): Standing | null {
    if (this.recordedAt === null || this.gap !== null || this.book.isCrossed) return null;
    const book = this.lines.book('book', this.book.full());
    return { book, marks: this.marks.standing() };
  }

  takeTrades(trades: readonly Trade[]): void {
    this.counts.messages += 1;
    if (!this.streams.trades) this.tradesBegan();
    const answerMismatch = this.prints.take(trades);
    if (answerMismatch === null || this.state !== 'live') return;
    // The tape can't hold it, so the tape's version is incomplete.
    this.problem = answerMismatch;
    this.pause('misfit', null);
    this.heal();
    this.services.misfit(false);
  }

  /** `isExtra`: the message adds levels to a book from another topic. */
  takeBook(received: BookMessage, isExtra: boolean): void {
    if (this.state === 'off') return;
    this.counts.messages += 1;
    const message = this.assemble === null ? received : this.assemble(received);
    message.receivedUs = this.services.receivedUs();
    if (!isExtra) this.streams.books = true;
    else if (!this.streams.books) return;
    this.heardAt = this.services.uptime();
    this.silence.heard();
    if (message.isFull && isEmptyBook(message)) {
      this.order.begin();
      if (this.state !== 'waiting') this.lose('misfit', 'book');
      this.problem = emptyBook;
      return;
    }
    if (this.lag.isTooLate(received.time) && this.state === 'live') this.pause('lag');
    const messages = this.order.take(message, this.heardAt, this.services.isOverlapping());
    if (messages === null) this.restart('sequence');
    else messages.every((one) => this.apply(one));
    if (this.state === 'waiting' && this.order.isWaiting) this.requests.fetch();
  }

  /** Call every second. */
  tick(): void {
    const now = this.services.uptime();
    if (this.state === 'off') return;
    if (this.state === 'waiting') this.tickWaiting(now);
    else if (this.order.aheadSince !== null && now - this.order.aheadSince >= maxWaitMs) {
      this.order.giveUpAhead();
      this.restart('sequence');
    } else if (this.crossedSince !== null && now - this.crossedSince >= crossedMs) {
      this.order.begin();
      this.restart('crossed');
    } else if (this.state === 'live') this.tickLive(now);
    // A book whose last message was late stays unusable while nothing follows: another message decides.
    else if (this.lag.isLagging && now - this.heardAt! >= maxWaitMs) this.restart('lag');
    else this.heal();
  }

  private tickLive(now: Ms): void {
    if (now - this.since >= steadyMs) this.requests.succeeded();
    const silence = this.silence.judge(this.book, Math.max(this.heardAt ?? 0, this.since));
    this.marks.tick();
    if (silence === 'calm') this.write([this.lines.still()]);
    if (silence === 'deaf') {
      this.problem = 'the stream has stopped, but the venue is still running';
      this.lose('silence', 'streams');
      this.services.reconnect();
      return;
    }
    const proof = this.prints.watch.judge();
    if (proof !== null && proof.kind !== 'joined') this.losePrints(proof);
  }

  /**
   * The venue's history has prints that the stream didn't deliver: they belong to a gap, which ends at once if the
   * stream continues.
   */
  private losePrints({ kind, prints, isShort }: Exclude<PrintProof, { kind: 'joined' }>): void {
    const isDeaf = kind === 'deaf';
    const what = isDeaf ? 'stopped, but the venue goes on trading' : `lost ${prints.length}`;
    this.problem = `the stream of trades has ${what}`;
    if (isDeaf) {
      this.streams.trades = false;
      this.prints.lose();
    }
    this.pause(isDeaf ? 'silence' : 'sequence', null);
    this.prints.holdLost(prints, isShort);
    if (isDeaf) this.services.resubscribe('trades');
    else this.heal();
  }

  /** Applies a message to the book; returns false if it does not fit, and the book starts over. */
  private apply(message: BookMessage): boolean {
    let change: ReturnType<LiveBook['take']>;
    const [bid, ask] = [this.book.bids.best, this.book.asks.best];
    try {
      change = this.book.take(message.isFull ? 'book' : 'delta', message);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.problem = error.message;
      this.order.begin();
      this.restart('misfit');
      this.services.misfit(false);
      return false;
    }
    this.times = { exchangeUs: microseconds(message.time), receivedUs: message.receivedUs ?? null };
    const { bids, asks } = this.book;
    if (bids.best < bid || asks.best > ask) this.prints.watch.touched();
    if (!this.grid.fits(this.book)) this.services.misfit(true);
    this.crossedSince = this.book.isCrossed ? (this.crossedSince ?? this.services.uptime()) : null;
    if (this.state === 'live') this.prints.mark();
    if (this.state === 'waiting') this.ready();
    else if (this.state === 'healing') this.heal();
    else if (change !== null) this.write([this.lines.book(change.kind, change, this.times)]);
    return true;
  }

  /** The book is complete. Requests the prints missing from the gap; the gap ends when they have arrived. */
  private ready(): void {
    this.enter('healing');
    if (this.gap !== null) this.gap.history = null;
    this.heal();
  }

  /** Requests the prints missing from the gap. The gap waits only a short time for the answer. */
  private askHistory(gap: OpenGap): void {
    const asked: OpenGap = { ...gap, history: 'asked' };
    const end = (history: HistoryKnown) => {
      if (this.state !== 'healing' || this.gap !== asked || asked.history !== 'asked') return;
      asked.history = history;
      this.heal();
    };
    this.gap = asked;
    this.prints.recover().then(end, () => end('none'));
    this.services.after(maxWaitMs, () => end('none'));
  }

  /** Writes the book to the tape, with the gap's prints before it, as soon as everything is ready. */
  private heal(): void {
    const { gap } = this;
    if (this.grid.unfit !== null || !this.streams.trades || this.book.isCrossed || this.lag.isLagging) return;
    const lines: TapeLine[] = this.recordedAt === null ? [this.lines.market()] : [];
    if (gap === null) this.prints.release('none');
    else {
      // More may have been lost since it was proved.
      if (gap.history === 'whole' && !this.prints.isWhole) gap.history = null;
      if (gap.history === null) this.askHistory(gap);
      if (gap.history === null || gap.history === 'asked') return;
      const released = this.prints.release(gap.history);
      if (released.unprovedSince !== null)
        lines.push(this.lines.gap(gap.reason, Math.min(gap.since, released.unprovedSince)));
      for (const print of released.prints) lines.push(this.lines.print(print, true));
      lines.push(this.lines.gapEnd(released));
      for (const print of released.since) lines.push(this.lines.print(print, false));
      // If writing fails now, these prints are lost.
      gap.history = released.prints.length === 0 ? gap.history : 'part';
    }
    lines.push(this.lines.book('book', this.book.full(), this.times));
    if (!this.write(lines)) return;
    this.prints.goLive(gap === null);
    this.gap = null;
    // The market no longer has to wait; the reason of a gap is reported until the next one.
    if (this.problem === noBook || this.problem === emptyBook) this.problem = null;
    this.enter('live');
    this.marks.begin();
  }

  /** The updates are complete, but the book isn't tradable yet: the market goes live again once it is. */
  private pause(reason: GapReason, history: HistoryKnown | null = 'whole'): void {
    this.beginGap(reason, history);
    this.enter('healing');
  }

  private beginGap(reason: GapReason, history: HistoryKnown | null): void {
    const since = this.recordedAt ?? this.services.now();
    this.counts.gaps += 1;
    this.gap = { since, reason, history };
    this.prints.enterGap();
    this.marks.lose();
    this.write([this.lines.gap(reason, since)]);
  }

  /** The book starts over. */
  private restart(reason: GapReason): void {
    // The loss of an update may also have lost prints.
    if (reason === 'sequence') this.prints.suspect();
    this.lose(reason, 'book');
    this.requests.again();
  }

  private join(book: RestBook): void {
    if (isEmptyBook(book)) this.problem = emptyBook;
    const messages = isEmptyBook(book) ? null : this.order.join({ ...book, receivedUs: this.services.receivedUs() });
    if (messages === null) this.requests.fetch();
    else messages.every((one) => this.apply(one));
  }

  private tickWaiting(now: Ms): void {
    if (!this.streams.books || now - this.since < maxWaitMs || this.requests.isFetching()) return;
    this.since = now;
    this.problem = noBook;
    this.requests.again();
  }

  private write(lines: readonly TapeLine[]): boolean {
    const time = this.services.write(lines);
    this.recordedAt = time ?? this.recordedAt;
    return time !== null;
  }

  private enter(state: MarketState): void {
    this.state = state;
    this.since = this.services.uptime();
  }
}

const emptyBook = 'the venue sent an empty book';
const noBook = 'no book has arrived';
