import type { VenueName } from '../../base/terms/venues.ts';
import { binance } from './protocols/binance.ts';
import { bybit } from './protocols/bybit.ts';
import { hyperliquid } from './protocols/hyperliquid.ts';
import { kraken } from './protocols/kraken.ts';
import { lighter } from './protocols/lighter.ts';
import { okx } from './protocols/okx.ts';
import { service } from './protocols/service.ts';
import type { Venue } from './protocols/venue.ts';

/** The protocol of every venue; names and addresses are in `base/terms/venues.ts`. */
export const venues: Readonly<Record<VenueName, Venue>> = {
  binance,
  bybit,
  hyperliquid,
  kraken,
  lighter,
  okx,
  service,
};
