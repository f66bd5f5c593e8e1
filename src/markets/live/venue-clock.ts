import type { Ms } from '../../engine/model.ts';

/** Number of samples kept; the best of them is used. */
const keptSamples = 8;

interface Sample {
  offsetMs: Ms;
  /** The maximum error of the offset. */
  uncertaintyMs: Ms;
}

/**
 * How far a venue's clock is ahead of ours, from requests whose answers contain the venue's time: the venue read its
 * clock between our request and its answer. The sample with the smallest possible error is used.
 */
export class VenueClock {
  private samples: Sample[] = [];

  /** Adds a sample: the venue reported `venueMs`, exact to `resolutionMs`, in its answer to a request. */
  learn(venueMs: Ms, sentAt: Ms, answeredAt: Ms, resolutionMs: Ms): void {
    const offsetMs = Math.round(venueMs - (sentAt + answeredAt) / 2);
    const uncertaintyMs = Math.max(0, answeredAt - sentAt) / 2 + resolutionMs;
    const before = this.best();
    // A sample contradicts the others: one of the clocks was set.
    if (before !== null && Math.abs(offsetMs - before.offsetMs) > uncertaintyMs + before.uncertaintyMs)
      this.samples = [];
    this.samples.push({ offsetMs, uncertaintyMs });
    if (this.samples.length > keptSamples) this.samples.shift();
  }

  /** Milliseconds that the venue's clock is ahead of ours; null before the first sample. */
  get offsetMs(): Ms | null {
    return this.best()?.offsetMs ?? null;
  }

  /** Converts a venue's time to ours. */
  toLocalTime(venueMs: Ms): Ms {
    return venueMs - (this.offsetMs ?? 0);
  }

  /** Converts our time to the venue's. */
  toVenueTime(localMs: Ms): Ms {
    return localMs + (this.offsetMs ?? 0);
  }

  private best(): Sample | null {
    let best: Sample | null = null;
    for (const sample of this.samples) if (best === null || sample.uncertaintyMs <= best.uncertaintyMs) best = sample;
    return best;
  }
}
