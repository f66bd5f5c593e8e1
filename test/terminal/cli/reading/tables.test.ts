import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembered } from '../../../../src/desk/resolve/remembered.ts';
import { Desk } from '../practice.ts';

/** What a command prints for people. */
async function shown(desk: Desk, ...argv: string[]): Promise<string> {
  const { exit, out, err } = await desk.perp(argv);
  assert.equal(exit, 0, err);
  return out;
}

test('orders, strategies, fills and closes are shown with their prices', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--type', 'stop_market', '--trigger-price', '200000');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  const orders = await shown(desk, 'order');
  assert.match(orders, / stop_market +buy +0\.01 +@200000 +resting /);
  assert.match(orders, / limit +buy +0\.01 +20000 +resting /);
  await desk.json('twap', 'place', 'ETH', 'buy', '1', '--duration', '10m');
  const [{ average_price: average }] = await desk.json('twap', 'list');
  assert.match(await shown(desk, 'twap', 'list'), new RegExp(` 0\\.05 of 1 +${average} +1 of 20 `));
  assert.match(await shown(desk, 'sim', 'advance', '30s'), /\n1 fill:\n/);
  assert.match(await shown(desk, 'sim', 'advance', '20m'), /\n\d+ fills(, or more)?:\n/);
  const flat = await shown(desk, 'flatten', '--yes');
  const [{ fill_price: price }] = await desk.json('fills', '--limit', '1');
  assert.match(flat, new RegExp(` sell 1 ETH at ${price}, realized [-+]?[\\d.]+ USD, fee [\\d.]+ USD`));
});

test('the day names the limits that apply, and no others', async () => {
  using desk = new Desk();
  const day = await shown(desk, 'day');
  assert.match(
    day,
    /\ntrades a day +at most 10000\nopen positions +at most 50\nposition value +at most 1,000,000\.00 USD\n/,
  );
  assert.doesNotMatch(day, /wait between orders/);
});

test('markets of a category are those of it, however it is written', async () => {
  using desk = new Desk();
  const all: { category: string }[] = await desk.json('markets');
  for (const category of ['crypto', 'tradfi', 'nothing']) {
    const found = await desk.json('markets', '--category', category.toUpperCase());
    assert.deepEqual(
      found,
      all.filter((market) => market.category === category),
    );
  }
});

test('what a list of positions has shown is completed later', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'sell', '0.01');
  await desk.json('positions');
  assert.deepEqual(remembered(desk.variables, 'sim', 'position'), [['BTC', 'short']]);
  await desk.json('positions', 'close', 'BTC');
  await desk.json('positions');
  assert.deepEqual(remembered(desk.variables, 'sim', 'position'), []);
});
