import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../../seed.ts';
import { temporaryDirectory } from '../../service/temporary-directory.ts';
import { assertEqualsLedger, hasUnusualDay, tradeAtRandom, writeRecordings } from './random-trading.ts';

const runs = process.env.PERP_LONG ? 20_000 : 120;
const first = 1_000 * seed;

test(`the sums of ${runs} random accounts equal their ledgers to the last unit`, async (t) => {
  const stateDir = temporaryDirectory(t);
  const recordings = writeRecordings(stateDir);
  const kinds = new Set<string>();
  let unusual = 0;
  for (let seed = first; seed < first + runs; seed += 1) {
    const traded = await tradeAtRandom(stateDir, recordings, seed, 50);
    assertEqualsLedger(traded);
    for (const { kind } of traded.ledger) kinds.add(kind);
    if (hasUnusualDay(traded)) unusual += 1;
  }
  assert.deepEqual([...kinds].sort(), ['bankruptcy', 'deposit', 'fee', 'funding', 'liquidation_fee', 'realized_pnl']);
  assert.ok(unusual > runs / 4, `only ${unusual} accounts traded through a day of 23 or 25 hours`);
});
