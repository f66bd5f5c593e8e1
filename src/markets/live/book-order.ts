import type { Ms } from '../../engine/model.ts';
import { UpdateChain } from '../import/update-chain.ts';
import type { BookMessage } from './venue.ts';

/** Updates kept while a full book is on its way: minutes of the busiest stream. */
const mostWaiting = 5_000;

/**
 * Puts a market's book messages in the order in which they make its book: by the venue's sequence, or by time where it has
 * none; each once; none where something before it is missing.
 */
export class BookOrder {
  /** Messages left out because the book had them already. */
  duplicates = 0;
  /** Since when updates are held that are ahead of the book; null: none are. */
  aheadSince: Ms | null = null;
  private readonly keepsUpdates: boolean;
  private readonly chain = new UpdateChain();
  private isJoined = false;
  private lastTime: Ms = 0;
  /** Updates that came while a full book was on its way. */
  private waiting: BookMessage[] = [];
  /** While connections overlap: updates that the newer one brings before the older one has brought what lies between. */
  private ahead: BookMessage[] = [];

  /** `keepsUpdates`: full books come by another way than updates, so those that come meanwhile may follow on them. */
  constructor(keepsUpdates: boolean) {
    this.keepsUpdates = keepsUpdates;
  }

  /** Whether there are updates that wait for a full book. */
  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  /** The book begins anew. */
  begin(updates: BookMessage[] = []): void {
    this.chain.last = null;
    this.isJoined = false;
    this.waiting = this.keepsUpdates ? updates : [];
    this.ahead = [];
    this.aheadSince = null;
  }

  /** The book begins anew, because what would lead to the updates held does not come. */
  giveUpAhead(): void {
    this.begin(this.ahead);
  }

  /**
   * Takes a message of the stream: the messages to apply now, in order; null when one is missing, and the book begins anew.
   * While connections overlap, messages come twice and out of turn.
   */
  take(message: BookMessage, now: Ms, isOverlapping: boolean): BookMessage[] | null {
    if (message.isFull) return this.takeFull(message, isOverlapping);
    if (!this.isJoined) {
      this.keep(message);
      return [];
    }
    const { first, last, previous } = message.ids!;
    const step = this.chain.judge(first, last, previous);
    if (step === 'apply') {
      this.chain.step(message.ids!);
      return [message, ...this.takeAhead()];
    }
    if (step === 'stale') this.duplicates += 1;
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
   * Joins the updates that came meanwhile to a full book from elsewhere: the messages to apply, in order; null when the
   * book is older than all of them, or one is missing between them.
   */
  join(book: BookMessage): BookMessage[] | null {
    this.chain.restart(book.ids!.last);
    const messages = [book];
    for (const [at, message] of this.waiting.entries()) {
      const step = this.chain.step(message.ids!);
      if (step === 'apply') messages.push(message);
      if (step !== 'gap') continue;
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

  /** What was ahead of the book and follows on it now. */
  private takeAhead(): BookMessage[] {
    const messages: BookMessage[] = [];
    for (let at = 0; at < this.ahead.length; ) {
      const { first, last, previous } = this.ahead[at]!.ids!;
      const step = this.chain.judge(first, last, previous);
      if (step === 'gap') at += 1;
      else {
        const [message] = this.ahead.splice(at, 1);
        if (step === 'apply') {
          this.chain.step(message!.ids!);
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
    if (this.waiting.length > mostWaiting) this.waiting.splice(0, mostWaiting / 2);
  }
}
