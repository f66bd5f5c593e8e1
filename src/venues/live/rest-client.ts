import { frontAnswer, retryAfterMs } from '../../base/sockets/front.ts';
import { titleOf } from '../../base/terms/venues.ts';
import { stretch } from '../../base/text/format.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { LineProblem, messageOf, quoted } from '../../exchange/markets/recorded/recording-error.ts';
import type { HttpAnswer, Network } from './network.ts';
import { type Ask, type RestRequest, urlOf, type Venue, VenueError } from './protocols/venue.ts';

/** Share of the venue's budget that perp uses: other clients may use the same IP address. */
const usedShare = 0.8;
/** How long to wait for a complete answer: for a short one, and for a long one such as a list of markets. */
const shortAnswerMs = 4_000;
/** How long a venue may take for an answer, ms. */
export const answerMs = 10_000;
const minuteMs = 60_000;
/** Pauses after a 429 and a 418 that do not specify one. */
const pauseMs = 10_000;
const banMs = 120_000;

interface Waiting {
  request: RestRequest;
  resolve: (answer: unknown) => void;
  reject: (error: VenueError) => void;
}

/**
 * Sends REST requests to a venue: one at a time, within its weight per minute, and none while the venue demands a pause
 * (429, or 418 for a banned address).
 */
export class RestClient {
  private readonly venue: Venue;
  private readonly base: string;
  private readonly network: Network;
  private readonly onTime: (venueMs: Ms, askedMsAgo: Ms) => void;
  private readonly timeoutMs: Ms | undefined;
  private readonly waiting: Waiting[] = [];
  private spent: { time: Ms; weight: number }[] = [];
  /** By the clock for durations. */
  private pausedUntil: Ms = Number.NEGATIVE_INFINITY;
  private isBusy = false;
  private isClosed = false;

  /**
   * `onTime` receives the venue's clock from each answer, to the second, and how long ago the request was sent.
   * `timeoutMs`: how long to wait for any answer.
   */
  constructor(
    venue: Venue,
    base: string,
    network: Network,
    onTime: (venue: Ms, askedMsAgo: Ms) => void,
    timeoutMs?: Ms,
  ) {
    this.venue = venue;
    this.base = base;
    this.network = network;
    this.onTime = onTime;
    this.timeoutMs = timeoutMs;
  }

  readonly ask: Ask = (request) =>
    new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject });
      if (this.isClosed) this.close();
      else this.proceed();
    });

  /** Weight spent in the last minute, and when requests are allowed again (0: now). */
  get usage(): { weight: number; weightPerMinute: number; pausedUntil: Ms } {
    const paused = this.pausedUntil - this.network.uptime();
    const pausedUntil = paused > 0 ? this.network.now() + paused : 0;
    return { weight: this.weight(), weightPerMinute: this.venue.rest.weightPerMinute, pausedUntil };
  }

  close(): void {
    this.isClosed = true;
    for (const { reject } of this.waiting.splice(0)) {
      reject(new VenueError(this.venue.name, null, 'the feed was closed'));
    }
  }

  private proceed(): void {
    const next = this.waiting[0];
    if (this.isBusy || next === undefined) return;
    this.isBusy = true;
    const wait = this.waitFor(next.request.weight ?? 1);
    if (wait > 0) {
      this.network.after(wait, () => this.free());
      return;
    }
    this.waiting.shift();
    void this.send(next).finally(() => this.free());
  }

  private free(): void {
    this.isBusy = false;
    if (!this.isClosed) this.proceed();
  }

  private async send({ request, resolve, reject }: Waiting): Promise<void> {
    const sentAt = this.network.uptime();
    this.spent.push({ time: sentAt, weight: request.weight ?? 1 });
    try {
      const answer = await this.network.fetch(urlOf(this.base, request.path), {
        body: request.body,
        timeoutMs: this.timeoutMs ?? (request.isLong === true ? answerMs : shortAnswerMs),
      });
      this.learn(answer, sentAt);
      resolve(this.read(answer));
    } catch (error) {
      const { name } = this.venue;
      const unanswered = () =>
        new VenueError(name, null, `${titleOf(name)} does not answer: ${messageOf(error)}`, { cause: error });
      reject(error instanceof VenueError ? error : unanswered());
    }
  }

  private read(answer: HttpAnswer): unknown {
    const { status, body } = answer;
    const headers = headersOf(answer);
    const front = frontAnswer(status, headers, titleOf(this.venue.name))?.says;
    if (status !== 200) {
      const wait = retryAfterMs(headers, this.network.now());
      const asks = wait === undefined ? '' : `; it asks to wait ${stretch(wait)}`;
      if (front !== undefined) throw new VenueError(this.venue.name, status, `${front}${asks}`);
      throw new VenueError(
        this.venue.name,
        status,
        `${titleOf(this.venue.name)} answers ${status}: ${quoted(body)}${asks}`,
      );
    }
    try {
      return JSON.parse(body);
    } catch (cause) {
      const why = front ?? `${titleOf(this.venue.name)} sent an answer that is not JSON`;
      throw new VenueError(this.venue.name, status, why, { cause });
    }
  }

  /** Reads an answer's headers: the time, the weight, and whether to wait. */
  private learn(answer: HttpAnswer, sentAt: Ms): void {
    const now = this.network.uptime();
    const date = Date.parse(answer.header('date') ?? '');
    // The header is truncated to seconds: on average it is half a second behind.
    if (Number.isFinite(date)) this.onTime(date + 500, now - sentAt);
    const { weightHeader } = this.venue.rest;
    const reported = weightHeader === undefined ? Number.NaN : Number(answer.header(weightHeader) ?? Number.NaN);
    // The venue counts per calendar minute, we count the last 60 s: use the larger one.
    const unseen = reported - this.weight();
    if (unseen > 0) this.spent.push({ time: now, weight: unseen });
    const asked = retryAfterMs(headersOf(answer), this.network.now()) ?? 0;
    const isLimit = answer.status === 429 || answer.status === 418;
    if (!isLimit && !(answer.status === 503 && asked > 0)) return;
    const wait = asked > 0 ? asked : answer.status === 418 ? banMs : pauseMs;
    this.pausedUntil = Math.max(this.pausedUntil, now + wait);
  }

  /** Time until this much weight may be spent. */
  private waitFor(weight: number): Ms {
    const now = this.network.uptime();
    const paused = this.pausedUntil - now;
    if (paused > 0) return paused;
    const budget = this.venue.rest.weightPerMinute * usedShare;
    if (this.weight() + weight <= budget || this.spent.length === 0) return 0;
    return Math.max(1, this.spent[0]!.time + minuteMs - now);
  }

  private weight(): number {
    const since = this.network.uptime() - minuteMs;
    this.spent = this.spent.filter(({ time }) => time > since);
    return this.spent.reduce((sum, { weight }) => sum + weight, 0);
  }
}

function headersOf({ header }: HttpAnswer): Record<string, string | undefined> {
  const names = ['content-type', 'date', 'retry-after', 'server'];
  return Object.fromEntries(names.map((name) => [name, header(name) ?? undefined]));
}

/** Turns an error from reading an answer into one that the caller understands. */
export function unreadable(venue: Venue, error: unknown): VenueError {
  if (error instanceof VenueError) return error;
  if (error instanceof LineProblem) {
    return new VenueError(venue.name, 200, `${titleOf(venue.name)} sent an invalid answer: ${error.message}`, {
      cause: error,
    });
  }
  throw error;
}
