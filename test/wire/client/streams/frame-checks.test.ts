import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  accountFrameIssue,
  isKnownMarketFrame,
  isKnownType,
  marketFrameIssue,
  resultIssue,
} from '../../../../src/wire/client/streams/frame-checks.ts';

const of = { provider: 'binance', symbol: 'BTCUSDT' };
const tick = { type: 'tick', ...of, kind: 'mid', price: '1.5', time: 1 };
const level = { px: '1', sz: '2' };
const candle = {
  ...of,
  interval: '1m',
  openTime: 60_000,
  closeTime: 119_999,
  open: '1',
  high: '1',
  low: '1',
  close: '1',
  volume: '0',
  isFinal: true,
};
const eventIssue = (event: object) => marketFrameIssue({ op: 'events', sub: 's', events: [event] });

describe('a frame of market data', () => {
  it('needs its fields, of their types and within their bounds', () => {
    const table: [object, string | undefined][] = [
      [{ op: 'sub_ok', id: 0, sub: 's' }, undefined],
      [{ op: 'sub_ok', id: -1, sub: 's' }, 'id must be a whole number'],
      [{ op: 'sub_ok', id: 1.5, sub: 's' }, 'id must be a whole number'],
      [{ op: 'sub_ok', id: 1, sub: 's', snapshotBoundary: 1 }, 'snapshotBoundary must be true or false'],
      [{ op: 'err', error: 'no' }, undefined],
      [{ op: 'err', error: 5 }, 'error must be an error'],
      [{ op: 'events', sub: 's', events: {} }, 'events must be a list'],
      [{ op: 'events', sub: 's', events: [tick, 5] }, 'events[1] must be an object'],
      [{ op: 'events', sub: 's', events: [tick, {}] }, 'events[1].type must be text'],
      [{ op: 5 }, 'op must be text'],
      [{ op: 'news of a later version', id: 'x' }, undefined],
      [{ op: 'toString' }, undefined],
    ];
    for (const [frame, issue] of table) assert.equal(marketFrameIssue({ ...frame }), issue, JSON.stringify(frame));
  });

  it('has prices as decimals of at most 40 characters, times that a date can hold, and numbers up to 1e15', () => {
    const stats = { type: 'marketStats', ...of };
    const table: [object, string | undefined][] = [
      [tick, undefined],
      [{ ...tick, price: '-0.5' }, undefined],
      [{ ...tick, price: '9'.repeat(40) }, undefined],
      [{ ...tick, price: '9'.repeat(41) }, 'events[0].price must be a decimal'],
      [{ ...tick, price: 1.5 }, 'events[0].price must be a decimal'],
      [{ ...tick, price: '1e5' }, 'events[0].price must be a decimal'],
      [{ ...tick, time: 8.64e15 }, undefined],
      [{ ...tick, time: 8.64e15 + 1 }, 'events[0].time must be a time in Unix milliseconds'],
      [{ type: 'book', ...of, bids: [level], asks: [] }, undefined],
      [
        { type: 'book', ...of, bids: [level, { px: '1' }], asks: [] },
        'events[0].bids must be a list of levels with px and sz',
      ],
      [{ type: 'book', ...of, bids: [5], asks: [] }, 'events[0].bids must be a list of levels with px and sz'],
      [{ ...stats, markPx: 1e15, fundingRate: null }, undefined],
      [{ ...stats, markPx: -1e15 - 1 }, 'events[0].markPx must be a number or null'],
      [{ type: 'candle', ...candle }, undefined],
      [{ type: 'candle', ...candle, quoteVolume: null, trades: null }, undefined],
      [{ type: 'candle', ...candle, closeTime: 60_000 }, undefined],
      [{ type: 'candle', ...candle, closeTime: 59_999 }, 'events[0].closeTime must not be before openTime'],
      [{ type: 'candle', ...candle, volume: null }, 'events[0].volume must be a decimal'],
      [{ type: 'of a later version', price: 5 }, undefined],
    ];
    for (const [event, issue] of table) assert.equal(eventIssue(event), issue, JSON.stringify(event));
  });

  it('is known with all of its events, or not at all', () => {
    assert.ok(isKnownMarketFrame({ op: 'draining' }));
    assert.ok(isKnownMarketFrame({ op: 'events', events: [tick] }));
    assert.ok(!isKnownMarketFrame({ op: 'events', events: [tick, { type: 'later' }] }));
    assert.ok(!isKnownMarketFrame({ op: 'later' }));
  });

  it('that answers a request is a time for a ping, and candles for a history', () => {
    assert.equal(resultIssue('ping', 5), undefined);
    assert.equal(resultIssue('ping', '5'), 'the answer to ping must be a time');
    assert.equal(resultIssue('candles.history', [candle]), undefined);
    assert.equal(resultIssue('candles.history', [candle, null]), 'result[1] must be an object');
    assert.equal(resultIssue('candles.history', undefined), 'result must be a list');
    assert.equal(resultIssue('later', null), undefined);
  });
});

describe('a frame of the account stream', () => {
  const order = { id: 'o', side: 'buy', size: 1 };
  const changed = (more: object) => ({ type: 'order', account_id: 'a', event: 'updated', ...more });

  it('needs its fields, and resources with an id whose fields have the types of the contract', () => {
    const snapshot = { type: 'snapshot', account: { id: 'a' }, positions: [], orders: [order] };
    const table: [object, string | undefined][] = [
      [changed({ order }), undefined],
      [changed({}), 'order must be an object'],
      [changed({ order: { ...order, id: '' } }), 'order.id must be text'],
      [changed({ order: { ...order, size: '1' } }), 'order.size must be a number'],
      [changed({ order: { ...order, size: 2e15 } }), 'order.size must be a number'],
      [changed({ order: { ...order, reduce_only: 1 } }), 'order.reduce_only must be true or false'],
      [changed({ order: { ...order, symbol: 5 } }), 'order.symbol must be text'],
      [changed({ order: { ...order, side: 'later' } }), 'order.side must be buy or sell'],
      [changed({ order: { ...order, status: 'later' } }), undefined],
      [changed({ order: { ...order, later: {} } }), undefined],
      [{ ...changed({ order }), account_id: 5 }, 'account_id must be text'],
      [{ ...changed({ order }), seq: -1 }, 'seq must be a whole number'],
      [snapshot, undefined],
      [{ ...snapshot, account: { id: 5 } }, 'account.id must be text'],
      [{ ...snapshot, positions: [{}] }, 'positions[0].id must be text'],
      [{ ...snapshot, orders: [order, { ...order, size: null }] }, 'orders[1].size must not be null'],
      [{ type: 'account', account_id: 'a', event: 'removed' }, undefined],
      [{ type: 'account', account_id: 'a', event: 'updated' }, 'account must be an object'],
      [
        { type: 'position', account_id: 'a', event: 'updated', position: { id: 'p', side: 'up' } },
        'position.side must be long or short',
      ],
      [{ type: 'fill', account_id: 'a' }, 'fill must be an object'],
      [{ type: 'fill', account_id: 'a', fill: order }, undefined],
      [{ type: 'later', seq: 'x' }, undefined],
      [{ type: 5 }, 'type must be text'],
    ];
    for (const [frame, issue] of table) assert.equal(accountFrameIssue({ ...frame }), issue, JSON.stringify(frame));
    assert.ok(isKnownType('fill') && !isKnownType('later') && !isKnownType('toString'));
  });

  it('may have null for an optional field, which is then absent', () => {
    const frame = changed({ order: { ...order, client_order_id: null } });
    assert.equal(accountFrameIssue(frame), undefined);
    assert.deepEqual(frame, changed({ order }));
  });
});
