import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../../../src/programs/sdk/client.ts';
import { defineStrategy, trade } from '../../../src/programs/sdk/strategy.ts';
import { serve } from '../../../src/service/serve.ts';
import { servedSimulation } from '../../programs/sdk/served.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { Agent } from '../../terminal/mcp/agent.ts';
import { signed, termsOf } from '../../terminal/mcp/probe-run.ts';
import { Armory } from '../../terminal/screen/armory.ts';

const buy = ['order', 'place', 'BTC', 'buy', '0.5', '--leverage', '2', '--margin', 'cross', '--yes'];
const reset = ['sim', 'reset', '--clock', 'manual', '--yes'];

/** A desk with a position in a simulation whose clock is ahead of the one that will replace it. */
async function ahead(t: TestContext): Promise<{ desk: Desk; stack: AsyncDisposableStack }> {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const desk = stack.use(new Desk());
  // What the next one begins with would be a loss.
  await desk.json(...reset, '--balance', '103000');
  await desk.json(...buy);
  await desk.json('sim', 'advance', '2h');
  return { desk, stack };
}

/** Resets the simulation, which is served again afterward if it was. */
async function resetIt(desk: Desk, stack: AsyncDisposableStack, serving: Serving | undefined): Promise<void> {
  await serving?.stop();
  await desk.json(...reset, '--seed', '9');
  if (serving !== undefined) await servedBy(desk, stack, serving.port);
}

/** Serves the simulation. */
async function servedBy(desk: Desk, stack: AsyncDisposableStack, port = 0): Promise<Serving> {
  const served = await serve({ stateDir: join(desk.folder, 'state'), port, sandboxPort: 0, drainMs: 50 });
  stack.defer(async () => {
    await served.stop();
  });
  return { stop: async () => void (await served.stop()), port: Number(new URL(served.baseUrl).port) };
}

interface Serving {
  stop(): Promise<void>;
  readonly port: number;
}

/** A command that runs until the test ends, and what it prints. */
function running(desk: Desk, stack: AsyncDisposableStack, argv: readonly string[]) {
  // biome-ignore lint/suspicious/noExplicitAny: records of every command.
  const records: any[] = [];
  let look = () => {};
  const printed = (text: string) => {
    for (const line of text.split('\n')) if (line !== '') records.push(JSON.parse(line));
    look();
  };
  const run = desk.perp([...argv, '-o', 'ndjson'], { printed });
  stack.defer(async () => {
    process.listeners('SIGINT').at(-1)!('SIGINT');
    await run;
  });
  return {
    records,
    // biome-ignore lint/suspicious/noExplicitAny: records of every command.
    async until(isIt: (record: any) => boolean, from = 0): Promise<any> {
      const { promise, resolve } = Promise.withResolvers<void>();
      look = () => {
        if (records.slice(from).some(isIt)) resolve();
      };
      look();
      await Promise.race([promise, run.then(({ err }) => assert.fail(`it ended: ${err}`))]);
      return records.slice(from).find(isIt);
    },
  };
}

for (const way of ['embedded', 'served'] as const) {
  test(`watch shows the account of another run as it is, ${way}`, async (t) => {
    const { desk, stack } = await ahead(t);
    const serving = way === 'served' ? await servedBy(desk, stack) : undefined;
    const { records, until } = running(desk, stack, ['watch', 'BTC']);
    const before = await until(({ positions }) => positions.length === 1);
    await resetIt(desk, stack, serving);
    await until(({ positions, time }) => positions.length === 0 && time < before.time);
    await desk.json(...buy);
    const [{ id }] = await desk.json('positions');
    const { equity } = (await desk.json('accounts', 'show')).risk;
    const { mid } = await desk.json('quote', 'BTC');
    const shown = await until(
      ({ positions, mids }) => positions[0]?.id === id && Object.values(mids).includes(mid),
      records.length - 1,
    );
    assert.deepEqual([shown.positions[0].mid, shown.equity.toFixed(2)], [mid, equity.toFixed(2)]);
    assert.equal(shown.ended, null);
  });

  test(`a guard begins anew with another run, ${way}`, async (t) => {
    const { desk, stack } = await ahead(t);
    const serving = way === 'served' ? await servedBy(desk, stack) : undefined;
    await desk.perp(['guard', 'add']);
    const rules =
      '[fills]\n[daily-stop]\nloss = "500usd"\ndo = ["lock", "flatten"]\n[max-trades]\ntrades = 1\ndo = []\n';
    writeFileSync(join(desk.folder, 'config', 'guard.toml'), rules);
    const { until, records } = running(desk, stack, ['guard']);
    await until(({ rule }) => rule === 'max-trades');
    await resetIt(desk, stack, serving);
    const from = records.indexOf(await until(({ event }) => event === 'another_run'));
    await desk.json(...buy);
    const fill = await until(({ rule }) => rule === 'fills', from);
    assert.equal(fill.facts.fill.id, (await desk.json('fills'))[0].id);
    await until(({ rule }) => rule === 'max-trades', from);
    assert.deepEqual(
      records.filter(({ rule }) => rule === 'daily-stop'),
      [],
    );
    assert.equal((await desk.json('guard', 'status')).lock, null);
    assert.equal((await desk.json('positions')).length, 1);
  });
}

for (const way of ['embedded', 'served', 'served elsewhere'] as const)
  for (const clock of [
    ['--clock', 'real'],
    ['--clock', 'real', '--speed', '60'],
  ])
    test(`what waits for one run, or prints it, ends when another one begins, ${way}, ${clock.slice(1).join(' ')}`, {
      timeout: 120_000,
    }, async (t) => {
      const stack = new AsyncDisposableStack();
      t.after(() => stack.disposeAsync());
      const desk = stack.use(new Desk());
      await desk.json('sim', 'reset', ...clock, '--yes');
      await desk.json(...buy);
      const serving = way === 'embedded' ? undefined : await servedBy(desk, stack);
      const commands = [
        ['wait', 'flat'],
        ['wait', 'BTC', 'mark', '>', '900000'],
        ['stream', 'account'],
        ['stream', 'ticks', 'BTC'],
      ];
      const printed = commands.map(() => Promise.withResolvers<unknown>());
      const runs = commands.map((words, at) => desk.perp([...words, '--json'], { printed: printed[at]!.resolve }));
      // Both streams print; the waits have begun by then, too.
      await Promise.all(printed.slice(2).map(({ promise }) => promise));
      await serving?.stop();
      await desk.json('sim', 'reset', ...clock, '--seed', '9', '--yes');
      if (serving !== undefined) await servedBy(desk, stack, way === 'served' ? serving.port : 0);
      for (const [at, run] of (await Promise.all(runs)).entries())
        assert.deepEqual([run.exit, run.error?.code], [6, 'another_run'], `${commands[at]!.join(' ')}: ${run.err}`);
    });

test('what waits, and what prints, goes on when its simulation is served again elsewhere', {
  timeout: 120_000,
}, async (t) => {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const desk = stack.use(new Desk());
  await desk.json('sim', 'reset', '--yes');
  await desk.json(...buy);
  const serving = await servedBy(desk, stack);
  const account = running(desk, stack, ['stream', 'account']);
  await account.until(({ type }) => type === 'snapshot');
  const flat = desk.perp(['wait', 'flat', '--json']);
  await serving.stop();
  await servedBy(desk, stack);
  await desk.json('positions', 'close', 'BTC');
  const [{ id }] = await desk.json('fills');
  await account.until(({ type, fill }) => type === 'fill' && fill.id === id);
  const { exit, err } = await flat;
  assert.equal(exit, 0, err);
});

for (const way of ['embedded', 'served'] as const) {
  test(`the ladder shows the account of another run, and its keys are disarmed, ${way}`, {
    timeout: 120_000,
  }, async (t) => {
    const { desk, stack } = await ahead(t);
    const serving = way === 'served' ? await servedBy(desk, stack) : undefined;
    const trader = stack.use(await Armory.opened(desk, { size: [120, 40] }));
    await trader.screen.shows(/BTC +long +0\.5/);
    await trader.arm('arm 0.01 --stop 1% --position 30000 --loss 100 --for 15m');
    await resetIt(desk, stack, serving);
    const shown = await trader.screen.shows(/equity 100,000\.00[\s\S]*No open positions/);
    assert.doesNotMatch(shown, /ARMED SIM/);
    assert.match(await trader.screen.shows(/DISARMED/), /DISARMED: \S/);
  });

  test(`tools answer from the run that there is, and a wait ends with it, ${way}`, { timeout: 120_000 }, async (t) => {
    const { desk, stack } = await ahead(t);
    const serving = way === 'served' ? await servedBy(desk, stack) : undefined;
    const agent = stack.use(await Agent.connected(desk));
    const before = await agent.call('get_account');
    assert.equal((await agent.call('list_positions')).positions.length, 1);
    const waits = agent.call('wait_for', { condition: 'flat', seconds: 60 });
    // It has begun by the time that calls after it are answered.
    for (const name of ['get_account', 'list_orders', 'list_fills']) await agent.call(name);
    await resetIt(desk, stack, serving);
    const waited = await waits;
    const after = await agent.call('get_account');
    assert.deepEqual((await agent.call('list_positions')).positions, [], JSON.stringify(after));
    assert.equal(after.details.equity_usd, 100_000);
    assert.notEqual(before.details.equity_usd, after.details.equity_usd);
    // While nothing is served, it can't know of another run.
    const ends = way === 'served' ? /^(another_run|no_connection)$/ : /^another_run$/;
    assert.match(waited.error?.code, ends, JSON.stringify(waited));
  });
}

for (const speed of [1, 60])
  test(`the library's streams and a live strategy end with their run, ${speed} times as fast`, {
    timeout: 120_000,
  }, async (t) => {
    const stack = new AsyncDisposableStack();
    t.after(() => stack.disposeAsync());
    const clock = { clock: 'real', startTime: undefined, speed } as const;
    const service = stack.use(await servedSimulation(clock));
    const { baseUrl, key, streamUrl } = service;
    const addresses = { marketStreamUrl: streamUrl, accountStreamUrl: streamUrl };
    const client = stack.use(connect({ baseUrl, key, journal: null, ...addresses }));
    const live = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    const read = async () => {
      for await (const _ of client.stream('books', { markets: ['binance|BTCUSDT'] })) live[0]!.resolve();
    };
    const account = async () => {
      for await (const _ of client.accountStream()) live[2]!.resolve();
    };
    const strategy = defineStrategy({ markets: ['BTC'], start: () => live[1]!.resolve() });
    const ends = [read(), trade(strategy, { client, for: '5m' }), account()].map((run) =>
      run.then(
        () => 'nothing',
        (error: { code?: string }) => error.code,
      ),
    );
    await Promise.all(live.map(({ promise }) => promise));
    await service.stop();
    rmSync(service.stateDir, { recursive: true, force: true });
    const port = Number(new URL(baseUrl).port);
    const again = await serve({ stateDir: service.stateDir, port, sandboxPort: 0, drainMs: 0, seed: 9, ...clock });
    stack.defer(async () => {
      await again.stop();
    });
    assert.deepEqual(await Promise.all(ends), ['another_run', 'another_run', 'another_run']);
    // Its key is of the earlier run.
    await assert.rejects(client.listAccounts(), { status: 401 });
  });

for (const way of ['embedded', 'served'] as const)
  test(`tools with a mandate answer from the run that there is, ${way}`, { timeout: 120_000 }, async (t) => {
    const { desk, stack } = await ahead(t);
    const serving = way === 'served' ? await servedBy(desk, stack) : undefined;
    const [{ id }] = await desk.json('accounts');
    const terms = termsOf([id], 'again', { largestOrderUsd: 90_000, largestPositionUsd: 90_000, until: 4e12 });
    const agent = stack.use(await Agent.connected(desk, ['--mandate', signed(desk, terms)]));
    assert.equal((await agent.call('list_positions')).positions.length, 1);
    await resetIt(desk, stack, serving);
    // While its gate reads what is there now, it says so.
    const answered = async (name: string, args: object) => {
      let answer = await agent.call(name, args);
      for (const end = Date.now() + 60_000; answer.isError && Date.now() < end; answer = await agent.call(name, args))
        await delay(500);
      return answer;
    };
    assert.deepEqual((await answered('list_positions', {})).positions, []);
    const order = { market: 'ETH', side: 'buy', notional_usd: 500, idempotency_key: 'k' };
    assert.equal((await answered('place_order', order)).order?.status, 'filled');
    assert.equal((await desk.json('positions')).length, 1);
  });
