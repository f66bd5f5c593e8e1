import type { TestContext } from 'node:test';
import type { VenueName } from '../../../src/terms/venues.ts';
import { LiveScene } from './live-scene.ts';
import { binanceSession, bitcoinMinutes, bybitLog } from './real-logs.ts';
import type { LogMarket } from './servers/log.ts';

/** Real logs of venues, and how to play them. */
export const logs: [what: string, venue: VenueName, load: () => Promise<LogMarket[]> | LogMarket[]][] = [
  ['four markets of Binance', 'binance', binanceSession],
  ['Bybit XRP', 'bybit', bybitLog],
  ['20 s of Binance BTC', 'binance', () => bitcoinMinutes(20)],
];

/** A scene on a venue that plays logs. */
export async function openOnLogs(t: TestContext, venue: VenueName, markets: readonly LogMarket[]): Promise<LiveScene> {
  const scene = await LiveScene.onLogs(venue, markets);
  t.after(() => scene.close());
  return scene;
}

/** Milliseconds until every log has ended. */
export function left(scene: LiveScene): number {
  const ends = (scene.server.markets as LogMarket[]).map(({ endMs }) => endMs);
  return Math.max(...ends) - scene.world.uptime() + 500;
}

/** Every market's last book equals the last book of a direct import of its log. */
export function checkEnds(scene: LiveScene): void {
  scene.checkHealed();
  for (const [at, marketId] of scene.marketIds.entries()) {
    scene.checkBook(marketId, [...scene.server.markets[at]!.states].at(-1)!);
  }
}
