import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CachedAccount } from '../../../../src/bots/gate/cache/cached-account.ts';
import type { PendingWrite } from '../../../../src/bots/gate/cache/handling.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';
import type { Position } from '../../../../src/wire/contract/positions.ts';
import type { AccountFrame, OrderEventWord, PositionEventWord } from '../../../../src/wire/contract/streams.ts';

const account_id = 'acc_1';
const orderOf = (id: string, more: object = {}) =>
  ({ id, account_id, market_id: 'BTC', status: 'resting', size: 5, ...more }) as Order;
const positionOf = (id: string, more: object = {}) => ({ id, account_id, market_id: 'BTC', ...more }) as Position;
const orderFrame = (event: OrderEventWord, order: Order) =>
  ({ type: 'order', seq: 1, time: 20, account_id, event, order }) as AccountFrame;
const positionFrame = (event: PositionEventWord, position: Position, account = account_id) =>
  ({ type: 'position', seq: 1, time: 20, account_id: account, event, position }) as AccountFrame;
const write = (operation: string, more: object = {}, answer?: unknown) =>
  ({
    bot: 'grid',
    write: { operation, account: account_id, ...more },
    clientOrderId: undefined,
    answer,
    answeredAt: answer === undefined ? undefined : 0,
    awaitsReading: false,
  }) as unknown as PendingWrite;

/** What the stream shows of one account from its beginning on; the clock is the test's. */
function begun({ orders = [], positions = [] }: { orders?: Order[]; positions?: Position[] } = {}) {
  const clock = { now: 0 };
  const cached = new CachedAccount(() => clock.now);
  const start = (time = 10) => {
    cached.take({ type: 'hello', stream_id: 's', resumed: false });
    cached.take({
      type: 'snapshot',
      seq: 0,
      time,
      account_id,
      account: {},
      positions,
      orders,
    } as unknown as AccountFrame);
    cached.take({ type: 'snapshot_end' });
  };
  start();
  const working = () => cached.working(account_id).map(({ id }) => id);
  return { cached, clock, working, start };
}

describe('the working orders of a cached', () => {
  it('are those of the snapshot and of frames since', () => {
    const { cached, working } = begun({ orders: [orderOf('a')] });
    cached.take(orderFrame('placed', orderOf('b')));
    assert.deepEqual(working(), ['a', 'b']);
    cached.take(orderFrame('canceled', orderOf('a', { status: 'canceled' })));
    assert.deepEqual(working(), ['b']);
    assert.deepEqual(cached.working('acc_2'), []);
  });

  it('keep one that has traded as it was, until its position shows that', () => {
    for (const traded of [
      { status: 'filled', filled_size: 5 },
      { status: 'resting', filled_size: 2 },
    ]) {
      const { cached, working } = begun({ orders: [orderOf('a')] });
      const isFilled = traded.status === 'filled';
      cached.take(orderFrame(isFilled ? 'filled' : 'updated', orderOf('a', traded)));
      assert.deepEqual(cached.working(account_id), [orderOf('a')]);
      assert.ok(!cached.hasShown('a'));
      cached.take(positionFrame('closed', positionOf('p')));
      cached.take(positionFrame('updated', positionOf('p', { market_id: 'ETH' })));
      cached.take(positionFrame('updated', positionOf('p', { account_id: 'acc_2' }), 'acc_2'));
      assert.ok(!cached.hasShown('a'), 'not by the end of a position, another market or another account');
      cached.take(positionFrame('updated', positionOf('p')));
      assert.ok(cached.hasShown('a'));
      assert.deepEqual(working(), isFilled ? [] : ['a']);
    }
  });

  it('keep what a lead has traded until its account is told: its copies come after its position', () => {
    const { cached, working } = begun({ orders: [orderOf('a')] });
    cached.leads = new Set([account_id]);
    cached.take(orderFrame('filled', orderOf('a', { status: 'filled', filled_size: 5 })));
    cached.take(positionFrame('opened', positionOf('p')));
    assert.deepEqual(working(), ['a']);
    cached.take({ type: 'heartbeat' });
    assert.deepEqual(working(), []);
  });

  it('have those that only an answer tells of: placed, working, without a fill', () => {
    const told = (operation: string, answer: object) => {
      const { cached, working } = begun();
      cached.send(write(operation, {}, answer));
      return working();
    };
    assert.deepEqual(told('createOrder', orderOf('a')), ['a']);
    assert.deepEqual(told('closePosition', orderOf('a', { status: 'pending' })), ['a']);
    assert.deepEqual(told('modifyOrder', orderOf('a')), []);
    assert.deepEqual(told('createOrder', orderOf('a', { status: 'filled' })), []);
    assert.deepEqual(told('createOrder', orderOf('a', { filled_size: 1 })), []);
    assert.deepEqual(told('createOrder', orderOf('a', { account_id: 'acc_2' })), []);
  });

  it('are found by both of their ids, in frames and in answers', () => {
    const { cached } = begun({ orders: [orderOf('a', { client_order_id: 'mine' })] });
    cached.send(write('createOrder', {}, orderOf('b', { client_order_id: 'yours' })));
    assert.deepEqual(
      ['a', 'mine', 'b', 'yours', 'c'].map((id) => [cached.order(id)?.id, cached.orderHeardOf(id)?.id]),
      [
        ['a', 'a'],
        ['a', 'a'],
        [undefined, 'b'],
        [undefined, 'b'],
        [undefined, undefined],
      ],
    );
  });
});

describe('the time of a cached', () => {
  it('is the latest that a frame has told', () => {
    const { cached } = begun();
    assert.equal(cached.time, 10);
    cached.take({ ...orderFrame('placed', orderOf('a')), time: 30 } as AccountFrame);
    cached.take({ ...orderFrame('placed', orderOf('b')), time: 25 } as AccountFrame);
    cached.take({ type: 'heartbeat' });
    assert.equal(cached.time, 30);
    assert.equal(cached.snapshotTime, 10);
  });
});

describe('a write waits', () => {
  const waits = (pending: PendingWrite, { cached }: ReturnType<typeof begun>) => {
    cached.send(pending);
    cached.review();
    return cached.pending.has(pending);
  };

  it('until frames show its order, by either id', () => {
    const scene = begun();
    const pending = { ...write('createOrder', {}, orderOf('a')), clientOrderId: 'mine' };
    assert.ok(waits(pending, scene));
    scene.cached.take(orderFrame('placed', orderOf('b', { client_order_id: 'mine' })));
    assert.ok(!scene.cached.pending.has(pending));
    assert.ok(!waits(write('createOrder', {}, orderOf('b')), scene));
  });

  it('not for an order that had ended before the stream began', () => {
    const ended = (more: object) => waits(write('createOrder', {}, orderOf('a', more)), begun());
    assert.deepEqual([{ settled_at: 9 }, { settled_at: 10 }, { canceled_at: 9 }, {}].map(ended), [
      false,
      true,
      false,
      true,
    ]);
  });

  it('until an order has the size and the price of its amendment', () => {
    const amend = (now: object, body: object) =>
      waits(
        write('modifyOrder', { path: { order_id: 'a' }, body }, orderOf('a', { size: 7 })),
        begun({ orders: [orderOf('a', now)] }),
      );
    const first = (now: object, body: object) => {
      const scene = begun({ orders: [orderOf('a', now)] });
      // The first change that is not shown holds those behind it.
      scene.cached.send(write('modifyOrder', { path: { order_id: 'a' }, body: { price: 1 } }));
      return waits(write('modifyOrder', { path: { order_id: 'a' }, body }, {}), scene);
    };
    assert.ok(!amend({ limit_price: 90 }, { price: 90 }));
    assert.ok(amend({ limit_price: 91 }, { price: 90 }));
    assert.ok(!amend({ trigger_price: 90, limit_price: 80 }, { price: 90 }));
    assert.ok(amend({ limit_price: 90, size: 6 }, { price: 90, size: 5 }));
    assert.ok(!amend({ limit_price: 90, size: 5 }, { price: 90, size: 5 }));
    assert.ok(!amend({ limit_price: 90, size: 7 }, { price: 90, size: 5 }), 'the size that the answer told');
    assert.ok(first({ limit_price: 90 }, { price: 90 }));
  });

  it('until the legs of an entry are as it set them', () => {
    const legs = (now: object, body: object) =>
      waits(
        write('updateAttachedExits', { path: { order_id: 'a' }, body }, {}),
        begun({ orders: [orderOf('a', now)] }),
      );
    const both = { attached_take_profit_price: 110, attached_stop_loss_price: 90 };
    assert.ok(!legs(both, { take_profit_price: 110, stop_loss_price: 90 }));
    assert.ok(!legs(both, { stop_loss_price: 90 }));
    assert.ok(legs(both, { stop_loss_price: 91 }));
    assert.ok(legs(both, { take_profit_price: 111 }));
    assert.ok(legs(both, { take_profit_price: null }));
    assert.ok(!legs({}, { take_profit_price: null, stop_loss_price: null }));
  });

  it('until what it cancels is gone, and what it makes is shown', () => {
    const scene = begun({ orders: [orderOf('a')] });
    const cancel = write('cancelOrder', { path: { order_id: 'a' } }, {});
    const all = write('cancelAllAccountOrders', {}, { results: [{ order_id: 'a' }] });
    const ladder = write('createScaledOrder', {}, { rungs: [{ order_id: 'a' }, { order_id: 'b' }, {}] });
    for (const pending of [cancel, all, ladder]) assert.ok(waits(pending, scene));
    scene.cached.take(orderFrame('placed', orderOf('b')));
    assert.deepEqual([...scene.cached.pending], [cancel, all]);
    scene.cached.take(orderFrame('canceled', orderOf('a', { status: 'canceled' })));
    assert.deepEqual([...scene.cached.pending], []);
  });

  it('until its position has the margin that it set, or is closed', () => {
    const margin = (extra: number) =>
      write('setPositionIsolatedMargin', { path: { position_id: 'p' }, body: { extra_margin: extra } }, {});
    const scene = begun({ positions: [positionOf('p', { isolated_margin_extra: 5 })] });
    assert.ok(!waits(margin(5), scene));
    assert.ok(waits(margin(6), scene));
    scene.cached.take(positionFrame('closed', positionOf('p')));
    assert.equal(scene.cached.pending.size, 0);
  });

  it('no longer than frames surely take, or until a connection that began after its answer has told everything', () => {
    const scene = begun();
    const pending = write('createOrder', {}, orderOf('a'));
    const read = { ...write('createTwapOrder', {}, {}), awaitsReading: true };
    scene.clock.now = 15_000;
    scene.cached.send(pending);
    scene.cached.send(read);
    scene.cached.take({ type: 'heartbeat' });
    assert.equal(scene.cached.pending.size, 2);
    scene.clock.now = 15_001;
    scene.cached.take({ type: 'heartbeat' });
    assert.deepEqual([...scene.cached.pending], [read], 'what no stream tells must be read');

    const [before, after] = [0, 5].map((answeredAt) => ({ ...write('createOrder', {}, orderOf('b')), answeredAt }));
    const lost = begun();
    lost.cached.send(before!);
    lost.cached.send(after!);
    lost.clock.now = 5;
    lost.cached.lost();
    lost.start();
    assert.deepEqual([...lost.cached.pending], [after]);
  });
});
