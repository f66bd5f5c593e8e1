/** What the exchange compares the trigger price of stops with. */
export type StopPrice = 'mark' | 'last';

/**
 * What the live service was observed to do and an account of the simulation does only where its policy says so
 * (simulation 6.3).
 */
export interface ObservedBehavior {
  /** Most open notional of the account's owner in one market, USD; no answer reveals it. Null: none. */
  exposureCapUsd: number | null;
  /** Takers pay at most a cap of adverse slippage, by class, worth and open interest. */
  slippageCaps: boolean;
  /** The price that triggers stops: the mark (also where absent, in states of older versions), or the last print. */
  stopPrice?: StopPrice;
  /** Markets of category fx trade at their mark and the spread of a tier. */
  fxAtMark: boolean;
  /** Open interest by market id, USD: which cap a market has. */
  openInterestUsd: Record<string, number>;
  /** A quote's worst price is its estimated fill price. */
  worstPriceIsEstimate: boolean;
  /** A list of orders needs an account id or a client order id. */
  orderListNeedsFilter: boolean;
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
};

/** What an account's policy has of the observed behavior. */
export function observedOf({ observed }: { readonly observed?: ObservedBehavior }): ObservedBehavior {
  return observed ?? nothingObserved;
}
