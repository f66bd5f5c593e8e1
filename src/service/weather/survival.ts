import type { Ms } from '../../exchange/engine/model.ts';
import type { WeatherReport } from '../../wire/contract/simulation.ts';

/** The faults that a simulation's clients met, and their reactions. Counts. */
type SurvivalReport = Omit<WeatherReport, 'profile'>;

/** A request as the service sees it; `fingerprint` is the same for the same intention under any key. */
export interface SeenRequest {
  /** Who sent it. */
  client: string;
  operation: string;
  isWrite: boolean;
  key: string;
  fingerprint: string;
}

interface LostAnswer extends SeenRequest {
  fate: 'open' | 'repeated_with_key' | 'looked_up' | 'doubled';
}

/** The tolerance for requests already on their way and for clock differences, ms. */
const toleranceMs = 250;
/** Reads that show whether a write was done. */
const lookUps: ReadonlySet<string> = new Set([
  ...[
    'listOrders',
    'getOrder',
    'listFills',
    'listOpenPositions',
    'getPosition',
    'listActiveTwapOrders',
    'listScaledOrders',
  ],
]);

/** The two streams. */
export type StreamKind = 'market' | 'account';

/** Counts the faults that clients meet, and follows their reactions. */
export class Survival {
  readonly thrown: SurvivalReport['thrown'] = {
    rejections: 0,
    lost_answers: 0,
    rate_limits: 0,
    history_failures: 0,
    drains: 0,
    ends: 0,
    lingering: 0,
    partial_answers: 0,
  };
  #lost: LostAnswer[] = [];
  readonly #settled = { open: 0, repeated_with_key: 0, looked_up: 0, doubled: 0 };
  /** By client: the steady times between which it was asked not to return. */
  readonly #away = new Map<string, { from: Ms; to: Ms }>();
  #early = 0;
  #ordinary = 0;
  readonly #running = new Set<string>();
  readonly #connections: Record<StreamKind, number> = { market: 0, account: 0 };
  readonly #gapSince: Record<StreamKind, Ms | null> = { market: null, account: null };
  readonly #gaps: Ms[] = [];
  readonly #ended: string[] = [];
  #subscribedAgain = 0;
  #missed = 0;

  /** A request arrived; `nowMs` is any steady clock. */
  request(request: SeenRequest, nowMs: Ms): void {
    const { client, operation, isWrite, key, fingerprint } = request;
    const away = this.#away.get(client);
    if (away !== undefined && nowMs > away.from + toleranceMs && nowMs < away.to - toleranceMs) this.#early += 1;
    for (const lost of this.#lost) {
      if (lost.client !== client || lost.fate !== 'open') continue;
      if (!isWrite && lookUps.has(operation)) lost.fate = 'looked_up';
      else if (isWrite && operation === lost.operation && fingerprint === lost.fingerprint)
        lost.fate = key === lost.key ? 'repeated_with_key' : 'doubled';
    }
    const [open, settled] = [[] as LostAnswer[], this.#settled];
    for (const lost of this.#lost) {
      if (lost.fate === 'open') open.push(lost);
      else settled[lost.fate] += 1;
    }
    this.#lost = open;
  }

  /** A write was done, and its answer is lost. */
  lostAnswer(request: SeenRequest): void {
    this.thrown.lost_answers += 1;
    this.#lost.push({ ...request, fate: 'open' });
  }

  /** The service's own rate limit answered a request with 429. */
  ordinarilyLimited(): void {
    this.#ordinary += 1;
  }

  limited(client: string, retryAfterMs: Ms, nowMs: Ms): void {
    this.thrown.rate_limits += 1;
    this.#away.set(client, { from: nowMs, to: nowMs + retryAfterMs });
  }

  /** A bulk operation was answered, completely or not. */
  bulk(id: string, isComplete: boolean): void {
    if (isComplete) this.#running.delete(id);
    else {
      this.thrown.partial_answers += 1;
      this.#running.add(id);
    }
  }

  opened(kind: StreamKind, nowMs: Ms): void {
    this.#connections[kind] += 1;
    const since = this.#gapSince[kind];
    if (since !== null) this.#gaps.push(nowMs - since);
    this.#gapSince[kind] = null;
  }

  closed(kind: StreamKind, nowMs: Ms, byWeather: boolean): void {
    this.#connections[kind] -= 1;
    if (byWeather && this.#connections[kind] === 0) this.#gapSince[kind] = nowMs;
  }

  endedSubscription(channel: string): void {
    this.thrown.ends += 1;
    this.#ended.push(channel);
  }

  subscribed(channel: string): void {
    const at = this.#ended.indexOf(channel);
    if (at < 0) return;
    this.#ended.splice(at, 1);
    this.#subscribedAgain += 1;
  }

  missedAccountEvents(count: number): void {
    this.#missed += count;
  }

  report(): SurvivalReport {
    const { open: _, ...writes } = this.#settled;
    return {
      thrown: { ...this.thrown },
      writes: { ...writes, lost: this.#lost.length },
      rate_limits_ignored: this.#early,
      ordinary_rate_limits: this.#ordinary,
      bulk_unfinished: this.#running.size,
      streams: {
        gaps: this.#gaps.length,
        longest_gap_ms: Math.round(Math.max(0, ...this.#gaps)),
        not_reconnected: Object.values(this.#gapSince).filter((since) => since !== null).length,
        subscribed_again: this.#subscribedAgain,
        not_subscribed_again: this.#ended.length,
        account_events_missed: this.#missed,
      },
    };
  }
}
