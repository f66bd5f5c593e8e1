import { minuteMs } from '../../desk/mandate/mandate.ts';
import { sentIssue } from '../../wire/contract/errors.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import type { Named } from './asked.ts';
import { LastMinute } from './cache/bot.ts';
import { unavailable } from './upstream.ts';

/**
 * The maximum number of concurrent requests per bot, and of all bots together, which is below the number of the gate's
 * connections.
 */
const connections = 12;
const leastLanes = 2;
const mostWaiting = 256;
/**
 * The number of a bot's refused writes in a minute after which it has to wait: each of them is a record of the audit
 * log.
 */
const mostRefused = 300;

/** Admits requests of bots, so that no bot takes capacity that others, or the gate itself, need. */
export class Admission {
  readonly #shares: Shares;
  readonly #lanes: Lanes;
  /** When writes of each bot were refused in the last minute, and how many since the start. */
  readonly #refusedAt = new LastMinute();
  readonly #refused = new Map<string, number>();
  /** Bots whose accounts are being flattened. */
  readonly #ending = new Set<string>();
  /** Steady time, ms. */
  readonly #now: () => number;

  /** `limit`: requests per minute at the service; undefined if unknown. */
  constructor(limit: number | undefined, bots: readonly string[], now: () => number) {
    this.#shares = new Shares(limit, bots);
    this.#lanes = new Lanes(Math.max(leastLanes, Math.floor(connections / Math.max(1, bots.length))), mostWaiting);
    this.#now = now;
  }

  /**
   * Does a request of a bot, or of a reader without a key (''), once one of its lanes is free. Throws a 429 or a
   * 503.
   */
  async run<T>(bot: string, { operation }: Named, work: () => Promise<T>): Promise<T> {
    if (this.#ending.has(bot)) throw unavailable('The owner of this bot is flattening its accounts.', 2);
    const seconds = this.#shares.admit(bot, this.#now());
    if (seconds > 0) throw limited('This bot has used its share of the requests per minute.', seconds);
    // Refused writes never delay an action that ends everything.
    const isFree = operation.method === 'GET' || operation.responses[202] !== undefined;
    const refused = this.#refusedAt.of(bot, this.#now());
    if (!isFree && refused.length >= mostRefused)
      throw limited('Too many writes of this bot were refused.', secondsUntil(refused[0]! + minuteMs, this.#now()));
    return await this.#lanes.run(bot, work);
  }

  /** A rule has refused a write of a bot. */
  refused(bot: string): void {
    this.#refused.set(bot, (this.#refused.get(bot) ?? 0) + 1);
    this.#refusedAt.of(bot, this.#now()).push(this.#now());
  }

  /** The service has refused a request, because there were too many. */
  limited(): void {
    this.#shares.refused(this.#now());
  }

  /** Keeps bots out during an action: everything that the service allows per minute is for that. */
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
    return { requests: this.#shares.requests(bot, this.#now()), refused: this.#refused.get(bot) ?? 0 };
  }
}

function limited(message: string, retryAfterSeconds: number): Failure {
  return new Failure('rate_limited', message, { retryAfterSeconds, details: [sentIssue('no')] });
}

/** Whole seconds until a moment, at least one. */
function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1_000));
}

/** The gate's own part of the limit: settling, flattening, reading. */
const ownPart = 0.1;
/** A learned limit is raised a little after each quiet minute. */
const growth = 1.1;
const least = 10;

/**
 * Fair shares of the service's limit of requests per minute. A single user gets all of it, except half of the share of
 * each bot that may still come; when others come, each gets the unused rest of its share. The service's refusals report
 * a limit that is lower than the one given, or unknown.
 */
export class Shares {
  readonly #given: number | undefined;
  readonly #bots: readonly string[];
  #learned: number | undefined;
  #learnedAt = 0;
  /** When each bot's requests of the last minute went out, ms. */
  readonly #sent = new LastMinute();
  /** When each bot asked last. */
  readonly #asked = new Map<string, number>();

  /** `limit`: requests per minute; undefined if unknown. `bots`: those that may come at any time. */
  constructor(limit: number | undefined, bots: readonly string[] = []) {
    this.#given = limit;
    this.#bots = bots;
  }

  /** Counts a request of a bot at `now`, ms. Returns 0 if it may be sent now, otherwise the seconds until one may. */
  admit(bot: string, now: number): number {
    this.#asked.set(bot, now);
    const times = this.#sent.of(bot, now);
    const limit = this.#limit(now);
    if (limit !== undefined && !this.#mayGo(bot, times.length, limit, now)) {
      const oldest = Math.min(...this.#active(now).map((other) => this.#sent.of(other, now)[0] ?? now));
      const first = times.length > 0 ? Math.min(times[0]!, oldest) : oldest;
      return secondsUntil(first + minuteMs, now);
    }
    times.push(now);
    return 0;
  }

  /** The requests of a bot in the last minute. */
  requests(bot: string, now: number): number {
    return this.#sent.of(bot, now).length;
  }

  /** The service has refused a request: more than the last minute's requests is too much. */
  refused(now: number): void {
    const sent = this.#active(now).reduce((sum, bot) => sum + this.#sent.of(bot, now).length, 0);
    this.#learned = Math.max(least, sent);
    this.#learnedAt = now;
  }

  #mayGo(bot: string, used: number, limit: number, now: number): boolean {
    const active = this.#active(now);
    const share = limit / Math.max(active.length, this.#bots.length);
    let total = used;
    let reserved = 0;
    for (const other of active) {
      if (other === bot) continue;
      const its = this.#sent.of(other, now).length;
      total += its;
      reserved += Math.max(0, share - its);
    }
    // Latecomers find half of a share, no matter how much others have used.
    for (const absent of this.#bots)
      if (absent !== bot && !active.includes(absent)) reserved += limit / Math.max(1, this.#bots.length) / 2;
    if (total >= limit) return false;
    return used < share || total + reserved < limit;
  }

  #limit(now: number): number | undefined {
    if (this.#learned !== undefined && now - this.#learnedAt > minuteMs) {
      this.#learned *= growth;
      this.#learnedAt = now;
    }
    const limit = Math.min(this.#given ?? Number.POSITIVE_INFINITY, this.#learned ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(limit) ? limit * (1 - ownPart) : undefined;
  }

  #active(now: number): string[] {
    return [...this.#asked].filter(([, at]) => at > now - minuteMs).map(([bot]) => bot);
  }
}

/** The maximum number of one bot's concurrent requests, and of waiting ones. */
export class Lanes {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #lanes = new Map<string, { busy: number; waiting: (() => void)[] }>();

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Does work of a bot once one of its lanes is free. Throws a 429 if too much of it is waiting. */
  async run<T>(bot: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#lanes.get(bot) ?? { busy: 0, waiting: [] };
    this.#lanes.set(bot, lane);
    if (lane.busy >= this.#most) {
      if (lane.waiting.length >= this.#mostWaiting) throw limited('Too many requests of this bot are waiting.', 1);
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    } else lane.busy += 1;
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next === undefined) lane.busy -= 1;
      else next();
    }
  }
}
