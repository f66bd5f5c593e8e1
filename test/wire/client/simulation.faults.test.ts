import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { draw } from '../../../src/exchange/engine/random.ts';
import type { WriteId } from '../../../src/wire/client/writes.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { seed } from '../../seed.ts';
import { FaultLane, type Tally } from './fault-lane.ts';
import { drawnFaults, everyFault, strikes, strikesEveryByte } from './fault-plan.ts';
import { writeTrials } from './write-trials.ts';

const trials = 10_000;

const names = Object.keys(writeTrials) as WriteId[];
const lanes: FaultLane[] = [];
const tally: Tally = { trials: 0, struck: 0, ends: {} };

before(async () => {
  for (let lane = 0; lane < 12; lane++) lanes.push(await FaultLane.open(tally));
});
after(async () => {
  for (const lane of lanes) await lane.close();
  console.log(JSON.stringify({ seed, ...tally }));
  // Not if only some of the tests were asked for.
  if (tally.trials >= trials) assertEffect();
});

for (const [index, name] of names.entries()) {
  const perOperation = Math.ceil((trials - index) / names.length);
  const howMany = strikesEveryByte ? 'at every byte' : `in ${perOperation} drawn trials`;
  test(`${name}: never lost or doubled, whatever breaks between client and simulation, ${howMany}`, async () => {
    const prepare = writeTrials[name];
    const lengths = await lanes[0]!.lengths(prepare);
    const drawn = (at: number) => drawnFaults(strikesOn(name), lengths, seed, at * names.length + index);
    const all = strikesEveryByte
      ? everyFault(strikesOn(name), lengths)
      : Array.from({ length: perOperation }, (_, at) => drawn(at));
    const left = all.entries();
    const work = lanes.map(async (lane) => {
      for (const [at, faults] of left) {
        const triesOnce = draw(seed, 'patience', `${name} ${at}`) < 0.3;
        const where = `${name}, trial ${at} of seed ${seed}, ${triesOnce ? 'tried once' : 'tried again'}`;
        await lane.strike(prepare, faults, `${where}, ${JSON.stringify(faults)}`, triesOnce);
      }
    });
    // All have ended before the next test.
    const failed = (await Promise.allSettled(work)).filter(({ status }) => status === 'rejected');
    for (const { reason } of failed as PromiseRejectedResult[]) throw reason;
  });
}

/** A second delivery of a new copy group can't be distinguished from an intended second group (API 4.7). */
function strikesOn(name: string) {
  if (name !== 'saveCopyTradingConfigurations') return strikes;
  return strikes.filter(({ side, kind }) => side === 'response' || (kind !== 'duplicate' && kind !== 'drop'));
}

test('every write is tested, except the login, which is answered only once', () => {
  const writes = Object.values(operations).filter((operation) => operation.method !== 'GET');
  const untried = writes.map((operation) => operation.id).filter((id) => !(id in writeTrials));
  assert.deepEqual(untried, ['exchangeCliAuthorizationCode'], 'give each a trial in write-trials.ts');
});

/** Nearly all of the faults had an effect, and most writes succeeded anyway. */
function assertEffect(): void {
  assert.ok(tally.struck > 0.9 * tally.trials);
  assert.ok(tally.ends.OutcomeUnknownError! > 0.05 * tally.trials);
  assert.ok(tally.ends.done! > 0.7 * tally.trials);
}
