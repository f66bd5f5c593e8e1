import type { Category, Ms } from '../../engine/model.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
/** The Unix epoch was a Thursday; weeks here begin on Monday. */
const epochHourOfWeek = 72;

/**
 * Relative traded volume by hour of the UTC day. Crypto trades round the clock with its peak where Europe and the
 * United States overlap; tradfi has the U of the New York session (14:30 to 21:00 UTC in winter); fx the London day.
 */
const hours: Record<string, readonly number[]> = {
  crypto: [
    1.1, 1.0, 0.9, 0.8, 0.75, 0.7, 0.7, 0.8, 0.95, 0.95, 0.9, 0.9, 1.05, 1.35, 1.75, 1.75, 1.5, 1.3, 1.15, 1.05, 1.0,
    0.95, 0.85, 0.85,
  ],
  tradfi: [
    0.5, 0.5, 0.5, 0.4, 0.35, 0.35, 0.5, 0.8, 0.9, 0.8, 0.7, 0.7, 0.9, 1.4, 2.4, 2.1, 1.5, 1.2, 1.2, 1.6, 2.2, 0.5, 0.2,
    0.4,
  ],
  fx: [
    0.6, 0.6, 0.55, 0.5, 0.5, 0.6, 0.9, 1.5, 1.6, 1.4, 1.2, 1.2, 1.6, 1.9, 1.9, 1.7, 1.3, 0.9, 0.7, 0.6, 0.5, 0.4, 0.35,
    0.5,
  ],
};

/** What of an ordinary day's trading is left on Saturday and Sunday. */
const weekend: Record<string, number> = { crypto: 0.7, tradfi: 0.2, fx: 0.2 };

/** How busy a market is over the week: a step function of the UTC hour, around 1. */
export class Session {
  /** Relative volume by hour of the week (Monday 00:00 UTC first). */
  readonly activity: Float64Array;
  /** Square root of the activity: how much of its usual size a short move has. */
  readonly agitation: Float64Array;
  /** Largest agitation. */
  readonly maxAgitation: number;
  private readonly weekTotal: number;

  constructor(category: Category) {
    const day = hours[category] ?? hours.crypto!;
    const rest = weekend[category] ?? weekend.crypto!;
    this.activity = new Float64Array(168);
    this.agitation = new Float64Array(168);
    let total = 0;
    let largest = 0;
    for (let hour = 0; hour < 168; hour += 1) {
      const activity = day[hour % 24]! * (hour >= 120 ? rest : 1);
      this.activity[hour] = activity;
      this.agitation[hour] = Math.sqrt(activity);
      total += activity;
      largest = Math.max(largest, this.agitation[hour]!);
    }
    this.weekTotal = total;
    this.maxAgitation = largest;
  }

  /** Index into the tables for a count of whole hours since the Unix epoch. */
  static hourOfWeek(epochHour: number): number {
    return (((epochHour + epochHourOfWeek) % 168) + 168) % 168;
  }

  /** Relative volume traded in (from, to], in activity hours; 0 when empty. Constant time in the length. */
  volume(from: Ms, to: Ms): number {
    if (!(to > from)) return 0;
    const weeks = Math.floor((to - from) / weekMs);
    let total = weeks * this.weekTotal;
    let start = from + weeks * weekMs;
    while (start < to) {
      const hour = Math.floor(start / hourMs);
      const end = Math.min(to, (hour + 1) * hourMs);
      const index = Session.hourOfWeek(hour);
      total += ((end - start) / hourMs) * this.activity[index]!;
      start = end;
    }
    return total;
  }
}
