import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameMarketsAmong } from '../../../../src/base/text/format.ts';
import { explained, waitingText } from '../../../../src/terminal/cli/commands/order.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';
import { Desk } from '../../cli/practice.ts';

const order = { symbol: 'BTC', side: 'buy' } as const;

const events: [kind: string, detail: Record<string, unknown>, sentence: string][] = [
  ['rested', { price: 60000, size: 0.5, queue_ahead: 2 }, 'It rests in the book: 0.5 BTC at 60000, behind 2 BTC.'],
  [
    'rested',
    { price: 60000, size: 0.5, queue_ahead: 0 },
    'It rests in the book: 0.5 BTC at 60000, first in the queue.',
  ],
  [
    'triggered',
    { mark: 59990, trigger_market_id: 'binance|BTCUSDT' },
    'It triggered: the mark, 59990, of binance:BTCUSDT reached its trigger.',
  ],
  ['canceled', { reason: 'requested', remaining: 0.5 }, 'It was canceled (requested) with 0.5 BTC left.'],
  ['expired', { time_in_force: 'ioc', remaining: 1 }, 'It expired because it was ioc, with 1 BTC left.'],
  ['attached', { take_profit_price: null, stop_loss_price: 50000 }, 'It has stop-loss 50000 attached.'],
  ['resized', { to: 0.2, sibling_filled: 0.3 }, 'Its size is 0.2 BTC, because the other leg filled 0.3.'],
  ['something_new', { bound_bps: 250, book_time: 0 }, 'Bound 250 bps, book time 00:00:00.000Z.'],
];

for (const [kind, detail, sentence] of events) {
  test(`order explain describes ${kind} in words: ${sentence}`, () => {
    nameMarketsAmong(() => []);
    assert.equal(explained({ kind, detail }, order), sentence);
  });
}

test('order explain describes a fill in one sentence with all facts', async () => {
  using desk = new Desk();
  const { id } = await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  const { out } = await desk.perp(['order', 'explain', id]);
  assert.match(out, /It bought 0\.05 of 0\.05 BTC from \d+ levels? of the book of/);
  assert.match(out.replace(/\s+/g, ' '), /olerance[^.]*250 bps/);
  assert.doesNotMatch(out, /[a-z]_[a-z]/);
});

test('order explain says what a working order waits for, and how far away that is', async () => {
  const quote = { market_id: 'binance|BTCUSDT', symbol: 'BTC', bid: 99, ask: 101, mid: 100 };
  const base = { side: 'buy', status: 'resting', market_id: 'binance|BTCUSDT' };
  const table: [Record<string, unknown>, string][] = [
    [{ limit_price: 90.9 }, 'The best ask is 101; its limit is 10% below.'],
    [{ side: 'sell', limit_price: 118.8 }, 'The best bid is 99; its limit is 20% above.'],
    [{ trigger_price: 150, limit_price: 151 }, 'The mark of BTC is 100; its trigger is 50% above.'],
    [{ trigger_price: 150, triggered_at: 1, limit_price: 60.6 }, 'The best ask is 101; its limit is 40% below.'],
    [{ status: 'pending' }, 'It has not reached the book yet.'],
  ];
  for (const [fields, text] of table) assert.equal(waitingText({ ...base, ...fields } as Order, quote), text);
  assert.match(
    waitingText({ ...base, status: 'pending', trigger_price: 1, triggered_at: 1 } as Order, quote),
    /every new book/,
  );
  assert.equal(
    waitingText({ ...base, limit_price: 5 } as Order, { ...quote, ask: null }),
    'There is no best ask at the moment.',
  );
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--clock', 'manual', '--yes']);
  const { id } = await desk.json(
    'order',
    'place',
    'BTC',
    'buy',
    '0.01',
    '--limit-price',
    '20000',
    '--tif',
    'gtd',
    '--expires',
    '30d',
  );
  await desk.json('sim', 'advance', '48h');
  await desk.json('order', 'amend', id, '--price', '21000');
  const { out } = await desk.perp(['order', 'explain', id]);
  assert.match(out, /^\d{4}-\d\d-\d\d\n[\d:.]+Z {2}rested\n[\s\S]*\n\d{4}-\d\d-\d\d\n[\d:.]+Z {2}amended\n/m);
  assert.match(out, /\nnow\n {2}The best ask is [\d.]+; its limit is [\d.]+% below\.\n$/);
});
