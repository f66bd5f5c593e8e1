import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Aim,
  ordersAfter,
  planExits,
  profitAt,
  resizesOf,
  riskPerUnit,
  stopsBeyond,
} from '../../../src/desk/preview/exit-plan.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { ExitOperation, Position } from '../../../src/wire/contract/positions.ts';

const position = { id: 'pos_1', symbol: 'BTC', side: 'long', size: 2, entry_price: 100 } as Position;
const exit = (id: string, kind: 'sl' | 'tp', price: number, size: number, more: Partial<Order> = {}) =>
  ({
    id,
    type: kind === 'sl' ? 'stop_market' : 'take_profit_market',
    trigger_price: price,
    size,
    ...more,
  }) as Order;
const stop = exit('stop', 'sl', 90, 2);
const target = exit('target', 'tp', 120, 2);

function planned(exits: readonly Order[], aims: readonly Aim[], more: Parameters<typeof planExits>[2] = {}) {
  return planExits({ position, exits }, aims, more).map((one) => {
    if (one.kind === 'place') return `place ${one.group} ${one.size} at ${one.price}`;
    if (one.kind === 'cancel') return `cancel ${one.order_id}`;
    return `move ${one.order_id}${one.size === undefined ? '' : ` to ${one.size}`} at ${one.price}`;
  });
}

describe('the operations that bring exits to the wanted prices', () => {
  it('place one for the whole position where there is none', () => {
    assert.deepEqual(planned([], [{ group: 'sl', price: 95 }]), ['place sl 2 at 95']);
    assert.deepEqual(planned([target], [{ group: 'sl', price: 95, size: 1.5 }]), ['place sl 1.5 at 95']);
  });

  it('move the ones there are, and none that is where it should be', () => {
    assert.deepEqual(planned([stop, target], [{ group: 'sl', price: 95 }]), ['move stop at 95']);
    assert.deepEqual(planned([stop], [{ group: 'sl', price: 90 }]), []);
    assert.deepEqual(planned([exit('a', 'tp', 110, 0.5), exit('b', 'tp', 120, 0.5)], [{ group: 'tp', price: 120 }]), [
      'move a at 120',
    ]);
  });

  it('let the first stop grow until stops cover the position; targets keep their sizes', () => {
    const stops = [exit('a', 'sl', 90, 0.5), exit('b', 'sl', 92, 0.7)];
    assert.deepEqual(planned(stops, [{ group: 'sl', price: 95 }]), ['move a to 1.3 at 95', 'move b at 95']);
    assert.deepEqual(planned([exit('a', 'tp', 120, 0.5)], [{ group: 'tp', price: 130 }]), ['move a at 130']);
  });

  it('cancel those of a kind that is not wanted', () => {
    assert.deepEqual(planned([stop, target], [{ group: 'tp', price: null }]), ['cancel target']);
  });

  it('place another one beside them, for what they leave', () => {
    const half = exit('a', 'tp', 110, 1.2);
    assert.deepEqual(planned([half], [{ group: 'tp', price: 120, adds: true }]), ['place tp 0.8 at 120']);
    assert.throws(() => planned([target], [{ group: 'tp', price: 130, adds: true }]), /already cover all of the 2 BTC/);
    assert.throws(() => planned([half], [{ group: 'tp', price: 130, size: 1, adds: true }]), /would cover 2.2 BTC/);
  });

  it('are refused by the name of the kind that would exceed the position', () => {
    const given: ExitOperation[] = [{ kind: 'modify', order_id: 'target', price: 130, size: 2 }];
    const aims = [
      { group: 'sl', price: 95 },
      { group: 'tp', price: 120 },
    ] as const;
    assert.throws(() => planned([target], aims, { given }), /^Failure: The take-profit orders would cover 2 BTC/);
  });

  it('come after those of the caller, and leave alone what those change', () => {
    const given: ExitOperation[] = [{ kind: 'modify', order_id: 'a', price: 91, size: 1 }];
    const exits = [exit('a', 'sl', 90, 0.5), exit('b', 'sl', 92, 1)];
    assert.deepEqual(planned(exits, [{ group: 'sl', price: 95 }], { given }), ['move a to 1 at 91', 'move b at 95']);
    const canceled: ExitOperation[] = [{ kind: 'cancel', order_id: 'a' }];
    assert.deepEqual(planned(exits, [{ group: 'sl', price: 95 }], { given: canceled }), [
      'cancel a',
      'move b to 2 at 95',
    ]);
  });

  it('pair the two that they place, and keep a pair that there is', () => {
    const aims: Aim[] = [
      { group: 'tp', price: 130 },
      { group: 'sl', price: 95 },
    ];
    const pairs = planExits({ position, exits: [stop] }, aims, { paired: true });
    const places = pairs.flatMap((one) => (one.kind === 'place' ? [one.oco_pair_with_operation_index] : []));
    assert.deepEqual(
      [pairs.map(({ kind }) => kind), places],
      [
        ['place', 'cancel', 'place'],
        [2, 0],
      ],
    );
    const linked = [
      { ...stop, oco_sibling_order_id: 'target' },
      { ...target, oco_sibling_order_id: 'stop' },
    ];
    assert.deepEqual(planned(linked, aims, { paired: true }), ['move target at 130', 'move stop at 95']);
  });

  it('never size several exits at once', () => {
    const exits = [exit('a', 'sl', 90, 1), exit('b', 'sl', 92, 1)];
    assert.throws(
      () => planned(exits, [{ group: 'sl', price: 95, size: 1 }]),
      /--size is for one stop-loss, but there are 2/,
    );
  });
});

describe('what exits are told to be', () => {
  it('resized are those whose size changes', () => {
    const modify = (order_id: string, size?: number): ExitOperation => ({
      kind: 'modify',
      order_id,
      price: 1,
      ...(size === undefined ? {} : { size }),
    });
    const resizes = resizesOf(
      [stop, target],
      [modify('stop', 1), modify('target', 2), modify('other', 1), modify('target')],
    );
    assert.deepEqual(resizes, [{ exit: stop, was: 2, size: 1 }]);
  });

  it('beyond the end are stops that the mark can’t reach before', () => {
    const at = (price: number, by: 'floor' | 'liquidation' = 'floor') => ({ by, price });
    assert.deepEqual(stopsBeyond(position, [stop, target], at(90)), [
      'The account fails at 90, before the stop-loss at 90.',
    ]);
    assert.deepEqual(stopsBeyond(position, [stop, target], at(89)), []);
    assert.deepEqual(stopsBeyond(position, [stop], undefined), []);
    const short = { ...position, side: 'short' } as Position;
    assert.deepEqual(stopsBeyond(short, [exit('a', 'sl', 110, 1), exit('b', 'sl', 109, 1)], at(110, 'liquidation')), [
      'The position is liquidated at 110, before the stop-loss at 110.',
    ]);
  });

  it('the orders after a change are those that it leaves, moves and places', () => {
    const placed = { kind: 'place', group: 'tp', execution_type: 'limit', price: 120, size: 1 } as const;
    const [moved, fresh, ...others] = ordersAfter(
      { position, exits: [stop, target] },
      [{ kind: 'modify', order_id: stop.id, price: 95 }, { kind: 'cancel', order_id: target.id }, placed],
      [stop, target],
    );
    assert.deepEqual([moved!.id, moved!.trigger_price, moved!.size, others], [stop.id, 95, stop.size, []]);
    assert.deepEqual(
      [fresh!.mode, fresh!.limit_price, fresh!.trigger_price, fresh!.size],
      ['limit', 120, undefined, 1],
    );
  });

  it('1R is the loss of a unit at the stops, after the fees of both ways', () => {
    const long = { side: 'long', entry: 100, feeBps: 10, entryFee: 0.5 } as const;
    assert.equal(profitAt(long, { group: 'tp', price: 110, size: 2 }), 2 * (10 - 0.5 - 0.11));
    assert.equal(profitAt({ ...long, side: 'short' }, { group: 'tp', price: 90, size: 2 }), 2 * (10 - 0.5 - 0.09));
    const free = { ...long, feeBps: 0, entryFee: 0 };
    const at = (price: number, size: number) => ({ group: 'sl' as const, price, size });
    assert.equal(riskPerUnit(free, [at(90, 1), at(96, 3), { group: 'tp', price: 200, size: 9 }]), (10 + 3 * 4) / 4);
    assert.equal(riskPerUnit(free, [at(101, 1)]), undefined, 'a stop that wins');
    assert.equal(riskPerUnit(free, []), undefined);
  });
});
