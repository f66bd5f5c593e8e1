import { quantity, stretch } from '../../base/text/format.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import type { StreamRow, StreamTable, Subject } from '../../wire/client/streams/stream-state.ts';
import { apart, fitted, type Row, rowWidth, toned, withMore } from '../console/charts/cells.ts';
import { sideCell } from '../console/output/result.ts';
import { type Setting, shortAccountRows } from './account-rows.ts';
import { saidRows } from './cockpit-view.ts';
import type { ScreenView } from './view.ts';

/** The first row: where, when, and the state of the streams. */
export function headerRow(model: LiveModel, { place }: Setting, width: number): Row {
  const time = model.time === 0 ? '' : `  ${new Date(model.time).toISOString().slice(11, 19)}Z`;
  const where = place(model.account?.account.id);
  const troubles = subjects.map((subject) => troubleOf(model.streams, subject)).filter((one) => one !== undefined);
  if (troubles.length === 0) return apart([where, time], [toned('connected', 'good')], width);
  // On a narrow screen, problems take precedence over the age of the data, and that over why they can't be read.
  const told = [3, 2, 1].map((parts) => troubles.map((trouble) => trouble.slice(0, parts).join('')).join('; '));
  const shown = told.find((text) => rowWidth([where, '  ', text]) <= width) ?? told.at(-1)!;
  const [reason] = subjects.flatMap((subject) => reasonOf(model.streams, subject) ?? []);
  return fitted([where, '  ', toned(reason === undefined ? shown : `${shown} (${reason})`, 'warn'), time], width);
}

const subjects: readonly Subject[] = ['market', 'account'];

/** A stream's problem, the age of its data, and why they can't be read; undefined while it is live. */
function troubleOf(streams: StreamTable, subject: Subject): string[] | undefined {
  const { stream, source, restProblem, wasAccepted } = streams.of(subject);
  if (stream.kind === 'live') return undefined;
  const age = streams.ageMs(subject);
  const isPolled = source === 'rest' && age < restGraceMs;
  const current = isPolled ? ', reading every 5s' : source === null ? '' : `, ${stretch(Math.max(1_000, age))} old`;
  const problem = restProblem === null ? '' : `, can't read: ${restProblem}`;
  return [`${subject} stream ${stateWords(stream, wasAccepted)}`, current, problem];
}

/** Why a connection ended, unless its state already says so. */
function reasonOf(streams: StreamTable, subject: Subject): string | undefined {
  const { stream } = streams.of(subject);
  if (stream.kind === 'ended') return stream.reason;
  return stream.kind === 'reconnecting' && stream.end.status === undefined ? stream.reason : undefined;
}

function stateWords(stream: StreamRow['stream'], wasAccepted: boolean): string {
  if (stream.kind === 'absent') return 'not set';
  if (stream.kind === 'stale') return 'silent';
  if (stream.kind !== 'reconnecting') return stream.kind;
  const { status } = stream.end;
  return status === undefined ? (wasAccepted ? 'lost' : 'not available') : `refused (HTTP ${status})`;
}

/** A read over REST may be this old before its age is shown, ms. */
const restGraceMs = 12_000;

/** The watched markets in one row, around the chosen one, which is in brackets. */
export function marketRow(model: LiveModel, width: number): Row {
  const items = model.watched.map((market): Row => {
    const { mid, last } = model.prices(market.market_id);
    const change = model.change(market.market_id);
    const isChosen = market.market_id === model.chosen.market_id;
    return [
      isChosen ? '[' : ' ',
      toned(market.symbol, isChosen ? 'strong' : undefined),
      ` ${mid ?? last ?? '...'}`,
      ...(change === undefined
        ? []
        : [toned(` ${change > 0 ? '+' : ''}${change.toFixed(1)}%`, change < 0 ? 'bad' : 'good')]),
      isChosen ? ']' : ' ',
      ' ',
    ];
  });
  const chosen = model.watched.findIndex(({ market_id }) => market_id === model.chosen.market_id);
  let first = 0;
  let after = chosen + 1;
  const widthOf = (from: number, to: number) => items.slice(from, to).reduce((sum, item) => sum + rowWidth(item), 0);
  const room = widthOf(0, items.length) <= width + 1 ? width + 1 : width - 4;
  while (first < chosen && widthOf(first, after) > room) first++;
  while (after < items.length && widthOf(first, after + 1) <= room) after++;
  return withMore(items.slice(first, after).flat(), items.length - (after - first), width);
}

/** The most important figures, for a terminal that is too small for the whole screen. */
export function shortRows(model: LiveModel, { notice }: ScreenView, { place }: Setting, width: number): Row[] {
  const { mid } = model.prices(model.chosen.market_id);
  const trouble = subjects.find((subject) => !model.streams.isLive(subject));
  const rows: Row[] = [
    [place(model.account?.account.id)],
    ...shortAccountRows(
      model,
      trouble === undefined ? [] : [[toned(`${trouble} ${model.streams.of(trouble).stream.kind}`, 'warn')]],
    ),
    [`${model.chosen.symbol} ${mid ?? ''}`],
    ...[...(model.account?.positions.values() ?? [])].map(
      ({ symbol, side, size }): Row => [`${symbol} `, sideCell(side), ` ${quantity(size)}`],
    ),
  ];
  return [...rows, ...saidRows(notice === undefined ? [] : [{ text: notice, isBad: true }], width, rows.length)];
}
