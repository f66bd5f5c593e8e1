import { counted, dollars, marketName, maybe, quantity } from '../../../base/text/format.ts';
import type { Statistics, TripGroup } from '../../../desk/history/statistics.ts';
import type { Interval } from '../../../desk/statistics/bootstrap.ts';
import { daysForAnnual } from '../../../desk/statistics/proven.ts';
import {
  type Blocks,
  below,
  type Column,
  type Field,
  fields,
  profitCell,
  tableOf,
} from '../../console/output/result.ts';

/** The conclusions from a record, as JSON. */
export function statisticsRecord(statistics: Statistics) {
  const { trips, returns, expectancyR, exposure, exitEfficiency, afterLoss, rules } = statistics;
  const { winRate, profitFactor, payoff, longestWon, longestLost } = trips;
  const groups = (all: readonly TripGroup[]) => all.map(groupRecord);
  return {
    days: returns.days,
    mean_daily_return: returns.mean,
    daily_deviation: returns.deviation,
    sharpe: returns.sharpe?.value ?? null,
    sharpe_error: returns.sharpe?.error ?? null,
    sharpe_above_zero: returns.sharpe?.aboveZero ?? null,
    sortino: returns.sortino,
    annual: returns.annual,
    win_rate: winRate,
    profit_factor: profitFactor,
    payoff,
    expectancy_r: expectancyR,
    longest_won: longestWon,
    longest_lost: longestLost,
    exposure,
    exit_efficiency: exitEfficiency,
    after_loss: groupRecord(afterLoss),
    rules,
    hours: groups(statistics.hours),
    weekdays: groups(statistics.weekdays),
    markets: groups(statistics.markets),
    sides: groups(statistics.sides),
    tags: groups(statistics.tags),
  };
}

function groupRecord({ name, count, won, lost, net, r }: TripGroup) {
  return { name, trips: count, won, lost, net: Number(net.toFixed(8)), r };
}

/** The conclusions that a record supports, as labels and values. */
export function statisticsFields(statistics: Statistics): Field[] {
  const { trips, returns, expectancyR, exitEfficiency, afterLoss, exposure } = statistics;
  const { sharpe, sortino, annual, mean, deviation, days } = returns;
  const unknown = 'not known';
  return [
    ['win rate', intervalText(trips.winRate, (one) => percent(one)) ?? unknown],
    [
      'expectancy',
      intervalText(expectancyR, (one) => `${one.toFixed(2)} R`) ?? 'not known: fewer than two trips have a known risk',
    ],
    [
      'payoff',
      trips.payoff === null ? unknown : `${trips.payoff.toFixed(2)}; profit factor ${trips.profitFactor!.toFixed(2)}`,
    ],
    ['longest run', `${trips.longestWon} won, ${trips.longestLost} lost`],
    [
      'a day',
      mean === null
        ? unknown
        : `${percent(mean, 3)} of equity${deviation === null ? '' : `, deviation ${percent(deviation, 3)}`}, ${counted(days, 'day')}`,
    ],
    [
      'Sharpe',
      sharpe === null
        ? unknown
        : `${sharpe.value.toFixed(2)} a day, standard error ${sharpe.error.toFixed(2)}; above zero: ${percent(sharpe.aboveZero, 0)}`,
    ],
    ['Sortino', maybe(sortino, (value) => `${value.toFixed(2)} a day`) ?? unknown],
    [
      'a year',
      annual === null
        ? `not known: fewer than ${daysForAnnual} days`
        : `Sharpe ${annual.sharpe?.toFixed(2) ?? unknown}, Sortino ${annual.sortino?.toFixed(2) ?? unknown}`,
    ],
    ['exposure', maybe(exposure, (share) => `${percent(share)} of the time`) ?? unknown],
    [
      'exits',
      exitEfficiency === null
        ? unknown
        : `kept ${percent(exitEfficiency.value, 0)} of the best excursion, over ${exitEfficiency.trips} trips`,
    ],
    [
      'after a loss',
      afterLoss.count === 0
        ? 'no trip within 15 minutes'
        : `${afterLoss.count} trips within 15 minutes: ${dollars(afterLoss.net)}, ${afterLoss.won} won`,
    ],
    ...statistics.rules.map(
      ({ rule, kept, says }) => [rule, `${kept === null ? 'unknown' : kept ? 'kept' : 'broken'}: ${says}`] as const,
    ),
  ];
}

/** The columns of groups of trips. */
const tripGroupColumns: readonly Column<TripGroup>[] = [
  { header: 'TRIPS', cell: ({ name }) => marketName(name) },
  { header: 'COUNT', cell: ({ count }) => String(count), align: 'right' },
  { header: 'WON', cell: ({ won }) => String(won), align: 'right' },
  { header: 'NET', cell: ({ net }) => profitCell(net), align: 'right' },
  { header: 'R', cell: ({ r }) => r?.toFixed(2), align: 'right' },
];

/** The text of `perp pnl --stats`, below the name and range. */
export function statisticsBlocks(statistics: Statistics): Blocks {
  const { hours, weekdays, markets, sides, tags } = statistics;
  const named = [
    ...weekdays,
    ...hours.map((one) => ({ ...one, name: `${one.name}:00 New York` })),
    ...markets,
    ...sides,
    ...tags.map((one) => ({ ...one, name: `tag ${one.name}` })),
  ];
  return [fields(...statisticsFields(statistics)), below(tableOf(named, tripGroupColumns))];
}

function intervalText(interval: Interval | null, text: (value: number) => string): string | null {
  return interval && `${text(interval.value)}, 95% between ${text(interval.low)} and ${text(interval.high)}`;
}

function percent(share: number, digits = 1): string {
  return `${quantity(Number((share * 100).toFixed(digits)))}%`;
}
