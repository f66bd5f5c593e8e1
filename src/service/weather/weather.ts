import type { Ms } from '../../exchange/engine/model.ts';
import { draw } from '../../exchange/engine/random.ts';
import { type BarInterval, barStart, nextBarStart } from '../../exchange/markets/bars.ts';
import type { Position as WirePosition } from '../../wire/contract/positions.ts';
import { Survival } from './survival.ts';

/** Weather that comes in spells: for a whole window of market time, to a whole operation or market. */
type Spell = 'rejections' | 'lost_answers' | 'rate_limits' | 'history_failures';

/** How long a spell lasts, ms. */
const spellMs: Readonly<Record<Spell, Ms>> = {
  rejections: 2_000,
  lost_answers: 5_000,
  rate_limits: 8_000,
  history_failures: 3_000,
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How many bars of each interval a provider keeps. */
const retainedBars: Readonly<Record<string, number>> = { hyperliquid: 5_000 };

/** The channels of the market stream whose subscriptions can end. */
const endedChannels = ['ticks', 'trades', 'candles', 'books', 'marketStats'] as const;

/**
 * A service's behavior toward its clients, as a pure function of seed, market time and the request: it doesn't depend
 * on who asks first, or how often (simulation 6.4).
 */
export class Weather {
  readonly profile: WeatherProfile;
  /** The faults that clients met, and their reactions. */
  readonly survival = new Survival();
  /** Positions of an account as last listed. */
  readonly #listed = new Map<string, readonly WirePosition[]>();

  constructor(profile: WeatherProfile) {
    this.profile = profile;
  }

  /** The rest of a spell at `time`, ms; 0 if there is none. */
  remaining(spell: Spell, scope: string, time: Ms): Ms {
    const length = spellMs[spell];
    const window = Math.floor(time / length);
    return this.#draw(spell, `${scope} ${window}`) < this.profile[spell] ? (window + 1) * length - time : 0;
  }

  /** Whether there is a spell at a time. */
  isOver(spell: Spell, scope: string, time: Ms): boolean {
    return this.remaining(spell, scope, time) > 0;
  }

  /** When streams are drained in (from, to]; null if they aren't. */
  drainIn(from: Ms, to: Ms): Ms | null {
    return this.#momentIn('draining', this.profile.draining_minutes, from, to);
  }

  /** The channel whose subscriptions end in (from, to]; null: none. */
  endIn(from: Ms, to: Ms): (typeof endedChannels)[number] | null {
    const at = this.#momentIn('end', this.profile.end_minutes, from, to);
    return at === null ? null : endedChannels[Math.floor(this.#draw('channel', String(at)) * endedChannels.length)]!;
  }

  /** The start of an interval's history at a provider; 0 if it is unlimited. */
  historyFrom(provider: string, interval: BarInterval, now: Ms): Ms {
    const bars = retainedBars[provider];
    if (this.profile.short_history === 0 || bars === undefined) return 0;
    const start = barStart(interval, now);
    return start - bars * (nextBarStart(interval, start) - start);
  }

  /**
   * Open positions as listed: those closed a moment ago are still among them, as last listed. `closedAt` is 0 for one
   * that is not known.
   */
  lingering(
    accountId: string,
    open: readonly WirePosition[],
    closedAt: (id: string) => Ms,
    now: Ms,
  ): readonly WirePosition[] {
    const ids = new Set(open.map(({ id }) => id));
    const since = now - this.profile.linger_seconds * 1_000;
    const gone = (this.#listed.get(accountId) ?? []).filter(({ id }) => !ids.has(id) && closedAt(id) > since);
    this.survival.thrown.lingering += gone.length;
    const listed = [...open, ...gone];
    this.#listed.set(accountId, listed);
    return listed;
  }

  /** A market's funding rate, which changes each hour, and its open interest, USD. */
  stats(marketId: string, now: Ms): { fundingRate: number; fundingHours: number; openInterestUsd: number } {
    const hour = Math.floor(now / hourMs);
    const rate = (this.#draw('funding', `${marketId} ${hour}`) - 0.4) * 4e-4;
    const size = 10 ** (7 + 2.5 * this.#draw('interest', marketId));
    const part = (now - hour * hourMs) / hourMs;
    const swing = (at: number) => 0.9 + 0.2 * this.#draw('swing', `${marketId} ${at}`);
    const interest = size * (swing(hour) * (1 - part) + swing(hour + 1) * part);
    return { fundingRate: Math.round(rate * 1e8) / 1e8, fundingHours: 8, openInterestUsd: Math.round(interest) };
  }

  /** One moment in each period, at a drawn place. The last one in (from, to]. */
  #momentIn(kind: string, minutes: number, from: Ms, to: Ms): Ms | null {
    if (minutes === 0) return null;
    const period = minutes * minuteMs;
    for (let index = Math.floor(to / period); (index + 1) * period > from; index -= 1) {
      const at = Math.floor((index + this.#draw(kind, String(index))) * period);
      if (at > from && at <= to) return at;
    }
    return null;
  }

  #draw(purpose: string, id: string): number {
    return draw(this.profile.seed, purpose, id);
  }
}

/** The components of a simulation's weather. It is stored in the state. */
export interface WeatherProfile {
  seed: number;
  /** Share of the time in which new exposure is accepted and then rejected. */
  rejections: number;
  /** Share of the time in which a write is done and its answer lost (502). */
  lost_answers: number;
  /** Share of the time in which requests are 429. */
  rate_limits: number;
  /** Share of the time in which a market's history can't be read. */
  history_failures: number;
  /** Every so many minutes, streams are asked to reconnect and then closed; 0: never. */
  draining_minutes: number;
  /** Every so many minutes, the subscriptions of a channel end; 0: never. */
  end_minutes: number;
  /** How long a closed position stays in the list of open ones, seconds. */
  linger_seconds: number;
  /** How many targets of a bulk operation one call does; 0: as many as usual. */
  bulk_step: number;
  /** 1: history is bounded as the providers bound it; 0: it is not. */
  short_history: number;
  /** 1: funding and open interest move; 0: they are as the market has them. */
  moving_stats: number;
}

/** The weather of a seed. */
export const usualWeather: Omit<WeatherProfile, 'seed'> = {
  rejections: 0.05,
  lost_answers: 0.05,
  rate_limits: 0.02,
  history_failures: 0.1,
  draining_minutes: 12,
  end_minutes: 5,
  linger_seconds: 3,
  bulk_step: 3,
  short_history: 1,
  moving_stats: 1,
};

const shares: ReadonlySet<string> = new Set(['rejections', 'lost_answers', 'rate_limits', 'history_failures']);
const most: Readonly<Record<string, number>> = {
  seed: 2 ** 32 - 1,
  draining_minutes: 1440,
  end_minutes: 1440,
  linger_seconds: 60,
  bulk_step: 50,
  short_history: 1,
  moving_stats: 1,
};

/** The profile that an object describes, with defaults for omitted fields. A text gives its fault. */
export function weatherOf(given: Readonly<Record<string, unknown>>): WeatherProfile | string {
  for (const [name, value] of Object.entries(given)) {
    if (name !== 'seed' && !Object.hasOwn(usualWeather, name))
      return `${name} is not known; known: seed, ${Object.keys(usualWeather).join(', ')}`;
    const maximum = shares.has(name) ? 0.9 : most[name]!;
    const isNumber = typeof value === 'number' && value >= 0 && value <= maximum;
    const takesFractions = shares.has(name) || name.endsWith('minutes') || name.endsWith('seconds');
    if (!isNumber || !(takesFractions || Number.isInteger(value)))
      return `${name} must be a ${takesFractions ? '' : 'whole '}number from 0 to ${maximum}`;
  }
  if (given.seed === undefined) return 'seed is missing';
  return { ...usualWeather, ...(given as unknown as WeatherProfile) };
}
