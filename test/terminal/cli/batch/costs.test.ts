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

it('a filled order costs its fee and its distance from the expected price, and changes the positions', async () => {
  const batch = await read();
  batch.filled(order);
  assert.equal(batch.costsOf('acc_1'), 1.5);
  const [position, ...others] = batch.held.get('acc_1')!;
  assert.deepEqual([position!.size, position!.entry_price, others], [2, 102, []]);
  batch.filled({ ...order, side: 'sell', size: 3, filled_size: 3, expected_price: 103, fill_price: 104 });
  assert.equal(batch.costsOf('acc_1'), 1.5 + 0.5 - 3);
  const [turned] = batch.held.get('acc_1')!;
  assert.deepEqual([turned!.side, turned!.size, turned!.entry_price], ['short', 1, 104]);
  assert.notEqual(batch.known('risk of acc_1', 1_000), undefined);
});

it('an order that rests has cost nothing', async () => {
  const batch = await read();
  batch.filled({ ...order, status: 'resting', filled_size: 0, fill_price: undefined, fee: undefined });
  assert.deepEqual([batch.costsOf('acc_1'), batch.held.get('acc_1')], [0, [held]]);
});

it('one that has filled in parts has the money of its last part alone: account and positions are read again', async () => {
  const batch = await read();
  batch.filled({ ...order, status: 'resting', size: 0.4, initial_size: 1, filled_size: 0.6 });
  assert.deepEqual([batch.costsOf('acc_1'), batch.held.size], [0, 0]);
  for (const name of ['held in acc_1', 'risk of acc_1']) assert.equal(batch.known(name, 1_000), undefined, name);
  assert.notEqual(batch.known('markets', 1_000), undefined);
});
