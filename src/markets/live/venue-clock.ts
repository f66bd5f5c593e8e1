import type { Ms } from '../../engine/model.ts';

/** Samples kept: the best of them counts. */
const keptSamples = 8;

interface Sample {
  offsetMs: Ms;
  /** How far the offset can be off. */
  uncertaintyMs: Ms;
}

/**
 * How far a venue's clock is ahead of ours, from requests whose answers tell the venue's time: it was told somewhere
 * between sending and answer. The sample that can be off the least counts.
 */
export class VenueClock {
  private samples: Sample[] = [];

  /** The venue said `venueMs`, exact to `graininessMs`, in an answer to a request. */
  learn(venueMs: Ms, sentAt: Ms, answeredAt: Ms, graininessMs: Ms): void {
    const offsetMs = Math.round(venueMs - (sentAt + answeredAt) / 2);
    const uncertaintyMs = Math.max(0, answeredAt - sentAt) / 2 + graininessMs;
    const before = this.best();
    // A sample that contradicts the others: a clock was set.
    if (before !== null && Math.abs(offsetMs - before.offsetMs) > uncertaintyMs + before.uncertaintyMs)
      this.samples = [];
    this.samples.push({ offsetMs, uncertaintyMs });
    if (this.samples.length > keptSamples) this.samples.shift();
  }

  /** Milliseconds that the venue's clock is ahead of ours; null before the first sample. */
  get offsetMs(): Ms | null {
    return this.best()?.offsetMs ?? null;
  }

  /** A time of the venue in ours. */
  ours(venueMs: Ms): Ms {
    return venueMs - (this.offsetMs ?? 0);
  }

  /** One of ours in the venue's. */
  theirs(ours: Ms): Ms {
    return ours + (this.offsetMs ?? 0);
  }

  private best(): Sample | null {
    let best: Sample | null = null;
    for (const sample of this.samples) if (best === null || sample.uncertaintyMs <= best.uncertaintyMs) best = sample;
    return best;
  }
}
