import { netOf } from '../../../base/margin/notional.ts';
import { moneyToNumber } from '../../../base/terms/decimal.ts';
import { dateTime, marketName, signedUsd, usd } from '../../../base/text/format.ts';
import type { Journaled } from '../../../desk/history/journaled.ts';
import type { History } from '../../../desk/history/read-history.ts';
import { readOdds } from '../../../desk/history/read-odds.ts';
import { rMultipleOf, type Trip } from '../../../desk/history/records.ts';
import type { Results } from '../../../desk/history/results.ts';
import type { Statistics, TripGroup } from '../../../desk/history/statistics.ts';
import { prospectOf } from '../../../desk/reading/prospects.ts';
import { positionsOf } from '../../../desk/resolve/holdings.ts';
import type { Account } from '../../../wire/contract/accounts.ts';
import type { Console } from '../../console/console.ts';
import { escaped, figureList, pageTable, tableSection } from '../../console/output/html-page.ts';
import { barChart, calendar, chartSection, gauge, scatter } from '../../console/output/page-charts.ts';
import type { Cell } from '../../console/output/result.ts';
import { openColumns } from '../../console/views/position-view.ts';
import { chanceText } from './odds-view.ts';
import { dayRecord } from './pnl-record.ts';
import { statisticsFields } from './statistics-view.ts';

/** Open positions and their stops. */
export async function openSection(console: Console, account: Account): Promise<string> {
  const positions = positionsOf(console, account.id);
  const { marks, outlook, working, positions: open } = await prospectOf(console, account.id, { account, positions });
  if (open.length === 0) return '<section><h2>Open positions</h2><p>Nothing is open.</p></section>';
  const columns = openColumns(marks, outlook, working).filter(({ header }) => !moreAboutOpen.has(header));
  return tableSection(pageTable('Open positions', columns, open));
}

/** The additional figures of `perp positions`. */
const moreAboutOpen = new Set(['ENDS', 'LEVERAGE', 'FEES', 'CARRY', 'OPENED', 'ID']);

/** The used share of each floor's allowance; empty for an account that has ended or has no floors. */
export function floorSection({ status, risk, starting_balance }: Account): string {
  if (status !== 'active' || risk === undefined) return '';
  const { requirements: rules } = risk;
  const of = (name: string, floor: number | null, room: number | null, percent: number | null) => {
    if (floor === null) return [];
    const allowance = (starting_balance * (percent ?? 0)) / 100;
    if (room === null || allowance === 0) return [gauge(name, 0, `room unknown, floor ${usd(floor)}`)];
    return [gauge(name, 1 - room / allowance, `${usd(room)} USD left, floor ${usd(floor)}`)];
  };
  const gauges = [
    ...of('daily loss', risk.daily_loss_floor, risk.daily_loss_room, rules.daily_loss_pct),
    ...of('drawdown', risk.max_drawdown_floor, risk.max_drawdown_room, rules.max_drawdown_pct),
  ];
  const says = 'A full bar is a floor that equity has touched: the account fails.';
  return gauges.length === 0 ? '' : chartSection('Room above the floors', says, gauges.join(''));
}

/** The days as a calendar, and the results of trips in R and in excursions. */
export function tripSections(
  { days, ended }: Results,
  { multiples, excursions }: Statistics,
  { riskOf }: Journaled,
  idOf: (trip: Trip) => string | undefined,
): string[] {
  const shown = days.slice(-mostDays).map(dayRecord);
  const points = ended.flatMap((trip) => {
    const [risk, run] = [riskOf(trip), excursions.get(trip)];
    const r = rMultipleOf(trip, risk);
    if (risk === null || r === null || run === undefined) return [];
    const [x, y] = [-Number(run.against) / Number(risk), Number(run.favor) / Number(risk)];
    const says = `${marketName(trip.marketId)} ${trip.side}, ${dateTime(trip.closedAt!)}: ${r.toFixed(2)} R, ${x.toFixed(2)} against, ${y.toFixed(2)} in favor`;
    return [{ x, y, says, isWin: r > 0, to: idOf(trip) }];
  });
  return [
    ...(shown.length === 0
      ? []
      : [
          chartSection(
            'Calendar',
            'The net result of each day in whole USD; a dash is a day without a booking.',
            calendar(
              'net result by day',
              shown.map(({ day, net }) => ({ date: day, value: net, text: signedUsd(net).replace(/\.\d+$/, '') })),
            ),
          ),
        ]),
    ...(multiples.length === 0
      ? []
      : [
          chartSection(
            'Results in R',
            'How many trips ended in each half R; a loss beyond -1 R is more than its stop.',
            barChart('trips by R', histogram(multiples)),
          ),
        ]),
    ...(points.length === 0
      ? []
      : [
          chartSection(
            'Excursions',
            'Each point is a trip: how far it ran against you, and in your favor. A click leads to its row.',
            scatter('excursions of trips', ['against, R', 'in favor, R'], points.slice(-mostPoints)),
          ),
        ]),
  ];
}

const mostDays = 92;
const mostPoints = 150;
/** Results further out are combined. */
const outermost = 4;

function histogram(multiples: readonly number[]) {
  const places = multiples.map((r) => Math.max(-outermost, Math.min(outermost, Math.floor(r * 2) / 2)));
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return Array.from({ length: (last - first) * 2 + 1 }, (_, at) => {
    const from = first + at / 2;
    const count = places.filter((one) => one === from).length;
    const name = from === outermost ? `${from} R and more` : `${from} to ${from + 0.5} R`;
    return { name, value: from < 0 ? -count : count, text: String(count) };
  });
}

/** Hours, weekdays, the record's conclusions, and the odds from here. */
export async function proofSections(
  console: Console,
  history: History,
  journal: Journaled,
  statistics: Statistics,
): Promise<string[]> {
  const bars = (title: string, says: string, groups: readonly TripGroup[]) =>
    groups.length === 0
      ? []
      : [
          chartSection(
            title,
            says,
            barChart(
              title,
              groups.map(({ name, net, count }) => ({ name, value: net, text: `${signedUsd(net)} of ${count}` })),
            ),
          ),
        ];
  return [
    ...bars(
      'Weekdays',
      'Net results of trips by the day of their opening in New York, USD, and how many.',
      statistics.weekdays,
    ),
    ...bars(
      'Hours',
      'Net results of trips by the hour of their opening in New York, USD, and how many.',
      statistics.hours,
    ),
    `<section><h2>What the record proves</h2>${figureList(statisticsFields(statistics))}</section>`,
    ...(history.account.status === 'active' ? [await oddsSection(console, history, journal)] : []),
  ];
}

async function oddsSection(console: Console, history: History, journal: Journaled): Promise<string> {
  const odds = await readOdds(console, history, journal);
  if ('reason' in odds) return `<section><h2>Odds from here</h2><p>Not known. ${escaped(odds.reason)}</p></section>`;
  const figures: (readonly [string, Cell])[] = [
    ['passes', chanceText(odds.ends.passed)],
    ['fails', chanceText(odds.failed)],
    ['undecided after 90 days', chanceText(odds.ends.undecided)],
    ['next trade fails', chanceText(odds.nextTrade)],
  ];
  const says = '10,000 ways on out of this record; each chance with the interval that a record of this length allows.';
  return chartSection('Odds from here', says, figureList(figures));
}

/** The summary, in one sentence. */
export function verdictOf({ account }: History, { ended, total }: Results): string {
  const { status, risk } = account;
  const net = `${signedUsd(moneyToNumber(netOf(total)))} USD net in ${ended.length} round trips`;
  const rooms = [risk?.daily_loss_room, risk?.max_drawdown_room].filter((room) => typeof room === 'number');
  const room = rooms.length === 0 ? '' : `, ${usd(Math.min(...rooms))} USD above the nearest floor`;
  const target = typeof risk?.remaining_profit === 'number' ? `, ${usd(risk.remaining_profit)} USD to the target` : '';
  return `${account.stage} ${status}: ${net}${status === 'active' ? `${room}${target}` : ''}.`.replace(/^./, (first) =>
    first.toUpperCase(),
  );
}
