import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBeyond, parseCondition } from '../../../../src/desk/reading/condition.ts';
import { Desk } from '../practice.ts';

describe('a condition', () => {
  it('is a price beyond a bound, with or without spaces: by default the mark', () => {
    const price = { kind: 'price', market: 'BTC', price: 'mark', operator: '<', bound: 95000 };
    for (const text of ['BTC < 95000', 'BTC<95000', ' BTC  mark <95000']) assert.deepEqual(parseCondition(text), price);
    assert.deepEqual(parseCondition('ETH last >= 3000'), {
      ...{ kind: 'price', market: 'ETH', price: 'last', operator: '>=', bound: 3000 },
    });
    assert.equal((parseCondition('xyz:GOLD mid > mark+1%') as { market: string }).market, 'xyz:GOLD');
  });

  it('is a flat account or market, or an order that has filled or ended', () => {
    assert.deepEqual(parseCondition('flat'), { kind: 'flat', market: undefined });
    assert.deepEqual(parseCondition('BTC flat'), { kind: 'flat', market: 'BTC' });
    assert.deepEqual(parseCondition('order e1 filled'), { kind: 'order', order: 'e1', state: 'filled' });
    assert.deepEqual(parseCondition('order e1 ended'), { kind: 'order', order: 'e1', state: 'ended' });
  });

  it('is refused if it is anything else', () => {
    for (const text of [
      '',
      'hello',
      '< 3',
      'BTC <',
      'BTC ask < 3',
      'BTC mark now < 3',
      'BTC < x',
      'BTC = 3',
      'order e1',
    ])
      assert.throws(() => parseCondition(text), { name: 'Failure' }, text);
  });

  it('meets its bound as its operator says', () => {
    const beyond = (operator: '<' | '<=' | '>' | '>=') => [1, 2, 3].map((price) => isBeyond(operator, price, 2));
    assert.deepEqual(beyond('<'), [true, false, false]);
    assert.deepEqual(beyond('<='), [true, true, false]);
    assert.deepEqual(beyond('>'), [false, false, true]);
    assert.deepEqual(beyond('>='), [false, true, true]);
  });
});

describe('perp wait', () => {
  it('ends at once if the condition is true, and says what met it', async () => {
    using desk = new Desk();
    const price = await desk.json('wait', 'BTC > 1');
    assert.ok(price.price > 1 && price.bound === 1, JSON.stringify(price));
    assert.equal((await desk.json('wait', 'BTC', 'flat')).from, 'positions');
  });

  it('ends with 7 once --for has passed', async () => {
    using desk = new Desk();
    const run = await desk.perp(['wait', 'BTC < 1', '--for', '50ms', '--json']);
    assert.deepEqual([run.exit, run.error.code], [7, 'not_met']);
    await desk.json('order', 'place', 'BTC', 'buy', '0.01');
    assert.equal((await desk.perp(['wait', 'flat', '--for', '50ms'])).exit, 7);
    assert.equal((await desk.perp(['wait', 'ETH flat', '--for', '50ms'])).exit, 0);
  });

  it('knows when an order has filled, has ended, or will not fill any more', async () => {
    using desk = new Desk();
    await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--client-order-id', 'e1');
    assert.equal((await desk.json('wait', 'order', 'e1', 'filled')).order.status, 'filled');
    await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--client-order-id', 'e2');
    assert.equal((await desk.perp(['wait', 'order e2 ended', '--for', '50ms'])).exit, 7);
    await desk.json('order', 'cancel', 'e2');
    const run = await desk.perp(['wait', 'order e2 filled', '--json']);
    assert.deepEqual([run.exit, run.error.code], [5, 'never_met']);
    assert.match(run.error.message, /^Order \w+ is canceled, so it will not fill\.$/);
    assert.equal((await desk.json('wait', 'order e2 ended')).order.status, 'canceled');
  });

  it('refuses a market that is not there, and a clock that stands still', async () => {
    using desk = new Desk();
    assert.equal((await desk.perp(['wait', 'NOPE < 3'])).exit, 3);
    await desk.perp(['sim', 'pause']);
    const run = await desk.perp(['wait', 'BTC < 1']);
    assert.equal(run.exit, 2);
    assert.match(run.err, /clock is manual/);
  });
});
