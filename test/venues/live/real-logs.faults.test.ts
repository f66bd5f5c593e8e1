import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faults } from './drawn-faults.ts';
import { checkEnds, left, logs, openOnLogs, realTime } from './playing-logs.ts';
import { bitcoinMinutes } from './real-logs.ts';
import type { LogMarket } from './servers/log.ts';

/** A jump of the sequence is a fault of the venue; logs have a separate test for it. */
const names = Object.keys(faults).filter((name) => name !== 'a sequence jump');

realTime(logs[0]!);

for (const [what, venue, load] of logs) {
  for (const name of names) {
    test(`${what}: after ${name}, every market is in a gap or has a book of the import`, async (t) => {
      const desk = await openOnLogs(t, venue, await load());
      const total = left(desk);
      await desk.watch(total / 3);
      const draw = (low: number, high: number) => low + Math.floor(desk.world.random() * (high - low));
      const end = faults[name]!(desk, draw);
      await desk.watch(total / 3);
      end();
      await desk.watch(left(desk));
      for (let passed = 0; passed < 240_000; passed += 5_000) {
        if (desk.marketIds.every((marketId) => desk.status(marketId).state === 'live')) break;
        await desk.watch(5_000);
      }
      checkEnds(desk);
    });
  }
}

test('Binance BTC, 345 s in real time: every print of the recording is on the tape once, in order, whatever fails', async (t) => {
  const desk = await openOnLogs(t, 'binance', bitcoinMinutes());
  const [market] = desk.server.markets as [LogMarket];
  for (const name of names) {
    const end = faults[name]!(desk, (low) => low);
    await desk.watch(2_000);
    end();
    await desk.watch(14_000);
  }
  await desk.watch(Math.max(0, left(desk)) + 60_000);
  checkEnds(desk);
  const prints = desk.tapeLines().flatMap(({ trade }) => (trade === undefined ? [] : [Number(trade.id)]));
  assert.equal(new Set(prints).size, prints.length);
  const whole = desk.gaps().filter((gap) => gap.endsWith('whole')).length;
  assert.ok(whole > 5, `${whole} gaps of which every print is known`);
  assert.ok(prints.length > 0.99 * market.trades.length, `${prints.length} of ${market.trades.length}`);
});
