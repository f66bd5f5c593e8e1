/** Perpetuals trade all day, every day. */
const yearMs = 365 * 86_400_000;

/** Euler's constant. */
const gamma = 0.5772156649015329;

/** The number of periods of this length in a year of 24 hours and 365 days. */
export function periodsPerYear(periodMs: number): number {
  return yearMs / periodMs;
}

/** The shape of a series of returns. */
type Moments = ReturnType<typeof momentsOf>;

/** Moments of returns; skew and kurtosis are those of the population (scipy's `bias=True`), NaN if nothing varies. */
export function momentsOf(returns: ArrayLike<number>) {
  const count = returns.length;
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += returns[i]!;
  const mean = sum / count;
  let [second, third, fourth] = [0, 0, 0];
  for (let i = 0; i < count; i += 1) {
    const off = returns[i]! - mean;
    second += off * off;
    third += off * off * off;
    fourth += off * off * off * off;
  }
  const spread = Math.sqrt(second / count);
  // Equal returns differ from their mean by rounding alone.
  const varies = spread > Math.abs(mean) * 1e-12;
  return {
    count,
    mean,
    /** Of a sample: divided by one less than the count. */
    deviation: varies && count > 1 ? Math.sqrt(second / (count - 1)) : 0,
    /** 0 for a normal distribution. */
    skew: varies ? third / count / spread ** 3 : Number.NaN,
    /** 3 for a normal distribution. */
    kurtosis: varies ? fourth / count / spread ** 4 : Number.NaN,
  };
}

/** Mean over deviation, for one period; null if the returns don't vary: it is undefined then. */
export function sharpeOf({ count, mean, deviation }: Moments): number | null {
  return count < 2 || deviation === 0 ? null : mean / deviation;
}

/** An estimate of a Sharpe ratio, for one period, and what its error depends on. */
export type Estimate = { readonly sharpe: number } & Pick<Moments, 'count' | 'skew' | 'kurtosis'>;

/** The standard error of a Sharpe ratio whose returns are skewed and have fat tails (Mertens 2002). */
export function sharpeErrorOf({ sharpe, count, skew, kurtosis }: Estimate): number {
  const variance = 1 - skew * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  return Math.sqrt(Math.max(variance, Number.EPSILON) / (count - 1));
}

/**
 * The Probabilistic Sharpe Ratio: the probability that the true Sharpe ratio is above `benchmark` (both for one
 * period). Bailey and Lopez de Prado, "The Sharpe Ratio Efficient Frontier", Journal of Risk 15 (2), 2012.
 */
export function probabilisticSharpe(estimate: Estimate, benchmark: number): number {
  return normalBelow((estimate.sharpe - benchmark) / sharpeErrorOf(estimate));
}

/**
 * The Sharpe ratio that the best of `trials` independent ones has by luck, if their ratios vary by `variance` about 0.
 */
export function expectedBest(trials: number, variance: number): number {
  if (trials < 2) return 0;
  const first = normalQuantile(1 - 1 / trials);
  const second = normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * ((1 - gamma) * first + gamma * second);
}

/**
 * The Deflated Sharpe Ratio: the probability that the best of all trials has a true Sharpe ratio above what luck gives
 * the best of that many. Bailey and Lopez de Prado, "The Deflated Sharpe Ratio", Journal of Portfolio Management 40
 * (5), 2014.
 */
export function deflatedSharpe(best: Estimate, trials: number, variance: number): number {
  return probabilisticSharpe(best, expectedBest(trials, variance));
}

const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** From here on, the tail is a continued fraction: nearer to 0, the series needs fewer terms and is exact. */
const tailFrom = 5;

/** The probability that a standard normal variate is below `z`, to 15 digits. */
export function normalBelow(z: number): number {
  if (Number.isNaN(z)) return Number.NaN;
  if (z < -tailFrom) return tail(-z);
  if (z > tailFrom) return 1 - tail(z);
  // 1/2 + density(z) (z + z^3/3 + z^5/(3 5) + ...)
  let [term, sum] = [z, z];
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return 0.5 + sum * density(z);
}

/** The probability above a z of at least 5: density(z) / (z + 1/(z + 2/(z + 3/...))). */
function tail(z: number): number {
  let rest = z;
  for (let level = 60; level >= 1; level -= 1) rest = z + level / rest;
  return density(z) / rest;
}

/** The z below which a standard normal variate is with probability `share`; infinite at 0 and 1. */
export function normalQuantile(share: number): number {
  if (!(share >= 0 && share <= 1)) return Number.NaN;
  if (share === 0) return Number.NEGATIVE_INFINITY;
  if (share === 1) return Number.POSITIVE_INFINITY;
  if (share > 0.5) return -normalQuantile(1 - share);
  // A rational approximation (Abramowitz and Stegun 26.2.23, off by up to 0.0005), made exact by Halley's method.
  const t = Math.sqrt(-2 * Math.log(share));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  let z = above / below - t;
  for (let round = 0; round < 3; round += 1) {
    const step = (normalBelow(z) - share) / density(z);
    z -= step / (1 + (z * step) / 2);
  }
  return z;
}
