import { netOf } from '../../base/margin/notional.ts';
import { nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { moneyToNumber } from '../../base/terms/decimal.ts';
import type { PlanName, planRules } from '../../base/terms/plans.ts';
import { counted } from '../../base/text/format.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { atRisk, coverOf, exitPriceOf } from '../account/means.ts';
import { prospectOf } from '../reading/prospects.ts';
import { positionsOf } from '../resolve/holdings.ts';
import type { Session } from '../session/session.ts';
import { quantileOf } from '../statistics/bootstrap.ts';
import type { ChallengeRules, Start, Trade, TradeStep } from '../statistics/fold.ts';
import { type Chance, carried, fewestTrades, type Odds, oddsOf, type Question, resultOf } from '../statistics/odds.ts';
import { type Bar, openAlong } from './equity.ts';
import type { Journaled } from './journaled.ts';
import type { History } from './read-history.ts';
import { candlesOf, resultsIn } from './read-marks.ts';
import type { Ms, Trip } from './records.ts';

/** Trips before this many are too old to represent their trader. */
const mostTrips = 500;

/** A trader's record, as trades in R. */
type TradeRecord = Awaited<ReturnType<typeof readRecord>>;

/** Reads the ended trips of a history as trades: with losses inside, overlaps, midnights, fees and carry. */
export async function readRecord(session: Session, history: History, { riskOf }: Journaled) {
  const all = history.trips.filter(({ closedAt }) => closedAt !== null);
  const trips = all.slice(-mostTrips);
  const known = trips.flatMap((trip) => {
    const risk = riskOf(trip);
    return risk === null || risk <= 0n ? [] : [{ trip, risk: moneyToNumber(risk) }];
  });
  const balances = balancesAt(history, trips);
  const share = medianOf(
    known.flatMap(({ trip, risk }) => (balances.get(trip)! > 0 ? risk / balances.get(trip)! : [])),
  );
  // Without any known risk, one R is the median loss.
  const losses = trips.map((trip) => -moneyToNumber(netOf(trip))).filter((loss) => loss > 0);
  const typical = medianOf(known.map(({ risk }) => risk)) ?? medianOf(losses);
  const risks = new Map(known.map(({ trip, risk }) => [trip, risk]));
  const trades: Trade[] = [];
  let isInsideKnown = true;
  for (const [at, trip] of trips.entries()) {
    const unit = risks.get(trip) ?? typical ?? 1;
    const candles = await candlesOf(session, trip, history.to).catch((): Bar[] => {
      isInsideKnown = false;
      return [];
    });
    const steps = stepsOf(trip, candles).map(({ after, change, worst }) => ({
      after,
      change: change / unit,
      worst: worst / unit,
    }));
    trades.push({ gap: trip.openedAt - (trips[at - 1]?.openedAt ?? history.from), steps });
  }
  return {
    trades: trades as readonly Trade[],
    /** Trips without a known risk: they count as if they had the typical one. */
    withoutRisk: trips.length - known.length,
    /** Older trips that are left out. */
    older: all.length - trips.length,
    /** The typical risk of a trip as a share of equity; null if it is known for none. */
    share: share ?? null,
    approximations: isInsideKnown
      ? []
      : ['Some candles are missing: the losses inside those trips come from their fills alone.'],
  };
}

/** A trip's effect on equity, USD: at each midnight that it was open, and when it closed. */
export function stepsOf(trip: Trip, candles: readonly Bar[]): TradeStep[] {
  const { openedAt, fills, funding, fees } = trip;
  const closedAt = trip.closedAt!;
  const steps: TradeStep[] = [];
  const net = moneyToNumber(netOf(trip));
  const costAt = (time: Ms) => {
    const paid = fills.reduce((sum, { fill }) => (fill.time <= time ? sum + fill.fee : sum), 0n);
    const part = closedAt === openedAt ? 1 : (time - openedAt) / (closedAt - openedAt);
    return moneyToNumber(paid < fees ? paid : fees) + moneyToNumber(funding) * part;
  };
  let [booked, low, last] = [0, 0, 0];
  const add = (time: Ms, value: number) => {
    const change = value - booked;
    steps.push({ after: time - openedAt, change, worst: Math.min(0, change, low - booked) });
    booked = value;
    low = value;
  };
  let midnight = nextTradingDayStart(openedAt);
  for (const { time, result } of resultsIn(trip, candles)) {
    for (; midnight < Math.min(time, closedAt); midnight = nextTradingDayStart(midnight)) add(midnight, last);
    last = moneyToNumber(result) - costAt(time);
    low = Math.min(low, last);
  }
  for (; midnight < closedAt; midnight = nextTradingDayStart(midnight)) add(midnight, last);
  add(closedAt, net);
  return steps;
}

/** The balance when each trip was opened. */
function balancesAt(history: History, trips: readonly Trip[]): Map<Trip, number> {
  const before = trips.map(({ openedAt }) => openedAt - 1);
  const balances = Array.from(openAlong(history, before, history.openingBalance), ({ balance }) => balance);
  return new Map(trips.map((trip, at) => [trip, moneyToNumber(balances[at]!)]));
}

function medianOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : quantileOf(Float64Array.from(values).sort(), 0.5);
}

/** Trades known only by R, evenly spread over days; their inside is unknown. */
export function tradesOf(multiples: readonly number[], tradesPerDay: number): Trade[] {
  const gap = dayLength / tradesPerDay;
  return multiples.map((r) => ({ gap, steps: [{ after: gap / 2, change: r, worst: Math.min(r, 0) }] }));
}

const dayLength = 86_400_000;

/** Trades at an even pace instead of their own. */
export function pacedTo(trades: readonly Trade[], tradesPerDay: number): Trade[] {
  return trades.map((trade) => ({ ...trade, gap: dayLength / tradesPerDay }));
}

/** Where odds start from. */
export type Standing = Pick<Question, 'rules' | 'start' | 'open'>;

/** Why odds can't be known, and what to do. */
export interface NotKnown {
  readonly reason: string;
  readonly next: string;
}

/** The midnights of so many days. */
function midnightsFrom(time: Ms, days: number): Float64Array {
  let at = time;
  return Float64Array.from({ length: days }, () => {
    at = nextTradingDayStart(at);
    return at;
  });
}

/** The beginning of a challenge with these rules. */
export function startOf(
  {
    profitTargetPct,
    dailyLossPct,
    maxDrawdownPct,
  }: { readonly [K in keyof (typeof planRules)[PlanName]]: number | null },
  { balance, time, days, minimumDays = 0 }: { balance: number; time: Ms; days: number; minimumDays?: number },
): Standing {
  const of = (percent: number | null) => (percent ? (balance * percent) / 100 : null);
  const [target, daily, drawdown] = [of(profitTargetPct), of(dailyLossPct), of(maxDrawdownPct)];
  const rules: ChallengeRules = {
    dailyLoss: daily,
    drawdownFloor: drawdown === null ? null : balance - drawdown,
    target: target === null ? null : balance + target,
    minimumDays,
  };
  const start: Omit<Start, 'open'> = {
    time,
    equity: balance,
    dayStart: balance,
    daysTraded: 0,
    hasTradedToday: false,
    midnights: midnightsFrom(time, days),
  };
  return { rules, start, open: [] };
}

/** An account's current state: equity, floors, the day, days traded, and open positions with their stops. */
export async function readStanding(
  session: Session,
  history: History,
  record: Pick<TradeRecord, 'trades'>,
  days: number,
): Promise<Standing | NotKnown> {
  const { account, to: time, trips } = history;
  const { risk, starting_balance: starting } = account;
  const missing = notKnownOf(account, session.settings.environment !== 'sim');
  if (missing !== undefined) return missing;
  const { requirements, daily_loss_floor: daily, max_drawdown_floor: drawdown, remaining_profit: remaining } = risk!;
  const allowance = daily === null ? null : (starting * (requirements.daily_loss_pct ?? 0)) / 100;
  const traded = new Set(trips.flatMap(({ fills }) => fills.map(({ fill }) => tradingDayStart(fill.time))));
  const open = await readOpen(session, account, record);
  if ('reason' in open) return open;
  return {
    rules: {
      dailyLoss: allowance,
      drawdownFloor: drawdown,
      target: remaining === null ? null : account.balance + remaining,
      minimumDays: requirements.minimum_trading_days ?? 0,
    },
    start: {
      time,
      equity: risk!.equity!,
      dayStart: daily === null ? risk!.equity! : daily + allowance!,
      daysTraded: traded.size,
      hasTradedToday: traded.has(tradingDayStart(time)),
      midnights: midnightsFrom(time, days),
    },
    open,
  };
}

/** Why odds can't be computed from an account's state; undefined if they can. */
export function notKnownOf({ status, risk }: Account, isHost: boolean): NotKnown | undefined {
  const fromPlan = 'perp odds --plan select starts from the beginning of a plan.';
  if (status !== 'active')
    return { reason: `The account has ended (${status}), so it can't pass or fail anymore.`, next: fromPlan };
  if (risk === undefined || risk.equity === null)
    return { reason: 'The equity is unknown, because a price is missing.', next: 'Try again in a moment.' };
  const { daily_loss_floor: daily, max_drawdown_floor: drawdown, equity } = risk;
  if (daily === null && drawdown === null)
    return {
      reason: isHost
        ? 'The host reports no floor, so it is unknown what ends the account.'
        : 'The plan has no floors, so nothing ends the account.',
      next: fromPlan,
    };
  if (equity <= Math.max(daily ?? 0, drawdown ?? 0))
    return {
      reason: 'No room is left above a floor: equity has reached it.',
      next: 'perp accounts show prints the floors.',
    };
  return undefined;
}

/**
 * Open positions as fair games between their stops and targets: the chance to gain makes up for the possible loss.
 * Without a target, it can gain as much as it can lose. It lasts as long as a trade of the record does.
 */
async function readOpen(
  session: Session,
  account: Account,
  { trades }: Pick<TradeRecord, 'trades'>,
): Promise<Question['open'] | NotKnown> {
  const positions = positionsOf(session, account.id);
  const prospect = await prospectOf(session, account.id, { account, positions });
  const after = medianOf(trades.map(({ steps }) => steps.at(-1)!.after)) ?? dayLength / 4;
  const open: { first: Trade; second: Trade; chance: number }[] = [];
  for (const position of prospect.positions) {
    const mark = prospect.marks.get(position.market_id);
    const cover = prospect.working && coverOf(position, prospect.working, prospect.outlook);
    if (mark === undefined || cover === undefined)
      return {
        reason: `The possible loss of ${position.symbol} is unknown: its price or its exits can't be read.`,
        next: 'Try again in a moment.',
      };
    const loss = cover.uncovered > 0 ? undefined : atRisk(position, cover, mark, prospect.outlook).loss;
    if (loss === undefined)
      return {
        reason: `${position.symbol} has no stop for its whole size, so its possible loss is unknown.`,
        next: `Set one with perp stop ${position.symbol} PRICE, or count from the start of a plan with --plan.`,
      };
    const target = cover.targets[0];
    const gain = target === undefined ? loss : gainOf(position, exitPriceOf(target), mark.price);
    const ending = (change: number): Trade => ({ gap: 0, steps: [{ after, change, worst: Math.min(0, change) }] });
    open.push({ first: ending(gain), second: ending(-loss), chance: loss / (loss + gain) });
  }
  return open;
}

function gainOf({ side, size }: Position, target: number, mark: number): number {
  return Math.max(0, (target - mark) * size * (side === 'long' ? 1 : -1));
}

/** Why a record has no predictive value; undefined if it has. */
export function problemOf(trades: readonly Trade[], what: string): NotKnown | undefined {
  const next = 'perp odds --win-rate 45% --reward 1.8 --plan select shows the odds of a supposed trader.';
  const { length } = trades;
  if (length < fewestTrades)
    return {
      reason: `${what} ${length === 0 ? 'no ended round trip' : counted(length, 'ended round trip')}; fewer than ${fewestTrades} predict nothing.`,
      next,
    };
  const wins = trades.filter((one) => resultOf(one) > 0).length;
  if (wins > 0 && trades.some((one) => resultOf(one) < 0)) return undefined;
  const missing = wins > 0 ? 'no loss' : 'no win';
  return {
    reason: `${what} ${missing} among ${length} trades, so the size and frequency of one are unknown.`,
    next,
  };
}

/** The odds of an account from here, at the risk that its trips had. */
export async function readOdds(session: Session, history: History, journal: Journaled): Promise<Odds | NotKnown> {
  const ended = history.trips.filter(({ closedAt }) => closedAt !== null);
  if (ended.length < fewestTrades)
    return problemOf(
      ended.map(() => ({ gap: 0, steps: [] })),
      'The record has',
    )!;
  const { trades, share } = await readRecord(session, history, journal);
  const problem = problemOf(trades, 'The record has');
  if (problem !== undefined) return problem;
  const standing = await readStanding(session, history, { trades }, usualDays);
  if ('reason' in standing) return standing;
  return oddsOf({ record: trades, ...standing, size: { fixed: 0, share: share ?? usualShare }, seed: 1 });
}

/** The chance to pass from here; undefined if there is no target, or the record is too short. */
export async function chanceToPass(
  session: Session,
  history: History,
  journal: Journaled,
): Promise<Chance | undefined> {
  if ((history.account.risk?.remaining_profit ?? null) === null) return undefined;
  const odds = await readOdds(session, history, journal);
  return 'reason' in odds || carried(odds.ends.passed).value === null ? undefined : odds.ends.passed;
}

/** Trading days that paths take at most. */
export const usualDays = 90;
/** The risk of a trade if the record doesn't give it. */
export const usualShare = 0.005;
