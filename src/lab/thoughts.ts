import type { TrialSpec } from './trial.ts';

/** What the decisions of a trial cost on the market's clock. */
export class Thoughts {
  /** Whole ms of each decision, measured or replayed; null: each costs what the spec says. */
  readonly taken: number[] | null;
  private readonly spec: TrialSpec;
  private readonly replayed: readonly number[] | undefined;
  private spentMs = 0;
  private at = 0;

  constructor(spec: TrialSpec, replayed: readonly number[] | undefined) {
    this.spec = spec;
    this.replayed = replayed;
    this.taken = spec.think === 'real' ? [] : null;
  }

  /** As an option of a run. */
  get thinkMs(): number | ((tookMs: number) => number) {
    const { taken } = this;
    if (taken === null) return this.spec.think as number;
    return (tookMs) => {
      const ms = this.replayed === undefined ? this.#due(tookMs) : (this.replayed[this.at] ?? 0);
      this.at += 1;
      taken.push(ms);
      return ms;
    };
  }

  /** Whole ms; what is left of them is charged with a later decision. */
  #due(tookMs: number): number {
    this.spentMs += tookMs;
    const ms = Math.floor(this.spentMs);
    this.spentMs -= ms;
    return ms;
  }
}
