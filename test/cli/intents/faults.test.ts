import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { unsettledWrites } from '../../../src/cli/intents/journals.ts';
import { faultsOf, type Lengths } from '../../client/fault-plan.ts';
import { type Fault, type FaultProxy, faultProxy } from '../../client/fault-proxy.ts';
import { BuiltRun, buildPerp, type Ended, freshWorld, machine, type Served, servedWorld } from '../built-perp.ts';
import { type Gate, gate } from './gate.ts';
import { type Trial, writeCommands } from './write-commands.ts';

const here = machine();
let served: Served;
let proxy: FaultProxy;
let entrance: Gate;
/** Once the fault has struck nobody gets through any more, until it is mended. */
let isOutage = false;

before(async () => {
  buildPerp();
  await freshWorld(here.variables, 2);
  served = await servedWorld(here.variables);
  proxy = await faultProxy(served.baseUrl);
  entrance = await gate(proxy.url, () => isOutage && proxy.struck());
});
after(async () => {
  await entrance.close();
  await proxy.close();
  await served.stop();
  here.remove();
});

function perp(argv: readonly string[]): Promise<Ended> {
  const remote = {
    PERP_ENV: 'live',
    PERP_BASE_URL: entrance.url,
    PERP_API_KEY: served.key,
    PERP_ACCOUNT: served.world.accountId,
  };
  return new BuiltRun([...argv, '--json'], { ...here.variables, ...remote }).ended;
}

const unsettled = () => unsettledWrites(`${here.variables.PERP_STATE_DIR}/intents`);

/** What the exit status of a command says about the write, and whether that may be so after such a fault. */
async function check(trial: Trial, { exit, err }: Ended, where: string): Promise<void> {
  // 9: done, but there was no looking whether anything is left.
  if (exit === 0 || exit === 9) assert.equal(await trial.effects(), 1, where);
  else if (exit === 7) assert.equal(await trial.effects(), 0, where);
  else {
    assert.equal(exit, 8, `${where}: ${err}`);
    isOutage = false;
    const resumed = await perp(['pending', 'resume']);
    const [settled, ...others] = JSON.parse(resumed.out);
    assert.deepEqual([resumed.exit, others.length], [0, 0], `${where}: ${resumed.out}`);
    assert.match(settled.outcome, /^(done|not_done)$/, where);
    assert.equal(await trial.effects(), settled.outcome === 'done' ? 1 : 0, `${where}: ${resumed.out}`);
  }
  assert.deepEqual(unsettled(), { writes: [], damages: [] }, where);
}

/** Bytes of the whole connection of a command: what it reads first, then the write. */
async function lengths(prepare: () => Promise<Trial>): Promise<Lengths> {
  proxy.arm({ side: 'request', kind: 'delay', position: Number.MAX_SAFE_INTEGER });
  const trial = await prepare();
  const calm = await perp(trial.argv);
  assert.equal(calm.exit, 0, calm.err);
  assert.equal(await trial.effects(), 1);
  assert.deepEqual(unsettled(), { writes: [], damages: [] });
  return proxy.passed();
}

for (const [operation, prepare] of Object.entries(writeCommands)) {
  test(`${operation}: whatever byte the connection breaks at, it happens once or not at all, and perp knows which`, async () => {
    const length = await lengths(() => prepare(served.world));
    for (const fault of sampled(length)) {
      const trial = await prepare(served.world);
      proxy.arm(fault);
      const ended = await perp(trial.argv);
      if (fault.kind === 'drop') await new Promise((resolve) => setTimeout(resolve, 15));
      await check(trial, ended, `${operation} ${JSON.stringify(fault)} ${ended.err}`);
      await served.world.tidy();
    }
  });
}

test('when the network stays away, a write under a key ends with 8 as well, and resuming makes it happen exactly once', async () => {
  const exits: (number | null)[] = [];
  for (const operation of underKey) {
    const prepare = writeCommands[operation];
    const length = await lengths(() => prepare(served.world));
    const lateRequest = { side: 'request', kind: 'cut', position: length.request - 20 } as const;
    const lateAnswer = { side: 'response', kind: 'reset', position: length.response - 20 } as const;
    for (const fault of [lateRequest, lateAnswer]) {
      const trial = await prepare(served.world);
      proxy.arm(fault);
      isOutage = true;
      const ended = await perp(trial.argv);
      exits.push(ended.exit);
      if (ended.exit === 8) assert.match(ended.err, /"idempotency_key":".+"/);
      await check(trial, ended, `${operation} ${JSON.stringify(fault)} ${ended.err}`);
      isOutage = false;
      // A strategy that is left running would trade into the next trial.
      await served.world.tidy();
    }
  }
  assert.ok(exits.filter((exit) => exit === 8).length > exits.length / 2, exits.join());
});

const underKey = [
  'createOrder',
  'closePosition',
  'createTwapOrder',
  'createScaledOrder',
  'closeAllAccountPositions',
] as const;

/** A few faults in the second half of the connection, where the write is; in a long run at every byte. */
function sampled(length: Lengths): Fault[] {
  const all = [
    ...faultsOf(['cut', 'reset', 'delay'], ['request', 'response'], length, 6),
    ...faultsOf(['drop'], ['request'], length, 6),
  ].filter(({ side, position }) => position > length[side] / 2);
  if (process.env.PERP_LONG === '1') return all;
  const step = Math.ceil(all.length / 6);
  const offset = served.world.serial() % step;
  return all.filter((_, at) => at % step === offset);
}
