import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BatchMemory } from '../../../../src/terminal/cli/batch/line-console.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';
import type { Position } from '../../../../src/wire/contract/positions.ts';

const held = {
  id: 'pos_1',
  market_id: 'BTC',
  account_id: 'acc_1',
  side: 'long',
  size: 1,
  entry_price: 100,
  ...{ leverage: 1, margin_mode: 'cross', isolated_margin_extra: 0, status: 'open' },
} as Position;
const order = {
  ...{ id: 'ord_1', account_id: 'acc_1', market_id: 'BTC', side: 'buy', status: 'filled', leverage: 1 },
  ...{ margin_mode: 'cross', size: 1, filled_size: 1, expected_price: 103, fill_price: 104, fee: 0.5 },
} as Order;

/** What a batch knows that has read its account and the positions just now. */
async function read(): Promise<BatchMemory> {
  const batch = new BatchMemory({ io: {}, outside: { io: {} } } as never);
  batch.held.set('acc_1', [held]);
  await batch.read('held in acc_1', async () => {});
  await batch.read('risk of acc_1', async () => {});
  await batch.read('markets', async () => {});
  return batch;
}

it('a filled order costs its fee and its distance from the mark, and changes the positions', async () => {
  const batch = await read();
  batch.placed(order, false);
  assert.deepEqual(batch.changeOf('acc_1'), { equity: -1.5, unrealized: -1 });
  const [position, ...others] = batch.held.get('acc_1')!;
  assert.deepEqual([position!.size, position!.entry_price, others], [2, 102, []]);
  assert.notEqual(batch.known('risk of acc_1', 1_000), undefined);
});

it('what an order closes was on paper before, and is booked', async () => {
  const batch = await read();
  batch.placed({ ...order, side: 'sell', size: 3, filled_size: 3 }, false);
  // The long's 3 USD on paper at the mark are gone, and the short of 2 is sold 1 USD above it.
  assert.deepEqual(batch.changeOf('acc_1'), { equity: -0.5 + 3, unrealized: -3 + 2 });
  const [turned] = batch.held.get('acc_1')!;
  assert.deepEqual([turned!.side, turned!.size, turned!.entry_price], ['short', 2, 104]);
});

it('an order that rests has cost nothing, and counts among the orders', async () => {
  const batch = await read();
  await batch.read('orders of acc_1', async () => []);
  const resting = { ...order, status: 'resting', filled_size: 0, fill_price: undefined, fee: undefined } as const;
  batch.placed(resting, false);
  assert.deepEqual([batch.changeOf('acc_1').equity, batch.held.get('acc_1')], [0, [held]]);
  assert.deepEqual(await batch.known('orders of acc_1', 1_000), [resting]);
});

for (const [name, placed, isPriced] of [
  [
    'has the money of its last part alone',
    { ...order, status: 'resting', size: 0.4, initial_size: 1, filled_size: 0.6 },
    false,
  ],
  ['told its own expected price', order, true],
] as const)
  it(`after an order that ${name}, account and positions are read again`, async () => {
    const batch = await read();
    batch.placed(placed as Order, isPriced);
    assert.deepEqual([batch.changeOf('acc_1').equity, batch.held.size], [0, 0]);
    for (const known of ['held in acc_1', 'risk of acc_1']) assert.equal(batch.known(known, 1_000), undefined, known);
    assert.notEqual(batch.known('markets', 1_000), undefined);
  });
