import type { Exchange } from '../../../exchange/engine/exchange.ts';
import type { MarketDefinition } from '../../../exchange/engine/model.ts';
import { presentBook } from '../../../service/present/market.ts';
import { averagePrice, decimal, usd } from '../../../service/present/numbers.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { View } from './actor.ts';
import type { AccountState, Book, Position, Quote } from './define-strategy.ts';
import { nothingOpen, quoteOf } from './wire.ts';

/** What a strategy sees of an exchange in the same process. */
export class EngineView implements View {
  readonly #exchange: Exchange;
  readonly #accountId: string;
  readonly #definitions: ReadonlyMap<string, MarketDefinition>;

  constructor(exchange: Exchange, accountId: string, definitions: ReadonlyMap<string, MarketDefinition>) {
    this.#exchange = exchange;
    this.#accountId = accountId;
    this.#definitions = definitions;
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
    const { bids, asks, time } = presentBook(this.#definitions.get(market_id)!, this.#exchange.book(market_id));
    return { market: market_id, bids: bids as unknown as Book['bids'], asks: asks as unknown as Book['asks'], time };
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
