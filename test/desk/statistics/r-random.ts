import { normalQuantile } from '../../../src/desk/statistics/sharpe.ts';

/** R's `set.seed(seed); rnorm(...)`: a Mersenne Twister, and the inverse of the normal distribution. */
export class RandomOfR {
  private readonly state = new Uint32Array(624);
  private next = 624;

  constructor(seed: number) {
    let value = seed >>> 0;
    const congruential = () => {
      value = (Math.imul(69069, value) + 1) >>> 0;
      return value;
    };
    for (let i = 0; i < 50; i += 1) congruential();
    // The first number is where R keeps the place in the state.
    congruential();
    for (let i = 0; i < 624; i += 1) this.state[i] = congruential();
  }

  normal(): number {
    const big = 2 ** 27;
    const high = Math.trunc(big * this.uniform());
    return normalQuantile((high + this.uniform()) / big);
  }

  private uniform(): number {
    if (this.next === 624) this.refill();
    let y = this.state[this.next]!;
    this.next += 1;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return (y >>> 0) * 2.3283064365386963e-10;
  }

  private refill(): void {
    const { state } = this;
    for (let i = 0; i < 624; i += 1) {
      const y = (state[i]! & 0x80000000) | (state[(i + 1) % 624]! & 0x7fffffff);
      state[i] = state[(i + 397) % 624]! ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
    }
    this.next = 0;
  }
}
