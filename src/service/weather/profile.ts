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

/** The profile that an object describes; what it omits is as usual. A text says what is wrong with it. */
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
