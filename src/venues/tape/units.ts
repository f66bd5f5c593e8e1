import type { MarketProvider } from '../../base/terms/venues.ts';

/**
 * The unit of the sizes in a venue's file: the base asset; contracts, of so many base units each (null: perp does not know
 * how many); the currency of the price, for inverse contracts; or the venue's own, which perp does not know.
 */
export type Unit =
  | { readonly kind: 'base' }
  | { readonly kind: 'contracts'; readonly size: string | null }
  | { readonly kind: 'inverse' }
  | { readonly kind: 'unknown' };

/** Sizes in the base asset. */
export const base: Unit = { kind: 'base' };
/** Sizes in a unit that perp does not know. */
export const unknownUnit: Unit = { kind: 'unknown' };

/** OKX's contract sizes (`ctVal`), in the base asset, as of this day. */
export const okxContracts = {
  asOf: 'November 2026',
  sizes: { 'BTC-USDT-SWAP': '0.01', 'ETH-USDT-SWAP': '0.1' } as Partial<Record<string, string>>,
};

/** What the names of a venue's inverse contracts look like. */
const inverse: Partial<Record<MarketProvider, RegExp>> = {
  binance: /USD_(PERP|\d{6})$/,
  bybit: /USD([FGHJKMNQUVXZ]\d\d)?$/,
  okx: /-USD-/,
  kraken: /^[FP]I_/,
};

/** The unit of a venue's market, by its name there. */
export function unitOf(provider: MarketProvider, coin: string): Unit {
  if (inverse[provider]?.test(coin) === true) return { kind: 'inverse' };
  if (provider === 'okx') return { kind: 'contracts', size: okxContracts.sizes[coin] ?? null };
  return base;
}
