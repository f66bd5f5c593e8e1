import assert from 'node:assert/strict';
import { Failure } from '../../../src/base/failure/failure.ts';
import { planExits } from '../../../src/desk/preview/exit-plan.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A desk with a long position of 0.05 BTC in a market that does not move, and its entry price. */
async function longDesk(...exits: string[]): Promise<{ desk: Desk; entry: number } & Disposable> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', ...exits);
  const [{ entry_price: entry }] = await desk.json('positions');
  return { desk, entry, [Symbol.dispose]: () => desk[Symbol.dispose]() };
}

const up = (price: number) => Number((Math.ceil(Number((price * 10).toFixed(6))) / 10).toFixed(1));

/** The working exits: kind, price and size. */
async function exitsOf(desk: Desk): Promise<[string, number, number][]> {
  const exits: Order[] = await desk.json('positions', 'exits', 'BTC');
  return exits
    .map(({ type, trigger_price, size }): [string, number, number] => [type, trigger_price ?? 0, size])
    .sort();
}

test('perp stop places a stop-loss, moves it, and cancels it', async () => {
  using world = await longDesk();
  const { desk, entry } = world;
  await desk.json('stop', 'BTC', '1%');
  assert.deepEqual(await exitsOf(desk), [['stop_market', up(entry * 0.99), 0.05]]);
  const [{ id }] = await desk.json('positions', 'exits', 'BTC');
  await desk.json('stop', 'BTC', 'entry-2%');
  const [moved] = await desk.json('positions', 'exits', 'BTC');
  assert.deepEqual([moved.id, moved.trigger_price], [id, up(entry * 0.98)]);
  await desk.json('stop', 'BTC', 'none');
  assert.deepEqual(await exitsOf(desk), []);
});

test('perp target places, moves and cancels a take-profit, and leaves the stop-loss alone', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { desk, entry } = world;
  await desk.json('target', 'BTC', '3%');
  await desk.json('target', 'BTC', 'entry+4%');
  assert.deepEqual(await exitsOf(desk), [
    ['stop_market', up(entry * 0.99), 0.05],
    ['take_profit', up(entry * 1.04), 0.05],
  ]);
});

test('a stop that covers only part of the position grows to all of it', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { desk, entry } = world;
  await desk.json('positions', 'exits', 'BTC', '--cancel', (await desk.json('positions', 'exits', 'BTC'))[0].id);
  await desk.json('positions', 'exits', 'BTC', '--stop-loss', '1%', '--size', '40%');
  await desk.json('stop', 'BTC', '2%');
  assert.deepEqual(await exitsOf(desk), [['stop_market', up(entry * 0.98), 0.05]]);
});

test('a moved take-profit keeps its size; --size resizes it and says so; --add places another one', async () => {
  using world = await longDesk();
  const { desk, entry } = world;
  await desk.json('target', 'BTC', '3%', '--size', '0.01');
  await desk.json('target', 'BTC', '1%');
  assert.deepEqual(await exitsOf(desk), [['take_profit', up(entry * 1.01), 0.01]]);
  const resized = await desk.perp(['target', 'BTC', '1%', '--size', '40%']);
  assert.match(resized.err, /The take-profit ord_\w+ grew from 0\.01 to 0\.02 BTC\./);
  await desk.json('target', 'BTC', '2%', '--add');
  assert.deepEqual(await exitsOf(desk), [
    ['take_profit', up(entry * 1.01), 0.02],
    ['take_profit', up(entry * 1.02), 0.03],
  ]);
  const full = await desk.perp(['target', 'BTC', '4%', '--add']);
  assert.equal(full.exit, 5);
  assert.match(full.err, /already cover all of the 0\.05 BTC/);
  const several = await desk.perp(['target', 'BTC', '4%', '--size', '0.01']);
  assert.equal(several.exit, 2);
  assert.match(several.err, /--size is for one take-profit, but there are 2/);
  assert.equal((await desk.perp(['target', 'BTC', 'none', '--add'])).exit, 2);
});

test('the question names the sizes of an exit that is resized', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { desk } = world;
  await desk.perp(['stop', 'BTC', '2%', '--size', '0.02'], { terminal: true, answer: false });
  assert.match(desk.questions.at(-1)!, /Move the stop-loss of long 0\.05 BTC to [\d.]+, from 0\.05 to 0\.02 on/);
});

trial('R is the loss at the stop, fees included: the preview of 2R shows +2.00R', async () => {
  using world = await longDesk();
  const { desk } = world;
  const without = await desk.perp(['target', 'BTC', '2R']);
  assert.equal(without.exit, 2);
  assert.match(without.err, /has no stop-loss at which it loses.*perp stop BTC 1%/s);
  await desk.json('stop', 'BTC', '1%');
  assert.match(
    (await desk.perp(['target', 'BTC', '2R'], { terminal: true, answer: false })).err,
    /take-profit .* \+2\.00R/,
  );
  assert.match((await desk.perp(['stop', 'BTC', '1R'])).out, /already at/);
  const bracket = ['positions', 'exits', 'BTC', '--stop-loss', '0.5%', '--take-profit', '3R'];
  assert.match((await desk.perp(bracket, { terminal: true, answer: false })).err, /take-profit .* \+3\.00R/);
  const order = ['order', 'place', 'ETH', 'sell', '1', '--stop-loss', '1%', '--take-profit', '2R'];
  assert.match((await desk.perp(order, { terminal: true, answer: false })).err, /take-profit .* \+2\.00R/);
  assert.equal((await desk.perp(['order', 'place', 'ETH', 'buy', '1', '--take-profit', '2R'])).exit, 2);
  assert.equal((await desk.perp(['order', 'place', 'ETH', 'buy', '1', '--limit-price', '1R'])).exit, 2);
});

test('--stop-loss and --take-profit move the exits of a position', async () => {
  using world = await longDesk('--stop-loss', '1%', '--take-profit', '2%');
  const { desk, entry } = world;
  const before: Order[] = await desk.json('positions', 'exits', 'BTC');
  await desk.json('positions', 'exits', 'BTC', '--stop-loss', '2%', '--take-profit', '4%', '--oco');
  const after: Order[] = await desk.json('positions', 'exits', 'BTC');
  assert.deepEqual(after.map(({ id }) => id).sort(), before.map(({ id }) => id).sort());
  assert.deepEqual(
    (await exitsOf(desk)).map(([, price]) => price),
    [up(entry * 0.98), up(entry * 1.04)],
  );
});

test('an exit that already has the given price is not sent again', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { err, out, exit } = await world.desk.perp(['stop', 'BTC', '1%']);
  assert.equal(exit, 0, err);
  assert.match(out, /The stop-loss of long 0\.05 BTC is already at [\d.]+\. Nothing was sent\./);
});

trial('the preview shows price, gain and loss in R, and the room above the floors at the stop', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { err } = await world.desk.perp(['target', 'BTC', '3%'], { terminal: true, answer: false });
  assert.match(err, /take-profit +0\.05 +[\d.]+ +\+3\.00% +\+[\d.,]+ +\+2\.\d\dR +new/);
  assert.match(err, /stop-loss +0\.05 +[\d.]+ +-1\.00% +-[\d.]+ +-1\.00R +ord_/);
  assert.match(err, /at the stop +[\d.]+ USD less equity than now/);
  assert.match(err, /daily-loss room +2,99\d\.\d\d USD, 2,9\d\d\.\d\d at the stop/);
});

test('on a terminal, an exit on the wrong side of the mark is refused before the question', async () => {
  using world = await longDesk();
  for (const words of [
    ['stop', 'BTC', 'mark+1%'],
    ['target', 'BTC', 'mark-1%'],
  ]) {
    const { exit, err } = await world.desk.perp(words, { terminal: true });
    assert.equal(exit, 5);
    assert.match(err, /it would trigger at once.*rule: exit-side.*perp positions close BTC/s);
  }
  assert.deepEqual(world.desk.questions, []);
});

test('exits larger than the position are refused before anything is sent', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { exit, err } = await world.desk.perp(['positions', 'exits', 'BTC', '--stop-loss', '2%', '--size', '0.02']);
  assert.equal(exit, 5);
  assert.match(err, /would cover 0\.07 BTC, but the position has 0\.05: there is already ord_\w+ \(0\.05\)/);
});

test('if a position grows while its stop moves, the change is recomputed', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { desk } = world;
  const meanwhile = () => desk.json('order', 'place', 'BTC', 'buy', '0.02');
  const { exit, err } = await desk.perp(['stop', 'BTC', '3%'], { terminal: true, answer: true, meanwhile });
  assert.equal(exit, 0, err);
  assert.match(err, /have changed in the meantime; the change was recomputed/);
  const [{ entry_price: entry }] = await desk.json('positions');
  assert.deepEqual(await exitsOf(desk), [['stop_market', up(entry * 0.97), 0.07]]);
});

test('a position closed elsewhere while its stop moves is reported', async () => {
  using world = await longDesk('--stop-loss', '1%');
  const { desk } = world;
  const meanwhile = () => desk.json('positions', 'close', 'BTC');
  const { exit, err } = await desk.perp(['stop', 'BTC', '3%'], { terminal: true, answer: true, meanwhile });
  assert.equal(exit, 3);
  assert.match(err, /The position is closed: long 0\.05 BTC ended .* at [\d.]+, realizing -?[\d.]+ USD/);
  const [{ id }] = await desk.json('positions', '--closed');
  assert.match((await desk.perp(['stop', id, '3%'])).err, /The position is closed/);
});

test('a price argument that starts with a dash suggests how to write it', async () => {
  using world = await longDesk();
  const { exit, err } = await world.desk.perp(['stop', 'BTC', '-1%']);
  assert.equal(exit, 2);
  assert.match(err, /Write entry-1% or mark-1%\./);
  assert.match((await world.desk.perp(['stop', 'BTC', '-0.5R'])).err, /Write entry-0\.5R or mark-0\.5R\./);
});

const position = { id: 'p', side: 'long', size: 1, symbol: 'BTC', entry_price: 100 } as Position;
const exit = (id: string, type: Order['type'], trigger_price: number, size: number, sibling?: string) =>
  ({ id, type, trigger_price, size, oco_sibling_order_id: sibling }) as Order;

test('several stops are moved to one price and keep their sizes; the first covers the rest of the position', () => {
  const exits = [
    exit('a', 'stop_market', 90, 0.25),
    exit('b', 'stop_market', 80, 0.5),
    exit('t', 'take_profit', 120, 1),
  ];
  assert.deepEqual(planExits({ position, exits }, [{ group: 'sl', price: 95 }]), [
    { kind: 'modify', order_id: 'a', price: 95, size: 0.5 },
    { kind: 'modify', order_id: 'b', price: 95 },
  ]);
});

test('exits that the caller changes by id are not moved, but count toward the position', () => {
  const exits = [exit('a', 'stop_market', 90, 0.4), exit('b', 'stop_market', 80, 0.6)];
  const given = [{ kind: 'modify', order_id: 'a', price: 91 } as const];
  assert.deepEqual(planExits({ position, exits }, [{ group: 'sl', price: 85 }], { given }), [
    ...given,
    { kind: 'modify', order_id: 'b', price: 85 },
  ]);
  const all = [exit('a', 'stop_market', 90, 1)];
  assert.throws(() => planExits({ position, exits: all }, [{ group: 'sl', price: 85 }], { given }), Failure);
});

test('a pair replaces exits that are not a pair', () => {
  const aims = [
    { group: 'tp', price: 130 },
    { group: 'sl', price: 95 },
  ] as const;
  const placed = (other: number, group: 'tp' | 'sl', price: number) =>
    ({ kind: 'place', group, execution_type: 'market', price, size: 1, oco_pair_with_operation_index: other }) as const;
  assert.deepEqual(planExits({ position, exits: [] }, aims, { paired: true }), [
    placed(1, 'tp', 130),
    placed(0, 'sl', 95),
  ]);
  const single = [exit('a', 'stop_market', 90, 1)];
  assert.deepEqual(planExits({ position, exits: single }, aims, { paired: true }), [
    placed(2, 'tp', 130),
    { kind: 'cancel', order_id: 'a' },
    placed(0, 'sl', 95),
  ]);
  const pair = [exit('a', 'stop_market', 90, 1, 't'), exit('t', 'take_profit', 120, 1, 'a')];
  assert.deepEqual(planExits({ position, exits: pair }, aims, { paired: true }), [
    { kind: 'modify', order_id: 't', price: 130 },
    { kind: 'modify', order_id: 'a', price: 95 },
  ]);
});

test('a script is told of a stop that the mark cannot reach before the account fails', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { mid } = await desk.json('quote', 'BTC');
  await desk.json('order', 'place', 'BTC', 'buy', (300_000 / mid).toFixed(3), '--leverage', '4', '--force');
  assert.match(
    (await desk.perp(['stop', 'BTC', '5%'])).out,
    /The account fails at [\d.]+, before the stop-loss at [\d.]+\./,
  );
  assert.doesNotMatch((await desk.perp(['stop', 'BTC', '0.5%'])).out, /account fails/);
});
