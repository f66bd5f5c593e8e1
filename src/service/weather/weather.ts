import type { Ms } from '../../exchange/engine/model.ts';
import { draw } from '../../exchange/engine/random.ts';
import { type BarInterval, barStart, nextBarStart } from '../../exchange/markets/bars.ts';
import type { Position as WirePosition } from '../../wire/contract/positions.ts';
import type { WeatherProfile } from './profile.ts';
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
 * How a service behaves to its clients, as a pure function of seed, market time and what is asked for: who asks first,
 * or how often, changes nothing (simulation 6.4).
 */
export class Weather {
  readonly profile: WeatherProfile;
  /** The faults that clients met, and their reactions. */
  readonly survival = new Survival();
  /** Positions of an account as they were listed last. */
  readonly #listed = new Map<string, readonly WirePosition[]>();

  constructor(profile: WeatherProfile) {
    this.profile = profile;
  }

  /** How long a spell lasts from `time` on, ms; 0: there is none. */
  remaining(spell: Spell, scope: string, time: Ms): Ms {
    const length = spellMs[spell];
    const window = Math.floor(time / length);
    return this.#draw(spell, `${scope} ${window}`) < this.profile[spell] ? (window + 1) * length - time : 0;
  }

  /** Whether there is a spell at a time. */
  isOver(spell: Spell, scope: string, time: Ms): boolean {
    return this.remaining(spell, scope, time) > 0;
  }

  /** When streams are drained in (from, to]; null: they are not. */
  drainIn(from: Ms, to: Ms): Ms | null {
    return this.#momentIn('draining', this.profile.draining_minutes, from, to);
  }

  /** The channel whose subscriptions end in (from, to]; null: none. */
  endIn(from: Ms, to: Ms): (typeof endedChannels)[number] | null {
    const at = this.#momentIn('end', this.profile.end_minutes, from, to);
    return at === null ? null : endedChannels[Math.floor(this.#draw('channel', String(at)) * endedChannels.length)]!;
  }

  /** Where the history of an interval begins at a provider; 0: it has no bound. */
  historyFrom(provider: string, interval: BarInterval, now: Ms): Ms {
    const bars = retainedBars[provider];
    if (this.profile.short_history === 0 || bars === undefined) return 0;
    const start = barStart(interval, now);
    return start - bars * (nextBarStart(interval, start) - start);
  }

  /**
   * Open positions as listed: those that were closed a moment ago are still among them, as they were listed last.
   * `closedAt` is 0 for one that is not known.
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

  /** A market's funding rate, each hour another one, and its open interest, USD. */
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
