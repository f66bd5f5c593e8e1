import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { draw } from '../../../src/exchange/engine/random.ts';
import type { WriteId } from '../../../src/wire/client/writes.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { seed } from '../../seed.ts';
import { buildPerp } from '../../terminal/cli/built-perp.ts';
import { type Lengths, strikes, strikesEveryByte } from '../../wire/client/fault-plan.ts';
import type { Fault } from '../../wire/client/fault-proxy.ts';
import { writeTrials } from '../../wire/client/write-trials.ts';
import { CommandLane, type Way } from './command-lane.ts';

const names = Object.keys(writeTrials) as WriteId[];

/** The commands to test, how often, and on how many machines at a time. */
interface Extent {
  /** Default: every command that writes. */
  readonly commands?: readonly WriteId[];
  /** Faults at bytes of the write and its answer; in a long run one at every byte. */
  readonly trialsPerCommand: number;
  /** Also two faults after which the network stays down. */
  readonly isNetworkLost: boolean;
  readonly atATime: number;
  readonly way: Way;
}

/** Injects faults into commands that write. */
export function faultTrials({ commands = names, trialsPerCommand, isNetworkLost, atATime, way }: Extent): void {
  const lanes: CommandLane[] = [];

  /** Takes a lane as soon as one is free. */
  async function onLane(work: (lane: CommandLane) => Promise<void>): Promise<void> {
    const lane = lanes.pop()!;
    try {
      await work(lane);
    } finally {
      lanes.push(lane);
    }
  }

  describe('whatever fails, a write takes effect at most once, and perp knows whether it did', {
    concurrency: atATime,
  }, () => {
    before(async () => {
      buildPerp();
      lanes.push(...(await Promise.all(Array.from({ length: atATime }, () => CommandLane.open(way)))));
    });
    after(async () => {
      for (const lane of lanes) await lane.close();
    });

    for (const name of commands) {
      const howMany = strikesEveryByte ? 'at every byte' : `at ${trialsPerCommand} drawn bytes`;
      const howLong = isNetworkLost ? ', and when the network then stays away' : '';
      it(`${name}: ${howMany}${howLong}`, { timeout: 7_200_000 }, () =>
        onLane(async (lane) => {
          const prepare = writeTrials[name];
          const lengths = await lane.lengths(prepare);
          const faults = strikesEveryByte ? everyFault(name, lengths) : drawnFaults(name, lengths, trialsPerCommand);
          for (const fault of faults) await lane.strike(prepare, fault, `${name}, seed ${seed}`);
          for (const fault of isNetworkLost ? lateFaults : []) {
            const { exit, err } = await lane.strikeAndStayAway(prepare, fault, name);
            assert.equal(exit, 8, `${fault.side}: ${err}`);
            if (operations[name].idempotent) assert.match(err, /"idempotency_key":".+"/);
          }
        }),
      );
    }
  });
}

/** The write has been sent, and either it or its answer is lost. */
const lateFaults: readonly Fault[] = [
  { side: 'request', kind: 'cut', position: 60 },
  { side: 'response', kind: 'reset', position: 60 },
];

/** The kinds of faults take turns from byte to byte of the write and its answer. */
function everyFault(name: WriteId, lengths: Lengths): Fault[] {
  return (['request', 'response'] as const).flatMap((side) => {
    const kinds = strikesOn(name).filter((strike) => strike.side === side);
    return Array.from({ length: lengths[side] + 1 }, (_, at) => ({
      ...kinds[at % kinds.length]!,
      position: at,
      delayMs: 5,
    }));
  });
}

/** The kinds vary from command to command, each at some byte of the write and its answer. */
function drawnFaults(name: WriteId, lengths: Lengths, trialsPerCommand: number): Fault[] {
  const among = strikesOn(name);
  return Array.from({ length: trialsPerCommand }, (_, at) => {
    const strike = among[(names.indexOf(name) * trialsPerCommand + at) % among.length]!;
    const share = draw(seed, 'position', `${name} ${at}`);
    return { ...strike, position: Math.floor(share * (lengths[strike.side] + 1)), delayMs: 5 };
  });
}

/** A second delivery of a new copy group can't be distinguished from an intended second group (API 4.7). */
function strikesOn(name: WriteId) {
  if (name !== 'saveCopyTradingConfigurations') return strikes;
  return strikes.filter(({ side, kind }) => side === 'response' || (kind !== 'duplicate' && kind !== 'drop'));
}
