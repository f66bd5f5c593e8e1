import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DayLoss } from '../../../../src/bots/gate/cache/day-loss.ts';
import type { Account } from '../../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../../src/wire/contract/orders.ts';
import type { Position } from '../../../../src/wire/contract/positions.ts';

const noon = Date.UTC(2026, 10, 17, 17);
const hourMs = 3_600_000;
const market = 'binance|BTCUSDT';

/** An account as its host tells of it; with a daily floor, 3% below what the day began with. */
function account(balance: number, { floor, equity = balance }: { floor?: number; equity?: number } = {}): Account {
  const risk = {
    observed_at: noon,
    equity,
    daily_loss_floor: floor ?? null,
    requirements: { daily_loss_pct: floor === undefined ? null : 3 },
  };
  return { id: 'acc_1', starting_balance: 100_000, balance, risk } as Account;
}

const long = (entry_price: number, size: number) =>
  ({
    id: 'pos_1',
    market_id: market,
    side: 'long',
    status: 'open',
    margin_mode: 'cross',
    isolated_margin_extra: 0,
    leverage: 1,
    entry_price,
    size,
  }) as Position;
const fill = (realized_pnl: number, fee: number) => ({ realized_pnl, fee, settled_at: noon }) as Order;
const at = (mark: number) => new Map([[market, { price: mark, at: noon }]]);
const state = (one: Account, ...positions: Position[]) => ({
  account: one,
  positions: new Map(positions.map((position) => [position.id, position])),
  orders: new Map(),
});

describe('the loss of the day', () => {
  it('counts from what the daily floor says the day began with, open positions at their marks', () => {
    const losses = new DayLoss();
    // 101,000 at midnight.
    const now = account(100_500, { floor: 98_000 });
    losses.observe(now, noon);
    assert.equal(losses.lost(state(now), at(50_000), noon), 500);
    assert.equal(losses.lost(state(now, long(50_000, 0.1)), at(49_000), noon), 600);
    assert.equal(losses.lost(state(now, long(50_000, 0.1)), at(60_000), noon), -500);
  });

  it('is not known without a mark, before the account, and after midnight until the account is read again', () => {
    const losses = new DayLoss();
    const now = account(100_500, { floor: 98_000 });
    assert.equal(losses.lost(state(now), at(50_000), noon), undefined);
    losses.observe(now, noon);
    assert.equal(losses.lost(state(now, long(50_000, 0.1)), new Map(), noon), undefined);
    const tomorrow = noon + 13 * hourMs;
    assert.equal(losses.isOver('acc_1', noon), false);
    assert.equal(losses.isOver('acc_1', tomorrow), true);
    assert.equal(losses.lost(state(now), at(50_000), tomorrow), undefined);
    const later = { ...now, risk: { ...now.risk!, observed_at: tomorrow, daily_loss_floor: 97_500 } };
    losses.observe(later, tomorrow);
    assert.equal(losses.lost(state(later), at(50_000), tomorrow), 0);
  });

  it('of an account without a daily floor is what its fills of the day have booked, as before a restart', () => {
    const losses = new DayLoss();
    const now = account(99_000);
    losses.observe(now, noon);
    assert.equal(losses.lost(state(now), at(50_000), noon), undefined);
    assert.ok(losses.unread('acc_1')! < noon);
    losses.read('acc_1', [fill(-800, 20), fill(100, 30)]);
    assert.equal(losses.unread('acc_1'), undefined);
    assert.equal(losses.lost(state(now), at(50_000), noon), 750);
    losses.filled('acc_1', fill(-50, 0));
    losses.filled('acc_1', { ...fill(-1_000, 0), settled_at: noon - 30 * hourMs });
    assert.equal(losses.lost(state(now, long(50_000, 0.1)), at(49_000), noon), 900);
  });

  it('of such an account counts what its equity has fallen since it was first seen, too', () => {
    const losses = new DayLoss();
    losses.observe(account(100_000, { equity: 104_000 }), noon);
    losses.read('acc_1', []);
    assert.equal(losses.lost(state(account(100_000), long(50_000, 1)), at(51_000), noon), 3_000);
  });
});
