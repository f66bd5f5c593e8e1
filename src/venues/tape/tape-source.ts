import { createHash } from 'node:crypto';
import { firstPlace } from '../../base/terms/sorted.ts';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { BookSnapshot, MarketSource, Tape } from '../../exchange/engine/source.ts';
import { VolumeCurve } from '../../exchange/markets/recorded/market-compiler.ts';
import { PartCompile, type PartsInOrder, type PartTape, TapeCursor } from './part-tape.ts';
import { checkComplete, type PartFile, partFiles, TapeError, wholeParts } from './parts.ts';
import { countPart } from './resume.ts';
import { type PartSummary, readSummaries } from './summary.ts';
import { definitionIn } from './tape-lines.ts';

/** Number of parts kept compiled, not counting the one that is growing. */
const keptParts = 4;
/** Number of lines of the next part compiled at a time, and how long other work may then run. */
const linesAtOnce = 500;
const binMs = 10_000;

/** Listens to reads of the tape. */
export interface TapeReaders {
  /** Whether a market's venue publishes its own prices, so that the tape gets them. Absent: it does not grow. */
  hasMarks?(marketId: string): boolean;
  /** A market's book was requested. */
  looked?(marketId: string): void;
  /** No events are added at or before this time anymore. */
  seal?(time: Ms): void;
  now(): Ms;
}

/**
 * A tape as a source of markets. Its parts are compiled when they are needed, and the next one ahead of time, so a day
 * of any size opens at once and takes little memory. The last part may grow.
 */
export class TapeSource implements MarketSource, PartsInOrder {
  readonly name: string;
  readonly definitions: readonly MarketDefinition[];
  private readonly ids: ReadonlySet<string>;
  private readonly tape: string;
  private readonly readers: TapeReaders;
  private readonly summaries: PartSummary[];
  private readonly compiled = new Map<number, PartTape>();
  private readonly parsed = new Map<string, MarketDefinition>();
  private ahead: { place: number; compile: PartCompile } | null = null;
  private growing: { place: number; part: PartTape } | null = null;
  private readonly cursors = new Set<WeakRef<TapeCursor>>();
  private readonly curves = new Map<string, { parts: number; curve: VolumeCurve }>();
  private isClosed = false;

  /** `name` is shown wherever its prices are; `definitions` must cover every market of the tape. */
  constructor(
    tape: string,
    name: 'live' | 'recorded',
    definitions: readonly MarketDefinition[],
    summaries: readonly PartSummary[],
    readers: TapeReaders,
  ) {
    this.tape = tape;
    this.name = name;
    this.definitions = definitions;
    this.ids = new Set(definitions.map(({ marketId }) => marketId));
    this.summaries = [...summaries];
    this.readers = readers;
  }

  /** Time of the first line; null if there is none. */
  get firstTime(): Ms | null {
    return this.summaries[0]?.from ?? null;
  }

  definitionAt(marketId: string, time: Ms): MarketDefinition {
    for (let at = this.placeOf(time); at >= 0; at -= 1) {
      const known = this.summaries[at]?.markets[marketId];
      if (known === undefined) continue;
      const text = known.replaced?.find(({ until }) => time < until)?.market ?? known.market;
      if (!this.parsed.has(text)) this.parsed.set(text, definitionIn({ text }));
      return this.parsed.get(text)!;
    }
    return this.definitions.find((market) => market.marketId === marketId)!;
  }

  book(marketId: string, time: Ms): BookSnapshot | null {
    this.checkMarket(marketId);
    this.readers.looked?.(marketId);
    return this.glance(marketId, time);
  }

  glance(marketId: string, time: Ms): BookSnapshot | null {
    this.checkMarket(marketId);
    this.seal(time);
    return this.summaries.length === 0 ? null : this.part(this.placeOf(time)).book(marketId, time);
  }

  hasMarks(marketId: string): boolean {
    if (this.readers.hasMarks?.(marketId) === true) return true;
    return this.summaries.some(({ markets }) => (markets[marketId]?.marks ?? 0) > 0);
  }

  open(from: Ms): Tape {
    const cursor = new TapeCursor(this, from, this.readers.now);
    this.cursors.add(new WeakRef(cursor));
    return cursor;
  }

  /**
   * Uses only the parts that were over at `asOf`, so that live trading and replay see the same volume. Flat before the
   * end of the first part.
   */
  volume(marketId: string, from: Ms, to: Ms, asOf: Ms): number {
    this.checkMarket(marketId);
    let parts = 0;
    while (parts < this.summaries.length - 1 && this.summaries[parts + 1]!.from <= asOf) parts += 1;
    const known = this.curves.get(marketId);
    const curve = known?.parts === parts ? known.curve : this.curveOf(marketId, parts);
    this.curves.set(marketId, { parts, curve });
    return curve.between(from, to, this.summaries[parts]?.from ?? 0);
  }

  /** Markets watched by any cursor used since `since`. */
  watchedSince(since: Ms): Set<string> {
    const markets = new Set<string>();
    for (const reference of this.cursors) {
      const cursor = reference.deref();
      if (cursor === undefined) this.cursors.delete(reference);
      else if (cursor.usedAt >= since) for (const marketId of cursor.markets) markets.add(marketId);
    }
    return markets;
  }

  /** Starts a new part at the end of the tape, with its existing lines. */
  grow(summary: PartSummary, part: PartTape): void {
    const place = this.summaries.findIndex(({ number }) => number === summary.number);
    if (this.growing !== null) this.keep(this.growing.place, this.growing.part);
    if (place >= 0) this.summaries[place] = summary;
    else this.summaries.push(summary);
    this.growing = { place: place >= 0 ? place : this.summaries.length - 1, part };
  }

  fromOf(at: number): Ms | null {
    return this.summaries[at]?.from ?? null;
  }

  placeOf(time: Ms): number {
    const after = firstPlace(this.summaries.length, (place) => this.summaries[place]!.from <= time);
    return Math.max(0, after - 1);
  }

  part(at: number): PartTape {
    if (this.growing?.place === at) return this.growing.part;
    const known = this.compiled.get(at);
    if (known !== undefined) {
      // The most recently used part is last.
      this.compiled.delete(at);
      this.compiled.set(at, known);
      return known;
    }
    const compile = this.ahead?.place === at ? this.ahead.compile : new PartCompile(this.fileOf(at));
    if (this.ahead?.place === at) this.ahead = null;
    compile.step();
    this.keep(at, compile.tape);
    this.prepare(at + 1);
    return compile.tape;
  }

  seal(time: Ms): void {
    this.readers.seal?.(time);
  }

  close(): void {
    this.isClosed = true;
    for (const part of this.compiled.values()) part.close();
    this.ahead?.compile.tape.close();
    this.growing?.part.close();
  }

  private keep(at: number, part: PartTape): void {
    this.compiled.set(at, part);
    for (const [place, old] of this.compiled) {
      if (this.compiled.size <= keptParts) return;
      this.compiled.delete(place);
      old.close();
    }
  }

  /** Compiles the part that will be needed next, a little at a time. */
  private prepare(at: number): void {
    const isThere = at >= this.summaries.length || this.compiled.has(at) || this.growing?.place === at;
    if (isThere || this.ahead?.place === at) return;
    this.ahead?.compile.tape.close();
    this.ahead = null;
    setImmediate(() => {
      if (this.isClosed || this.ahead !== null || this.compiled.has(at)) return;
      try {
        this.ahead = { place: at, compile: new PartCompile(this.fileOf(at)) };
      } catch {
        // Readers of the part are notified.
        return;
      }
      this.prepareMore(this.ahead.compile);
    }).unref();
  }

  private prepareMore(compile: PartCompile): void {
    const goOn = () => {
      if (this.isClosed || this.ahead?.compile !== compile) return;
      try {
        if (compile.step(linesAtOnce)) return;
      } catch {
        // A damaged part: its readers are notified.
        this.ahead = null;
        compile.tape.close();
        return;
      }
      setImmediate(goOn).unref();
    };
    goOn();
  }

  private fileOf(at: number): PartFile {
    const { number } = this.summaries[at]!;
    // A compressed file is listed first, and is complete.
    const file = partFiles(this.tape).find((part) => part.number === number);
    if (file === undefined) throw new TapeError(this.tape, `part ${number} is gone`);
    return file;
  }

  private curveOf(marketId: string, parts: number): VolumeCurve {
    const bins: [number, number][] = [];
    for (const { from, to, markets } of this.summaries.slice(0, parts)) {
      const [first, last] = [Math.floor(from / binMs), Math.floor(to / binMs)];
      const share = (markets[marketId]?.volume ?? 0) / (last - first + 1);
      for (let bin = first; bin <= last; bin += 1) bins.push([bin, share]);
    }
    return new VolumeCurve(bins, this.firstTime ?? 0);
  }

  private checkMarket(marketId: string): void {
    if (!this.ids.has(marketId)) throw new RangeError(`no market ${JSON.stringify(marketId)} on the tape`);
  }
}

/**
 * Opens a tape that is no longer being written, or a single recording of the same form; `name` is shown wherever its
 * prices are. Its contents come from the summary beside it, or are counted again. Throws a TapeError. A damaged part is
 * found only when it is reached.
 */
export function openTape(tape: string, name: 'recorded' | 'live' = 'recorded') {
  const extent = extentOf(tape);
  const { definitions, summaries } = extent;
  const source: MarketSource & { close(): void } = new TapeSource(tape, name, definitions, summaries, { now: () => 0 });
  return { ...extent, source, fingerprint: fingerprintOf(summaries), close: () => source.close() };
}

/** The first and the last time of a tape, and what is on it. Throws a TapeError. */
export function extentOf(tape: string) {
  const summaries = summariesOf(tape);
  const [first, last] = [summaries[0], summaries.at(-1)];
  if (first === undefined || last === undefined) throw new TapeError(tape, 'there is no such tape');
  const definitions = definitionsOf(summaries);
  if (definitions.length === 0) throw new TapeError(tape, 'the tape is empty: no line names a market');
  return { firstTime: first.from, lastTime: last.to, definitions, summaries };
}

/**
 * The contents of a tape, part by part: from its summary where that is current, otherwise counted. Throws a TapeError
 * if a part is missing.
 */
export function summariesOf(tape: string): PartSummary[] {
  const known = readSummaries(tape);
  const parts = wholeParts(tape);
  checkComplete(tape, parts);
  return parts.map((part) => {
    // A plain part may have grown since.
    const kept = part.isGzip ? known.find(({ number }) => number === part.number) : undefined;
    return kept ?? countPart(part).count;
  });
}

/** Every market on the tape as it was last defined, in order of first appearance. */
export function definitionsOf(summaries: readonly PartSummary[]): MarketDefinition[] {
  const markets = new Map<string, MarketDefinition>();
  for (const summary of summaries) {
    for (const [marketId, { market }] of Object.entries(summary.markets)) {
      markets.set(marketId, definitionIn({ text: market }));
    }
  }
  return [...markets.values()];
}

/** A tape's identity: times and line counts distinguish it from any other; when it grows, its identity changes. */
function fingerprintOf(summaries: readonly PartSummary[]): string {
  const contents = summaries.map(({ number, from, to, lines, bytes }) => [number, from, to, lines, bytes]);
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex');
}
