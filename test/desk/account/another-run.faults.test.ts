import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve } from '../../../src/service/public.ts';
import { Desk } from '../../terminal/cli/practice.ts';

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
async function resetIt(
  desk: Desk,
  stack: AsyncDisposableStack,
  serving: (() => Promise<void>) | undefined,
): Promise<void> {
  await serving?.();
  await desk.json(...reset, '--seed', '9');
  if (serving !== undefined) await servedBy(desk, stack);
}

/** Serves the simulation; returns a function that stops that. */
async function servedBy(desk: Desk, stack: AsyncDisposableStack): Promise<() => Promise<void>> {
  const served = await serve({ stateDir: join(desk.folder, 'state'), port: 0, sandboxPort: 0, drainMs: 50 });
  stack.defer(async () => {
    await served.stop();
  });
  return async () => {
    await served.stop();
  };
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

test('what waits for one run, or prints it, ends when another one begins', async (t) => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'real', '--yes');
  await desk.json(...buy);
  const commands = [
    ['wait', 'flat'],
    ['wait', 'BTC', 'mark', '>', '900000'],
    ['stream', 'account'],
    ['stream', 'ticks', 'BTC'],
  ];
  const printed = commands.map(() => Promise.withResolvers<unknown>());
  const runs = commands.map((words, at) =>
    desk.perp([...words, '--json'], { printed: printed[at]!.resolve, heard: printed[at]!.resolve }),
  );
  t.after(() => Promise.all(runs));
  // Both streams print; both waits say that they wait, or nothing for a while.
  await Promise.all(printed.slice(2).map(({ promise }) => promise));
  await desk.json('sim', 'reset', '--clock', 'real', '--seed', '9', '--yes');
  for (const run of await Promise.all(runs)) assert.deepEqual([run.exit, run.error?.code], [6, 'another_run'], run.err);
});
