import type { VenueName } from '../../terms/venues.ts';
import type { Venue } from './venue.ts';
import { binance } from './venues/binance.ts';
import { bybit } from './venues/bybit.ts';
import { hyperliquid } from './venues/hyperliquid.ts';
import { kraken } from './venues/kraken.ts';
import { lighter } from './venues/lighter.ts';
import { okx } from './venues/okx.ts';
import { service } from './venues/service.ts';

/** The protocol of every venue; names and addresses are in `terms/venues.ts`. */
export const venues: Readonly<Record<VenueName, Venue>> = {
  binance,
  bybit,
  hyperliquid,
  kraken,
  lighter,
  okx,
  service,
};
