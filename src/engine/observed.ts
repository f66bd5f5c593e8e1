/** The price that the exchange compares with a stop's trigger price. */
export type StopPrice = 'mark' | 'last';

/**
 * Behavior observed on the live service. An account of the simulation behaves this way only if its policy says so
 * (simulation 6.3).
 */
export interface ObservedBehavior {
  /** Maximum open notional of the account's owner in one market, USD; no answer reveals it. Null: no limit. */
  exposureCapUsd: number | null;
  /** A taker's adverse slippage is capped, by class, notional and open interest. */
  slippageCaps: boolean;
  /** The price that triggers stops: the mark, or the last print. Absent in states of older versions: the mark. */
  stopPrice?: StopPrice;
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
  fxAtMark: false,
  openInterestUsd: {},
  worstPriceIsEstimate: false,
  orderListNeedsFilter: false,
  sideAloneIsPlainQuote: false,
  pingsKeepStream: false,
};

/** The observed behavior that an account's policy turns on. */
export function observedOf({ observed }: { readonly observed?: ObservedBehavior }): ObservedBehavior {
  return observed ?? nothingObserved;
}
