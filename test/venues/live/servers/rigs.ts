import type { VenueName } from '../../../../src/base/terms/venues.ts';
import { binanceDialect } from './binance.ts';
import { bybitDialect } from './bybit.ts';
import { hyperliquidDialect } from './hyperliquid.ts';
import { krakenDialect } from './kraken.ts';
import { lighterDialect } from './lighter.ts';
import { okxDialect } from './okx.ts';
import type { Dialect } from './server.ts';
import { serviceDialect } from './service.ts';

/** A venue of tests: a server that speaks its protocol, and two of its markets. */
export interface Rig {
  readonly dialect: Dialect;
  readonly coins: readonly [string, string];
  /** Levels per side that are compared, where the venue publishes only so many of them at once. */
  readonly compared?: number;
  /** Whether a missing update is noticed by the venue's sequence. */
  readonly isSequenced: boolean;
}

/** The server of every venue in tests. */
export const rigs: Readonly<Record<VenueName, Rig>> = {
  binance: { dialect: binanceDialect, coins: ['BTCUSDT', 'ETHUSDT'], compared: 500, isSequenced: true },
  bybit: { dialect: bybitDialect, coins: ['BTCUSDT', 'XRPUSDT'], isSequenced: true },
  hyperliquid: { dialect: hyperliquidDialect, coins: ['BTC', 'xyz:GOLD'], compared: 5, isSequenced: false },
  kraken: { dialect: krakenDialect, coins: ['PF_XBTUSD', 'PF_ETHUSD'], isSequenced: true },
  lighter: { dialect: lighterDialect, coins: ['ETH', 'BTC'], isSequenced: true },
  okx: { dialect: okxDialect, coins: ['BTC-USDT-SWAP', 'ETH-USDT-SWAP'], isSequenced: true },
  service: { dialect: serviceDialect, coins: ['BTCUSDT', 'ETHUSDT'], isSequenced: false },
};
