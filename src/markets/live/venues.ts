import type { Venue, VenueName } from './venue.ts';
import type { VenueAddress } from './venue-feed.ts';
import { binance } from './venues/binance.ts';
import { bybit } from './venues/bybit.ts';
import { hyperliquid } from './venues/hyperliquid.ts';
import { lighter } from './venues/lighter.ts';
import { service } from './venues/service.ts';

/** All venues with a feed. */
export const venues: Readonly<Record<VenueName, Venue>> = { binance, bybit, hyperliquid, lighter, service };

/** The venues' addresses; the service's stream is on the configured host. */
export const defaultAddresses: Readonly<Record<Exclude<VenueName, 'service'>, VenueAddress>> = {
  binance: { wsUrl: 'wss://fstream.binance.com', restUrl: 'https://fapi.binance.com' },
  bybit: { wsUrl: 'wss://stream.bybit.com', restUrl: 'https://api.bybit.com' },
  hyperliquid: { wsUrl: 'wss://api.hyperliquid.xyz', restUrl: 'https://api.hyperliquid.xyz' },
  lighter: { wsUrl: 'wss://mainnet.zklighter.elliot.ai', restUrl: 'https://mainnet.zklighter.elliot.ai' },
};
