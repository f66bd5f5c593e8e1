import assert from 'node:assert/strict';
import { test, trial } from '../tiers.ts';
import { ByHand, firstTime, lastTime, sizeOf } from './by-hand.ts';
import { counted, countedFills, RecordedSimulation, told } from './recorded-simulation.ts';

test('two bids at one price share each print out once, first come first served', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const hand = new ByHand().to(firstTime);
  const ids: string[] = [];
  for (const size of [10, 5]) {
    ids.push((await desk.place({ type: 'limit', limit_price: 61_800.2, size })).id);
    hand.rest('buy', 618_002, size * 1_000);
  }
  await desk.after(5_000);
  hand.to(firstTime + 5_000);
  const fills = await desk.fills();
  const of = (id: string) =>
    fills.filter((fill) => fill.id === id || fill.partial_of_order_id === id).map(({ size }) => size);
  assert.deepEqual(of(ids[0]!), [4.868, 0.004, 1.907, 0.009, 0.254, 0.003, 1.075, 0.002, 0.007, 1.871]);
  assert.deepEqual(of(ids[1]!), [4.675, 0.002, 0.005, 0.318]);
  assert.ok(fills.at(-1)!.settled_at - firstTime <= 692);
  const both = hand.orders.flatMap((order) => order.fills).sort((a, b) => a.time - b.time);
  assert.deepEqual(fills.map(told), countedFills(both));
});

test('bids of several accounts do not compete: each account gets the full print', async (t) => {
  const desk = await RecordedSimulation.open(t);
  for (const account_id of desk.accounts)
    await desk.place({ type: 'limit', limit_price: 61_800.2, size: 3, account_id });
  const hand = new ByHand().to(firstTime);
  const order = hand.rest('buy', 618_002, 3_000);
  hand.to(firstTime + 5_000);
  await desk.after(5_000);
  for (const account of desk.accounts)
    assert.deepEqual((await desk.fills(account)).map(told), countedFills(order.fills));
});

trial('a scaled ladder below the market is filled rung by rung, by prints and by a falling market', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const ladder = { start_price: 61_798, end_price: 61_690, rung_count: 10, size: 7.77, distribution: 'ascending' };
  const { id } = await desk.place(ladder, '/v1/scaled-orders');
  const hand = new ByHand().to(firstTime);
  let placed = 0;
  for (let rung = 0; rung < 10; rung += 1) {
    // Weights 1 to 10 of 55; the cumulative size is floored to the lot.
    const until = Math.floor((7_770 * ((rung + 1) * (rung + 2))) / 2 / 55);
    hand.rest('buy', 617_980 - 120 * rung, until - placed);
    placed = until;
  }
  assert.equal(placed, 7_770);
  for (const ms of [90_000, 120_000, 150_000, 343_000]) {
    await desk.after(ms);
    hand.to(firstTime + ms);
    const fills = hand.orders.flatMap((order) => order.fills).sort((a, b) => a.time - b.time);
    assert.deepEqual((await desk.fills()).map(told), countedFills(fills), `after ${ms} ms`);
  }
  const { status, rungs } = await desk.get(`/v1/scaled-orders/${id}`);
  assert.equal(status, 'completed');
  assert.deepEqual(
    rungs.map(({ price }: { price: number }) => price),
    hand.orders.map(({ price }) => price / 10),
  );
  assert.deepEqual(
    hand.orders.filter(({ left }) => left > 0),
    [],
  );
});

trial('a chase follows the best bid up and down, never past its cap', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const terms = { type: 'chase', chase_offset: 25, chase_cap_price: 61_800, size: 0.5 };
  const { id } = await desk.place(terms);
  const hand = new ByHand().to(firstTime);
  const pegged = () => Math.min(hand.bestBid - 250, 618_000);
  const order = hand.rest('buy', pegged(), 500);
  const prices = new Set<number>();
  for (let ms = 0; ms <= 344_000 && order.left > 0; ms += 1_000) {
    hand.to(firstTime + ms, () => hand.move(order, pegged()));
    await desk.after(ms);
    const { status, limit_price } = await desk.get(`/v1/orders/${id}`);
    prices.add(order.price);
    assert.deepEqual([status === 'filled', limit_price], [order.left === 0, order.price / 10], `after ${ms} ms`);
  }
  assert.ok(prices.has(618_000), 'limited by its cap');
  assert.ok(Math.min(...prices) < 617_400, 'it followed the market down');
  assert.ok(order.fills.length > 0, 'the market fell through it');
  assert.deepEqual((await desk.fills()).map(told), countedFills(order.fills));
});

test('a chase at the best bid queues at each price and is filled by prints beyond it', async (t) => {
  const desk = await RecordedSimulation.open(t);
  await desk.place({ type: 'chase', size: 8 });
  const hand = new ByHand().to(firstTime);
  const order = hand.rest('buy', hand.bestBid, 8_000);
  hand.to(firstTime + 60_000, () => hand.move(order, hand.bestBid));
  await desk.after(60_000);
  assert.ok(order.fills.length > 3);
  assert.deepEqual((await desk.fills()).map(told), countedFills(order.fills));
});

test('an attached bracket: the leg that the mark reaches first closes the position, and the other is canceled', async (t) => {
  for (const { take, stop, wins } of [
    { take: 61_828, stop: 61_750, wins: 'take_profit' },
    { take: 61_845, stop: 61_795, wins: 'stop_market' },
  ]) {
    const desk = await RecordedSimulation.open(t);
    await desk.place({ type: 'market', size: 0.8, take_profit_price: take, stop_loss_price: stop });
    const legs = await desk.get(`/v1/orders?account_id=${desk.accounts[0]}&status=working`);
    assert.equal(legs.length, 2);
    const hand = new ByHand().to(firstTime);
    hand.take('buy', 800);
    const time = hand.toFirst(() => hand.twiceMark >= 20 * take || hand.twiceMark <= 20 * stop);
    await desk.after(344_000);
    const fills = await desk.fills();
    assert.deepEqual(told(fills[1]), counted(hand.take('sell', 800), time));
    const ended = await Promise.all(legs.map(({ id }: { id: string }) => desk.get(`/v1/orders/${id}`)));
    assert.deepEqual(ended.map(({ type, status }) => [type, status]).sort(), [
      ['stop_market', wins === 'stop_market' ? 'filled' : 'canceled'],
      ['take_profit', wins === 'take_profit' ? 'filled' : 'canceled'],
    ]);
    assert.deepEqual(await desk.get(`/v1/positions?account_id=${desk.accounts[0]}&status=open`), []);
  }
});

trial('legs that race: the stop no longer sells what prints have filled of a take with a limit', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const hand = new ByHand().to(firstTime);
  await desk.place({ type: 'market', size: 6 });
  assert.equal(sizeOf(hand.take('buy', 6_000)), 6_000);
  const [position] = await desk.get(`/v1/positions?account_id=${desk.accounts[0]}`);
  const leg = { kind: 'place', size: 6 };
  const put = await desk.api.put(`/v1/positions/${position.id}/exit-orders`, {
    expected_position_size: 6,
    expected_orders: [],
    operations: [
      { ...leg, group: 'tp', execution_type: 'limit', price: 61_839.9, oco_pair_with_operation_index: 1 },
      { ...leg, group: 'sl', price: 61_790, oco_pair_with_operation_index: 0 },
    ],
  });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  const take = hand.rest('sell', 618_399, 6_000);
  const time = hand.toFirst(() => hand.twiceMark <= 2 * 617_900);
  assert.ok(take.left > 0 && take.left < 6_000, `${take.left} lots are left`);
  await desk.after(344_000);
  const fills = (await desk.fills()).slice(1);
  assert.deepEqual(fills.slice(0, take.fills.length).map(told), countedFills(take.fills));
  const rest = fills.slice(take.fills.length);
  assert.equal(rest[0].settled_at, time);
  assert.equal(
    rest.reduce((sum, { size }) => sum + Math.round(size * 1_000), 0),
    take.left,
  );
  assert.deepEqual(told(rest[0]), counted(hand.take('sell', take.left), time));
  assert.deepEqual(await desk.get(`/v1/orders?account_id=${desk.accounts[0]}&status=working`), []);
  assert.ok(lastTime > time);
});
