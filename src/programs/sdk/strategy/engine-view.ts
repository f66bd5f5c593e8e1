import type { Exchange } from '../../../exchange/engine/exchange.ts';
import type { MarketDefinition } from '../../../exchange/engine/model.ts';
import type { MarketSource, Tape } from '../../../exchange/engine/source.ts';
import { type BarSource, closedBars, startBefore } from '../../../exchange/markets/bars.ts';
import { barsOf } from '../../../exchange/markets/played-bars.ts';
import { presentBook, presentCandle, presentMarks, presentTrades } from '../../../service/present/market.ts';
import { averagePrice, decimal, usd } from '../../../service/present/numbers.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { AccountState, Book, Candle, Marks, Position, Quote, Strategy, Trade } from './define-strategy.ts';
import { Past } from './past.ts';
import type { View } from './side.ts';
import { marksOf, nothingOpen, quoteOf } from './wire.ts';

const dayMs = 86_400_000;

/** What a strategy sees of an exchange in the same process. */
export class EngineView implements View {
  readonly #exchange: Exchange;
  readonly #accountId: string;
  readonly #definitions: ReadonlyMap<string, MarketDefinition>;
  readonly #past: Past;
  readonly #source: MarketSource;
  readonly #start: number;
  /** Markets whose trades are told, and where they stand. */
  readonly #tapes = new Map<string, Tape>();
  #bars: BarSource | undefined;

  constructor(exchange: Exchange, accountId: string, source: MarketSource, strategy: Strategy) {
    this.#exchange = exchange;
    this.#accountId = accountId;
    this.#definitions = new Map(source.definitions.map((definition) => [definition.marketId, definition]));
    this.#source = source;
    this.#start = exchange.time;
    this.#past = new Past(strategy);
  }

  get now(): number {
    return this.#exchange.time;
  }

  quote({ market_id }: Market): Quote {
    const book = this.#exchange.quotedBook(market_id);
    if (book === null) return quoteOf(market_id, null);
    const { priceDecimals } = this.#definitions.get(market_id)!;
    const bid = book.bids.best;
    const ask = book.asks.best;
    // A side without levels has no best price.
    return {
      market: market_id,
      bid: Number.isNaN(bid) ? null : decimal(bid, priceDecimals),
      ask: Number.isNaN(ask) ? null : decimal(ask, priceDecimals),
      mid: Number.isNaN(bid + ask) ? null : decimal((bid + ask) * 5, priceDecimals + 1),
      time: book.time,
    };
  }

  book({ market_id }: Market): Book {
    const market = this.#definitions.get(market_id)!;
    const { bids, asks, time } = presentBook(market, this.#exchange.book(market_id), null);
    return { market: market_id, bids: bids as unknown as Book['bids'], asks: asks as unknown as Book['asks'], time };
  }

  marks({ market_id }: Market): Marks {
    const marks = presentMarks(this.#definitions.get(market_id)!, this.#exchange.marks(market_id));
    return marksOf(market_id, marks);
  }

  candles({ market_id }: Market): readonly Candle[] {
    const { now } = this;
    const missing = this.#past.missing(market_id, now);
    if (missing !== null) {
      // Where it has no end, it is played from the day before the first candle.
      this.#bars ??= barsOf(this.#source, startBefore({ ...missing, now }) - dayMs);
      const bars = closedBars(this.#bars, market_id, { ...missing, now });
      const market = this.#definitions.get(market_id)!;
      this.#past.take(
        market_id,
        bars.flatMap((bar) => presentCandle(market, bar)),
        now,
      );
    }
    return this.#past.of(market_id);
  }

  takeTrades({ market_id }: Market): readonly Trade[] {
    let tape = this.#tapes.get(market_id);
    if (tape === undefined) {
      tape = this.#source.open(this.#start);
      tape.watch(market_id, true);
      this.#tapes.set(market_id, tape);
    }
    const trades = presentTrades(this.#definitions.get(market_id)!, tape, this.now);
    return trades.map((trade) => ({ market: market_id, ...trade }));
  }

  holding({ market_id }: Market): Omit<Position, 'pnl'> {
    const open = this.#exchange.position(this.#accountId, market_id);
    if (open === null) return nothingOpen(market_id);
    const { sizeDecimals } = this.#definitions.get(market_id)!;
    const size = decimal(open.size, sizeDecimals);
    return {
      market: market_id,
      size: open.direction === 'long' ? size : -size,
      entryPrice: averagePrice(open.cost, open.size, sizeDecimals),
      leverage: open.leverage,
      marginMode: open.marginMode,
      openedAt: open.openedAt,
      funding: usd(open.funding),
    };
  }

  /** The equity of `account` alone, USD. */
  get equity(): number | null {
    const equity = this.#exchange.equity(this.#accountId);
    return equity === null ? null : usd(equity);
  }

  account(): AccountState {
    const { status, balance } = this.#exchange.account(this.#accountId);
    const risk = this.#exchange.risk(this.#accountId);
    const orNull = (money: bigint | null) => (money === null ? null : usd(money));
    return {
      status,
      balance: usd(balance),
      equity: orNull(risk.equity),
      available: usd(risk.availableBalance),
      dailyLossRoom: orNull(risk.dailyLossRoom),
      drawdownRoom: orNull(risk.maxDrawdownRoom),
      targetRoom: orNull(risk.remainingProfit),
    };
  }
}
