import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

test('prices, ids and command lines that perp suggests are accepted word for word', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const place = ['order', 'place', 'BTC', 'buy', '0.01'];
  const off = await desk.perp([...place, '--limit-price', '60000.05', '--json']);
  const [below, above] = /The nearest prices: (\S+) and (\S+) are on the grid/.exec(off.error.hint)?.slice(1) ?? [];
  for (const price of [below!, above!]) {
    const { exit, err } = await desk.perp([
      ...place,
      '--limit-price',
      price,
      '--idempotency-key',
      `at ${price}`,
      '--json',
    ]);
    assert.equal(exit, 0, err);
    assert.equal((await desk.json('order', 'show', `perp-at ${price}`)).limit_price, Number(price));
  }
  const { out } = await desk.perp(place);
  const [, order = ''] = /^order\s+(\S+)/m.exec(out) ?? [];
  const [, position = ''] = /^position\s+(\S+)/m.exec(out) ?? [];
  assert.equal((await desk.json('order', 'show', order)).status, 'filled');
  assert.equal((await desk.json('positions', 'show', position)).side, 'long');
  const unknown = await desk.perp(['order', 'plaec', 'BTC']);
  const [, command = ''] = /Did you mean perp ([\w ]+)\?/.exec(unknown.err) ?? [];
  assert.equal((await desk.perp([...command.trim().split(' '), '--help'])).exit, 0, unknown.err);
});
