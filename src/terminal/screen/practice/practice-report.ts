import type { ExitCode } from '../../../base/failure/failure.ts';
import { factsOf } from '../../../base/failure/report.ts';
import { netOf } from '../../../base/margin/notional.ts';
import { nextTradingDayStart } from '../../../base/terms/day.ts';
import { moneyToNumber, toMoney } from '../../../base/terms/decimal.ts';
import { dateTime, quantity, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import { type DayReview, dayRange, reviewDay } from '../../../desk/history/day-review.ts';
import { journaled } from '../../../desk/history/journaled.ts';
import { type Mistake, mistakesIn, readEvidence } from '../../../desk/history/mistakes.ts';
import { type History, readHistory } from '../../../desk/history/read-history.ts';
import { equityIn } from '../../../desk/history/read-marks.ts';
import { entryPriceOf, exitPriceOf, rMultipleOf, type Trip } from '../../../desk/history/records.ts';
import { dateOfDay } from '../../../desk/history/results.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import type { Console } from '../../console/console.ts';
import {
  type Block,
  type Blocks,
  blank,
  fields,
  line,
  profitCell,
  type Result,
  recordOf,
  tableOf,
} from '../../console/output/result.ts';
import { keptCell, resultRows } from '../../console/views/day-view.ts';
import { again } from './choose.ts';
import { endText, type PracticeRun } from './practice-run.ts';

/** The largest risk of a trip without --max-risk: this share of the starting balance. */
const usualRisk = 0.01;

/** The report at the end of a practice: what was kept, the trades, and the source. */
export async function practiceReport(
  console: Console,
  run: PracticeRun,
  { maxRisk, exit }: { maxRisk: number | undefined; exit: ExitCode },
): Promise<Result> {
  const record = await reportOf(console, run, maxRisk);
  return recordOf(record, () => blocksOf(record), exit);
}

async function reportOf(console: Console, run: PracticeRun, maxRisk: number | undefined) {
  const account = await accountId(console);
  const history = await readHistory(console, account);
  const { riskOf } = await journaled(console, history);
  const largest = maxRisk ?? history.account.starting_balance * usualRisk;
  const evidence = await readEvidence(console, account, { riskOf, largestRisk: toMoney(largest) });
  const range = { from: history.from, to: history.to };
  const { equity } = await equityIn(console, history, { ...range, includes: undefined });
  const review = (part: { from: number; to: number }) =>
    reviewDay(history, part, riskOf, equity ?? undefined, { rules: [], state: undefined });
  const whole = review(range);
  const mistakes = mistakesIn(history.trips, evidence);
  const ended = history.account;
  const end = equityOf(ended);
  return {
    practice: revealed(run, history),
    status: ended.status,
    ended: endingOf(run),
    starting_balance: ended.starting_balance,
    balance: ended.balance,
    equity: end,
    result: resultOf(whole),
    against_doing_nothing: end === null ? null : rounded(end - ended.starting_balance),
    rules: [...whole.rules, riskRule(history.trips, mistakes, largest)],
    days: daysOf(history).map((at) => dayRecord(run, review(dayRange(history, at)))),
    trips: history.trips.map((trip, at) => tripRecord(run, trip, riskOf(trip), mistakes, at)),
    mistakes: mistakes.map(({ kind, time, trip, says }) => ({
      kind,
      time: run.realTime(time),
      trip: trip + 1,
      says,
    })),
  };
}

type Report = Awaited<ReturnType<typeof reportOf>>;

function equityOf({ risk, status, balance }: History['account']): number | null {
  // Nothing is open in an account that has ended.
  return risk?.equity ?? (status === 'active' ? null : balance);
}

function endingOf({ practice }: PracticeRun): string | null {
  const { over } = practice;
  if (over === null) return null;
  const why = practice.trouble === undefined ? '' : ` ${factsOf(practice.trouble).message}`;
  return `${endText(over)}${why}`;
}

/** The source, with the command that practices on it again. */
function revealed(run: PracticeRun, { from, to }: History) {
  const { chosen, practice, restarts } = run;
  const { tape, markets, shown, disguise } = chosen;
  const [{ marketId, symbol }] = shown as [(typeof shown)[number]];
  const factor = disguise && disguise.priceFactor * 10 ** (disguise.real.priceDecimals - disguise.shown.priceDecimals);
  return {
    tape,
    seed: tape === null ? markets.seed : null,
    market_id: marketId,
    symbol,
    blind: disguise !== undefined,
    /** Shown price / real price. */
    price_factor: factor === undefined ? 1 : Number(factor.toPrecision(12)),
    from: run.realTime(from),
    to: run.realTime(to),
    day: run.day,
    days: run.days,
    restarts,
    bookmarks: practice.bookmarks.map(({ name, time }) => ({ name, time: run.realTime(time) })),
    again: again(chosen, chosen.from),
  };
}

function resultOf({ fills, trips, won, lost, net, fees, carry, r, trips_with_r }: DayReview) {
  return { net, fees, carry, fills, trips, won, lost, r, trips_with_r };
}

function dayRecord(run: PracticeRun, review: DayReview) {
  const broken = review.rules.filter(({ kept }) => kept === false).map(({ rule }) => rule);
  return { day: dateOfDay(run.realTime(review.from)), ...resultOf(review), broken };
}

function daysOf({ from, to }: History): number[] {
  const starts = [from];
  for (let at = nextTradingDayStart(from); at < to; at = nextTradingDayStart(at)) starts.push(at);
  return starts;
}

function riskRule(trips: readonly Trip[], mistakes: readonly Mistake[], largest: number) {
  const beyond = mistakes.filter(({ kind }) => kind === 'too_much_risk').length;
  const rule = `no trip risks more than ${usd(largest)}`;
  if (trips.length === 0) return { rule, kept: true, says: 'nothing was opened' };
  const isUnknown = mistakes.some(({ kind }) => kind === 'no_stop') && beyond === 0;
  return {
    rule,
    kept: isUnknown ? null : beyond === 0,
    says: isUnknown ? 'a trip without a stop has no known risk' : `${beyond} of ${trips.length} did`,
  };
}

function tripRecord(run: PracticeRun, trip: Trip, risk: bigint | null, mistakes: readonly Mistake[], at: number) {
  const { marketId, side, openedAt, closedAt, largestLots, lotsPerUnit } = trip;
  const r = rMultipleOf(trip, risk);
  return {
    trip: at + 1,
    market_id: marketIn(run, marketId),
    side,
    size: largestLots / lotsPerUnit,
    entry_price: entryPriceOf(trip),
    exit_price: exitPriceOf(trip),
    opened_at: run.realTime(openedAt),
    closed_at: closedAt === null ? null : run.realTime(closedAt),
    net: moneyToNumber(netOf(trip)),
    one_r: risk === null ? null : moneyToNumber(risk),
    r: r === null || closedAt === null ? null : Number(r.toFixed(4)),
    mistakes: mistakes.filter((one) => one.trip === at).map(({ kind }) => kind),
  };
}

function marketIn({ chosen: { disguise } }: PracticeRun, shown: string): string {
  return disguise?.shown.marketId === shown ? disguise.real.marketId : shown;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function rounded(value: number): number {
  return Math.round(value * 1e8) / 1e8;
}

function blocksOf(report: Report): Blocks {
  const { ended, practice, rules, trips, mistakes, days } = report;
  return [
    line(
      { text: 'Practice', tone: 'strong' },
      practice.restarts === 0 ? '' : `, after going back to a bookmark ${times(practice.restarts)}`,
    ),
    ended === null ? [] : line({ text: ended, tone: report.status === 'failed' ? 'bad' : 'strong' }),
    resultFields(report),
    blank,
    line({ text: 'Rules', tone: 'strong' }),
    fields(...rules.map((one) => [one.rule, keptCell(one, one.says)] as const)),
    days.length > 1 ? [blank, daysTable(days)] : [],
    trips.length > 0 ? [blank, tripsTable(trips)] : [],
    blank,
    ...(mistakes.length === 0
      ? [line('No mistakes of the kinds that the records show.')]
      : [
          tableOf(mistakes, [
            { header: 'MISTAKE', cell: ({ says }) => says },
            { header: 'TRADE', cell: ({ trip }) => String(trip), align: 'right' },
            { header: 'TIME', cell: ({ time }) => dateTime(time) },
          ]),
        ]),
    blank,
    line({ text: 'It was', tone: 'strong' }),
    revealFields(practice),
  ];
}

function resultFields({ result, equity, balance, against_doing_nothing: against, starting_balance }: Report): Block {
  return fields(
    ...resultRows(result, 'trades'),
    ['still open', equity === null || equity === balance ? undefined : profitCell(rounded(equity - balance))],
    ['equity', equity === null ? 'unknown: a price is missing' : `${usd(equity)} USD`],
    [
      'doing nothing',
      `${usd(starting_balance)} USD: no fees, no carry${against === null ? '' : `; trading made ${signedUsd(against)}`}`,
    ],
  );
}

function daysTable(days: Report['days']): Block {
  return tableOf(days, [
    { header: 'DAY', cell: ({ day }) => day },
    { header: 'RESULT', cell: ({ net }) => profitCell(net), align: 'right' },
    { header: 'TRADES', cell: ({ trips }) => String(trips), align: 'right' },
    { header: 'R', cell: ({ r }) => (r === null ? '' : r.toFixed(2)), align: 'right' },
    {
      header: 'BROKEN',
      cell: ({ broken }) => (broken.length === 0 ? 'nothing' : { text: broken.join(', '), tone: 'bad' }),
    },
  ]);
}

function tripsTable(trips: Report['trips']): Block {
  return tableOf(trips, [
    { header: 'TRADE', cell: ({ trip }) => String(trip), align: 'right' },
    { header: 'SIDE', cell: ({ side }) => side },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'ENTRY', cell: ({ entry_price }) => quantity(entry_price), align: 'right' },
    { header: 'EXIT', cell: ({ exit_price }) => (exit_price === null ? 'open' : quantity(exit_price)), align: 'right' },
    { header: 'RESULT', cell: ({ net }) => profitCell(net), align: 'right' },
    { header: 'R', cell: ({ r }) => (r === null ? '' : r.toFixed(2)), align: 'right' },
    {
      header: 'HELD',
      cell: ({ opened_at, closed_at }) => (closed_at === null ? '' : stretch(Math.max(1, closed_at - opened_at))),
      align: 'right',
      keep: 1,
    },
    { header: 'MARKET', cell: ({ market_id }) => market_id, keep: 0 },
  ]);
}

function revealFields(practice: Report['practice']): Block {
  const { tape, seed, symbol, market_id, from, to, blind, price_factor, bookmarks, again: command } = practice;
  return fields(
    ['market', `${symbol} (${market_id})`],
    ['books', tape ?? `synthetic, seed ${seed}`],
    ['time', `${dateTime(from)} to ${dateTime(to)}`],
    ['prices', blind ? `shown prices were real prices x ${quantity(price_factor)}` : undefined],
    ['bookmarks', bookmarks.map(({ name, time }) => `${name} ${dateTime(time)}`).join(', ')],
    ['again', { text: command, tone: 'strong' }],
  );
}

/** A failed report still names the source of the practice. */
export function withoutReport(run: PracticeRun, error: unknown): string {
  return `The report can't be made: ${factsOf(error).message} It was ${again(run.chosen, run.chosen.from)}`;
}
