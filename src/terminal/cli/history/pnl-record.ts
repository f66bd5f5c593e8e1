import { netOf } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import type { EquityPoint, FloorsAt } from '../../../desk/history/equity.ts';
import type { History } from '../../../desk/history/read-history.ts';
import type { Money, Ms } from '../../../desk/history/records.ts';
import {
  dateOfDay,
  type EquityHistory,
  emptySum,
  type Figures,
  type Results,
  type Sum,
} from '../../../desk/history/results.ts';
import type { Ending } from '../../../desk/reading/endings.ts';
import { endedRecord } from '../../console/views/ending-view.ts';

/** USD of an amount, as the nearest JSON number. */
export const usdOf = moneyToNumber;

function maybeUsd(money: Money | null): number | null {
  return money === null ? null : usdOf(money);
}

/** The sums of a group, for JSON: USD, with fees and carry positive. */
export function sumRecord(sum: Sum<unknown>) {
  return {
    net: usdOf(netOf(sum)),
    realized_pnl: usdOf(sum.realizedPnl),
    fees: usdOf(sum.fees),
    funding: usdOf(sum.funding),
    bankruptcy: usdOf(sum.bankruptcy),
    volume: usdOf(sum.volume),
    fills: sum.fills,
    round_trips: sum.trips,
    won: sum.won,
    lost: sum.lost,
  };
}
/** Sums of results as JSON, USD. */
export type SumRecord = ReturnType<typeof sumRecord>;

/** Names of the sums, in order. */
export const sumFields = Object.keys(sumRecord(emptySum(null)));

/** A day of the challenge, by its date in New York. */
export function dayRecord(day: Sum<Ms>) {
  return { day: dateOfDay(day.key), starts_at: day.key, ...sumRecord(day) };
}

/** Figures of round trips. */
function figuresRecord(figures: Figures) {
  return {
    count: figures.trips,
    won: figures.won,
    lost: figures.lost,
    win_rate: figures.winRate,
    expectancy: maybeUsd(figures.expectancy),
    profit_factor: figures.profitFactor,
    average_win: maybeUsd(figures.averageWin),
    average_loss: maybeUsd(figures.averageLoss),
    largest_win: maybeUsd(figures.largestWin),
    largest_loss: maybeUsd(figures.largestLoss),
    with_known_risk: figures.tripsWithR,
    average_r: figures.averageR,
    total_r: figures.totalR,
    average_held_ms: figures.averageHeldMs,
  };
}

/** The output of `perp pnl --json`. */
export function pnlRecord(
  history: History,
  results: Results,
  equity: EquityHistory | null,
  extra: {
    ending: Ending | undefined;
    largestRunAgainst: Money | null | undefined;
    approximations: readonly string[];
  },
) {
  const { account } = history;
  return {
    account_id: account.id,
    status: account.status,
    ended: extra.ending === undefined ? null : endedRecord(extra.ending),
    from: results.from,
    to: results.to,
    starting_balance: account.starting_balance,
    balance: account.balance,
    equity: account.risk?.equity ?? null,
    ...sumRecord(results.total),
    unexplained: usdOf(history.unexplained),
    trips: figuresRecord(results.figures),
    ...(extra.largestRunAgainst !== undefined && { largest_run_against: maybeUsd(extra.largestRunAgainst) }),
    time_in_market_ms: results.inMarketMs,
    drawdown: equity === null ? null : drawdownRecord(equity),
    days: results.days.map(dayRecord),
    markets: results.markets.map((sum) => ({ market_id: sum.key, ...sumRecord(sum) })),
    sides: results.sides.map((sum) => ({ side: sum.key, ...sumRecord(sum) })),
    equity_history: equity === null ? null : equityRecords(equity),
    approximations: extra.approximations,
  };
}

function drawdownRecord({ drawdown }: EquityHistory) {
  if (drawdown === null) return { amount: 0, percent: 0, peak_at: null, trough_at: null, precision: 'exact' };
  const { amount, percent, peak, trough, precision } = drawdown;
  return { amount: usdOf(amount), percent, peak_at: peak.time, trough_at: trough.time, precision };
}

/** Equity and floors, moment by moment. */
export function equityRecords({ points, floors }: Pick<EquityHistory, 'points' | 'floors'>) {
  return points.map((point, at) => equityPointRecord(point, floors[at]!));
}

function equityPointRecord({ time, balance, equity }: EquityPoint, floors: FloorsAt) {
  return {
    time,
    balance: usdOf(balance),
    equity: usdOf(equity),
    daily_loss_floor: maybeUsd(floors.dailyLoss),
    max_drawdown_floor: maybeUsd(floors.maximumDrawdown),
  };
}
