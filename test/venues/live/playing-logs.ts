import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { VenueName } from '../../../src/base/terms/venues.ts';
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

/** A log in real time, undisturbed and without one of its updates. */
export function realTime([what, venue, load]: (typeof logs)[number]): void {
  test(`${what}: in real time, every book is one of a direct import's, and the last one is its last`, async (t) => {
    const desk = await openOnLogs(t, venue, await load());
    await desk.watch(left(desk));
    checkEnds(desk);
    assert.deepEqual(desk.gaps(), []);
  });

  test(`${what}: an update that the venue never sent is a gap until the next full book`, async (t) => {
    const desk = await openOnLogs(t, venue, await load());
    await desk.watch(left(desk) / 2);
    const [market] = desk.server.markets as [LogMarket];
    const { count } = market;
    desk.server.troubles.isSilent = true;
    while (market.count === count) await desk.world.pass(10);
    desk.server.troubles.isSilent = false;
    await desk.watch(left(desk));
    await desk.watch(10_000);
    assert.ok(desk.gaps().length >= 2);
    checkEnds(desk);
  });
}
