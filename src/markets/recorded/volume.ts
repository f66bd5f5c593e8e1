import type { Ms } from '../../engine/model.ts';

const dayMs = 86_400_000;
const binMs = 10_000;
const binsPerDay = dayMs / binMs;
/** Share of the mean rate that even a silent moment has, so that weights never are all zero. */
const floorShare = 0.1;

/** Lots printed by 10 s of the UTC day, while a recording is compiled. */
export class VolumeCount {
  private readonly lots = new Map<number, number>();

  add(time: Ms, lots: number): void {
    const bin = Math.floor((time % dayMs) / binMs);
    this.lots.set(bin, (this.lots.get(bin) ?? 0) + lots);
  }

  /** [bin, lots] pairs. */
  entries(): [number, number][] {
    return [...this.lots];
  }
}

/**
 * The traded volume of a recording as a curve over the UTC day, from its own prints: their rate where the recording was
 * running, its mean elsewhere and as a floor of a tenth. Without prints it is flat.
 */
export class VolumeCurve {
  /** Volume from midnight to the end of each bin. */
  private readonly cumulative = new Float64Array(binsPerDay + 1);

  constructor(entries: readonly (readonly [number, number])[], first: Ms, last: Ms) {
    const lots = new Float64Array(binsPerDay);
    let total = 0;
    for (const [bin, size] of entries) {
      lots[bin] = size;
      total += size;
    }
    const coverage = coverageOf(first, last);
    const covered = Math.max(1, last - first);
    const mean = total > 0 ? total / covered : 1;
    for (let bin = 0; bin < binsPerDay; bin += 1) {
      const rate = total > 0 && coverage[bin]! > 0 ? lots[bin]! / coverage[bin]! : mean;
      const smoothed = (1 - floorShare) * rate + floorShare * mean;
      this.cumulative[bin + 1] = this.cumulative[bin]! + smoothed * binMs;
    }
  }

  /** Relative volume in (from, to]; 0 when empty. */
  between(from: Ms, to: Ms): number {
    return to > from ? this.until(to) - this.until(from) : 0;
  }

  private until(time: Ms): number {
    const days = Math.floor(time / dayMs);
    const bin = Math.floor((time - days * dayMs) / binMs);
    const within = (time - days * dayMs - bin * binMs) / binMs;
    const [before, after] = [this.cumulative[bin]!, this.cumulative[bin + 1]!];
    return days * this.cumulative[binsPerDay]! + before + (after - before) * within;
  }
}

/** For how many milliseconds of each bin of the day the recording was running, over all its days. */
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
