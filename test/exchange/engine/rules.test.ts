import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import type { Rates } from '../../../src/exchange/engine/defaults.ts';
import type { Policy, Side } from '../../../src/exchange/engine/model.ts';
import { Scenario, type ScenarioOptions } from './scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

const book = { time: 0, bids: [[99, 5000]] as Level[], asks: [[101, 5000]] as Level[] };
type Attempt = [side: Side, size: number, changes?: Partial<PlaceOrder>];

/** A scenario with valid orders, and the rule that refuses the order after them. */
function ruleAfter(options: ScenarioOptions, fine: Attempt[], attempt: Attempt, source = new ScriptedSource([book])) {
  const scenario = new Scenario(source, options);
  for (const [side, size, changes] of fine) scenario.place(side, size, changes);
  const outcome = scenario.execute(scenario.order(...attempt));
  return outcome.ok ? null : outcome.ruleId;
}

function limits(changes: Partial<Policy['limits']>): ScenarioOptions {
  return { policy: (policy) => void Object.assign(policy.limits, changes) };
}

const cases: [name: string, options: ScenarioOptions, fine: Attempt[], attempt: Attempt, rule: string | null][] = [
  ['a size between lots', {}, [], ['buy', 1.5], 'size-precision'],
  ['a size of nothing', {}, [], ['buy', 0], 'size-precision'],
  ['a size that no double tells from the next one', {}, [], ['buy', 2 ** 53], 'size-precision'],
  ['a limit price between ticks', {}, [], ['buy', 1, { limitPrice: 98.5 }], 'price-precision'],
  ['leverage above the market’s', {}, [], ['buy', 1, { leverage: 51 }], 'max-leverage'],
  ['leverage that is not a whole number', {}, [], ['buy', 1, { leverage: 1.5 }], 'max-leverage'],
  ['leverage below one', {}, [], ['buy', 1, { leverage: 0.5 }], 'max-leverage'],
  [
    'leverage whose initial margin is below the maintenance margin',
    limits({ maintenanceMarginRatioBps: 800 }),
    [],
    ['buy', 1, { leverage: 13 }],
    'max-leverage',
  ],
  [
    'leverage whose initial margin is just above the maintenance margin',
    limits({ maintenanceMarginRatioBps: 800 }),
    [],
    ['buy', 1, { leverage: 12 }],
    null,
  ],
  [
    'leverage whose initial margin is the maintenance margin',
    limits({ maintenanceMarginRatioBps: 312.5 }),
    [],
    ['buy', 1, { leverage: 32 }],
    null,
  ],
  [
    'leverage whose initial margin is slightly below the maintenance margin',
    limits({ maintenanceMarginRatioBps: 312.51 }),
    [],
    ['buy', 1, { leverage: 32 }],
    'max-leverage',
  ],
  [
    'leverage of a reduction, which is ignored',
    {},
    [['buy', 2, { leverage: 3 }]],
    ['sell', 1, { leverage: 99.5, reduceOnly: true }],
    null,
  ],
  ['another leverage on an add', {}, [['buy', 1, { leverage: 2 }]], ['buy', 1, { leverage: 3 }], 'leverage-mismatch'],
  ['another margin mode on an add', {}, [['buy', 1]], ['buy', 1, { marginMode: 'isolated' }], 'leverage-mismatch'],
  [
    'another leverage next to a resting entry',
    {},
    [['buy', 1, { limitPrice: 90 }]],
    ['buy', 1, { leverage: 2 }],
    'leverage-mismatch',
  ],
  [
    'another leverage on an add, next to a resting order that only reduces',
    {},
    [
      ['buy', 2, { leverage: 2 }],
      ['sell', 2, { limitPrice: 110 }],
    ],
    ['buy', 1, { leverage: 2 }],
    null,
  ],
  [
    'another leverage for the part that a flip opens',
    {},
    [['buy', 1, { leverage: 2 }]],
    ['sell', 3, { leverage: 5 }],
    null,
  ],
  ['an order of less than 10 USD', {}, [], ['buy', 1, { limitPrice: 9 }], 'min-order-notional-usd'],
  [
    'a reduction of less than 10 USD',
    limits({ minOrderNotionalUsd: 200 }),
    [['buy', 2]],
    ['sell', 1, { reduceOnly: true }],
    null,
  ],
  ['a closing order of less than 10 USD', limits({ minOrderNotionalUsd: 200 }), [['buy', 2]], ['sell', 1], null],
  [
    'a position above the maximum value',
    limits({ maxPositionValueUsd: 1000 }),
    [['buy', 5]],
    ['buy', 5],
    'max-position-value-usd',
  ],
  ['a position at the maximum value', limits({ maxPositionValueUsd: 1010 }), [], ['buy', 10], null],
  [
    'a flip to more than the maximum value',
    limits({ maxPositionValueUsd: 1000 }),
    [['buy', 9]],
    ['sell', 20],
    'max-position-value-usd',
  ],
  [
    'a third trade in a minute of two',
    limits({ tradesPerMinute: 2 }),
    [
      ['buy', 1],
      ['buy', 1],
    ],
    ['buy', 1],
    'trades-per-minute',
  ],
  [
    'a third trade in an hour of two',
    limits({ tradesPerHour: 2 }),
    [
      ['buy', 1],
      ['buy', 1],
    ],
    ['buy', 1],
    'trades-per-hour',
  ],
  [
    'a third trade in a day of two',
    limits({ tradesPerDay: 2 }),
    [
      ['buy', 1],
      ['buy', 1],
    ],
    ['buy', 1],
    'trades-per-day',
  ],
  [
    'a reduction beyond the trade counts',
    limits({ tradesPerDay: 1 }),
    [['buy', 2]],
    ['sell', 1, { reduceOnly: true }],
    null,
  ],
  ['an order within the cooldown', limits({ orderCooldownMs: 500 }), [['buy', 2]], ['buy', 1], 'order-cooldown-ms'],
  [
    'a reduction within the cooldown',
    limits({ orderCooldownMs: 500 }),
    [['buy', 2]],
    ['sell', 1, { reduceOnly: true }],
    null,
  ],
  [
    'one resting order more than allowed',
    limits({ maxRestingOrders: 1 }),
    [['buy', 1, { limitPrice: 90 }]],
    ['buy', 1, { limitPrice: 91 }],
    'max-resting-orders',
  ],
  [
    'an ioc at the maximum of resting orders',
    limits({ maxRestingOrders: 1 }),
    [['buy', 1, { limitPrice: 90 }]],
    ['buy', 1, { limitPrice: 101, timeInForce: 'ioc' }],
    null,
  ],
  ['more margin than available', {}, [], ['buy', 991], 'insufficient-margin'],
  ['all the available margin', {}, [], ['buy', 990], null],
  ['margin used by a position', {}, [['buy', 900]], ['buy', 100], 'insufficient-margin'],
  ['margin reserved by a resting entry', {}, [['buy', 900, { limitPrice: 90 }]], ['buy', 200], 'insufficient-margin'],
  ['margin saved by leverage', {}, [['buy', 900, { leverage: 2 }]], ['buy', 500, { leverage: 2 }], null],
  ['closing needs no margin', {}, [['buy', 990]], ['sell', 990], null],
  ['a flip whose opening part needs no more than available', {}, [['buy', 900]], ['sell', 990], null],
  ['a flip of the whole position, whose close releases its margin', {}, [['buy', 990]], ['sell', 1980], null],
  ['a flip to more than its close releases', {}, [['buy', 990]], ['sell', 2000], 'insufficient-margin'],
  [
    'a flip whose close loses the money that its opening needs',
    { startingBalance: 30 },
    [['buy', 10, { leverage: 50 }]],
    ['sell', 16, { leverage: 50 }],
    'insufficient-margin',
  ],
  [
    'a flip to the maximum total value of all positions',
    { policy: (policy) => void Object.assign(policy, { maximumTotalNotionalUsd: 1000 }) },
    [['buy', 9]],
    ['sell', 18],
    null,
  ],
  [
    'two resting sells of which only the second would open a position',
    {},
    [
      ['buy', 900],
      ['sell', 900, { limitPrice: 110 }],
    ],
    ['sell', 100, { limitPrice: 110 }],
    'insufficient-margin',
  ],
  ['a reduction without a position', {}, [], ['sell', 1, { reduceOnly: true }], 'reduce-only'],
  ['a reduction on the side of the position', {}, [['buy', 1]], ['buy', 1, { reduceOnly: true }], 'reduce-only'],
];

for (const [name, options, fine, attempt, rule] of cases) {
  test(`${name}: ${rule ?? 'accepted'}`, () => assert.equal(ruleAfter(options, fine, attempt), rule));
}

test('the fee counts toward the margin that an order needs', () => {
  const rates: Rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 0 } };
  assert.equal(ruleAfter({ rates, startingBalance: 10_100 }, [], ['buy', 100]), 'insufficient-margin');
  assert.equal(ruleAfter({ rates, startingBalance: 10_103.03 }, [], ['buy', 100]), null);
});

test('windows of trades are full UTC minutes, hours and days', () => {
  const scenario = new Scenario(
    [book, { ...book, time: 59_999 }, { ...book, time: 60_000 }],
    limits({ tradesPerMinute: 1 }),
  );
  scenario.place('buy', 1);
  assert.equal(scenario.to(59_999).ruleAgainst('buy', 1), 'trades-per-minute');
  assert.equal(scenario.to(60_000).place('buy', 1).status, 'filled');
});

test('a cooldown error says when the cooldown ends, and leaves no record', () => {
  const scenario = new Scenario([book], limits({ orderCooldownMs: 500 }));
  scenario.place('buy', 1);
  scenario.to(200);
  const before = scenario.exchange.stateHash();
  const refused = scenario.refused(scenario.order('buy', 1));
  assert.deepEqual([refused.code, refused.details!.retry_after_ms, refused.order], ['cooldown', 300, undefined]);
  assert.equal(scenario.exchange.stateHash(), before);
  assert.equal(scenario.to(500).place('buy', 1).status, 'filled');
});

test('an order that a rule refuses is kept as a rejected record, with the requested numbers', () => {
  const scenario = new Scenario([book]);
  const { order } = scenario.refused(scenario.order('buy', 1.25, { limitPrice: 98.5, clientOrderId: 'mine' }));
  assert.deepEqual(
    [order!.status, order!.rejectRuleId, order!.size, order!.limitPrice, order!.clientOrderId, order!.settledAt],
    ['rejected', 'size-precision', 1.25, 98.5, 'mine', 0],
  );
  assert.equal(scenario.record(order!).status, 'rejected');
});

test('account restrictions stop new exposure but allow reductions', () => {
  const table: [rule: string, change: (policy: Policy) => void][] = [
    [
      'account-restriction',
      (policy) => {
        policy.restriction = { restriction: 'reduce_only', reason: 'under review', flaggedAt: 0 };
      },
    ],
    [
      'payout-pending',
      (policy) => {
        policy.payoutPending = true;
      },
    ],
    [
      'competition-exposure',
      (policy) => {
        policy.competition = { openingExposureRestricted: true, marketAllowlist: [] };
      },
    ],
    [
      'competition-market',
      (policy) => {
        policy.competition = { openingExposureRestricted: false, marketAllowlist: ['bybit|OTHER'] };
      },
    ],
    [
      'maximum-total-notional-usd',
      (policy) => {
        policy.maximumTotalNotionalUsd = 1500;
      },
    ],
  ];
  for (const [rule, change] of table) {
    const scenario = new Scenario([book]);
    scenario.place('buy', 10);
    const { policy } = scenario.exchange.openState().accounts[0]!;
    change(policy);
    scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy });
    assert.equal(scenario.ruleAgainst('buy', 10), rule);
    assert.equal(scenario.place('sell', 5, { reduceOnly: true }).status, 'filled', rule);
    assert.equal(scenario.place('sell', 2).status, 'filled', rule);
  }
});

test('a restriction’s message is one sentence, whether or not its reason is one', () => {
  for (const reason of ['under review', 'under review.']) {
    const scenario = new Scenario([book]);
    const { policy } = scenario.exchange.openState().accounts[0]!;
    policy.restriction = { restriction: 'reduce_only', reason, flaggedAt: 0 };
    scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy });
    const { message } = scenario.refused(scenario.order('buy', 10));
    assert.equal(message, 'The account may only reduce: under review.');
  }
});

test('a halt stops new exposure in its categories or everywhere until it is lifted', () => {
  const scenario = new Scenario([book]);
  scenario.place('buy', 10);
  const halt = (platform: boolean, categories: string[]) => scenario.done({ kind: 'set_halt', platform, categories });
  halt(false, ['fx']);
  assert.equal(scenario.place('buy', 1).status, 'filled');
  halt(false, ['crypto']);
  assert.equal(scenario.ruleAgainst('buy', 1), 'trading-halt');
  halt(true, []);
  assert.equal(scenario.ruleAgainst('buy', 1), 'trading-halt');
  assert.equal(scenario.place('sell', 5, { reduceOnly: true }).status, 'filled');
  halt(false, []);
  assert.equal(scenario.place('buy', 1).status, 'filled');
});

test('one position too many is refused, but adding to an existing one is allowed', () => {
  const markets = [definition(), definition({ marketId: 'bybit|OTHER', provider: 'bybit' })];
  const source = new ScriptedSource([book, { ...book, market: 'bybit|OTHER' }], markets);
  const scenario = new Scenario(source, limits({ maxOpenPositions: 1 }));
  scenario.place('buy', 1);
  assert.equal(scenario.ruleAgainst('buy', 1, { marketId: 'bybit|OTHER' }), 'max-open-positions');
  assert.equal(scenario.place('buy', 1).status, 'filled');
});

test('prices of provider hyperliquid have five significant figures and 6 - size decimals, integers always', () => {
  const market = definition({ provider: 'hyperliquid', tick: null, sizeDecimals: 2, priceDecimals: 4 });
  const table: [price: number, rule: string | null][] = [
    [12_345, null],
    [1_234.5, null],
    [1_234.56, 'price-precision'],
    [123_456, null],
    [12_345.5, 'price-precision'],
    [0.1234, null],
    [1.0001, null],
    [10.0001, 'price-precision'],
  ];
  for (const [limitPrice, rule] of table) {
    const source = new ScriptedSource([{ time: 0, bids: [[1, 1]], asks: [[9_000_000_000, 1]] }], [market]);
    const options: ScenarioOptions = {
      startingBalance: 1e9,
      ...limits({ minOrderNotionalUsd: 0, maxPositionValueUsd: 1e9 }),
    };
    assert.equal(ruleAfter(options, [], ['buy', 1, { limitPrice }], source), rule, `${limitPrice}`);
  }
});

test('when the maintenance margin is raised above the initial one, existing positions may remain, and no entry fills', () => {
  const dip = { time: 1, print: [95, 10] as Level, aggressor: 'sell' as const };
  const scenario = new Scenario([book, dip, { ...book, time: 2 }]);
  scenario.place('buy', 10, { leverage: 20 });
  const entry = scenario.place('buy', 5, { leverage: 20, limitPrice: 96 });
  const policy = structuredClone(scenario.account().policy);
  policy.limits.maintenanceMarginRatioBps = 600;
  scenario.done({ kind: 'set_policy', accountId: scenario.accountId, policy });
  const message = (leverage: number) => scenario.refused(scenario.order('buy', 1, { leverage })).message;
  assert.equal(
    message(20),
    'Leverage in binance|TEST must be a whole number from 1 to 16, at a maintenance margin of 6%.',
  );
  scenario.place('sell', 4, { leverage: 20 });
  scenario.place('sell', 6, { leverage: 20, limitPrice: 110 });
  scenario.to(1);
  assert.deepEqual([scenario.record(entry).status, scenario.record(entry).rejectRuleId], ['rejected', 'max-leverage']);
});

test('leverage beyond the market’s own maximum is refused without a word about maintenance', () => {
  const { message } = new Scenario([book]).refused(new Scenario([book]).order('buy', 1, { leverage: 51 }));
  assert.equal(message, 'Leverage in binance|TEST must be a whole number from 1 to 50.');
});

test('an execution delay of one millisecond is a delay', () => {
  const scenario = new Scenario([book], limits({ executionDelayMinMs: 1, executionDelayMaxMs: 1 }));
  const order = scenario.place('buy', 1);
  assert.deepEqual([order.status, order.executeAt], ['pending', 1]);
  assert.equal(scenario.to(1).record(order).status, 'filled');
});

test('a flip may use all of the margin that the isolated position releases, extra margin included', () => {
  const scenario = new Scenario([{ ...book, bids: [[99, 1e4]] as Level[], asks: [[101, 1e4]] as Level[] }]);
  const isolated = { marginMode: 'isolated', leverage: 10 } as const;
  scenario.place('buy', 10, isolated);
  scenario.done({ kind: 'set_isolated_margin', positionId: scenario.position()!.id, extraMargin: 90_000 });
  scenario.place('sell', 5_010, isolated);
  assert.deepEqual([scenario.position()!.direction, scenario.position()!.size], ['short', 5_000]);
});

test('an amended order is checked against the reservations of the others', () => {
  const scenario = new Scenario([book]);
  scenario.place('buy', 600, { limitPrice: 90 });
  const other = scenario.place('buy', 100, { limitPrice: 90 });
  const amend = (size: number) => scenario.execute({ kind: 'amend_order', orderId: other.id, price: 90, size });
  const refused = amend(600);
  assert.equal(refused.ok ? null : refused.ruleId, 'insufficient-margin');
  assert.equal(amend(500).ok, true);
});

test('a delayed order waits, reserves in the meantime, and is checked again when it reaches the book', () => {
  const gone = { time: 400, bids: [[99, 5000]] as Level[], asks: [[103, 5000]] as Level[] };
  const delayed = limits({ executionDelayMinMs: 300, executionDelayMaxMs: 300 });
  const scenario = new Scenario([book, gone], delayed);
  const first = scenario.place('buy', 900);
  assert.deepEqual([first.status, first.executeAt], ['pending', 300]);
  assert.equal(scenario.ruleAgainst('buy', 200), 'insufficient-margin');
  scenario.to(299);
  assert.equal(scenario.record(first).status, 'pending');
  scenario.to(300);
  assert.equal(scenario.record(first).status, 'filled');
  const second = scenario.place('buy', 80, { slippageToleranceBps: 150 });
  scenario.to(1000);
  assert.deepEqual(
    [scenario.record(second).status, scenario.record(second).rejectRuleId, scenario.record(second).settledAt],
    ['rejected', 'slippage-tolerance', 600],
  );
  assert.equal(scenario.place('buy', 80).status, 'pending', 'the reservation is released');
});

test('a resting entry that breaks a rule when it would fill is rejected, and its children stay', () => {
  const print = (time: number) => ({ time, print: [90, 10] as Level, aggressor: 'sell' as const });
  const scenario = new Scenario([book, print(1), print(2)]);
  const order = scenario.place('buy', 40, { limitPrice: 95 });
  scenario.to(1);
  scenario.done({ kind: 'set_halt', platform: true, categories: [] });
  scenario.to(2);
  const record = scenario.record(order);
  assert.deepEqual([record.status, record.rejectRuleId, record.size], ['rejected', 'trading-halt', 30]);
  assert.deepEqual(scenario.fillsOf(order), [10]);
});

test('an unknown account, market, order or position is not found', () => {
  const scenario = new Scenario([book]);
  assert.equal(scenario.refused(scenario.order('buy', 1, { accountId: 'acc_none' })).code, 'not_found');
  assert.equal(scenario.refused(scenario.order('buy', 1, { marketId: 'x|Y' })).code, 'not_found');
  assert.equal(scenario.refused({ kind: 'cancel_order', orderId: 'ord_none' }).code, 'not_found');
  assert.equal(scenario.refused({ kind: 'amend_order', orderId: 'ord_none', price: 1, size: null }).code, 'not_found');
});

test('the maximum position value counts the position at its mark and an order at its limit, one at a time, and again at its fill', () => {
  const at = (time: number, mid: number) => ({
    time,
    bids: [[mid - 1, 100]] as [number, number][],
    asks: [[mid + 1, 100]] as [number, number][],
  });
  const through: ScriptedEvent = { time: 4, print: [985, 100], aggressor: 'sell' };
  const scenario = new Scenario([at(0, 1_000), at(1, 1_010), at(2, 1_020), at(3, 1_000), through], {
    policy: (policy) => void Object.assign(policy.limits, { maxPositionValueUsd: 20_000 }),
  }).to(0);
  scenario.place('buy', 10);
  const resting = [990, 989].map((limitPrice) => scenario.place('buy', 10, { limitPrice }));
  scenario.to(1);
  scenario.place('buy', 10, { limitPrice: 980 });
  // 10 at the mark of 1,020 and 10 at 990; at their cost of 1,001 they would fit.
  assert.equal(scenario.to(2).ruleAgainst('buy', 10, { limitPrice: 990 }), 'max-position-value-usd');
  scenario.to(4);
  assert.deepEqual(
    resting.map((order) => [scenario.record(order).status, scenario.record(order).rejectRuleId]),
    [
      ['filled', null],
      ['rejected', 'max-position-value-usd'],
    ],
  );
});
