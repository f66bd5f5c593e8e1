import { exitQuotesOf } from '../reading/prospects.ts';
import { markOf, quoteRequest } from '../resolve/quote.ts';
import type { Marks as KnownMarks, Mark } from '../risk/path-account.ts';
import { attempt, type Session } from '../session/session.ts';
import type { Marks } from './marks-stream.ts';

/** A streamed mark that is older than this is quoted as well, ms. */
export const quietMs = 5_000;

/** The books' prices for an account's exits in its markets, as last quoted. */
export class Books {
  readonly #session: Session;
  readonly #marks: Marks;
  readonly #now: () => number;
  readonly #known = new Map<string, Mark>();

  constructor(session: Session, marks: Marks, now: () => number) {
    this.#session = session;
    this.#marks = marks;
    this.#now = now;
  }

  /** The last quotes, with the ticks of these markets. */
  withTicks(markets: readonly { market_id: string; tick_size?: number | undefined }[]): KnownMarks {
    const ticks = new Map(markets.map(({ market_id, tick_size }) => [market_id, tick_size]));
    return new Map([...this.#known].map(([id, mark]) => [id, { ...mark, tick: ticks.get(id) }]));
  }

  /** Quotes the markets whose marks no stream tells. A quote that fails is only missing. */
  async quoteQuiet(marketIds: readonly string[]): Promise<void> {
    await Promise.allSettled(marketIds.filter((id) => this.#isQuiet(id)).map((id) => this.#quote(id, {})));
  }

  /** Quotes what the exits of these holdings would take, and the best prices of other markets if they are not known. */
  async quoteExits(holdings: Parameters<typeof exitQuotesOf>[0]): Promise<void> {
    const quotes = exitQuotesOf(holdings);
    for (const id of this.#known.keys()) if (!quotes.has(id)) this.#known.delete(id);
    const due = [...quotes].filter(([id, { asked }]) => asked.size !== undefined || !this.#known.has(id));
    await Promise.allSettled(
      due.map(async ([id, { asked }]) => {
        const mark = await this.#quote(id, asked);
        if (mark !== undefined) this.#known.set(id, mark);
      }),
    );
  }

  #isQuiet(marketId: string): boolean {
    return this.#marks.ageOf(marketId, this.#now()) > quietMs;
  }

  async #quote(marketId: string, asked: Parameters<typeof quoteRequest>[2]): Promise<Mark | undefined> {
    const at = this.#now();
    const { data } = await attempt(this.#session, 'getMarketQuote', quoteRequest(this.#session, marketId, asked));
    const mark = markOf(data);
    if (mark !== undefined && this.#marks.ageOf(marketId, at) > 0) this.#marks.take(marketId, mark.price, at);
    return mark !== undefined && isSound(mark) ? mark : undefined;
  }
}

/** A host may have sent anything: only numbers can be computed with. */
function isSound({ feeBps = 0, depth }: Mark): boolean {
  const sides = [depth?.buy, depth?.sell].flatMap((side) => (side === undefined ? [] : Object.values(side)));
  return [feeBps, ...sides].every(Number.isFinite);
}
