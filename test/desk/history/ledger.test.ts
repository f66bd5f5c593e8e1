import assert from 'node:assert/strict';
import { temporaryDirectory } from '../../service/temporary-directory.ts';
import { trial } from '../../tiers.ts';
import { assertEqualsLedger, hasUnusualDay, tradeAtRandom, writeRecordings } from './random-trading.ts';

trial('every sum equals the ledger and every round trip its position, to the last unit', async (t) => {
  const stateDir = temporaryDirectory(t);
  const recordings = writeRecordings(stateDir);
  const seen = new Set<string>();
  for (let seed = 1; seed <= 16; seed += 1) {
    const traded = await tradeAtRandom(stateDir, recordings, seed);
    assertEqualsLedger(traded);
    for (const { kind } of traded.ledger) seen.add(kind);
    if (hasUnusualDay(traded)) seen.add('a day of 23 or 25 hours');
    if (traded.folded.trips.some(({ fills: steps, lots }) => lots > 0 && steps.length > 1))
      seen.add('an open position');
  }
  const expected = ['deposit', 'fee', 'realized_pnl', 'funding', 'a day of 23 or 25 hours', 'an open position'];
  assert.deepEqual(
    expected.filter((what) => !seen.has(what)),
    [],
  );
});
