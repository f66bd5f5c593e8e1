import assert from 'node:assert/strict';
import { test, trial } from '../tiers.ts';
import { ByHand, firstTime, money, sizeOf, usd } from './by-hand.ts';
import { counted, countedFills, RecordedSimulation, told } from './recorded-simulation.ts';

trial(
  '5 BTC at market walk sixteen levels of the first book: 61804.29652 on average, a fee of 92.706444780',
  async (t) => {
    const desk = await RecordedSimulation.open(t);
    const order = await desk.place({ type: 'market', size: 5 });
    assert.deepEqual([order.status, order.fill_price, order.fee], ['filled', 61804.29652, 92.70644478]);
    const levels = new ByHand().to(firstTime).take('buy', 5_000);
    assert.deepEqual([levels.length, levels.at(-1)![0]], [16, 618_079]);
    assert.deepEqual(told(order), counted(levels, firstTime));
    const { lines } = await desk.get(`/sim/orders/${order.id}/explanation`);
    assert.match(JSON.stringify(lines), /"levels":16/);
  },
);

test('what an account took from a level is no longer available to it, but is to others', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const [hand, other] = [new ByHand(), new ByHand()];
  for (const ms of [0, 200, 400, 1_000]) {
    await desk.after(ms);
    const [time, size] = [firstTime + ms, 1.5];
    const mine = await desk.place({ type: 'market', size });
    assert.deepEqual(told(mine), counted(hand.to(time).take('buy', 1_500), time));
  }
  const fresh = await desk.place({ type: 'market', size: 1.5, account_id: desk.accounts[1] });
  assert.deepEqual(told(fresh), counted(other.to(firstTime + 1_000).take('buy', 1_500), firstTime + 1_000));
});

test('an ioc takes every level within its limit and expires with the rest', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const order = await desk.place({ type: 'limit', limit_price: 61_804, size: 15, time_in_force: 'ioc' });
  const levels = new ByHand().to(firstTime).take('buy', 15_000, 618_040);
  assert.deepEqual(
    [order.status, order.filled_size, order.size],
    ['expired', sizeOf(levels) / 1_000, (15_000 - sizeOf(levels)) / 1_000],
  );
  const fills = await desk.fills();
  assert.deepEqual(fills.map(told), [counted(levels, firstTime)]);
});

test('nothing is made up beyond the last level: fok and market orders larger than the book fill nothing', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const whole = sizeOf(new ByHand().to(firstTime).offered('buy')) / 1_000;
  const over = Number((whole + 0.001).toFixed(3));
  for (const terms of [{ type: 'market' }, { type: 'limit', limit_price: 61_900, time_in_force: 'fok' }]) {
    const { status, body } = await desk.api.post('/v1/orders', desk.order({ ...terms, size: over }));
    assert.deepEqual([status, body.error.rule_id], [422, 'insufficient-depth']);
    assert.ok(JSON.stringify(body.error.details).includes(String(whole)), JSON.stringify(body.error.details));
  }
  assert.deepEqual(await desk.fills(), []);
});

test('a stop triggers at the first mark at its trigger price and fills from that book', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const stop = await desk.place({ type: 'stop_market', trigger_price: 61_825.05, size: 2 });
  const hand = new ByHand();
  const time = hand.toFirst(() => hand.twiceMark >= 2 * 618_250.5);
  await desk.to(time - 1);
  assert.equal((await desk.get(`/v1/orders/${stop.id}`)).triggered_at, undefined);
  await desk.after(345_000 - 1_000);
  const fired = await desk.get(`/v1/orders/${stop.id}`);
  assert.deepEqual([fired.status, fired.triggered_at], ['filled', time]);
  assert.deepEqual(told(fired), counted(hand.take('buy', 2_000), time));
});

test('a take waits for the price in its favor', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const take = await desk.place({ type: 'take_market', trigger_price: 61_650, size: 1.2 });
  await desk.after(344_000);
  const hand = new ByHand();
  const time = hand.toFirst(() => hand.twiceMark <= 2 * 616_500);
  const fired = await desk.get(`/v1/orders/${take.id}`);
  assert.deepEqual([fired.status, fired.triggered_at], ['filled', time]);
  assert.deepEqual(told(fired), counted(hand.take('buy', 1_200), time));
});

trial('a take with a limit rests where the market leaves it, and prints fill it', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const take = await desk.place({ type: 'take_limit', trigger_price: 61_650, limit_price: 61_630, size: 0.4 });
  const hand = new ByHand();
  const time = hand.toFirst(() => hand.twiceMark <= 2 * 616_500);
  const resting = hand.rest('buy', 616_300, 400);
  hand.to(firstTime + 344_000);
  await desk.after(344_000);
  const fired = await desk.get(`/v1/orders/${take.id}`);
  assert.deepEqual([fired.status, fired.stop_triggered_at], ['filled', time]);
  assert.deepEqual((await desk.fills()).map(told), countedFills(resting.fills));
});

trial('a position held over midnight UTC pays an hour of carry at the mark of that moment, once', async (t) => {
  const desk = await RecordedSimulation.open(t);
  await desk.place({ type: 'market', size: 1 });
  const midnight = Date.UTC(2024, 7, 9);
  const hand = new ByHand().to(midnight);
  await desk.to(midnight - 1);
  const funding = async () => (await desk.get(`/v1/positions?account_id=${desk.accounts[0]}`))[0].funding;
  assert.equal(await funding(), 0);
  await desk.to(midnight + 1_000);
  const notional = money([[hand.twiceMark, 1_000]]) / 2n;
  const paid = usd((notional * 3n * 2n + 240_000n) / (2n * 240_000n));
  assert.equal(Math.abs(await funding()), paid);
});
