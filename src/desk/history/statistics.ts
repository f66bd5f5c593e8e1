import { netOf } from '../../base/margin/notional.ts';
import { hourMs, nextTradingDayStart, tradingDayStart } from '../../base/terms/day.ts';
import { moneyToNumber } from '../../base/terms/decimal.ts';
import type { Session } from '../session/session.ts';
import { meanOf, returnFiguresOf, winLossOf } from '../statistics/proven.ts';
import { reviewDay } from './day-review.ts';
import type { Journaled } from './journaled.ts';
import type { History } from './read-history.ts';
import { type Excursions, readExcursions } from './read-marks.ts';
import { type Ms, rMultipleOf, type Trip } from './records.ts';
import { type EquityHistory, type Results, sumsByTag } from './results.ts';

/** The trips of an hour, a weekday, a market, a side or a tag; `net` in USD, `r` the mean of those whose risk is known. */
export type TripGroup = Statistics['afterLoss'];

/** The conclusions that a record supports. */
export type Statistics = Awaited<ReturnType<typeof readStatistics>>;

/** This soon after a loss. */
const soonMs = 15 * 60_000;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Computes what a part of a history proves; reads the candles of its trips. */
export async function readStatistics(
  session: Session,
  history: History,
  results: Results,
  journal: Journaled,
  equity: EquityHistory | null,
) {
  const { riskOf, notesOf } = journal;
  const { ended, from, to } = results;
  const excursions = await readExcursions(session, ended, history.to);
  const multiples = ended.flatMap((trip) => rMultipleOf(trip, riskOf(trip)) ?? []);
  const groupOf = (name: string, trips: readonly Trip[]) => {
    const nets = trips.map((trip) => moneyToNumber(netOf(trip)));
    const known = trips.flatMap((trip) => rMultipleOf(trip, riskOf(trip)) ?? []);
    const { count, won, lost } = winLossOf(nets);
    return { name, count, won, lost, net: sumOf(nets), r: known.length === 0 ? null : sumOf(known) / known.length };
  };
  const by = (nameOf: (trip: Trip) => string) =>
    [...Map.groupBy(ended, nameOf)].map(([name, trips]) => groupOf(name, trips));
  const tags = sumsByTag(results, (trip) => notesOf(trip)?.tags ?? []).flatMap(({ key }) => key ?? []);
  const hours = by(({ openedAt }) => String(hourOf(openedAt)).padStart(2, '0'));
  const days = by(({ openedAt }) => weekdays[weekdayOf(openedAt)]!);
  return {
    trips: winLossOf(ended.map((trip) => moneyToNumber(netOf(trip)))),
    /** Mean R, with a 95 % interval; null if the risk of fewer than two trips is known. */
    expectancyR: meanOf(multiples),
    multiples,
    returns: returnFiguresOf(equity === null ? [] : dailyReturns(equity, history)),
    /** Share of the time with a position. */
    exposure: to === from ? null : results.inMarketMs / (to - from),
    /**
     * Results before costs divided by the best they have been, for trips that were ahead, together; and the number of
     * trips.
     */
    exitEfficiency: efficiencyOf(excursions),
    /** Trips that were opened within 15 minutes after one that lost. */
    afterLoss: groupOf(
      'soon after a loss',
      ended.filter((trip) => isSoonAfterLoss(trip, history.trips)),
    ),
    rules: reviewDay(history, { from, to }, riskOf, equity ?? undefined, { rules: [], state: undefined }).rules,
    hours: hours.sort((one, other) => Number(one.name) - Number(other.name)),
    weekdays: days.sort((one, other) => weekdays.indexOf(one.name) - weekdays.indexOf(other.name)),
    markets: by(({ marketId }) => marketId),
    sides: by(({ side }) => side),
    tags: tags.map((tag) =>
      groupOf(
        tag,
        ended.filter((trip) => notesOf(trip)?.tags.includes(tag)),
      ),
    ),
    excursions,
  };
}

/** Equity's gain on each whole day of the challenge, as a share of it at the day's start; deposits aren't gains. */
function dailyReturns({ points }: Pick<EquityHistory, 'points'>, { bookings }: Pick<History, 'bookings'>): number[] {
  const byTime = new Map(points.map(({ time, equity }) => [time, equity]));
  const [first, last] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  const returns: number[] = [];
  let begin = first;
  for (let end = nextTradingDayStart(first); begin < last; end = nextTradingDayStart(end)) {
    const until = Math.min(end, last);
    const [before, after] = [byTime.get(begin), byTime.get(until)];
    if (before !== undefined && after !== undefined && before > 0n) {
      const moved = bookings.reduce(
        (sum, { time, transfer }) => (time > begin && time <= until ? sum + transfer : sum),
        0n,
      );
      returns.push(Number(after - before - moved) / Number(before));
    }
    begin = until;
  }
  return returns;
}

function efficiencyOf(excursions: ReadonlyMap<Trip, Excursions>) {
  const ahead = [...excursions].filter(([, { favor }]) => favor > 0n);
  if (ahead.length === 0) return null;
  const kept = sumOf(ahead.map(([{ realizedPnl }]) => moneyToNumber(realizedPnl)));
  return { value: kept / sumOf(ahead.map(([, { favor }]) => moneyToNumber(favor))), trips: ahead.length };
}

function isSoonAfterLoss({ openedAt }: Trip, trips: readonly Trip[]): boolean {
  return trips.some(
    (other) =>
      other.closedAt !== null && other.closedAt <= openedAt && openedAt - other.closedAt <= soonMs && netOf(other) < 0n,
  );
}

/** Hours since midnight in New York. */
function hourOf(time: Ms): number {
  return Math.min(23, Math.floor((time - tradingDayStart(time)) / hourMs));
}

function weekdayOf(time: Ms): number {
  return new Date(tradingDayStart(time) - 4 * hourMs).getUTCDay();
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}
