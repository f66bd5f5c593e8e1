import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, trial } from '../../../tiers.ts';
import { Desk } from '../practice.ts';

/** A desk with a long of 0.05 BTC and a stop 20% away. */
async function withPosition(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '20%', '--yes');
  return desk;
}

// biome-ignore lint/suspicious/noExplicitAny: as the command prints it.
const targetsOf = ({ computed }: any) =>
  computed.exits.filter(({ kind }: { kind: string }) => kind === 'target').map(({ size }: { size: number }) => size);

test('a plan places its targets in whole lots, replaces earlier ones, and names everything that changes', async () => {
  using desk = await withPosition();
  const first = await desk.json('plan', 'BTC', '1/3@1% 1/3@2%', '--yes');
  assert.deepEqual(targetsOf(first), [0.016, 0.016]);
  assert.equal(first.computed.covered_size, 0.05);
  assert.equal(first.computed.plan.guard, null);
  const { out } = await desk.perp(['plan', 'BTC', '1/3@1% 1/3@2%', '--yes']);
  assert.match(out, /Cancels the take-profit ord_\w+: 0\.016 at/);
  assert.match(out, /0\.018 BTC has no target/);
  const whole = await desk.json('plan', 'BTC', '1/3@1% 1/3@2% 1/3@3%', '--yes');
  assert.deepEqual(targetsOf(whole).sort(), [0.016, 0.016, 0.018]);
  const orders = await desk.json('order');
  assert.equal(orders.length, 4);
  assert.ok(orders.every((order: { target_position_id?: string }) => order.target_position_id !== undefined));
});

trial('what does not fit the position is refused, and nothing changes', async () => {
  using desk = await withPosition();
  for (const [plan, error] of [
    ['1%@1% rest@2%', /less than a lot/],
    ['1/3@2% 1/3@1%', /reaches before target 1/],
    ['2/3@1% 2/3@2%', /exceed the position/],
    ['1/3@95 1/3@96', /./],
    ['nosuch', /no saved plan nosuch/],
  ] as const) {
    const run = await desk.perp(['plan', 'BTC', plan, '--yes']);
    assert.notEqual(run.exit, 0, plan);
    assert.match(run.err, error, plan);
  }
  assert.equal((await desk.perp(['plan', 'ETH', 'rest@1%', '--yes'])).exit, 3);
  assert.equal((await desk.json('order')).length, 1);
  const dry = await desk.perp(['plan', 'BTC', '1/3@1% be', '--dry-run']);
  assert.equal(dry.exit, 0, dry.err);
  assert.deepEqual(await desk.json('plan', 'list'), []);
});

test('a part that needs a guard is shown as not active without one, and never counts as cover', async () => {
  using desk = await withPosition();
  await desk.json('stop', 'BTC', 'none', '--yes');
  const trailing = await desk.json('plan', 'BTC', '1/3@1% be rest trail 1%', '--yes');
  assert.deepEqual([trailing.computed.plan.guard, trailing.computed.covered_size], ['not_active', 0]);
  assert.match((await desk.perp(['plan', 'list'])).out, /BTC +1\/3@1% be rest trail 1% +NOT ACTIVE/);
  assert.equal((await desk.json('plan', 'show', 'BTC')).active, false);
  // A plan without such a part takes its place.
  await desk.json('plan', 'BTC', '1/3@1%', '--yes');
  assert.deepEqual(await desk.json('plan', 'list'), []);
});

trial(
  'an order takes a plan, which is applied to what it has filled; where that fails, the order stands and says so',
  async () => {
    using desk = new Desk();
    const order = ['order', 'place', 'BTC', 'buy', '0.05', '--yes'];
    const placed = await desk.json(...order, '--stop-loss', '2%', '--plan', '50%@1R rest@2R');
    assert.equal(placed.status, 'filled');
    assert.deepEqual(targetsOf(placed.plan), [0.025, 0.025]);
    await desk.json('flatten', '--yes');
    const { out } = await desk.perp([...order, '--stop-loss', '2%', '--plan', '50%@1R rest@2R']);
    assert.equal(out.match(/^on SIM default, synthetic/gm)?.length, 1, out);
    await desk.json('flatten', '--yes');
    // Without a stop, there is no R.
    const failed = await desk.perp([...order, '--plan', '50%@1R', '--json']);
    assert.equal(failed.exit, 9);
    assert.deepEqual([failed.json.status, failed.json.plan], ['filled', null]);
    for (const more of [['--limit-price', '1000'], ['--reduce-only'], ['--idempotency-key', 'k'], ['--plan', 'x@y']]) {
      const run = await desk.perp([...order, '--plan', '50%@1%', ...more]);
      assert.equal(run.exit, 2, more.join(' '));
    }
    assert.equal((await desk.json('positions'))[0].size, 0.05);
  },
);

test('plans are saved, listed, shown, used and removed by name', async () => {
  using desk = await withPosition();
  assert.equal((await desk.json('plan', 'set', 'scalp', ' 50%@1%  rest@2% ')).plan, '50%@1% rest@2%');
  assert.equal((await desk.json('plan', 'set', 'scalp', '50%@1% rest@3%')).before, '50%@1% rest@2%');
  assert.deepEqual(
    (await desk.json('plan', 'list')).map(({ name, plan }: Record<string, string>) => [name, plan]),
    [['scalp', '50%@1% rest@3%']],
  );
  assert.equal((await desk.json('plan', 'show', 'scalp')).name, 'scalp');
  assert.deepEqual(targetsOf(await desk.json('plan', 'BTC', 'scalp', '--yes')), [0.025, 0.025]);
  await desk.json('plan', 'rm', 'scalp');
  assert.equal((await desk.perp(['plan', 'rm', 'scalp'])).exit, 3);
  assert.equal((await desk.perp(['plan', 'set', 'Bad Name', 'rest@1%'])).exit, 2);
  assert.equal((await desk.perp(['plan', 'set', 'x', 'rest'])).exit, 2);
});

test('a plan that is declined leaves one whose targets were not seen yet', async () => {
  using desk = await withPosition();
  await desk.json('plan', 'BTC', '1/2@1% be', '--yes');
  const file = filesIn(desk.folder).find((name) => name.includes('plans'))!;
  const unseen = JSON.stringify(
    JSON.parse(readFileSync(file, 'utf8')).map((plan: object) => ({ ...plan, unseen: [1] })),
  );
  writeFileSync(file, unseen);
  const run = await desk.perp(['plan', 'BTC', '1/2@2% be'], { terminal: true, answer: false });
  assert.match(run.err, /Nothing was sent/);
  assert.equal(readFileSync(file, 'utf8'), unseen);
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}
