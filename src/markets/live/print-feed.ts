import type { Ms } from '../../engine/model.ts';
import type { FeedServices } from './feed-services.ts';
import { type GapPrints, type HistoryKnown, Prints, type TapePrint } from './prints.ts';
import type { TapeEntry, TapeLines } from './tape-lines.ts';
import type { Trade, VenueMarket } from './venue.ts';

/** Prints this much older than the start of the trade stream are repeats of old trades. */
const repeatedMs = 1_500;
/** How far before the loss of a stream its history is fetched, because messages in flight were lost as well. */
const inFlightMs = 5_000;

/**
 * How prints are handled: `live` writes them to the tape; `gap` holds them until the gap ends; `none` (there has been
 * no book yet) only remembers their ids.
 */
export type PrintMode = 'live' | 'gap' | 'none';

/** A market's prints on their way from the venue to the tape. */
export class PrintFeed {
  private readonly lines: TapeLines;
  private readonly services: FeedServices;
  private readonly mode: () => PrintMode;
  private readonly prints: Prints;
  /** When the stream of trades started, on our clock. */
  private beganAt: Ms = 0;
  /** Since when, and after which number, prints are missing because the stream was lost; null if none are. */
  private lost: { from: Ms; afterNumber: number | null } | null = null;

  constructor({ definition }: VenueMarket, lines: TapeLines, services: FeedServices, mode: () => PrintMode) {
    this.mode = mode;
    this.lines = lines;
    this.services = services;
    this.prints = new Prints(definition);
  }

  get misfits(): number {
    return this.prints.misfits;
  }

  /** The trade stream has started, for the first time or again. */
  begin(): void {
    this.beganAt = this.services.now();
  }

  /** The trade stream was lost and will start again. */
  lose(): void {
    this.lost ??= { from: this.services.now() - inFlightMs, afterNumber: this.prints.highestNumber };
    this.prints.lastNumber = null;
  }

  /** Continues a tape with these last prints, the latest of them made at this time. */
  resume(lastPrintAt: Ms, ids: readonly string[], areNumbered: boolean): void {
    this.prints.resume(ids, areNumbered);
    this.lost = { from: lastPrintAt - inFlightMs, afterNumber: this.prints.highestNumber };
  }

  /** Forgets which prints are missing: nobody needs them. */
  forget(): void {
    this.lost = null;
  }

  /** Takes prints from the stream. If they are numbered, missing ones are fetched and written late. */
  take(trades: readonly Trade[]): void {
    const mode = this.mode();
    const lines: TapeEntry[] = [];
    for (const trade of trades) {
      const { isNew, missingAfter } = this.prints.take(trade);
      if (missingAfter !== null && mode === 'live') this.fillHole(missingAfter, trade.number!);
      if (!isNew || mode === 'none') continue;
      const print = this.printOf(trade);
      if (mode === 'gap') this.prints.hold(print);
      else if (print.madeAt >= this.beganAt - repeatedMs) lines.push(this.lines.print(print, false));
    }
    if (lines.length > 0) this.services.write(lines);
  }

  /** Fetches what the stream has missed since it was lost; returns how much of it is now held. */
  async recover(): Promise<HistoryKnown> {
    const { lost } = this;
    if (lost === null) return 'whole';
    if (this.services.askHistory === null) return 'none';
    const from = this.services.clock.toVenueTime(lost.from);
    const to = this.services.clock.toVenueTime(this.services.now());
    const missing = this.prints.missing(from, to, lost.afterNumber, null);
    const { trades, isWhole } = await this.services.askHistory(missing);
    for (const trade of trades) if (this.prints.takePast(trade)) this.prints.hold(this.printOf(trade));
    return isWhole ? 'whole' : 'part';
  }

  /** The prints of a gap that is ending. */
  release(history: HistoryKnown): GapPrints {
    this.lost = null;
    return this.prints.release(history);
  }

  private fillHole(after: number, before: number): void {
    if (this.services.askHistory === null) return;
    const from = this.services.clock.toVenueTime(this.services.now() - inFlightMs);
    const missing = this.prints.missing(from, this.services.clock.toVenueTime(this.services.now()), after, before);
    this.services.askHistory(missing).then(
      ({ trades }) => {
        const prints = trades.filter((trade) => this.prints.takePast(trade)).map((trade) => this.printOf(trade));
        if (this.mode() === 'gap') for (const print of prints) this.prints.hold(print);
        else if (prints.length > 0) this.services.write(prints.map((print) => this.lines.print(print, true)));
      },
      // Prints that can't be fetched are lost; the book is complete without them.
      () => {},
    );
  }

  private printOf(trade: Trade): TapePrint {
    const madeAt = Math.max(0, Math.min(this.services.now(), this.services.clock.toLocalTime(trade.time)));
    return { trade, madeAt, receivedUs: this.services.receivedUs() };
  }
}
