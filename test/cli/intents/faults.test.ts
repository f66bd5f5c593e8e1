import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { operations } from '../../../src/contract/operations.ts';
import { draw } from '../../../src/engine/random.ts';
import { strikes, strikesEveryByte } from '../../client/fault-plan.ts';
import type { Fault } from '../../client/fault-proxy.ts';
import type { PracticeWorld } from '../../client/practice-world.ts';
import { buildPerp } from '../built-perp.ts';
import { CommandLane, type Stretch } from './command-lane.ts';
import { type Trial, writeCommands } from './write-commands.ts';

/** The same seed draws the same faults: PERP_FAULT_SEED=N tries others. */
const seed = Number(process.env.PERP_FAULT_SEED ?? 1);

type Name = keyof typeof writeCommands;
const names = Object.keys(writeCommands) as Name[];
const trialsPerCommand = 8;
const atATime = 8;
const lanes: CommandLane[] = [];

before(async () => {
  buildPerp();
  lanes.push(...(await Promise.all(Array.from({ length: atATime }, () => CommandLane.open()))));
});
after(async () => {
  for (const lane of lanes) await lane.close();
});

/** Takes a lane, as soon as one is free. */
async function onLane(work: (lane: CommandLane) => Promise<void>): Promise<void> {
  const lane = lanes.pop()!;
  try {
    await work(lane);
  } finally {
    lanes.push(lane);
  }
}

describe('whatever breaks, a write happens once or not at all, and perp knows which', { concurrency: atATime }, () => {
  for (const name of names) {
    const howMany = strikesEveryByte ? 'at every byte' : `at ${trialsPerCommand} drawn bytes`;
    it(`${name}: ${howMany}, and when the network then stays away`, { timeout: 7_200_000 }, () =>
      onLane(async (lane) => {
        const prepare = writeCommands[name];
        const stretch = await lane.stretch(prepare);
        const faults = strikesEveryByte ? everyFault(name, stretch) : drawnFaults(name, stretch);
        for (const fault of faults) await lane.strike(prepare, fault, `${name}, seed ${seed}`);
        for (const fault of lateFaults(stretch)) {
          const { exit, err } = await lane.strikeAndStayAway(prepare, fault, name);
          assert.equal(exit, 8, `${fault.side}: ${err}`);
          if (operations[name].idempotent) assert.match(err, /"idempotency_key":".+"/);
        }
      }),
    );
  }
});

test('a write without a key that got no answer is finished by the command itself, which says how', async () => {
  const lane = lanes[0]!;
  const cases: [name: Name, says: RegExp, shows: (answer: Record<string, unknown>) => unknown][] = [
    [
      'modifyOrder',
      /It got no answer, but is done: the order has that price and size\./,
      ({ status }) => status === 'resting',
    ],
    ['cancelOrder', /It got no answer, but is done: the order is canceled\./, ({ canceled }) => canceled],
    ['saveCopyTradingConfigurations', /It got no answer, but is done: /, ({ config_ids }) => Array.isArray(config_ids)],
  ];
  for (const [name, says, shows] of cases) {
    const { from } = await lane.stretch(writeCommands[name]);
    const lostAnswer = { side: 'response', kind: 'reset', position: from.response + 60 } as const;
    const { exit, out, err } = await lane.strike(writeCommands[name], lostAnswer, name);
    assert.equal(exit, 0, err);
    assert.match(err, says);
    assert.ok(shows(JSON.parse(out)), out);
  }
  const inBatch = async (world: PracticeWorld): Promise<Trial> => {
    const { argv, effects } = await writeCommands.cancelOrder(world);
    const file = join(lane.folder, 'lines');
    writeFileSync(file, argv.join(' '));
    return { argv: ['batch', file], effects };
  };
  const { from: batchFrom } = await lane.stretch(inBatch);
  const inBatchLost = { side: 'response', kind: 'reset', position: batchFrom.response + 60 } as const;
  const batch = await lane.strike(inBatch, inBatchLost, 'batch');
  assert.equal(batch.err, 'It got no answer, but is done: the order is canceled.\n');
  assert.equal(JSON.parse(batch.out).data.canceled, true, batch.out);

  const { from } = await lane.stretch(writeCommands.cancelOrder);
  const lostRequest = { side: 'request', kind: 'cut', position: from.request + 20 } as const;
  const { exit, err } = await lane.strike(writeCommands.cancelOrder, lostRequest, 'cancelOrder');
  assert.deepEqual([exit, err], [0, 'It got no answer and was not done; it was sent again, and is.\n']);
});

test('cancel-all whose network goes away in the middle ends with 8, and resuming cancels the rest and nothing newer', async () => {
  const lane = lanes[0]!;
  const { world } = lane;
  const prepare = async (): Promise<Trial> => {
    const ids: string[] = [];
    while (ids.length < 60) ids.push((await world.rest()).id);
    const isCanceled = async (id: string) => (await world.order(id)).status === 'canceled';
    const canceled = async () => (await Promise.all(ids.map(isCanceled))).filter((is) => is).length;
    return { argv: ['cancel-all', '--yes'], effects: async () => (await canceled()) / ids.length };
  };
  const { from } = await lane.stretch(prepare, 1);
  let newer = '';
  let left = 0;
  const meanwhile = async () => {
    left = (await world.workingOrders()).length;
    newer = (await world.rest()).id;
  };
  const inSecondSlice = { side: 'request', kind: 'reset', position: from.request + 20 } as const;
  const { exit, err } = await lane.strikeAndStayAway(prepare, inSecondSlice, 'cancel-all', meanwhile);
  assert.deepEqual([exit, left], [8, 10], err);
  assert.equal((await world.order(newer)).status, 'resting');
});

/** The write has left, and either it or its answer gets lost. */
function lateFaults({ from }: Stretch): Fault[] {
  return [
    { side: 'request', kind: 'cut', position: from.request + 60 },
    { side: 'response', kind: 'reset', position: from.response + 60 },
  ];
}

/** All kinds take turns from byte to byte of the write and its answer. */
function everyFault(name: Name, { from, to }: Stretch): Fault[] {
  return (['request', 'response'] as const).flatMap((side) => {
    const kinds = strikesOn(name).filter((strike) => strike.side === side);
    return Array.from({ length: to[side] - from[side] + 1 }, (_, at) => ({
      ...kinds[at % kinds.length]!,
      position: from[side] + at,
      delayMs: 5,
    }));
  });
}

/** Other kinds from command to command, each somewhere in the write and its answer. */
function drawnFaults(name: Name, { from, to }: Stretch): Fault[] {
  const among = strikesOn(name);
  return Array.from({ length: trialsPerCommand }, (_, at) => {
    const strike = among[(names.indexOf(name) * trialsPerCommand + at) % among.length]!;
    const begin = from[strike.side];
    const share = draw(seed, 'position', `${name} ${at}`);
    return { ...strike, position: begin + Math.floor(share * (to[strike.side] - begin + 1)), delayMs: 5 };
  });
}

/** A new copy group has nothing that would tell a second delivery of it from a second one that is wanted (API 4.7). */
function strikesOn(name: Name) {
  if (name !== 'saveCopyTradingConfigurations') return strikes;
  return strikes.filter(({ side, kind }) => side === 'response' || (kind !== 'duplicate' && kind !== 'drop'));
}

test('every write has its command here, except the login, whose answer is given only once', () => {
  const writes = Object.values(operations).filter((operation) => operation.method !== 'GET');
  const untried = writes.map((operation) => operation.id).filter((id) => !(id in writeCommands));
  assert.deepEqual(untried, ['exchangeCliAuthorizationCode']);
});
