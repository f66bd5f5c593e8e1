import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Operation } from '../../../src/wire/contract/operation.ts';
import { operations } from '../../../src/wire/contract/operations.ts';
import { bodyIssues } from '../../../src/wire/contract/request.ts';
import { orderTypes } from './order-facts.ts';

/** Required, optional, refused; L only for an order with a limit price, M only for one without. */
type Mark = 'R' | 'o' | '-' | 'L' | 'M';

/** A valid value for every field that depends on the type. */
const values = {
  limit_price: 100,
  trigger_price: 90,
  time_in_force: 'ioc',
  gtd_expires_at: 1_800_000_000_000,
  slippage_tolerance_bps: 50,
  take_profit_price: 120,
  stop_loss_price: 80,
  replace_overlapping_exits: true,
  marketable_limit_acknowledged: true,
  chase_offset: 0,
  chase_cap_price: 110,
  trigger_market_id: 'binance|ETHUSDT',
  trigger_direction: 'above',
  target_position_id: 'pos_1',
} as const;
type Field = keyof typeof values;
/** Fields that are accepted only together with another one. */
const beside: Partial<Record<Field, object>> = {
  gtd_expires_at: { time_in_force: 'gtd' },
  replace_overlapping_exits: { take_profit_price: 120 },
};

const fields = Object.keys(values) as Field[];
const order = { account_id: 'a', market_id: 'm', side: 'buy', size: 1, leverage: 1, margin_mode: 'cross' };

const closes: Readonly<Record<string, Partial<Record<Field, Mark>>>> = {
  market: {
    slippage_tolerance_bps: 'o',
    limit_price: '-',
    trigger_price: '-',
    trigger_market_id: '-',
    trigger_direction: '-',
    marketable_limit_acknowledged: '-',
  },
  limit: {
    limit_price: 'R',
    marketable_limit_acknowledged: 'o',
    slippage_tolerance_bps: '-',
    trigger_price: '-',
    trigger_market_id: '-',
    trigger_direction: '-',
  },
  conditional: {
    trigger_price: 'R',
    trigger_market_id: 'R',
    trigger_direction: 'R',
    limit_price: 'o',
    slippage_tolerance_bps: 'M',
    marketable_limit_acknowledged: 'L',
  },
};

const marksOf = (text: string) => Object.fromEntries(fields.map((field, index) => [field, text[index] as Mark]));

/** Checks a type's row field by field, starting from a request with only what the row requires. */
function describeRow(operation: Operation, base: object, type: string, marks: Partial<Record<Field, Mark>>): void {
  const required = Object.fromEntries(
    fields.filter((field) => marks[field] === 'R').map((field) => [field, values[field]]),
  );
  const minimal: Record<string, unknown> = { ...base, type, ...required };
  const issuesWith = (extra: object) =>
    bodyIssues(operation, { ...minimal, ...extra }).map(({ field, issue }) => `${field} ${issue}`);

  it('accepts its required fields', () => assert.deepEqual(issuesWith({}), []));

  for (const [field, mark] of Object.entries(marks) as [Field, Mark][]) {
    const given = { ...(mark === '-' ? {} : beside[field]), [field]: values[field] };
    const limit = { limit_price: 100 };
    if (mark === 'R') {
      it(`requires ${field}`, () =>
        assert.deepEqual(issuesWith({ [field]: undefined }), [`${field} is required for type ${type}`]));
    } else if (mark === 'o') {
      it(`accepts ${field}`, () => assert.deepEqual(issuesWith(given), []));
    } else if (mark === '-') {
      it(`refuses ${field}`, () => assert.ok(issuesWith(given).includes(`${field} is not allowed for type ${type}`)));
    } else if (mark === 'L') {
      it(`accepts ${field} with a limit price`, () => assert.deepEqual(issuesWith({ ...given, ...limit }), []));
      it(`refuses ${field} without one`, () =>
        assert.ok(issuesWith(given).includes(`${field} is only allowed with limit_price for type ${type}`)));
    } else {
      it(`accepts ${field} without a limit price`, () => assert.deepEqual(issuesWith(given), []));
      it(`refuses ${field} with one`, () =>
        assert.deepEqual(issuesWith({ ...given, ...limit }), [
          `${field} is only allowed without limit_price for type ${type}`,
        ]));
    }
  }

  it('lists every refused field', () => {
    const refused = Object.entries(marks)
      .filter(([, mark]) => mark === '-')
      .map(([field]) => field as Field);
    const reported = issuesWith(Object.fromEntries(refused.map((field) => [field, values[field]])));
    assert.deepEqual(reported.map((line) => line.split(' ')[0]).sort(), refused.sort());
  });
}

for (const [type, row] of Object.entries(orderTypes)) {
  describe(`an order of type ${type}`, () => describeRow(operations.createOrder, order, type, marksOf(row)));
}

for (const [type, row] of Object.entries(closes)) {
  describe(`a close of type ${type}`, () => describeRow(operations.closePosition, {}, type, row));
}

describe('an order', () => {
  const issues = (extra: object) =>
    bodyIssues(operations.createOrder, { ...order, ...extra }).map(({ field, issue }) => `${field} ${issue}`);

  it('without a type is a market order', () => {
    assert.deepEqual(issues({}), []);
    assert.deepEqual(issues({ limit_price: 100 }), ['limit_price is not allowed for type market']);
  });

  it('of an unknown type gets only that issue', () => {
    const [issue, ...others] = issues({ type: 'stop', trigger_price: 1 });
    assert.match(issue!, /^type must be one of market, limit, /);
    assert.deepEqual(others, []);
  });

  it('that is good till a date needs the date, and only that order takes it', () => {
    const limit = { type: 'limit', limit_price: 100 };
    assert.deepEqual(issues({ ...limit, time_in_force: 'gtd', gtd_expires_at: 5 }), []);
    assert.deepEqual(issues({ ...limit, time_in_force: 'gtd' }), ['gtd_expires_at is required for time_in_force gtd']);
    for (const tif of ['ioc', 'fok', undefined]) {
      assert.deepEqual(issues({ ...limit, time_in_force: tif, gtd_expires_at: 5 }), [
        'gtd_expires_at is only allowed for time_in_force gtd',
      ]);
    }
  });

  it('that reduces takes no attached legs', () => {
    const legs = { take_profit_price: 120, stop_loss_price: 80, replace_overlapping_exits: true };
    assert.deepEqual(
      issues({ reduce_only: true, ...legs }),
      Object.keys(legs).map((field) => `${field} is not allowed on a reduce-only order`),
    );
    assert.deepEqual(issues({ reduce_only: false, ...legs }), []);
  });

  it('replaces exits only with its own leg', () => {
    assert.deepEqual(issues({ replace_overlapping_exits: true }), [
      'replace_overlapping_exits is only allowed with take_profit_price or stop_loss_price',
    ]);
  });
});

describe('a TWAP order', () => {
  const twap = { ...order, expected_price: 100, duration_minutes: 10 };
  const issues = (extra: object) =>
    bodyIssues(operations.createTwapOrder, { ...twap, ...extra }).map(({ field, issue }) => `${field} ${issue}`);

  it('has slices of at most half its duration', () => {
    assert.deepEqual(issues({ slice_interval_seconds: 300 }), []);
    assert.deepEqual(issues({ slice_interval_seconds: 301 }), [
      'slice_interval_seconds must be at most half the duration, 300 for 10 minutes',
    ]);
  });

  it('has its minimum price at or below its maximum', () => {
    assert.deepEqual(issues({ min_price: 90, max_price: 90 }), []);
    assert.deepEqual(issues({ min_price: 91, max_price: 90 }), ['min_price must not be above max_price']);
  });
});
