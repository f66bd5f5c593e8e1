import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { test, trial } from '../../../tiers.ts';
import type { Behavior } from './fake-host.ts';
import { Lane } from './lane.ts';

let lane: Lane;
before(async () => {
  lane = await Lane.open();
});
after(() => lane.close());

/** A host that changes fields of the resources of one operation. */
function changing(operation: string, fields: object): Behavior {
  return (id, honest) => {
    if (id !== operation) return honest;
    const { data, ...page } = honest.body as { data: object | object[] };
    const changed = Array.isArray(data) ? data.map((row) => ({ ...row, ...fields })) : { ...data, ...fields };
    return { ...honest, body: { data: changed, ...page } };
  };
}

trial('numbers in strings are read, and nulls are absent: nothing is shown as a dash or as zero', async () => {
  const order = await lane.run('order show ord_1', changing('getOrder', { limit_price: null, size: '0.5', fee: '9' }));
  assert.equal(order.exit, 0, order.err);
  assert.doesNotMatch(order.out, /limit\s+-/);
  const { json } = await lane.run(
    'positions --json',
    changing('listOpenPositions', { size: '0.25', liquidation_price: null }),
  );
  assert.equal(json[0].size, 0.25);
  assert.ok(!('liquidation_price' in json[0]));
});

test('a number that can’t be read is refused with its field, at once', async () => {
  const table: [command: string, operation: string, fields: object, says: RegExp][] = [
    ['positions', 'listOpenPositions', { size: null }, /data\[0\]\.size must be a number, not null/],
    ['positions', 'listOpenPositions', { entry_price: 'n/a' }, /data\[0\]\.entry_price must be a number, not "n\/a"/],
    ['order', 'listOrders', { size: null }, /data\[0\]\.size must be a number, not null/],
    ['order', 'listOrders', { size: undefined }, /data\[0\]\.size must be a number, not absent/],
    ['quote BTC', 'getMarketQuote', { mid: {} }, /data\.mid must be a number, not \{\}/],
    ['accounts show', 'getAccount', { balance: null }, /data\.balance must be a number, not null/],
  ];
  for (const [command, operation, fields, says] of table) {
    const { exit, out, err } = await lane.run(command, changing(operation, fields));
    assert.deepEqual([exit, out], [7, ''], `${command}: ${err}`);
    assert.match(err, says);
    assert.equal(lane.host.asked.filter((id) => id === operation).length, 1, `${command}: asked once`);
  }
});

test('an order whose answer can’t be read is done, and the field is named', async () => {
  const place = 'order place BTC buy 0.5 --limit-price 60000 --leverage 2 --margin cross --force';
  const { exit, out, err } = await lane.run(
    place,
    changing('createOrder', { leverage: 'much', size: '0.5', initial_size: '0.5' }),
  );
  assert.equal(exit, 0, err);
  assert.match(out, /^Done\./);
  assert.match(err, /The write is done, but the answer can't be read: data\.leverage must be a number, not "much"/);
});
