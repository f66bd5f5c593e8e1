/** The venues where markets are traded. */
export const providers = ['binance', 'bybit', 'hyperliquid', 'lighter', 'fpx'] as const;

/** Facts of a venue with a public feed, for every part of perp. */
interface VenueFacts {
  /** Its name in sentences. */
  readonly title: string;
  /** The base addresses of its stream and of its REST API; null: those of the configured host. */
  readonly wsUrl: string | null;
  readonly restUrl: string | null;
}

/**
 * The venues whose public feeds can be live markets. The values of `--venue`, the config keys, the checks of `perp
 * doctor` and the providers of recordings follow from this table; their protocols are in `venues/live/venues.ts`.
 */
export const venueFacts = {
  binance: { title: 'Binance', wsUrl: 'wss://fstream.binance.com', restUrl: 'https://fapi.binance.com' },
  bybit: { title: 'Bybit', wsUrl: 'wss://stream.bybit.com', restUrl: 'https://api.bybit.com' },
  hyperliquid: { title: 'Hyperliquid', wsUrl: 'wss://api.hyperliquid.xyz', restUrl: 'https://api.hyperliquid.xyz' },
  lighter: {
    title: 'Lighter',
    wsUrl: 'wss://mainnet.zklighter.elliot.ai',
    restUrl: 'https://mainnet.zklighter.elliot.ai',
  },
  okx: { title: 'OKX', wsUrl: 'wss://ws.okx.com:8443', restUrl: 'https://www.okx.com' },
  kraken: { title: 'Kraken', wsUrl: 'wss://futures.kraken.com', restUrl: 'https://futures.kraken.com' },
  service: { title: 'the trading service', wsUrl: null, restUrl: null },
} as const satisfies Record<string, VenueFacts>;

/**
 * Whose public feed it is. `service` is the market stream of the trading service itself, for every market that it
 * lists.
 */
export type VenueName = keyof typeof venueFacts;

/** A venue that has its own addresses. */
export type AddressedVenue = {
  [Name in VenueName]: (typeof venueFacts)[Name]['wsUrl'] extends string ? Name : never;
}[VenueName];

/** Every venue. */
export const venueNames = Object.keys(venueFacts) as VenueName[];

/** The venues that have their own addresses. */
export const addressedVenues = venueNames.filter((name): name is AddressedVenue => venueFacts[name].wsUrl !== null);

/** The first part of a market id that a recording may have: one of the service's providers, or another venue. */
export type MarketProvider = (typeof providers)[number] | AddressedVenue;

/** All of them. */
export const marketProviders: ReadonlySet<string> = new Set<MarketProvider>([...providers, ...addressedVenues]);

/** A venue's name in sentences. */
export function titleOf(name: VenueName): string {
  return venueFacts[name].title;
}
