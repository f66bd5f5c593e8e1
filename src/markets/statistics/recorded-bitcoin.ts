import type { Figure } from './figures.ts';

/**
 * What the gates measured of a real market: 345 s of Binance USD-M BTCUSDT, its depth updates, best prices and trades
 * as received, imported with `perp sim books import` and played with `perp sim markets stats --gates --books`. Best
 * prices and trades come over different streams, whose times differ by some milliseconds: a part of what seems to
 * trade outside the neighboring books, or through a touch, is due to that. Figures for which 345 s are too
 * few are missing.
 */
export const recordedBitcoin: { marketId: string; from: number; to: number; figures: readonly Figure[] } = {
  marketId: 'binance|BTCUSDT',
  from: Date.UTC(2024, 7, 8, 23, 54, 16, 492),
  to: Date.UTC(2024, 7, 9, 0, 0, 1, 54),
  figures: [
    ['volume printed outside the neighboring books', '%', 1.96],
    ['wick of a minute beyond its best prices, largest', 'bps', 0],
    ['prints through the displayed touch', '%', 4.23],
    ['volume that the book did not display', '%', 9.24],
    ['maker at the back of both touches, share of volume', 'x', 0.115],
    ['maker at their front, share of volume', 'x', 0.507],
    ['markout from the mid before, 1 s', 'bps', 0.979],
    ['markout from the mid before, 30 s', 'bps', 0.518],
    ['markout after 30 s, relative to 1 s', 'x', 0.529],
    ['resting orders, mean result', 'bps', -5.87],
    ['resting orders, mean + 3 standard errors', 'bps', -4.58],
    ['books', '/s', 246],
    ['spread, mean', 'bps', 0.0179],
    ['spread of one tick', '%', 99],
    ['touch, median', 'USD', 190_847],
    ['depth within 10 bps, one side', 'USD', 13_759_668],
    ['depth within 25 bps, one side', 'USD', 39_136_783],
    ['move in 1 s', 'bps', 1.21],
    ['mid unchanged after 450 ms', '%', 66.7],
    ['kurtosis of 1 s moves, without the 5 largest', '', 3.28],
    ['autocorrelation of 1 s moves, largest of lags 1 to 10', '', -0.111],
    ['prints', '/s', 61.9],
    ['prints per second, variance / mean', '', 377],
    ['traded', 'USD/s', 434_775],
    ["takers' sides, autocorrelation at lag 1", '', 0.794],
    ["takers' sides, autocorrelation at lag 10", '', 0.581],
    ['flow and move in 1 s, correlation', '', 0.598],
    ['touch before it gives way / other side', '', 0.4],
    ['imbalance and next move (450 ms), correlation', '', 0.385],
    ['markout against makers after 1 s', 'bps', 0.409],
  ].map(([name, unit, value]) => ({ name, unit, value }) as Figure),
};
