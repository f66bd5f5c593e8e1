import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Exchange, emptyState } from '../../src/exchange/engine/exchange.ts';
import { openSimulation, resetState, SimulationError } from '../../src/service/public.ts';
import type { SimulationOptions } from '../../src/service/simulation/options.ts';
import type { Simulation } from '../../src/service/simulation/simulation.ts';
import { Failure } from '../../src/wire/hosting/failure.ts';
import { plainOrder } from '../exchange/engine/scenario.ts';
import { test, trial } from '../tiers.ts';
import { startTime } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

type Context = Parameters<typeof temporaryDirectory>[0];
const entry = new URL('../../src/service/public.ts', import.meta.url).href;

async function opened(t: Context, options: Partial<SimulationOptions> & { stateDir: string }): Promise<Simulation> {
  const simulation = await openSimulation({ clock: 'manual', startTime, seed: 7, ...options });
  t.after(() => simulation.close());
  return simulation;
}

const accountsOf = (simulation: Simulation) => simulation.read(({ store }) => store.accounts('local', 'live'));

function buy(simulation: Simulation, changes: Record<string, unknown> = {}) {
  const [account] = accountsOf(simulation);
  return simulation.write(({ execute }) =>
    execute({
      ...plainOrder,
      accountId: account!.id,
      marketId: 'binance|BTCUSDT',
      side: 'buy',
      size: 0.01,
      ...changes,
    } as Parameters<typeof execute>[0]),
  );
}

const conflict = (error: unknown) => error instanceof SimulationError && error.kind === 'conflict';

test('a new state has one account in each environment, with the select plan and 100,000 USD', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
  for (const environment of ['live', 'test'] as const) {
    const [account, ...more] = simulation.read(({ store }) => store.accounts('local', environment));
    assert.deepEqual([more.length, account!.plan.name, account!.balance], [0, 'select', 100_000n * 100_000_000n]);
  }
});

test('seed, plan, balance and number of accounts are as requested', async (t) => {
  const options = { stateDir: temporaryDirectory(t), plan: 'prime', startingBalance: 5_000.5, accounts: 3 };
  const accounts = accountsOf(await opened(t, options));
  assert.deepEqual(
    accounts.map(({ plan, balance }) => [plan.name, balance]),
    Array(3).fill(['prime', 500_050_000_000n]),
  );
});

test('invalid options are refused before anything is created', async (t) => {
  const stateDir = temporaryDirectory(t);
  for (const options of [{ state: '../x' }, { plan: 'gold' }, { accounts: 0 }, { startingBalance: -1 }, { speed: 0 }])
    await assert.rejects(
      openSimulation({ stateDir, ...options }),
      (error) => error instanceof SimulationError && error.kind === 'invalid',
      JSON.stringify(options),
    );
});

trial('processes that open a new state at the same moment all get the same state', async (t) => {
  const stateDir = temporaryDirectory(t);
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `const { inProcessTransport } = await import(${JSON.stringify(entry)});
       const { transport, simulation, close } = await inProcessTransport({ stateDir: process.argv[1] });
       const { body } = await transport({ method: 'GET', target: '/v1/accounts', headers: {} });
       console.log(simulation.facts.seed, body.data.map(({ id }) => id).join());
       close();`,
      stateDir,
    ]),
  );
  const outputs = await Promise.all(
    children.map(async (child) => {
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      await once(child, 'close');
      return text;
    }),
  );
  assert.equal(new Set(outputs).size, 1, outputs.join('\n'));
  assert.match(outputs[0]!, /^\d+ acc_\w+\n$/);
});

test('two processes on one state see each other’s changes', async (t) => {
  const stateDir = temporaryDirectory(t);
  const [one, other] = [await opened(t, { stateDir }), await opened(t, { stateDir })];
  assert.equal(buy(one).ok, true);
  const [account] = accountsOf(other);
  assert.equal(other.read(({ store }) => store.openPositions(account!.id)).length, 1);
  assert.equal(buy(other).ok, true);
  assert.equal(buy(one).ok, true);
  const [position] = other.read(({ store }) => store.openPositions(account!.id));
  assert.equal(position!.size, 30);
  assert.equal(
    other.read(({ exchange }) => exchange.stateHash()),
    one.read(({ exchange }) => exchange.stateHash()),
  );
});

test('a manual clock keeps its time, in every process and after every restart', async (t) => {
  const stateDir = temporaryDirectory(t);
  const [one, other] = [await opened(t, { stateDir }), await opened(t, { stateDir })];
  assert.equal(
    one.read(({ exchange }) => exchange.time),
    startTime,
  );
  one.write((moment) => {
    one.setClock({ kind: 'manual', now: startTime + 5_000 });
    moment.advance(startTime + 5_000);
  });
  assert.equal(
    other.read(({ exchange }) => exchange.time),
    startTime + 5_000,
  );
  const restarted = await opened(t, { stateDir });
  assert.equal(
    restarted.read(({ exchange }) => exchange.time),
    startTime + 5_000,
  );
});

test('a real clock runs at the given speed, from the state’s time', async (t) => {
  const stateDir = temporaryDirectory(t);
  let wall = Date.UTC(2030, 0, 1);
  const options = { stateDir, clock: 'real' as const, speed: 10, wall: () => wall };
  const simulation = await opened(t, options);
  const time = () => simulation.read(({ exchange }) => exchange.time);
  assert.equal(time(), startTime);
  wall += 1_000;
  assert.equal(time(), startTime + 10_000);
  wall -= 60_000;
  assert.equal(time(), startTime + 10_000, 'never before the last event');
  wall += 60_000;
  const stopped = await openSimulation({ stateDir, clock: 'manual', wall: () => wall });
  t.after(() => stopped.close());
  wall += 60_000;
  assert.equal(
    stopped.read(({ exchange }) => exchange.time),
    startTime + 10_000,
    'after switching to manual, it stands still',
  );
});

test('reading writes nothing if nothing changed', async (t) => {
  const stateDir = temporaryDirectory(t);
  let wall = startTime;
  const reader = await opened(t, { stateDir, clock: 'real', speed: 1, wall: () => wall });
  const witness = await opened(t, { stateDir, clock: undefined, wall: () => wall });
  witness.store.changedElsewhere();
  for (let second = 0; second < 100; second++) {
    wall += 1_000;
    accountsOf(reader);
  }
  assert.equal(witness.store.changedElsewhere(), false);
});

test('a resting order that was hit while no one was connected is stored as filled by the next reader', async (t) => {
  const stateDir = temporaryDirectory(t);
  let wall = startTime;
  const simulation = await opened(t, { stateDir, clock: 'real', speed: 1, wall: () => wall });
  const quote = simulation.read(({ exchange }) => exchange.quote('binance|BTCUSDT'));
  assert.ok(quote.ok);
  const limitPrice = Math.round((quote.bid! / 10) * 0.9995);
  const { order } = buy(simulation, { mode: 'limit', limitPrice });
  assert.equal(order!.status, 'resting');
  wall += 12 * 3_600_000;
  const witness = await opened(t, { stateDir, clock: undefined, wall: () => wall });
  assert.equal(simulation.read(({ store }) => store.order(order!.id))!.status, 'filled');
  assert.equal(witness.store.order(order!.id)!.status, 'filled', 'in the store, too');
  assert.ok(witness.store.order(order!.id)!.settledAt! < wall);
});

test('the command log, replayed from the first state, ends in the same state', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t), accounts: 2 });
  let now = startTime;
  for (let step = 0; step < 20; step++) {
    buy(simulation, { side: step % 3 === 0 ? 'sell' : 'buy', size: 0.001 * (step + 1) });
    now += 7_777;
    simulation.write((moment) => {
      simulation.setClock({ kind: 'manual', now });
      moment.advance(now);
    });
  }
  const replayed = new Exchange(
    simulation.facts.source,
    emptyState(simulation.facts.seed, Number(simulation.store.setting('initial_time'))),
  );
  for (const { time, command } of simulation.store.commands(0, 1_000)) {
    replayed.advance(time);
    replayed.execute(command as Parameters<Exchange['execute']>[0]);
  }
  replayed.advance(now);
  assert.equal(
    replayed.stateHash(),
    simulation.read(({ exchange }) => exchange.stateHash()),
  );
});

test('work that fails leaves no trace, in the store or in memory', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
  const hash = () => simulation.read(({ exchange }) => exchange.stateHash());
  const before = hash();
  const [account] = accountsOf(simulation);
  const breaking = ({
    execute,
    store,
  }: {
    execute: (command: never) => unknown;
    store: { setSetting(a: string, b: string): void };
  }) => {
    execute({ kind: 'set_halt', platform: true, categories: [] } as never);
    store.setSetting('planted', 'yes');
    throw new TypeError('a bug');
  };
  assert.throws(() => simulation.write(breaking), TypeError);
  await assert.rejects(simulation.submit(breaking), TypeError);
  assert.equal(hash(), before);
  assert.equal(simulation.store.setting('planted'), null);
  assert.equal(buy(simulation).ok, true);
  assert.equal(simulation.store.openPositions(account!.id).length, 1);
});

test('of concurrent work, only the failing part fails, and a refusal keeps what time changed', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
  const outcomes = await Promise.allSettled([
    simulation.submit(({ requests }) => requests.setSetting('first', '1')),
    simulation.submit(({ requests }) => {
      requests.setSetting('second', '2');
      throw new TypeError('a bug');
    }),
    simulation.submit(({ requests }) => {
      requests.setSetting('third', '3');
      throw new Failure('not_found', 'no');
    }),
    simulation.submit(({ requests }) => requests.setSetting('fourth', '4')),
  ]);
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.constructor.name)),
    ['done', 'TypeError', 'Failure', 'done'],
  );
  assert.deepEqual(
    ['first', 'second', 'third', 'fourth'].map((name) => simulation.store.setting(name)),
    ['1', null, '3', '4'],
  );
});

test('work that arrives together shares commits, in the order of its arrival', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
  simulation.shareLoop();
  const commits = new Map<unknown, number>();
  const order: number[] = [];
  const work = Array.from({ length: 100 }, (_, number) =>
    simulation.submit((turn) => {
      commits.set(turn, (commits.get(turn) ?? 0) + 1);
      order.push(number);
      turn.requests.setSetting('last', String(number));
    }),
  );
  await Promise.all(work);
  assert.deepEqual([...commits.values()], [64, 36]);
  assert.deepEqual(order, [...order.keys()]);
  await simulation.store.unsynced();
  assert.equal(simulation.store.setting('last'), '99');
});

test('a reset removes a state’s trades and keeps its keys', async (t) => {
  const stateDir = temporaryDirectory(t);
  const before = await opened(t, { stateDir });
  buy(before);
  before.write(({ requests }) =>
    requests.credentials.addKey({
      hash: 'h',
      owner: 'local',
      environment: 'live',
      scope: 'read',
      name: 'k',
      kind: 'key',
      createdAt: 1,
      expiresAt: null,
      revokedAt: null,
    }),
  );
  const reset = await resetState({ stateDir, seed: 8, plan: 'none', accounts: 2 });
  t.after(() => reset.close());
  assert.deepEqual([reset.facts.seed, accountsOf(reset).length, accountsOf(reset)[0]!.plan.name], [8, 2, 'none']);
  assert.equal(reset.clock.kind, 'manual', 'the clock’s kind stays by default');
  assert.ok(reset.store.credentials.key('h'));
  assert.throws(() => accountsOf(before), Failure, 'an instance with the old markets in memory gets an error');
});

test('a damaged state is reported, and moved aside by a reset', async (t) => {
  const stateDir = temporaryDirectory(t);
  const content = 'this is no database, but long enough to look at'.repeat(100);
  writeFileSync(join(stateDir, 'default.db'), content);
  await assert.rejects(openSimulation({ stateDir }), { name: 'StoreError', kind: 'corrupt' });
  const asides: string[] = [];
  const reset = await resetState({ stateDir, seed: 3, onSetAside: (file) => void asides.push(file) });
  t.after(() => reset.close());
  assert.equal(accountsOf(reset).length, 1);
  assert.deepEqual(
    asides.map((file) => readFileSync(file, 'utf8')),
    [content],
  );
});

test("a reset never replaces another program's database", async (t) => {
  const stateDir = temporaryDirectory(t);
  const file = join(stateDir, 'default.db');
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE notes (body); INSERT INTO notes VALUES ('kept')");
  other.close();
  const before = readFileSync(file);
  for (const attempt of [openSimulation, resetState]) {
    await assert.rejects(attempt({ stateDir }), {
      name: 'StoreError',
      kind: 'foreign',
      message: /default\.db belongs to another program/,
    });
  }
  assert.deepEqual(readFileSync(file), before);
});

test('a state keeps its seed', async (t) => {
  const stateDir = temporaryDirectory(t);
  await opened(t, { stateDir });
  await assert.rejects(openSimulation({ stateDir, seed: 8 }), conflict);
});

test('the stored time is that of the last change, in one step or in many, with or without a listener', async (t) => {
  const heads = await Promise.all(
    [1, 60].map(async (steps) => {
      const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
      if (steps > 1) simulation.listen({ committed: () => {}, reloaded: () => {}, lost: () => {} });
      buy(simulation);
      const { time } = simulation;
      for (let step = 1; step <= steps; step++) {
        simulation.write(() => simulation.setClock({ kind: 'manual', now: time + (step * 5_400_000) / steps }));
        simulation.read(() => {});
      }
      const open = simulation.store.loadOpenState()!;
      return [open.time - time, open];
    }),
  );
  assert.deepEqual(heads[0], heads[1]);
  assert.ok(Number(heads[0]![0]) > 0 && Number(heads[0]![0]) < 5_400_000, 'carry was paid at the full hour');
});

test('a listener learns once that commits were lost and once that all was read again, then what is committed', async (t) => {
  const simulation = await opened(t, { stateDir: temporaryDirectory(t) });
  const heard: string[] = [];
  simulation.listen({
    committed: () => void heard.push('committed'),
    reloaded: () => void heard.push('reloaded'),
    lost: () => void heard.push('lost'),
  });
  simulation.shareLoop();
  const { file } = simulation.store;
  buy(simulation);
  const unsynced = simulation.store.unsynced();
  renameSync(file, `${file}.gone`);
  await assert.rejects(unsynced!, { kind: 'in_doubt' });
  renameSync(`${file}.gone`, file);
  for (let order = 0; order < 3; order++) buy(simulation);
  assert.deepEqual(heard, ['committed', 'lost', 'reloaded', 'committed', 'committed']);
});
