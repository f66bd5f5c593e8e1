import { existsSync } from 'node:fs';
import { usageFailure } from '../../../base/failure/failure.ts';
import { nextTradingDayStart, tradingDayStart } from '../../../base/terms/day.ts';
import { dateTime, dollars, maybe, quantity, stretch, usd, word } from '../../../base/text/format.ts';
import { coverOf } from '../../../desk/account/means.ts';
import { peekState } from '../../../desk/guard/guard-state.ts';
import { chargeOf, guardPlace } from '../../../desk/guard/place.ts';
import { readRules, rulesFile } from '../../../desk/guard/rule-file.ts';
import { type DayReview, dayRange, type GuardRecord, reviewDay } from '../../../desk/history/day-review.ts';
import { journaled } from '../../../desk/history/journaled.ts';
import { readHistory } from '../../../desk/history/read-history.ts';
import { equityIn } from '../../../desk/history/read-marks.ts';
import { chanceToPass } from '../../../desk/history/read-odds.ts';
import { endingOf } from '../../../desk/reading/endings.ts';
import { lockOf } from '../../../desk/reading/locks.ts';
import { type Prospect, prospectOf } from '../../../desk/reading/prospects.ts';
import { accountId, titleOf } from '../../../desk/resolve/account.ts';
import { allMarkets } from '../../../desk/resolve/market.ts';
import { pastMoment } from '../../../desk/resolve/time.ts';
import { accountLater } from '../../../desk/risk/outlook.ts';
import { noted, type Session } from '../../../desk/session/session.ts';
import type { Chance } from '../../../desk/statistics/odds.ts';
import type { PastTime } from '../../../desk/values/times.ts';
import type { Account, AccountTradingPolicy } from '../../../wire/contract/accounts.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { Console } from '../../console/console.ts';
import {
  type Blocks,
  blank,
  type Cell,
  type Field,
  fields,
  line,
  type Result,
  recordOf,
  tableOf,
} from '../../console/output/result.ts';
import { noFloorKnown } from '../../console/views/account-view.ts';
import { keptCell, resultRows } from '../../console/views/day-view.ts';
import { endedRecord, endingBlocks, lockRecord, lockText } from '../../console/views/ending-view.ts';
import { chanceRecord, chanceText } from './odds-view.ts';

interface Input {
  readonly day: PastTime | undefined;
  readonly rules: string | undefined;
}

/** Runs `perp day`. */
export async function showDay(console: Console, { day, rules }: Input): Promise<Result> {
  const account = await accountId(console);
  const history = await console.person.during('Reading fills', () => readHistory(console, account));
  const at = day === undefined ? history.to : pastMoment(day, history.to, 'from');
  if (at > history.to) throw usageFailure('That day has not begun.', 'Name a past one, or omit it.');
  if (nextTradingDayStart(at) <= history.from)
    throw usageFailure('The account is younger than that day.', `It was created on ${dateTime(history.from)}.`);
  const range = dayRange(history, at);
  const journal = await journaled(console, history);
  const { equity, approximations } = await equityIn(console, history, { ...range, includes: undefined });
  const guard = await guardRecord(console, rules);
  const review = reviewDay(history, range, journal.riskOf, equity ?? undefined, guard);
  const isToday = tradingDayStart(at) === tradingDayStart(history.to);
  const ending = await endingOf(console, history.account);
  if (ending !== undefined) console.memory.saidEndings.add(account);
  const lives = isToday && ending === undefined;
  const ahead = lives ? await dayAhead(console, history.account) : undefined;
  const passed = lives ? await chanceToPass(console, history, journal) : undefined;
  for (const text of console.settings.output === 'table' ? [...history.approximations, ...approximations] : [])
    console.note(text);
  const record = {
    account_id: account,
    ahead: ahead === undefined ? null : { ...ahead, lock: lockRecord(ahead.lock ?? undefined) },
    ended: ending === undefined ? null : endedRecord(ending),
    review,
    odds: passed === undefined ? null : chanceRecord(passed),
    guard: guard.isRunning,
    approximations: [...history.approximations, ...approximations],
  };
  const isHost = console.settings.environment !== 'sim';
  return recordOf(record, () => [
    line({ text: titleOf(history.account), tone: 'strong' }, `  trading day of ${dayName(range.from)}`),
    endingBlocks(ending),
    ahead && aheadBlocks(ahead, guard, { isHost, passed }),
    reviewBlocks(review, lives),
  ]);
}

/** The guard's rules and what it noted; without a rules file, there are none. */
async function guardRecord(
  console: Console,
  given: string | undefined,
): Promise<GuardRecord & { readonly isRunning: boolean }> {
  const { account, folder, files } = await guardPlace(console);
  const state = peekState(files.state);
  const file = rulesFile(console.variables, given);
  return {
    rules: given === undefined && !existsSync(file) ? [] : readRules(file).rules,
    state: state === 'damaged' ? undefined : state,
    isRunning: chargeOf(folder, account) !== undefined,
  };
}

function dayName(from: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(from);
}

/** The label and the text of each limit. */
const limits = {
  trades_per_day: ['trades a day', (count: number) => `at most ${quantity(count)}`],
  max_open_positions: ['open positions', (count: number) => `at most ${quantity(count)}`],
  max_position_value_usd: ['position value', (value: number) => `at most ${dollars(value)}`],
  order_cooldown_ms: ['wait between orders', stretch],
} as const;

function aheadBlocks(
  ahead: DayAhead,
  guard: { isRunning: boolean },
  { isHost, passed }: { isHost: boolean; passed: Chance | undefined },
): Blocks {
  const { floors, carry, held, lock, time, ends_at, remaining_profit: target, next_daily_floor: next } = ahead;
  const rates = isHost ? ', at the rates of the simulation' : '';
  const room = ({ room: left, floor }: DayAhead['floors'][number]): Cell => ({
    text: `${maybe(left, dollars) ?? 'unknown'} left (floor ${usd(floor)})`,
    tone: 'strong',
  });
  return [
    blank,
    line({ text: 'What is left of it', tone: 'strong' }),
    fields(
      ['ends', `in ${stretch(ends_at - time)}, ${dateTime(ends_at)}`],
      floors.length === 0 && isHost ? ['floors', { text: noFloorKnown, tone: 'warn' }] : undefined,
      ...floors.map((one) => [one.rule, room(one)] as const),
      ['next daily floor', maybe(next, (floor) => `${usd(floor)}, if equity stays`)],
      ['profit target', maybe(target, (left) => `${dollars(left)} of realized profit to go`)],
      ['chance to pass', passed && `${chanceText(passed)} (perp odds)`],
      ['carry', maybe(carry, (cost) => `${dollars(cost)} until the day ends${rates}`) ?? 'unknown'],
      ['guard', guard.isRunning ? 'running' : { text: 'none is running', tone: 'warn' }],
      ['lock', lock && { text: lockText(lock), tone: 'warn' }],
      ...Object.entries(limits).map(
        ([name, [label, text]]): Field => [label, maybe(ahead.limits[name as keyof typeof limits] || undefined, text)],
      ),
    ),
    tableOf(held, [
      { header: 'HELD', cell: ({ symbol }) => word(symbol) },
      {
        header: 'NO STOP',
        cell: ({ uncovered }) => (uncovered > 0 ? { text: quantity(uncovered), tone: 'warn' } : ''),
      },
      { header: 'TRADING', cell: ({ trading }) => trading.replace('_', ' ') },
      { header: 'HOURS', cell: ({ session }) => session ?? 'not known' },
    ]),
  ];
}

function reviewBlocks(review: DayReview, isToday: boolean): Blocks {
  const [result, ...others] = resultRows(review, 'round trips');
  return [
    blank,
    line({ text: isToday ? 'So far' : 'Outcome', tone: 'strong' }),
    fields(result, ['fills', String(review.fills)], ...others),
    tableOf(review.rules, [
      { header: 'RULE', cell: ({ rule }) => rule },
      { header: 'KEPT', cell: (rule) => keptCell(rule) },
      { header: 'WHY', cell: ({ says }) => says },
    ]),
  ];
}

/** The remaining limits and expected costs of a trading day, at unchanged marks. */
type DayAhead = Awaited<ReturnType<typeof dayAhead>>;

/** Reads the remaining limits of the trading day. */
async function dayAhead(session: Session, account: Account) {
  const query = { account_id: account.id };
  const open = session.call('listOpenPositions', { query }).then(({ data }) => data);
  const [prospect, lock, markets] = await Promise.all([
    prospectOf(session, account.id, { account, positions: open }),
    lockOf(session, account),
    noted(session, 'The markets', allMarkets(session), [] as Market[]),
  ]);
  const { positions, marks, policy } = prospect;
  const { risk } = account;
  const time = risk?.observed_at ?? session.machine.now();
  const ends = nextTradingDayStart(time);
  const later = accountLater(account, positions, marks, ends - time);
  const isMarked = positions.every(({ market_id }) => marks.has(market_id));
  const carry = later === undefined || !isMarked ? null : later.ahead.carry;
  const limits: Partial<AccountTradingPolicy['limits']> = policy?.limits ?? {};
  return {
    time,
    /** When the next trading day starts, Unix ms. */
    ends_at: ends,
    status: account.status,
    equity: risk?.equity ?? null,
    floors: floorsOf(account),
    /** At unchanged equity, after the carry until then; null: no such rule, or unknown. */
    next_daily_floor: nextFloor(account, carry),
    remaining_profit: risk?.remaining_profit ?? null,
    /** USD that open positions pay until the day ends; null: a mark is missing. */
    carry,
    lock: lock ?? null,
    limits,
    held: heldMarkets(prospect, markets, policy),
  };
}

/** The floors now, and the room above each. USD; null: unknown. */
function floorsOf({ status, risk }: Account) {
  if (status !== 'active' || risk === undefined) return [];
  const floor = (rule: string, at: number | null, room: number | null) =>
    maybe(at, () => [{ rule, floor: at!, room }]) ?? [];
  return [
    ...floor('daily loss', risk.daily_loss_floor, risk.daily_loss_room),
    ...floor('drawdown', risk.max_drawdown_floor, risk.max_drawdown_room),
  ];
}

function nextFloor({ starting_balance, risk }: Account, carry: number | null): number | null {
  const pct = risk?.requirements.daily_loss_pct;
  if (!pct || carry === null || typeof risk?.equity !== 'number' || risk.daily_loss_floor === null) return null;
  return Number((risk.equity - carry - (starting_balance * pct) / 100).toFixed(8));
}

function heldMarkets(
  { positions, working = [], outlook }: Prospect,
  markets: readonly Market[],
  policy: AccountTradingPolicy | undefined,
) {
  return positions.map((position) => {
    const market = markets.find(({ market_id }) => market_id === position.market_id);
    const { platform = false, categories = [] } = policy?.trading_halt ?? {};
    const isHalted = platform || (market?.category !== undefined && categories.includes(market.category));
    return {
      market_id: position.market_id,
      symbol: position.symbol,
      /** Base asset that no stop covers. */
      uncovered: coverOf(position, working, outlook).uncovered,
      trading: isHalted || market?.trading_enabled === false ? 'halted' : market?.reduce_only ? 'reduce_only' : 'open',
      /** The usual hours of its underlying; null if neither the API nor perp knows them. */
      session: sessions[market?.category ?? ''] ?? null,
    };
  });
}

/** Facts that apply to every market of a category. */
const sessions: Readonly<Record<string, string>> = {
  crypto: 'around the clock',
  fx: 'its underlying trades from Sunday 17:00 to Friday 17:00 in New York',
};
