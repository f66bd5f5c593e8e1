import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Effect, Exposed, GateWrite, Mandate } from '../../../src/desk/mandate/mandate.ts';
import { isWithin } from '../../../src/desk/mandate/within-mandate.ts';
import { btc, exposed as nothing, order, place, position } from './exposures.ts';

/** A Monday, 12:30 UTC. */
const now = Date.UTC(2026, 0, 5, 12, 30);
const at = (hour: number, minute: number, day = 5) => Date.UTC(2026, 0, day, hour, minute);

const mandate: Mandate = {
  accounts: ['acc_1'],
  markets: [btc],
  sides: ['buy'],
  largestOrderUsd: 1_000,
  largestPositionUsd: 3_000,
  lossPerDayUsd: 500,
  ordersPerMinute: 10,
  until: at(20, 0),
};

interface Case {
  readonly terms?: Partial<Mandate>;
  readonly exposed?: Partial<Exposed>;
  readonly write?: GateWrite;
  readonly adds?: Partial<NonNullable<Effect['adds']>>;
  readonly time?: number;
}

/** Whether an order of five at a mark of 100 is within a mandate, or what a case makes of it. */
function within({ terms, exposed, write = place({ size: 5 }), adds, time = now }: Case): boolean {
  const usual = { market: btc, side: 'buy', size: 5, price: 100, usd: 500, positionUsd: 500 } as const;
  const unknown = { lossUsd: undefined, worstUsd: undefined, roomUsd: undefined };
  const effect: Effect = { reduces: false, orders: 1, adds: { ...usual, ...unknown, ...adds } };
  return isWithin({ ...mandate, ...terms }, { ...nothing, ...exposed }, write, effect, time);
}

const resting = (size: number, limit_price = 100) => order({ size, limit_price });
const nights = [{ days: [1], from: 22 * 60, to: 2 * 60 }];
const noons = [{ days: [1], from: 12 * 60, to: 13 * 60 }];

/** Each term at its bound, and just beyond it. */
const bounds: [term: string, at: Case, beyond: Case][] = [
  ['accounts', {}, { terms: { accounts: ['acc_2'] } }],
  ['markets', {}, { terms: { markets: ['binance|ETHUSDT'] } }],
  ['sides', { terms: { sides: ['sell', 'buy'] } }, { terms: { sides: ['sell'] } }],
  ['its end', { time: at(20, 0) - 1 }, { time: at(20, 0) }],
  ['losses', { exposed: { lostUsd: 499.99 } }, { exposed: { lostUsd: 500 } }],
  [
    'losses that are not known',
    { exposed: { lostUsd: undefined }, terms: { lossPerDayUsd: Number.POSITIVE_INFINITY } },
    { exposed: { lostUsd: undefined } },
  ],
  ['the largest order', { adds: { size: 10 } }, { adds: { size: 10.001 } }],
  [
    'the largest order at its limit',
    { adds: { size: 20 }, write: place({ type: 'limit', limit_price: 50, size: 20 }) },
    { adds: { size: 10 }, write: place({ type: 'limit', limit_price: 100.1, size: 10 }) },
  ],
  [
    'the largest position with what is held',
    { exposed: { positions: [position(25)] } },
    { exposed: { positions: [position(25.001)] } },
  ],
  [
    'the largest position with what works',
    { exposed: { working: [resting(25)] } },
    { exposed: { working: [resting(25.001)] } },
  ],
  [
    'the largest position with what is being sent',
    { exposed: { pending: [place({ size: 25 })] } },
    { exposed: { pending: [place({ size: 25.001 })] } },
  ],
  [
    'leverage',
    { terms: { largestLeverage: 3 }, write: place({ size: 5, leverage: 3 }) },
    { terms: { largestLeverage: 3 }, write: place({ size: 5, leverage: 4 }) },
  ],
  [
    'the distance of its stop',
    { terms: { stopWithin: 0.02 }, write: place({ size: 5, stop_loss_price: 98 }) },
    { terms: { stopWithin: 0.02 }, write: place({ size: 5, stop_loss_price: 97.9 }) },
  ],
  [
    'a stop',
    { terms: { stopWithin: Number.POSITIVE_INFINITY }, write: place({ size: 5, stop_loss_price: 1 }) },
    { terms: { stopWithin: Number.POSITIVE_INFINITY } },
  ],
  ['hours', { terms: { hours: noons }, time: at(12, 59) }, { terms: { hours: noons }, time: at(13, 0) }],
  ['hours, from', { terms: { hours: noons }, time: at(12, 0) }, { terms: { hours: noons }, time: at(11, 59) }],
  ['days', { terms: { hours: noons } }, { terms: { hours: [{ ...noons[0]!, days: [2, 3, 4, 5, 6, 7] }] } }],
  [
    'hours over midnight',
    { terms: { hours: nights, until: at(20, 0, 9) }, time: at(1, 59, 6) },
    { terms: { hours: nights, until: at(20, 0, 9) }, time: at(2, 0, 6) },
  ],
  [
    'hours over midnight, of their day',
    { terms: { hours: nights, until: at(20, 0, 9) }, time: at(22, 0) },
    { terms: { hours: nights, until: at(20, 0, 9) }, time: at(22, 0, 6) },
  ],
];

describe('an order is within a mandate up to the bound of each term, and not beyond', () => {
  for (const [term, inside, outside] of bounds)
    it(term, () => {
      assert.equal(within(inside), true);
      assert.equal(within(outside), false);
    });
});

describe('a mandate’s largest position', () => {
  it('does not count other sides, other markets, reductions, and what the order itself replaces', () => {
    const large = { size: 1_000 };
    for (const exposed of [
      { positions: [position(-1_000)] },
      { positions: [{ ...position(1_000), market_id: 'binance|ETHUSDT' }] },
      { working: [order({ ...large, side: 'sell' })] },
      { working: [order({ ...large, market_id: 'binance|ETHUSDT' })] },
      { working: [order({ ...large, reduce_only: true })] },
      { working: [order({ ...large, twap_order_id: 'twap_1' })] },
      { pending: [place({ ...large, side: 'sell' })] },
      { pending: [place({ ...large, reduce_only: true })] },
      { pending: [{ ...place(large), account: 'acc_2' }] },
    ])
      assert.equal(within({ exposed }), true, JSON.stringify(exposed));
  });
});

describe('an amendment', () => {
  const amend = (body: Record<string, unknown>): GateWrite => ({
    operation: 'modifyOrder',
    account: 'acc_1',
    path: { order_id: 'ord_1' },
    body,
  });

  it('may leave an order as large as it was, with a tolerance of 10%, and make it no larger than the mandate', () => {
    const exposed = { working: [resting(50)] };
    assert.equal(within({ exposed, write: amend({ price: 100 }), adds: { size: 55 } }), true);
    assert.equal(within({ exposed, write: amend({ price: 100 }), adds: { size: 55.1 } }), false);
    assert.equal(within({ exposed: { working: [resting(1)] }, write: amend({ size: 10 }), adds: { size: 10 } }), true);
    assert.equal(
      within({ exposed: { working: [resting(1)] }, write: amend({ size: 10.1 }), adds: { size: 10.1 } }),
      false,
    );
  });
});

it('a write that adds nothing is within a mandate at any size, unless it is a TWAP that may add', () => {
  const effect: Effect = { reduces: true, orders: 1 };
  const twap = (reduce_only: boolean): GateWrite => ({
    operation: 'createTwapOrder',
    account: 'acc_1',
    body: { reduce_only },
  });
  assert.equal(isWithin(mandate, nothing, place({ size: 1e6, reduce_only: true }), effect, now), true);
  assert.equal(isWithin(mandate, nothing, twap(true), effect, now), true);
  assert.equal(isWithin(mandate, nothing, twap(false), effect, now), false);
});
