import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';
import { around, recordingOf } from './recording.ts';

/** A desk whose market does not move. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  return desk;
}

/** Checks that a size is worth the typed notional, or less by under one lot. */
const within = (worth: number, notional: number, lotWorth: number, text: string) =>
  assert.ok(worth <= notional && worth > notional - lotWorth, `${text}: ${worth}`);

test('a sell for a notional never trades for more, however low its limit', async () => {
  using desk = await stillDesk();
  const { bid } = await desk.json('quote', 'SOL');
  const sell = ['order', 'place', 'SOL', 'sell', '100usd', '--limit-price', '50', '--tif', 'ioc'];
  const run = await desk.perp(sell);
  assert.match(run.err, /lots of 0\.01: [\d.]+ USD at [\d.]+ \(the best bid, better than the limit 50\)\./);
  assert.equal(run.exit, 0, run.err + run.out);
  const [{ size, fill_price: price }] = await desk.json('fills');
  assert.ok(size * price <= 100 && size * bid > 80, `${size} at ${price}`);
});

test('a notional is divided by the highest price its order can trade at', async () => {
  using desk = await stillDesk();
  const { bid, ask } = await desk.json('quote', 'BTC');
  const low = String(Math.floor(bid / 2));
  const high = String(Math.ceil(ask * 2));
  const table: [string, number][] = [
    [`sell 5000usd --limit-price ${low} --cross-ok`, bid],
    [`sell 5000usd --limit-price ${high}`, Number(high)],
    [`buy 5000usd --limit-price ${low}`, Number(low)],
    [`buy 5000usd --limit-price ${high} --cross-ok`, Number(high)],
    [`sell 5000usd --type stop_limit --trigger-price ${low} --limit-price 1`, Number(low)],
    [`sell 5000usd --type take_limit --trigger-price ${high} --limit-price 1`, Number(high)],
    [`sell 5000usd --type take_market --trigger-price ${high}`, Number(high)],
    ['sell 5000usd', bid],
    ['buy 5000usd', ask],
  ];
  for (const [order, price] of table) {
    const { body } = await desk.json('order', 'place', 'BTC', ...order.split(' '), '--dry-run');
    within(body.size * price, 5000, 0.001 * price, order);
  }
});

test('notionals of closes, amendments and ladder rungs are divided by their prices', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.5');
  const { bid } = await desk.json('quote', 'BTC');
  const close = ['positions', 'close', 'BTC', '--size', '500usd', '--limit-price', '1', '--cross-ok', '--dry-run'];
  within((await desk.json(...close)).body.size * bid, 500, 0.001 * bid, 'close');
  const high = Math.ceil(bid * 2);
  const resting = ['order', 'place', 'BTC', 'sell', '0.01', '--limit-price', String(high), '--client-order-id', 'ask'];
  await desk.json(...resting);
  const amend = ['order', 'amend', 'ask', '--price', '1', '--size', '500usd', '--dry-run'];
  within((await desk.json(...amend)).body.size * bid, 500, 0.001 * bid, 'amend');
  for (const [shape, weights] of [
    ['flat', [1, 1, 1]],
    ['ascending', [1, 2, 3]],
    ['descending', [3, 2, 1]],
  ] as const) {
    const ladder = ['scaled', 'place', 'BTC', 'sell', '5000usd', '--from', '1', '--to', String(high), '--rungs', '3'];
    const priced = await desk.perp([...ladder, '--distribution', shape, '--cross-ok', '--dry-run', '--json']);
    assert.match(priced.err, / USD at [\d.]+ on average, counting rungs below the best bid at the best bid\./);
    const { body } = priced.json;
    const prices = [bid, Math.max(bid, (1 + high) / 2), high];
    const all = weights.reduce((sum, weight) => sum + weight, 0);
    const worth = prices.reduce((sum, price, at) => sum + (body.size * price * weights[at]!) / all, 0);
    within(worth, 5000, 0.001 * high, shape);
  }
});

test('the trigger of an armed order sizes its amendment only if it is a mark of its own market', async () => {
  using desk = await stillDesk();
  const { ask } = await desk.json('quote', 'SOL');
  const { bid: btc } = await desk.json('quote', 'BTC');
  const trigger = ['--trigger-price', String(Math.ceil(btc * 2)), '--trigger-direction', 'above'];
  const order = ['order', 'place', 'SOL', 'buy', '1', '--type', 'conditional', '--client-order-id', 'when-btc'];
  await desk.json(...order, ...trigger, '--trigger-market', 'BTC');
  const far = String(Math.ceil(btc * 3));
  const amended = await desk.json('order', 'amend', 'when-btc', '--price', far, '--size', '500usd', '--dry-run');
  within(amended.body.size * ask, 500, 0.01 * ask, 'the mark of BTC');
});

test('an armed order without a limit is sized at the new trigger of its own market', async () => {
  using desk = await stillDesk();
  const { bid } = await desk.json('quote', 'BTC');
  const [trigger, price] = [Math.ceil(bid * 2), Math.ceil(bid * 3)].map(String) as [string, string];
  const order = ['order', 'place', 'BTC', 'buy', '0.01', '--type', 'stop_market', '--client-order-id', 'stop'];
  await desk.json(...order, '--trigger-price', trigger);
  const amended = await desk.json('order', 'amend', 'stop', '--price', price, '--size', '5000usd', '--dry-run');
  within(amended.body.size * Number(price), 5000, 0.001 * Number(price), 'the new trigger');
});

test('the price of a ladder is said to be an average; that of an order is one price', async () => {
  using desk = await stillDesk();
  const ladder = ['scaled', 'place', 'BTC', 'buy', '5000usd', '--from', '20000', '--to', '30000', '--rungs', '3'];
  assert.match((await desk.perp([...ladder, '--dry-run', '--json'])).err, / USD at 25000 on average\./);
  const order = ['order', 'place', 'BTC', 'buy', '5000usd', '--limit-price', '25000', '--dry-run', '--json'];
  assert.match((await desk.perp(order)).err, / USD at 25000\./);
});

test('a share of a position needs a position that the order reduces', async () => {
  using desk = new Desk();
  for (const flags of [[], ['--reduce-only']]) {
    const { exit, error } = await desk.perp(['order', 'place', 'BTC', 'sell', '50%', ...flags, '--json']);
    assert.equal(exit, 2);
    assert.match(error.message, /no position that this order reduces/);
    assert.match(error.hint, /--reduce-only/);
  }
});

test('where nobody bids, a notional is sold at the limit; without a limit there is no price', async () => {
  using desk = new Desk();
  const recording = ['--books', recordingOf(desk.folder, [{ ...around(96_000), bids: [] }]), '--clock', 'manual'];
  await desk.perp(['sim', 'reset', ...recording, '--yes']);
  await desk.json('sim', 'advance', '1s');
  const sell = ['order', 'place', 'BTC', 'sell', '1000usd', '--dry-run'];
  assert.equal((await desk.json(...sell, '--limit-price', '100000')).body.size, 0.01);
  const refused = await desk.perp([...sell, '--json']);
  assert.deepEqual([refused.exit, refused.error.code], [7, 'no_price']);
  assert.match(refused.error.message, /BTC has no bid, so a notional can't be converted to a size/);
});
