import type { Ms } from '../../exchange/engine/model.ts';
import type { GapPrints, HistoryKnown, TapeLines, TapePrint, Trade } from '../tape/tape-lines.ts';
import type { FeedServices } from './feed-services.ts';
import { PrintWatch } from './print-watch.ts';
import { Prints } from './prints.ts';
import type { Missing, Venue, VenueMarket } from './protocols/venue.ts';

/** Prints this much older than the start of the trade stream are repeats of old trades. */
const repeatedMs = 1_500;
/** How long the end of a gap waits for a print of the stream, which shows that the history reaches up to it. */
const joinMs = 1_500;
/** Ids of the stream that are kept to join the history. */
const maxHeard = 8_192;
/** By how much the times of a tape, which are ours, may differ from the venue's. */
const clocksMs = 1_000;

/**
 * How prints are handled: `live` writes them to the tape; `gap` holds them until the gap ends; `none` (there has been
 * no book yet) only remembers their ids.
 */
export type PrintMode = 'live' | 'gap' | 'none';

type Loss = ReturnType<typeof lossSince>;

/** A market's prints on their way from the venue to the tape. */
export class PrintFeed {
  private readonly lines: TapeLines;
  private readonly services: FeedServices;
  private readonly mode: () => PrintMode;
  private readonly prints: Prints;
  private readonly areNumbered: boolean;
  /** When the stream of trades started, and when it first did, on our clock. */
  private beganAt: Ms = 0;
  private firstBeganAt: Ms | null = null;
  /** The last print received; null before the first. */
  private last: Trade | null = null;
  /**
   * The last print received while the book was certainly complete, or the first of all: no print before it is missing.
   */
  private certain: Trade | null = null;
  /** The last gap has reported what it knows of all unproved time before it. */
  private startsOver = true;
  /**
   * Prints from before the gap that the stream had lost but the history has, and whether the history reaches back to
   * the proved ones.
   */
  private before = { areLost: false, isReached: false };
  /** Prints that did not fit, up to the last gap. */
  private misfits = 0;
  /** Null while the stream delivers every print. */
  private loss: Loss | null = null;
  /** Proves the stream while the market is live. */
  readonly watch: PrintWatch;
  /** Counts the gaps: an answer that comes after its gap has ended is not held for the next one. */
  private gaps = 0;
  /** Called at the next print of the stream. */
  private onPrint: (() => void) | null = null;

  constructor(market: VenueMarket, venue: Venue, lines: TapeLines, services: FeedServices, mode: () => PrintMode) {
    this.mode = mode;
    this.lines = lines;
    this.services = services;
    this.areNumbered = venue.numbersTrades === true;
    this.prints = new Prints(market.definition);
    this.watch = new PrintWatch(services, {
      areNumbered: venue.numbersTrades === true,
      isKnown: (trade) => this.prints.isKnown(trade),
    });
  }

  /** The trade stream has started, for the first time or again. */
  begin(): void {
    this.beganAt = this.services.now();
    this.firstBeganAt ??= this.beganAt;
  }

  /** The book is complete up to now, so the stream of trades is, too. */
  mark(): void {
    if (this.loss === null) this.certain = this.last;
  }

  /** The trade stream was lost and will start again. */
  lose(): void {
    this.prints.lastNumber = null;
    this.loss ??= this.lossNow(this.certain);
    Object.assign(this.loss, { isJoined: false, repeated: [], hasRestarted: true });
    this.loss.heard.clear();
  }

  /** The stream continues, but may have lost something. Numbers would show it. */
  suspect(): void {
    if (this.areNumbered) return;
    if (this.loss === null) this.loss = this.lossNow(this.certain);
    // Prints that have joined the stream until now may have a hole; this is a new loss, so an answer on its way proves
    // nothing.
    else this.loss = { ...this.loss, isJoined: false, repeated: [] };
  }

  /** Continues a tape with these last prints, the latest of them made at this time. */
  resume(lastPrintAt: Ms, ids: readonly string[]): void {
    this.prints.resume(ids, this.areNumbered);
    const { knownIds: known } = this.prints;
    this.firstBeganAt = 0;
    this.loss = { ...this.lossNow(null), fromLocal: lastPrintAt - clocksMs, known, hasRestarted: true };
  }

  /** The market is live from now on. `isFirst`: no gap came before. */
  goLive(isFirst: boolean): void {
    const begun = this.beganAt + clocksMs;
    const since = isFirst ? begun : Math.max(begun, this.services.now() - clocksMs);
    this.watch.begin(since, isFirst || this.startsOver);
  }

  /** A gap begins: it is whole if no number after this is missing or, without numbers, if the history proves it. */
  enterGap(): void {
    if (this.loss === null) this.suspect();
    this.prints.baseNumber = this.certain?.number ?? this.prints.highestNumber;
  }

  /** In a gap that begins now: these prints from the history, which the stream has lost, belong to it. */
  holdLost(trades: readonly Trade[], isShort: boolean): void {
    this.before = { areLost: true, isReached: !isShort };
    for (const trade of oldestFirst(trades)) if (this.prints.takePast(trade)) this.prints.hold(this.printOf(trade));
  }

  /** Forgets which prints are missing, because they are no longer needed. */
  forget(): void {
    if (this.loss !== null) this.loss.isForgotten = true;
  }

  /**
   * Takes prints from the stream; returns why one does not fit the market, null if all do. If they are numbered,
   * missing ones are fetched and written late.
   */
  take(trades: readonly Trade[]): string | null {
    const mode = this.mode();
    const { misfits } = this.prints;
    const taken: TapePrint[] = [];
    // A subscription may start with the last trades: where they reach back to a known one, nothing is missing.
    const { loss } = this;
    if (loss?.hasRestarted === true && trades.some(({ id }) => loss.known.has(id))) {
      loss.repeated = trades.map(({ id }) => id);
      this.lookBack(trades, this.missingSince(loss).from);
    }
    for (const trade of trades) {
      const { isNew, missingAfter } = this.prints.take(trade);
      if (missingAfter !== null && mode === 'live') this.fillHole(missingAfter, trade.number!);
      if (loss !== null) hear(loss, trade.id);
      if (!isNew || mode === 'none') continue;
      const print = this.printOf(trade);
      if (this.isOld(print)) continue;
      if (mode === 'gap') this.prints.hold(print);
      else taken.push(print);
    }
    this.certain ??= trades[0] ?? null;
    for (const trade of trades) if (trade.time >= (this.last?.time ?? 0)) this.last = trade;
    this.write(taken, false);
    if (trades.length > 0) this.watch.heard(this.last?.time ?? 0);
    if (trades.length > 0) this.onPrint?.();
    return this.prints.misfits === misfits ? null : this.prints.misfit;
  }

  /**
   * Fetches what the stream has missed since it was lost; returns how much of it is known. It is `whole` only if that
   * is proved: no number is missing, or the history has ids of both sides. For that, it waits a moment for the stream's
   * first print.
   */
  async recover(): Promise<HistoryKnown> {
    const { loss } = this;
    if (loss?.isForgotten === true) return 'none';
    if (this.isProved(loss)) return 'whole';
    const isAsked = await this.askOnce(loss);
    // Without an answer, the trades that the stream repeated are the history.
    if (!isAsked && loss !== null) join(loss, loss.repeated);
    if (this.isProved(loss)) return 'whole';
    // A stream that continued no longer makes the market wait for possible losses.
    if (loss?.hasRestarted === true && loss.heard.size === 0)
      await this.nextPrint(() => (isAsked && !this.isProved(loss) ? this.askOnce(loss) : null));
    return this.isProved(loss) ? 'whole' : isAsked ? 'part' : 'none';
  }

  /**
   * The prints of a gap that is ending, and the time from which prints before the gap may be missing, too; null if none
   * are.
   */
  release(history: HistoryKnown): GapPrints & { unprovedSince: Ms | null } {
    const { loss } = this;
    const isCovered = this.areNumbered || loss === null ? () => true : (id: string) => loss.known.has(id);
    this.loss = null;
    const { areLost, isReached } = this.before;
    this.before = { areLost: false, isReached: false };
    const isLost = areLost && !isReached;
    const isCut = isLost || this.prints.misfits > this.misfits;
    this.misfits = this.prints.misfits;
    const unprovedSince = isLost ? this.services.clock.toLocalTime(this.watch.since) : null;
    this.startsOver = isLost || loss?.isForgotten === true;
    this.gaps += 1;
    this.mark();
    // The stream continues from here: a missing number will be noticed.
    this.prints.lastNumber = this.prints.highestNumber;
    this.prints.baseNumber = this.prints.highestNumber;
    return { ...this.prints.release(isCut && history === 'whole' ? 'part' : history, isCovered), unprovedSince };
  }

  /** Whether it is proved that no print is missing. */
  get isWhole(): boolean {
    return this.loss?.isForgotten !== true && this.isProved(this.loss);
  }

  private lossNow(certain: Trade | null): Loss {
    return lossSince(certain, this.services.now(), this.prints.highestNumber);
  }

  private isProved(loss: Loss | null): boolean {
    if (!this.areNumbered) return loss === null || loss.isJoined;
    const base = loss === null ? this.prints.baseNumber : loss.after;
    if (base === null) return loss === null;
    return this.prints.isCompleteAfter(base) && (loss === null || loss.heard.size > 0);
  }

  /** Asks the venue's history once; returns whether it answered. */
  private async askOnce(loss: Loss | null): Promise<boolean> {
    const { askHistory } = this.services;
    if (askHistory === null) return false;
    const missing = this.missingSince(loss);
    const { gaps } = this;
    let run: readonly Trade[];
    try {
      run = await askHistory(missing);
    } catch {
      return false;
    }
    // An older one may still be on its way, unless the stream has lost it.
    if (gaps === this.gaps) this.lookBack(run, missing.from);
    const oldest = this.oldestOf(loss);
    const since = oldestFirst(run).filter(({ time }) => time >= oldest);
    if (gaps !== this.gaps) {
      this.takeLate(since);
      return true;
    }
    for (const trade of since) if (this.prints.takePast(trade)) this.prints.hold(this.printOf(trade));
    if (loss !== null)
      join(
        loss,
        run.map(({ id }) => id),
      );
    return true;
  }

  /**
   * Takes an answer that came after its gap had ended: it is written at once, or, if the market is not live, forgotten,
   * so that the next source of these prints is not taken for repeating them.
   */
  private takeLate(trades: readonly Trade[]): void {
    if (this.mode() !== 'live') return;
    // Prints that the stream is about to deliver aren't late.
    const settled = this.services.clock.toVenueTime(this.services.now()) - repeatedMs;
    const late = trades.filter((trade) => trade.time < settled && this.prints.takePast(trade));
    this.write(
      late.map((trade) => this.printOf(trade)),
      true,
    );
  }

  private missingSince(loss: Loss | null): Missing {
    const from = loss === null ? (this.certain?.time ?? null) : loss.from;
    return {
      from: from ?? this.services.clock.toVenueTime(loss?.fromLocal ?? this.beganAt),
      after: loss === null ? this.prints.baseNumber : loss.after,
      known: loss?.known ?? new Set(),
    };
  }

  /** Does something at the next print of the stream, unless none comes for a moment. */
  private nextPrint(run: () => Promise<unknown> | null): Promise<unknown> {
    return new Promise((resolve) => {
      const end = (result: Promise<unknown> | null) => {
        cancel();
        this.onPrint = null;
        resolve(result);
      };
      const cancel = this.services.after(joinMs, () => end(null));
      this.onPrint = () => end(run());
    });
  }

  /** Whether a print was made before what the tape has, or before the gap: a stream may start with old trades. */
  private isOld({ trade, madeAt }: TapePrint): boolean {
    const { loss } = this;
    if (loss === null) return madeAt < this.firstBeganAt! - repeatedMs;
    return loss.isForgotten ? madeAt < this.beganAt - repeatedMs : trade.time < this.oldestOf(loss);
  }

  /** The earliest time of a gap's first print: the stream may have lost some before it, back to the last proved one. */
  private oldestOf(loss: Loss | null): Ms {
    const { from } = this.missingSince(loss);
    return this.watch.since > 0 ? Math.min(from, this.watch.since) : from;
  }

  /** Looks in a history for prints from before the gap that the stream has lost. */
  private lookBack(run: readonly Trade[], from: Ms): void {
    if (this.watch.since === 0) return;
    if (this.watch.missingOf(run, from).length > 0) this.before.areLost = true;
    if (this.watch.isReachedBy(run)) this.before.isReached = true;
  }

  private fillHole(after: number, before: number): void {
    if (this.services.askHistory === null) return;
    // Numbers rise with time, so the print before the hole is not older than the one before that.
    const missing = { from: (this.last?.time ?? this.beganAt) - clocksMs, after, known: new Set<string>() };
    this.services.askHistory(missing).then(
      (trades) => {
        const mode = this.mode();
        if (mode === 'none') return;
        const lost = trades.filter(({ number }) => number! > after && number! < before);
        const prints = lost.filter((trade) => this.prints.takePast(trade)).map((trade) => this.printOf(trade));
        if (mode === 'gap') for (const print of prints) this.prints.hold(print);
        else this.write(prints, true);
      },
      // Prints that can't be fetched are lost; the book is complete without them.
      () => {},
    );
  }

  /** Writes prints; those that the tape can't take now come late, in the resulting gap. */
  private write(prints: readonly TapePrint[], isHistory: boolean): void {
    if (prints.length === 0) return;
    const time = this.services.write(prints.map((print) => this.lines.print(print, isHistory)));
    if (time === null) for (const print of prints) this.prints.hold(print);
  }

  private printOf(trade: Trade): TapePrint {
    const madeAt = Math.max(0, Math.min(this.services.now(), this.services.clock.toLocalTime(trade.time)));
    return { trade, madeAt, receivedUs: this.services.receivedUs() };
  }
}

/** Prints may be missing since a moment: `certain` is the last one received before, `highest` its number if unknown. */
function lossSince(certain: Trade | null, fromLocal: Ms, highest: number | null) {
  return {
    /** When the last print received before was made, in the venue's time; null: at `fromLocal`, in ours. */
    ...{ from: certain?.time ?? null, fromLocal },
    /** Its number; null if there was none, or if prints are not numbered. */
    after: certain?.number ?? highest,
    /**
     * The id of the last print before, and those of the history that joins it: where prints aren't numbered, this is
     * all that is proved.
     */
    known: new Set(certain === null ? [] : [certain.id]),
    /** Ids that the stream has delivered since. */
    heard: new Set<string>(),
    /** Whether the stream started again; otherwise it went on, and only something may be missing from it. */
    hasRestarted: false,
    /** The history joins what was known before and a print that the stream has delivered since. */
    isJoined: false,
    /** Ids of the last trades with which the stream began, if they reach back to a known one. */
    repeated: [] as readonly string[],
    /** Nobody needs what is missing. */
    isForgotten: false,
  };
}

/**
 * Trades of an answer, which may begin with the newest. Prints of the same moment keep their order, which decides who
 * fills.
 */
function oldestFirst(run: readonly Trade[]): Trade[] {
  const isNewestFirst = run.length > 1 && run[0]!.time > run.at(-1)!.time;
  const trades = isNewestFirst ? run.toReversed() : [...run];
  return trades.sort((one, other) => one.time - other.time);
}

/**
 * Consecutive prints: if one is known, all are, and they prove everything up to one that the stream has delivered
 * since.
 */
function join(loss: Loss, ids: readonly string[]): void {
  if (!ids.some((id) => loss.known.has(id))) return;
  if (ids.some((id) => loss.heard.has(id))) loss.isJoined = true;
  for (const id of ids) loss.known.add(id);
}

/** Only the latest ids are needed: the history reaches up to now. */
function hear({ heard }: Loss, id: string): void {
  if (heard.size >= maxHeard) heard.clear();
  heard.add(id);
}
