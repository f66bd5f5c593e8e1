import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkEnds, left, logs, openOnLogs } from './playing-logs.ts';
import type { LogMarket } from './servers/log.ts';

for (const [what, venue, load] of logs) {
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
