import { Backoff } from '../../base/sockets/persistent-link.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import type { FeedServices } from './feed-services.ts';
import type { BookMessage } from './protocols/venue.ts';

/** Delays between requests for a book, from one request to the next. */
const askAgainMs = 500;
const maxAskAgainMs = 4_000;

/** The outcome of a request for a book. */
interface Answers {
  /** Whether the market still waits for one. */
  isNeeded(): boolean;
  fetched(book: BookMessage): void;
  failed(problem: string): void;
}

/** Requests the book of a market that waits for one, no sooner than a delay that grows until the market recovers. */
export class BookRequests {
  /** Whether a book is being fetched over REST, or is about to be. */
  isFetching = false;
  private readonly services: FeedServices;
  private readonly needsRestBook: boolean;
  private readonly answers: Answers;
  private readonly retries: Backoff;
  private askedAt: Ms = Number.NEGATIVE_INFINITY;

  constructor(services: FeedServices, needsRestBook: boolean, answers: Answers) {
    this.services = services;
    this.needsRestBook = needsRestBook;
    this.answers = answers;
    this.retries = new Backoff(askAgainMs, maxAskAgainMs, () => services.random());
  }

  /** Requests the book where the venue gives it: over REST, or at the start of its stream. */
  again(): void {
    if (this.needsRestBook) this.fetch();
    else this.later((isNeeded) => isNeeded && this.services.resubscribe('books'));
  }

  /** Fetches a whole book over REST until one is there or none is needed: one request at a time. */
  fetch(): void {
    if (this.isFetching) return;
    this.isFetching = true;
    const end = (act: () => void) => {
      this.isFetching = false;
      if (this.answers.isNeeded()) act();
    };
    this.later((isNeeded) => {
      if (!isNeeded) return end(() => {});
      this.services.askBook!(false).then(
        (book) => end(() => this.answers.fetched(book)),
        (error) => {
          this.answers.failed(messageOf(error));
          end(() => this.fetch());
        },
      );
    });
  }

  /** The market has recovered: the delays are short again. */
  succeeded(): void {
    this.retries.reset();
  }

  private later(request: (isNeeded: boolean) => void): void {
    const run = () => {
      const isNeeded = this.answers.isNeeded();
      if (isNeeded) this.askedAt = this.services.uptime();
      request(isNeeded);
    };
    const wait = this.askedAt + this.retries.next() - this.services.uptime();
    if (wait <= 0) run();
    else this.services.after(wait, run);
  }
}
