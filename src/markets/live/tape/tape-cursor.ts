import type { Ms } from '../../../engine/model.ts';
import type { MarketEvent, Tape } from '../../../engine/source.ts';
import type { RecordedTape } from '../../recorded/recorded-tape.ts';
import type { PartTape } from './part-tape.ts';

/** The parts of a tape, as a cursor needs them. */
export interface PartsInOrder {
  /** When the part at an index starts; null if there is none. */
  fromOf(at: number): Ms | null;
  /** The index of the part that contains this time; 0 for times before the first. */
  placeOf(time: Ms): number;
  part(at: number): PartTape;
  /** Everything up to this time has been read: nothing may be added there. */
  seal(time: Ms): void;
}

/** A cursor over the events of a tape, across its parts. Markets may appear while it is watching. */
export class TapeCursor implements Tape {
  /** When it was last used, by the clock that it was given. */
  usedAt: Ms;
  private readonly parts: PartsInOrder;
  private readonly now: () => Ms;
  private readonly watched = new Set<string>();
  /** Watched markets that do not occur in the current part yet. */
  private unknown: string[] = [];
  private position: Ms;
  private place: number;
  private part: PartTape | null = null;
  private tape: RecordedTape | null = null;

  constructor(parts: PartsInOrder, from: Ms, now: () => Ms) {
    this.parts = parts;
    this.now = now;
    this.usedAt = now();
    this.position = from;
    this.place = parts.placeOf(from);
    parts.seal(from);
  }

  /** The markets that it watches. */
  get markets(): ReadonlySet<string> {
    return this.watched;
  }

  watch(marketId: string, on: boolean): void {
    if (on === this.watched.has(marketId)) return;
    if (on) this.watched.add(marketId);
    else this.watched.delete(marketId);
    const place = this.parts.placeOf(this.position);
    if (this.tape === null || place !== this.place) this.seek(place, this.position);
    else if (this.part!.has(marketId)) this.tape.watch(marketId, on);
    else this.unknown = [...this.watched].filter((id) => !this.part!.has(id));
  }

  peek(until: Ms): Ms | null {
    this.parts.seal(until);
    while (this.watched.size > 0) {
      const time = this.current().peek(until);
      if (time !== null) return time;
      if (!this.goOn(until)) return null;
    }
    return null;
  }

  next(until: Ms): MarketEvent | null {
    this.parts.seal(until);
    while (this.watched.size > 0) {
      const event = this.current().next(until);
      if (event !== null) {
        this.position = event.time;
        return event;
      }
      if (!this.goOn(until)) break;
    }
    if (until > this.position) this.position = until;
    return null;
  }

  /** The cursor within the current part, for the watched markets that occur in it. */
  private current(): RecordedTape {
    this.usedAt = this.now();
    if (this.tape === null || this.part!.isClosed) this.seek(this.parts.placeOf(this.position), this.position);
    if (this.unknown.length > 0) {
      const known = this.unknown.filter((marketId) => this.part!.has(marketId));
      for (const marketId of known) this.tape!.watch(marketId, true);
      if (known.length > 0) this.unknown = this.unknown.filter((marketId) => !known.includes(marketId));
    }
    return this.tape!;
  }

  /** Moves to the next part if it has anything at or before `until`; the current part has nothing more. */
  private goOn(until: Ms): boolean {
    const from = this.parts.fromOf(this.place + 1);
    if (from === null || from > until) return false;
    // Everything in the part before is earlier than `from`; the state at the start of this part is not new.
    this.seek(this.place + 1, Math.max(this.position, from - 1));
    return true;
  }

  private seek(place: number, from: Ms): void {
    this.place = place;
    this.part = this.parts.part(place);
    this.tape = this.part.open(from);
    this.unknown = [];
    for (const marketId of this.watched) {
      if (this.part.has(marketId)) this.tape.watch(marketId, true);
      else this.unknown.push(marketId);
    }
  }
}
