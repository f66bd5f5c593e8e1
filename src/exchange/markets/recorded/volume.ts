import type { Ms } from '../../engine/model.ts';

const dayMs = 86_400_000;
const binMs = 10_000;
const binsPerDay = dayMs / binMs;
/** Minimum rate, as a share of the mean rate, so that weights are never all zero. */
const floorShare = 0.1;

/** Lots printed per 10 s of a recording, while it is compiled. Bins count from the Unix epoch. */
export class VolumeCount {
  private readonly lots = new Map<number, number>();

  add(time: Ms, lots: number): void {
    const bin = Math.floor(time / binMs);
    this.lots.set(bin, (this.lots.get(bin) ?? 0) + lots);
  }

  /** [bin, lots] pairs, oldest first: prints come in time order. */
  entries(): [number, number][] {
    return [...this.lots];
  }
}

/**
 * The expected volume of a recording as a curve over the UTC day, from its prints so far: their rate at that time of
 * day, or the mean rate at times that it does not cover yet, but at least a tenth of the mean. Flat without prints.
 */
export class VolumeCurve {
  private readonly entries: readonly (readonly [number, number])[];
  /** When the recording starts. */
  private readonly first: Ms;
  /** The end of the last bin in the current curve. */
  private knownUntil: Ms = Number.NaN;
  /** Volume from midnight to the end of each bin. */
  private readonly cumulative = new Float64Array(binsPerDay + 1);

  constructor(entries: readonly (readonly [number, number])[], first: Ms) {
    this.entries = entries;
    this.first = first;
  }

  /** Relative volume in (from, to] from the bins that end by `asOf`; 0 when empty. */
  between(from: Ms, to: Ms, asOf: Ms): number {
    this.learn(Math.floor(asOf / binMs) * binMs);
    return to > from ? this.until(to) - this.until(from) : 0;
  }

  private learn(knownUntil: Ms): void {
    if (knownUntil === this.knownUntil) return;
    this.knownUntil = knownUntil;
    const lots = new Float64Array(binsPerDay);
    let total = 0;
    for (const [bin, size] of this.entries) {
      if (bin * binMs >= knownUntil) break;
      lots[bin % binsPerDay]! += size;
      total += size;
    }
    const coverage = coverageOf(this.first, Math.max(this.first, knownUntil));
    const mean = total > 0 ? total / (knownUntil - this.first) : 1;
    for (let bin = 0; bin < binsPerDay; bin += 1) {
      const rate = total > 0 && coverage[bin]! > 0 ? lots[bin]! / coverage[bin]! : mean;
      const smoothed = (1 - floorShare) * rate + floorShare * mean;
      this.cumulative[bin + 1] = this.cumulative[bin]! + smoothed * binMs;
    }
  }

  private until(time: Ms): number {
    const days = Math.floor(time / dayMs);
    const bin = Math.floor((time - days * dayMs) / binMs);
    const within = (time - days * dayMs - bin * binMs) / binMs;
    const [before, after] = [this.cumulative[bin]!, this.cumulative[bin + 1]!];
    return days * this.cumulative[binsPerDay]! + before + (after - before) * within;
  }
}

/** The number of milliseconds of each bin of the day that the recording covers, over all its days. */
function coverageOf(first: Ms, last: Ms): Float64Array {
  const coverage = new Float64Array(binsPerDay);
  const wholeDays = Math.floor((last - first) / dayMs);
  coverage.fill(wholeDays * binMs);
  for (let time = first + wholeDays * dayMs; time < last; ) {
    const end = Math.min(last, (Math.floor(time / binMs) + 1) * binMs);
    coverage[Math.floor((time % dayMs) / binMs)]! += end - time;
    time = end;
  }
  return coverage;
}
