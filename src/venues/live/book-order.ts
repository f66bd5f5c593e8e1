import type { Ms } from '../../exchange/engine/model.ts';
import type { BookMessage, RestBook, UpdateIds } from './protocols/venue.ts';

/** Maximum number of updates kept while a full book is on its way: minutes of the busiest stream. */
const maxWaiting = 5_000;

/**
 * Puts a market's book messages in the order in which they apply: by the venue's sequence, or by time if it has none.
 * Passes each message on once, and none that follows a missing one.
 */
export class BookOrder {
  /** Messages skipped because the book already included them. */
  duplicates = 0;
  /** Since when updates ahead of the book are being held; null if none are. */
  aheadSince: Ms | null = null;
  private readonly keepsUpdates: boolean;
  private readonly chain = new UpdateChain();
  private isJoined = false;
  private lastTime: Ms = 0;
  /** Updates that arrived while a full book was on its way. */
  private waiting: BookMessage[] = [];
  /** While connections overlap: updates from the newer connection that the older one has not reached yet. */
  private ahead: BookMessage[] = [];

  /**
   * `keepsUpdates`: full books and updates come separately, so updates that arrive while a full book is on its way may
   * apply to it.
   */
  constructor(keepsUpdates: boolean) {
    this.keepsUpdates = keepsUpdates;
  }

  /** Whether updates are waiting for a full book. */
  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** Starts over: the book is unknown until the next full one. */
  begin(updates: BookMessage[] = []): void {
    this.chain.last = null;
    this.isJoined = false;
    this.waiting = this.keepsUpdates ? updates : [];
    this.ahead = [];
    this.aheadSince = null;
  }

  /** Starts over because the updates before the held ones did not arrive. */
  giveUpAhead(): void {
    this.begin(this.ahead);
  }

  /**
   * Takes a message from the stream. Returns the messages to apply now, in order; or null if one is missing, and the
   * book starts over. While connections overlap, messages arrive twice and out of order.
   */
  take(message: BookMessage, now: Ms, isOverlapping: boolean): BookMessage[] | null {
    if (message.isFull) return this.takeFull(message, isOverlapping);
    if (!this.isJoined) {
      this.keep(message);
      return [];
    }
    const verdict = this.chain.judge(message.ids!);
    if (verdict === 'apply') {
      this.chain.follow(message.ids!);
      return [message, ...this.takeAhead()];
    }
    if (verdict === 'stale') this.duplicates += 1;
    else if (isOverlapping) {
      this.aheadSince ??= now;
      this.ahead.push(message);
    } else {
      this.begin([message]);
      return null;
    }
    return [];
  }

  /**
   * Joins the updates that arrived in the meantime to a full book from REST. Returns the messages to apply, in order;
   * null if the book is older than all of them, or if one is missing in between.
   */
  join(book: RestBook & Pick<BookMessage, 'receivedUs'>): BookMessage[] | null {
    this.chain.restart(book.ids!.last);
    const messages: BookMessage[] = [{ kind: 'book', topic: '', isFull: true, ...book }];
    for (const [at, message] of this.waiting.entries()) {
      const verdict = this.chain.follow(message.ids!);
      if (verdict === 'apply') messages.push(message);
      if (verdict !== 'gap') continue;
      this.begin(this.waiting.slice(at));
      return null;
    }
    this.isJoined = true;
    this.waiting = [];
    return messages;
  }

  private takeFull(message: BookMessage, isOverlapping: boolean): BookMessage[] {
    const { ids, time } = message;
    const isOlder = ids === null ? time < this.lastTime : isOverlapping && ids.last <= (this.chain.last ?? -1);
    if (this.isJoined && isOlder) {
      this.duplicates += 1;
      return [];
    }
    if (ids !== null) this.chain.restart(ids.last);
    this.lastTime = time;
    this.isJoined = true;
    return [message, ...this.takeAhead()];
  }

  /** Held updates that now follow on the book. */
  private takeAhead(): BookMessage[] {
    const messages: BookMessage[] = [];
    for (let at = 0; at < this.ahead.length; ) {
      const verdict = this.chain.judge(this.ahead[at]!.ids!);
      if (verdict === 'gap') at += 1;
      else {
        const [message] = this.ahead.splice(at, 1);
        if (verdict === 'apply') {
          this.chain.follow(message!.ids!);
          messages.push(message!);
        }
        at = 0;
      }
    }
    if (this.ahead.length === 0) this.aheadSince = null;
    return messages;
  }

  private keep(message: BookMessage): void {
    if (!this.keepsUpdates) return;
    this.waiting.push(message);
    if (this.waiting.length > maxWaiting) this.waiting.splice(0, maxWaiting / 2);
  }
}

/**
 * How to treat an update: `apply` it; ignore it because the book already includes it (`stale`); or stop because an
 * update before it is missing (`gap`). After a gap, nothing applies until the next full book.
 */
type Verdict = 'apply' | 'stale' | 'gap';

/**
 * Joins a market's updates to its full book by the rule that all sequenced venues share: each update names its
 * predecessor. The first update after a full book may overlap it, as with Binance: it then covers the book's id.
 *
 * Binance USD-M gives U, u and pu; Bybit counts u up by one; Lighter gives begin_nonce and nonce.
 */
export class UpdateChain {
  /** Id of the full book or of the last update applied; null if there is no book to continue from. */
  last: number | null = null;
  /** Whether no update has been applied since the full book. */
  private joining = false;

  /** A full book with this id replaces everything. */
  restart(id: number): void {
    this.last = id;
    this.joining = true;
  }

  /** Judges an update and advances the chain. Only `apply` and `gap` change it. */
  follow(ids: UpdateIds): Verdict {
    const verdict = this.judge(ids);
    if (verdict === 'apply') {
      this.last = ids.last;
      this.joining = false;
    } else if (verdict === 'gap') this.last = null;
    return verdict;
  }

  /** Judges an update without advancing the chain. */
  judge({ first, last, previous }: UpdateIds): Verdict {
    if (this.last === null) return 'gap';
    if (previous === this.last) return 'apply';
    if (this.joining && first <= this.last && this.last <= last) return 'apply';
    return last <= this.last ? 'stale' : 'gap';
  }
}
