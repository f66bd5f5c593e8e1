import { Backoff } from '../../base/sockets/persistent-link.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { LineProblem, messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import type { LiveBook } from '../tape/live-book.ts';
import type { FeedServices } from './feed-services.ts';
import type { RestBook } from './protocols/venue.ts';

/** Delays between requests for a book, from one request to the next. */
const askAgainMs = 500;
const maxAskAgainMs = 4_000;

/** The outcome of a request for a book. */
interface Answers {
  /** Whether the market still waits for one. */
  isNeeded(): boolean;
  fetched(book: RestBook): void;
  failed(problem: string): void;
}

/**
 * Requests the book of a market that waits for one, no sooner than a delay that grows until the market has recovered.
 * `fromRest`: where the venue gives it, over REST, or at the start of its stream.
 */
export function bookRequests(services: FeedServices, fromRest: boolean, { isNeeded, fetched, failed }: Answers) {
  const retries = new Backoff(askAgainMs, maxAskAgainMs, () => services.random());
  let askedAt: Ms = Number.NEGATIVE_INFINITY;
  let isFetching = false;
  const later = (request: (isNeeded: boolean) => void) => {
    const run = () => {
      const isWanted = isNeeded();
      if (isWanted) askedAt = services.uptime();
      request(isWanted);
    };
    const wait = askedAt + retries.next() - services.uptime();
    if (wait <= 0) run();
    else services.after(wait, run);
  };
  /** Fetches a whole book over REST until one is there or none is needed: one request at a time. */
  const fetch = () => {
    if (isFetching) return;
    isFetching = true;
    const end = (act: () => void) => {
      isFetching = false;
      if (isNeeded()) act();
    };
    later((isWanted) => {
      if (!isWanted) return end(() => {});
      services.askBook!(false).then(
        (book) => end(() => fetched(book)),
        (error) => {
          failed(messageOf(error));
          end(fetch);
        },
      );
    });
  };
  return {
    fetch,
    /** The stream has begun: a book that comes over REST may be joined to it now. */
    begin: fromRest ? fetch : () => {},
    /** Whether a book is being fetched over REST, or is about to be. */
    isFetching: () => isFetching,
    again: fromRest ? fetch : () => later((isWanted) => isWanted && services.resubscribe('books')),
    /** The market has recovered: the delays are short again. */
    succeeded: () => retries.reset(),
  };
}

/** A book that has not changed for this long is compared with the venue's. */
const quietMs = 5_000;
/** How long the stream has to deliver a detected difference. */
const catchUpMs = 2_000;
/** Without proof that the market is calm, silence of this length is a gap. */
const silentMs = 20_000;

/**
 * Distinguishes a calm market from a stream that has stopped ("deaf"). When a book does not change, its best levels are
 * compared with the venue's from REST. If they are equal, the market is calm and its book is current. If they differ
 * and the stream delivers nothing within two seconds, it is deaf. Where the venue can't be asked, twenty seconds of
 * silence are a gap.
 */
export function silenceWatch(services: FeedServices) {
  let calmAt: Ms = Number.NEGATIVE_INFINITY;
  let askAgainAt: Ms = Number.NEGATIVE_INFINITY;
  /** The comparison in progress; a message from the stream ends it. */
  let question: object | null = null;
  let verdict: 'calm' | 'deaf' | null = null;
  const compare = (book: LiveBook) => {
    const own = {};
    question = own;
    askAgainAt = services.uptime() + quietMs;
    services.askBook?.(true).then(
      (top) => {
        if (question !== own) return;
        if (isSame(book, top)) {
          calmAt = services.uptime();
          verdict = 'calm';
          return;
        }
        services.after(catchUpMs, () => {
          if (question === own) verdict = 'deaf';
        });
      },
      // A venue that does not answer proves nothing.
      () => {},
    );
  };
  return {
    /** Call every second: judges the silence since `heardAt`. Returns `calm` once for each proof, null for nothing yet. */
    judge(book: LiveBook, heardAt: Ms): 'calm' | 'deaf' | null {
      const found = verdict;
      verdict = null;
      if (found !== null) return found;
      const now = services.uptime();
      const unverifiedMs = now - Math.max(heardAt, calmAt);
      if (unverifiedMs >= quietMs && now >= askAgainAt) compare(book);
      return unverifiedMs >= silentMs ? 'deaf' : null;
    },
    /** A message came from the stream. */
    heard() {
      question = null;
      verdict = null;
    },
  };
}

function isSame(book: LiveBook, top: RestBook): boolean {
  try {
    return book.startsWith(top);
  } catch (error) {
    if (error instanceof LineProblem) return false;
    throw error;
  }
}
