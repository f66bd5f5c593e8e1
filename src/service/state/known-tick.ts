import { catalogMarket } from '../../exchange/markets/catalog.ts';

/** The tick that the built-in catalog has for a market; undefined if it has none. */
export function knownTick(marketId: string): number | undefined {
  const market = catalogMarket(marketId);
  return market === undefined || market.tick === null ? undefined : Number(`${market.tick}e-${market.priceDecimals}`);
}
