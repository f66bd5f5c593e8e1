/** Integer multiple of the market's price unit, 10^-priceDecimals in the quote currency. */
export type Price = number;
/** Twice a price: a midpoint of two integer prices is always an integer of these. */
export type HalfPrice = number;
/** Integer multiple of the market's lot, 10^-sizeDecimals of the base asset. */
export type Lots = number;
/** Integer multiple of 1e-8 USD. */
export type Money = bigint;
/** What an order does in its market. */
export type Side = 'buy' | 'sell';
/** Whether a position shares its account's margin or has its own. */
export type MarginMode = 'cross' | 'isolated';
/** Whether a position gains when the price rises or when it falls. */
export type Direction = 'long' | 'short';

/** The units of a market: decimals of its price unit and of its lot. */
export interface Grid {
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
}
