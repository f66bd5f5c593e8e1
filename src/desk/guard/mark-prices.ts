import { exitQuotesOf } from '../reading/prospects.ts';
import { markOf, quoteRequest } from '../resolve/quote.ts';
import type { Mark, Marks } from '../risk/path-account.ts';
import { attempt, type Session } from '../session/session.ts';

/** A streamed mark that is older than this is quoted as well, ms. */
const quietMs = 5_000;
/** A mark that is older than the newest one by more than this does not count, ms. */
const latestLagMs = 5_000;

/**
 * The latest mark of each market, from streams and quotes, whichever came last; and the books' prices for an account's
 * exits in its markets, as last quoted.
 */
export class Prices {
  readonly #session: Session;
  /** The guard's own steady clock, ms. */
  readonly #now: () => number;
  /** A mark and when it was received. */
  readonly #marks = new Map<string, { price: number; at: number }>();
  readonly #quoted = new Map<string, Mark>();

  constructor(session: Session, now: () => number) {
    this.#session = session;
    this.#now = now;
  }

  /** Takes a price; ignores anything else. */
  take(marketId: string, price: number, at = this.#now()): void {
    if (Number.isFinite(price) && price > 0) this.#marks.set(marketId, { price, at });
  }

  /** Whether the mark of a market is unknown, or has not come for a while. */
  isQuiet(marketId: string): boolean {
    return this.#now() - this.#receivedAt(marketId) > quietMs;
  }

  /** The marks that count: while other markets move, a mark of more than five seconds does not. */
  get current(): Map<string, number> {
    const newest = Math.max(...[...this.#marks.values()].map(({ at }) => at));
    const counting = [...this.#marks].filter(([, { at }]) => newest - at <= latestLagMs);
    return new Map(counting.map(([id, { price }]) => [id, price]));
  }

  /** The last quotes, with the ticks of these markets. */
  withTicks(markets: readonly { market_id: string; tick_size?: number | undefined }[]): Marks {
    const ticks = new Map(markets.map(({ market_id, tick_size }) => [market_id, tick_size]));
    return new Map([...this.#quoted].map(([id, mark]) => [id, { ...mark, tick: ticks.get(id) }]));
  }

  /** Quotes the markets whose marks no stream carries. A quote that fails is only missing. */
  async quoteQuiet(marketIds: readonly string[]): Promise<void> {
    await Promise.allSettled(marketIds.filter((id) => this.isQuiet(id)).map((id) => this.#quote(id, {})));
  }

  /** Quotes the exits of these holdings, and the best prices of other markets if they are unknown. */
  async quoteExits(holdings: Parameters<typeof exitQuotesOf>[0]): Promise<void> {
    const quotes = exitQuotesOf(holdings);
    for (const id of this.#quoted.keys()) if (!quotes.has(id)) this.#quoted.delete(id);
    const due = [...quotes].filter(([id, { asked }]) => asked.size !== undefined || !this.#quoted.has(id));
    await Promise.allSettled(
      due.map(async ([id, { asked }]) => {
        const mark = await this.#quote(id, asked);
        if (mark !== undefined) this.#quoted.set(id, mark);
      }),
    );
  }

  async #quote(marketId: string, asked: Parameters<typeof quoteRequest>[2]): Promise<Mark | undefined> {
    const at = this.#now();
    const { data } = await attempt(this.#session, 'getMarketQuote', quoteRequest(this.#session, marketId, asked));
    const mark = markOf(data);
    if (mark !== undefined && this.#receivedAt(marketId) < at) this.take(marketId, mark.price, at);
    return mark !== undefined && isSound(mark) ? mark : undefined;
  }

  #receivedAt(marketId: string): number {
    return this.#marks.get(marketId)?.at ?? Number.NEGATIVE_INFINITY;
  }
}

/** A host may have sent anything: only numbers are usable. */
function isSound({ feeBps = 0, depth }: Mark): boolean {
  const sides = [depth?.buy, depth?.sell].flatMap((side) => (side === undefined ? [] : Object.values(side)));
  return [feeBps, ...sides].every(Number.isFinite);
}
