import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '../../../src/base/terms/day.ts';
import { toMoney } from '../../../src/base/terms/decimal.ts';
import { stepsOf } from '../../../src/desk/history/read-odds.ts';
import { type Fill, foldHistory } from '../../../src/desk/history/records.ts';

/** 22:00 in New York. */
const opened = Date.parse('2026-06-11T02:00:00Z');
const fill = (time: number, side: Fill['side'], price: number, realizedPnl: number | null): Fill => ({
  orderId: `ord_${time}`,
  time,
  marketId: 'binance|TEST',
  side,
  size: 2,
  price,
  notional: toMoney(2 * price),
  fee: toMoney(1),
  realizedPnl: realizedPnl === null ? null : toMoney(realizedPnl),
  stopPrice: null,
});

test('a trip over midnight is two steps: what it was worth then, and the rest, each with the worst before', () => {
  const { trips } = foldHistory([fill(opened, 'buy', 100, null), fill(opened + 4 * hourMs, 'sell', 110, 20)], []);
  const candle = (hour: number, low: number, high: number, close: number) => ({
    from: opened + hour * hourMs,
    to: opened + (hour + 1) * hourMs,
    low,
    high,
    close,
  });
  const candles = [candle(0, 95, 101, 99), candle(1, 98, 104, 103), candle(2, 90, 120, 108), candle(3, 107, 111, 110)];
  assert.deepEqual(stepsOf(trips[0]!, candles), [
    // At 103, less one fee; at 95 before.
    { after: 2 * hourMs, change: 5, worst: -11 },
    // To 110, less two fees; at 90 before, 26 below midnight.
    { after: 4 * hourMs, change: 13, worst: -26 },
  ]);
  assert.deepEqual(stepsOf(trips[0]!, []).at(-1), { after: 4 * hourMs, change: 19, worst: 0 });
});
