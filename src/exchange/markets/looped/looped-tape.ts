import type { Ms } from '../../engine/model.ts';
import type { GapEvent, MarketEvent, MarketSource, PrintInterest, Tape } from '../../engine/source.ts';
import type { Loop } from './loop.ts';

/** Why a market has no book between two passes. */
export const seam = 'loop';

/** Events of a looped tape: those of each pass, then a gap of every watched market. */
export class LoopedTape implements Tape {
  private readonly source: MarketSource;
  private readonly loop: Loop;
  private readonly watched = new Map<string, PrintInterest | undefined>();
  private position: Ms;
  private pass: number;
  /** The cursor in the current pass; null until a market is watched. */
  private tape: Tape | null = null;
  /** Markets whose gap after the current pass is due before the next pass begins; null before its end. */
  private gaps: string[] | null = null;

  constructor(source: MarketSource, loop: Loop, from: Ms) {
    this.source = source;
    this.loop = loop;
    this.position = from;
    this.pass = loop.passOf(from);
  }

  watch(marketId: string, on: boolean, interest?: PrintInterest): void {
    if (!on) {
      this.watched.delete(marketId);
      this.tape?.watch(marketId, false);
      if (this.watched.size === 0) this.tape = null;
      return;
    }
    this.tape ??= this.openAt(this.position);
    this.watched.set(marketId, interest);
    this.tape.watch(marketId, true, interest);
  }

  peek(until: Ms): Ms | null {
    if (this.tape === null) return null;
    const offset = this.loop.offsetOf(this.pass);
    const gapTime = this.loop.endOf(this.pass);
    const time = this.gaps === null ? this.tape.peek(Math.min(until, gapTime - 1) - offset) : null;
    if (time !== null) return time + offset;
    return gapTime <= until ? gapTime : null;
  }

  next(until: Ms): MarketEvent | null {
    if (this.tape === null) {
      this.position = Math.max(this.position, until);
      return null;
    }
    const gapTime = this.loop.endOf(this.pass);
    if (this.gaps === null) {
      const offset = this.loop.offsetOf(this.pass);
      const event = this.tape.next(Math.min(until, gapTime - 1) - offset);
      if (event !== null) {
        this.position = event.time + offset;
        return later(event, offset);
      }
      this.position = Math.max(this.position, Math.min(until, gapTime - 1));
    }
    if (gapTime > until) return null;
    this.gaps ??= [...this.watched.keys()];
    return this.nextGap(gapTime);
  }

  private nextGap(time: Ms): GapEvent {
    this.position = time;
    const marketId = this.gaps!.shift()!;
    if (this.gaps!.length === 0) {
      this.pass += 1;
      this.gaps = null;
      this.tape = this.source.open(this.loop.base - 1);
      for (const [watched, interest] of this.watched) this.tape.watch(watched, true, interest);
    }
    return { kind: 'gap', marketId, time, since: time, reason: seam };
  }

  /** The cursor after a time: in its pass, or at the start of the next one if the pass has no more data. */
  private openAt(time: Ms): Tape {
    const { loop } = this;
    this.gaps = null;
    this.pass = loop.passOf(time);
    if (time >= loop.endOf(this.pass)) this.pass += 1;
    return this.source.open(Math.max(loop.base - 1, time - loop.offsetOf(this.pass)));
  }
}

/** The same event, later; the arrays of a book are shared. */
function later(event: MarketEvent, byMs: Ms): MarketEvent {
  const time = event.time + byMs;
  if (event.kind === 'print')
    return { ...event, time, ...(event.tradedAt !== undefined && { tradedAt: event.tradedAt + byMs }) };
  if (event.kind === 'gap') return { ...event, time, since: (event.since ?? event.time) + byMs };
  if (event.kind === 'marks') return { ...event, ...laterMarks(event, byMs) };
  return { ...event, time };
}

/** A venue's own prices, later. */
export function laterMarks<Marks extends { time: Ms; nextFundingAt: Ms | null }>(marks: Marks, byMs: Ms): Marks {
  const { time, nextFundingAt } = marks;
  return { ...marks, time: time + byMs, nextFundingAt: nextFundingAt === null ? null : nextFundingAt + byMs };
}
