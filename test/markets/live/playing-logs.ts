import type { TestContext } from 'node:test';
import type { VenueName } from '../../../src/terms/venues.ts';
import { LiveDesk } from './desk.ts';
import { binanceSession, bitcoinMinutes, bybitLog } from './real-logs.ts';
import type { LogMarket } from './servers/log.ts';

/** Real logs of venues, and how to play them. */
export const logs: [what: string, venue: VenueName, load: () => Promise<LogMarket[]> | LogMarket[]][] = [
  ['four markets of Binance', 'binance', binanceSession],
  ['Bybit XRP', 'bybit', bybitLog],
  ['20 s of Binance BTC', 'binance', () => bitcoinMinutes(20)],
];

/** A desk on a venue that plays logs. */
export async function openOnLogs(t: TestContext, venue: VenueName, markets: readonly LogMarket[]): Promise<LiveDesk> {
  const desk = await LiveDesk.onLogs(venue, markets);
  t.after(() => desk.close());
  return desk;
}

/** Milliseconds until every log has ended. */
export function left(desk: LiveDesk): number {
  const ends = (desk.server.markets as LogMarket[]).map(({ endMs }) => endMs);
  return Math.max(...ends) - desk.world.uptime() + 500;
}

/** Every market's last book equals the last book of a direct import of its log. */
export function checkEnds(desk: LiveDesk): void {
  desk.checkHealed();
  for (const [at, marketId] of desk.marketIds.entries()) {
    desk.checkBook(marketId, [...desk.server.markets[at]!.states].at(-1)!);
  }
}
