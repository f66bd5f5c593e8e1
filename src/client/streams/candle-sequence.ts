import { type CandleEvent, maxHistoryPage } from '../../contract/streams.ts';

/** Pages of history that one gap is filled with at most. */
const mostPages = 20;

/** Asks for `candles.history`. */
export type AskHistory = (payload: object) => Promise<unknown>;

/**
 * The candles of one market and interval in order: each bar is finished once, nothing follows its end, and bars that the
 * stream passed over are filled in from history before what came after them.
 */
export class CandleSequence {
  readonly #tell: (candles: CandleEvent[]) => void;
  readonly #ask: AskHistory;
  readonly #onGap: (from: number, to: number) => void;
  /** Where the bar after the last finished one begins; null: none is finished yet. */
  #next: number | null = null;
  /** What came while history was asked for; null: nothing is being asked. */
  #held: CandleEvent[] | null = null;

  constructor(tell: (candles: CandleEvent[]) => void, ask: AskHistory, onGap: (from: number, to: number) => void) {
    this.#tell = tell;
    this.#ask = ask;
    this.#onGap = onGap;
  }

  take(candle: CandleEvent): void {
    if (this.#held !== null) {
      this.#held.push(candle);
      return;
    }
    if (this.#next !== null && candle.openTime < this.#next) return;
    if (this.#next !== null && candle.openTime > this.#next) {
      this.#held = [candle];
      void this.#fill(candle, this.#next);
      return;
    }
    if (candle.isFinal) this.#next = candle.closeTime + 1;
    this.#tell([candle]);
  }

  async #fill(candle: CandleEvent, from: number): Promise<void> {
    const missing = await this.#history(candle, from).catch(() => []);
    const known = this.#next!;
    if (missing[0]?.openTime !== known) this.#onGap(known, missing[0]?.openTime ?? candle.openTime);
    const last = missing.at(-1);
    this.#next = last === undefined ? candle.openTime : last.closeTime + 1;
    if (missing.length > 0) this.#tell(missing);
    const held = this.#held!;
    this.#held = null;
    // A hole that history has not filled is one: it was told, and the bars go on after it.
    if (this.#next < candle.openTime) this.#next = candle.openTime;
    for (const one of held) this.take(one);
  }

  /** Finished bars from `from` on, before the candle at hand; pages go backwards. */
  async #history({ provider, symbol, interval, openTime }: CandleEvent, from: number): Promise<CandleEvent[]> {
    const found = new Map<number, CandleEvent>();
    let endTime = openTime - 1;
    for (let page = 0; page < mostPages; page++) {
      const payload = { provider, symbol, interval, limit: maxHistoryPage, startTime: from, endTime };
      const candles = ((await this.#ask(payload)) as CandleEvent[]).filter(
        (one) => one.isFinal && one.openTime >= from && one.openTime <= endTime,
      );
      for (const one of candles) found.set(one.openTime, { ...one, type: 'candle' });
      const oldest = Math.min(...candles.map((one) => one.openTime));
      if (candles.length === 0 || oldest <= from) break;
      endTime = oldest - 1;
    }
    return [...found.values()].sort((one, other) => one.openTime - other.openTime);
  }
}
