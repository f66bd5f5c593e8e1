import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderHeadline } from '../../../../src/terminal/console/views/order-view.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';

const order = { side: 'buy', size: 0.5, symbol: 'BTC' } as Order;

const headlines: [of: string, order: Partial<Order>, tone: string, text: string][] = [
  [
    'a filled order has what was filled, and its price',
    { status: 'filled', filled_size: 0.2, fill_price: 60000 },
    'good',
    'Filled  buy 0.2 BTC at 60000',
  ],
  ['a filled order without more has its size', { status: 'filled' }, 'good', 'Filled  buy 0.5 BTC'],
  [
    'an order that fills in parts has its whole size, and no price yet',
    { status: 'resting', filled_size: 0.2, fill_price: 60000 },
    'strong',
    'Resting  buy 0.5 BTC',
  ],
  ['a rejected order stands out', { status: 'rejected' }, 'bad', 'Rejected  buy 0.5 BTC'],
  ['a status of a newer host is named', { status: 'parked' as never }, 'strong', 'Status parked  buy 0.5 BTC'],
];

for (const [of, fields, tone, text] of headlines) {
  test(`the first line about an order: ${of}`, () => {
    const block = orderHeadline({ ...order, ...fields });
    assert.ok(block.kind === 'line');
    const [outcome] = block.cells;
    assert.equal(typeof outcome === 'object' && outcome.tone, tone);
    assert.equal(block.cells.map((cell) => (typeof cell === 'string' ? cell : cell.text)).join(''), text);
  });
}
