import { type CandleEvent, maxHistoryPage } from '../../contract/streams.ts';

/** Maximum number of pages of history used to fill one gap. */
const maxPages = 20;

/** Asks for `candles.history`. */
export type AskHistory = (payload: object) => Promise<unknown>;

/**
 * The candles of one market and interval in order: each bar is finished once, nothing follows its end, and bars that
 * the stream skipped are filled in from history before later ones.
 */
export class CandleSequence {
  readonly #onCandles: (candles: CandleEvent[]) => void;
  readonly #ask: AskHistory;
  readonly #onGap: (from: number, to: number) => void;
  /** Start of the bar after the last finished one; null if none is finished yet. */
  #next: number | null = null;
  /** Candles that came while history was requested; null if no request is open. */
  #held: CandleEvent[] | null = null;

  constructor(onCandles: (candles: CandleEvent[]) => void, ask: AskHistory, onGap: (from: number, to: number) => void) {
    this.#onCandles = onCandles;
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
    this.#onCandles([candle]);
  }

  async #fill(candle: CandleEvent, from: number): Promise<void> {
    const missing = await this.#history(candle, from).catch(() => []);
    const known = this.#next!;
    if (missing[0]?.openTime !== known) this.#onGap(known, missing[0]?.openTime ?? candle.openTime);
    const last = missing.at(-1);
    this.#next = last === undefined ? candle.openTime : last.closeTime + 1;
    if (missing.length > 0) this.#onCandles(missing);
    const held = this.#held!;
    this.#held = null;
    // A hole that history can't fill is reported as a gap, and the bars continue after it.
    if (this.#next < candle.openTime) this.#next = candle.openTime;
    for (const one of held) this.take(one);
  }

  /** Finished bars from `from` on, before the current candle; pages go backward. */
  async #history({ provider, symbol, interval, openTime }: CandleEvent, from: number): Promise<CandleEvent[]> {
    const found = new Map<number, CandleEvent>();
    let endTime = openTime - 1;
    for (let page = 0; page < maxPages; page++) {
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
