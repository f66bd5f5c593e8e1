/** The price that the exchange compares with a stop's trigger price. */
export type StopPrice = 'mark' | 'last' | 'index';

/** Where an account's marks come from: the midpoint of the book, or the venue, which publishes its own. */
type MarkSource = 'book' | 'venue';

/**
 * Behavior observed on the live service. An account of the simulation behaves this way only if its policy says so
 * (simulation 6.3).
 */
export interface ObservedBehavior {
  /** Maximum open notional of the account's owner in one market, USD; no answer reveals it. Null: no limit. */
  exposureCapUsd: number | null;
  /** A taker's adverse slippage is capped, by class, notional and open interest. */
  slippageCaps: boolean;
  /**
   * The price that triggers stops: the mark, the last print, or the venue's index. Absent in states of older versions:
   * the mark.
   */
  stopPrice?: StopPrice;
  /** Where its marks come from. Absent in states of older versions: the book. */
  marks?: MarkSource;
  /** Markets of category fx trade at their mark plus or minus the spread of a tier. */
  fxAtMark: boolean;
  /** Open interest by market id, USD: decides a market's cap. */
  openInterestUsd: Record<string, number>;
  /** A quote's worst price is its estimated fill price. */
  worstPriceIsEstimate: boolean;
  /** A list of orders needs an account id or a client order id. */
  orderListNeedsFilter: boolean;
  /** A quote with a side and no size is a plain quote. Absent in states of older versions: it is refused. */
  sideAloneIsPlainQuote?: boolean;
  /** WebSocket pings keep the market stream connected. Absent in states of older versions: only frames do. */
  pingsKeepStream?: boolean;
}

/** How an account trades unless its policy says otherwise. */
export const nothingObserved: ObservedBehavior = {
  exposureCapUsd: null,
  slippageCaps: false,
  stopPrice: 'mark',
  marks: 'book',
  fxAtMark: false,
  openInterestUsd: {},
  worstPriceIsEstimate: false,
  orderListNeedsFilter: false,
  sideAloneIsPlainQuote: false,
  pingsKeepStream: false,
};

/** Whether an account is measured by the venue's own marks (simulation 6.3). */
export function followsVenue({ observed }: { readonly observed?: ObservedBehavior }): boolean {
  return observed?.marks === 'venue';
}

/** The observed behavior that an account's policy turns on. */
export function observedOf({ observed }: { readonly observed?: ObservedBehavior }): ObservedBehavior {
  return observed ?? nothingObserved;
}
