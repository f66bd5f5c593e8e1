import { sentIssue } from '../../wire/contract/errors.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import type { Named } from './asked.ts';
import { Lanes, Refusals, Shares } from './shares.ts';
import { unavailable } from './upstream.ts';

/** One bot may have so many requests under way at once, all bots together fewer than the gate has connections. */
const connections = 12;
const leastLanes = 2;
const mostWaiting = 256;

/** Lets requests of bots in, so that no bot takes what others, or the gate itself, need. */
export class Admission {
  readonly #shares: Shares;
  readonly #lanes: Lanes;
  readonly #refusals = new Refusals();
  /** Bots whose accounts are being flattened. */
  readonly #ending = new Set<string>();
  /** Steady time, ms. */
  readonly #now: () => number;

  /** `limit`: requests per minute at the service; undefined: none is known. */
  constructor(limit: number | undefined, bots: readonly string[], now: () => number) {
    this.#shares = new Shares(limit, bots);
    this.#lanes = new Lanes(Math.max(leastLanes, Math.floor(connections / Math.max(1, bots.length))), mostWaiting);
    this.#now = now;
  }

  /** Does a request of a bot, or of a reader without a key (''), as soon as one of its lanes is free. Throws a 429 or a 503. */
  async run<T>(bot: string, { operation }: Named, work: () => Promise<T>): Promise<T> {
    if (this.#ending.has(bot)) throw unavailable('The owner of this bot is ending everything in its accounts.', 2);
    const seconds = this.#shares.admit(bot, this.#now());
    if (seconds > 0) throw limited('This bot has used its share of the requests per minute.', seconds);
    // Ending everything is never in the way of anybody.
    const isFree = operation.method === 'GET' || operation.responses[202] !== undefined;
    const wait = isFree ? 0 : this.#refusals.wait(bot, this.#now());
    if (wait > 0) throw limited('Too many writes of this bot were refused.', wait);
    const done = await this.#lanes.run(bot, async () => ({ value: await work() }));
    if (done === undefined) throw limited('Too many requests of this bot wait.', 1);
    return done.value;
  }

  /** A rule has refused a write of a bot. */
  refused(bot: string): void {
    this.#refusals.refused(bot, this.#now());
  }

  /** The service has refused a request, because there were too many. */
  limited(): void {
    this.#shares.refused(this.#now());
  }

  /** Keeps bots out while something is done: whatever the service allows per minute is for that. */
  async without<T>(bots: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const bot of bots) this.#ending.add(bot);
    try {
      return await work();
    } finally {
      for (const bot of bots) this.#ending.delete(bot);
    }
  }

  /** Requests of a bot in the last minute, and its refused writes since the start. */
  figures(bot: string): { requests: number; refused: number } {
    return { requests: this.#shares.requests(bot, this.#now()), refused: this.#refusals.all(bot) };
  }
}

function limited(message: string, retryAfterSeconds: number): Failure {
  return new Failure('rate_limited', message, { retryAfterSeconds, details: [sentIssue('no')] });
}
