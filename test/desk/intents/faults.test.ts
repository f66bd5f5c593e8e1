import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { WriteId } from '../../../src/wire/client/writes.ts';
import { buildPerp } from '../../terminal/cli/built-perp.ts';
import { test, trial } from '../../tiers.ts';
import type { PracticeWorld } from '../../wire/client/practice-world.ts';
import { type CommandTrial, writeTrials } from '../../wire/client/write-trials.ts';
import { CommandLane } from './command-lane.ts';
import { faultTrials } from './fault-trials.ts';

// With a key, without one, in parts; the slower tier has every write.
faultTrials({
  commands: ['createOrder', 'modifyOrder', 'closeAllAccountPositions'],
  trialsPerCommand: 1,
  isNetworkLost: false,
  atATime: 1,
  way: 'here',
});

let lane: CommandLane;
before(async () => {
  buildPerp();
  lane = await CommandLane.open('here');
});
after(() => lane.close());

test('a write without a key that got no answer is settled by the command itself, which says how', async () => {
  const cases: [name: WriteId, says: RegExp, shows: (answer: Record<string, unknown>) => unknown][] = [
    [
      'modifyOrder',
      /The write got no answer, but it is done: the order has that price and size\./,
      ({ status }) => status === 'resting',
    ],
    ['cancelOrder', /The write got no answer, but it is done: the order is canceled\./, ({ canceled }) => canceled],
    [
      'saveCopyTradingConfigurations',
      /The write got no answer, but it is done: /,
      ({ config_ids }) => Array.isArray(config_ids),
    ],
  ];
  const lostAnswer = { side: 'response', kind: 'reset', position: 60 } as const;
  for (const [name, says, shows] of cases) {
    const { exit, out, err } = await lane.strike(writeTrials[name], lostAnswer, name);
    assert.equal(exit, 0, err);
    assert.match(err, says);
    assert.ok(shows(JSON.parse(out)), out);
  }
  const inBatch = async (world: PracticeWorld): Promise<CommandTrial> => {
    const { argv, effects } = await writeTrials.cancelOrder(world);
    const file = join(lane.folder, 'lines');
    writeFileSync(file, argv.join(' '));
    return { argv: ['batch', file], effects };
  };
  const batch = await lane.strike(inBatch, lostAnswer, 'batch');
  assert.match(
    batch.err,
    /^The write got no answer, but it is done: the order is canceled\.\n\*\*\* LIVE \S+ \(a simulation, synthetic\) \*\*\*\n$/,
  );
  assert.equal(JSON.parse(batch.out).data.canceled, true, batch.out);

  const lostRequest = { side: 'request', kind: 'cut', position: 20 } as const;
  const { exit, err } = await lane.strike(writeTrials.cancelOrder, lostRequest, 'cancelOrder');
  assert.equal(exit, 0, err);
  assert.match(err, /^The write got no answer and was not done, so perp sent it again\. It is done now\.\n\*\*\* LIVE/);
});

trial('cancel-all exits 8 if the network fails halfway; resuming cancels the rest, but nothing newer', async () => {
  const { world } = lane;
  const prepare = async (): Promise<CommandTrial> => {
    const ids: string[] = [];
    while (ids.length < 60) ids.push((await world.rest()).id);
    const isCanceled = async (id: string) => (await world.order(id)).status === 'canceled';
    const canceled = async () => (await Promise.all(ids.map(isCanceled))).filter((is) => is).length;
    return { argv: ['cancel-all', '--yes'], effects: async () => (await canceled()) / ids.length };
  };
  // Orders of other trials are gone.
  await lane.lengths(prepare);
  let newer = '';
  let left = 0;
  const meanwhile = async () => {
    left = (await world.workingOrders()).length;
    newer = (await world.rest()).id;
  };
  const inSecondSlice = { side: 'request', kind: 'reset', position: 20, write: 1 } as const;
  const { exit, err } = await lane.strikeAndStayAway(prepare, inSecondSlice, 'cancel-all', meanwhile);
  assert.deepEqual([exit, left], [8, 10], err);
  assert.equal((await world.order(newer)).status, 'resting');
});
