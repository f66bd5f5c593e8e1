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
