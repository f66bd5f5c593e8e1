import type { StreamRow, StreamTable, Subject } from '../client/streams/stream-table.ts';
import { apart, fitted, type Row, rowWidth, toned, widthOf } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';
import {
  type Cell,
  type Column,
  columnGap,
  columnsThatFit,
  profitCell,
  sideCell,
  statusCell,
  textOf,
} from '../console/output/result.ts';
import { multipleText, riskCell, stopCell, targetText } from '../console/views/position-view.ts';
import type { Order } from '../contract/orders.ts';
import type { LiveModel } from '../desk/watch/live-model.ts';
import type { Held } from '../desk/watch/standing.ts';
import { quantity, roughPrice, stretch, usd, word } from '../ground/text/format.ts';
import { type Setting, shortAccountRows } from './account-panel.ts';

/** The first row: where, when, and the state of the streams. */
export function headerRow(model: LiveModel, { place }: Setting, width: number): Row {
  const time = model.time === 0 ? '' : `  ${new Date(model.time).toISOString().slice(11, 19)}Z`;
  const where = place(model.account?.account.id);
  const troubles = subjects.flatMap((subject) => troubleOf(model.streams, subject) ?? []);
  if (troubles.length === 0) return apart([where, time], [toned('connected', 'good')], width);
  const whole = troubles.map(({ what, current }) => `${what}${current}`).join('; ');
  // On a narrow screen, what is wrong comes before how current the data are.
  const isRoom = rowWidth([where, '  ', whole]) <= width;
  const shown = isRoom ? whole : troubles.map(({ what }) => what).join('; ');
  const [reason] = subjects.flatMap((subject) => reasonOf(model.streams, subject) ?? []);
  return fitted([where, '  ', toned(reason === undefined ? shown : `${shown} (${reason})`, 'warn'), time], width);
}

const subjects: readonly Subject[] = ['market', 'account'];

/** What is wrong with a stream, and how current its data are; undefined while it is live. */
function troubleOf(streams: StreamTable, subject: Subject): { what: string; current: string } | undefined {
  const { stream, source, restProblem, wasAccepted } = streams.of(subject);
  if (stream.kind === 'live') return undefined;
  const age = streams.ageMs(subject);
  const isPolled = source === 'rest' && age < restGraceMs;
  const current = isPolled ? ', reading every 5s' : source === null ? '' : `, ${stretch(Math.max(1_000, age))} old`;
  const problem = restProblem === null ? '' : `, can't read: ${restProblem}`;
  return { what: `${subject} stream ${stateWords(stream, wasAccepted)}`, current: `${current}${problem}` };
}

/** Why a connection ended, unless its state says so. */
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
  const widthUpTo = () => items.slice(first, chosen + 1).reduce((sum, item) => sum + rowWidth(item), 0);
  while (first < chosen && widthUpTo() > width) first++;
  return fitted(items.slice(first).flat(), width);
}

/** The open positions, with the selected one marked. */
export function positionRows(held: readonly Held[], selected: number, width: number, glyphs: Glyphs): Row[] {
  if (held.length === 0) return [[toned('No open positions', 'faint')]];
  const price = (value: number | undefined) => (value === undefined ? '' : quantity(value));
  const columns: Column<Held>[] = [
    { header: ' ', cell: (one) => (held.indexOf(one) === selected ? glyphs.cursor : ' ') },
    { header: 'POSITION', cell: ({ position }) => ({ text: position.symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ position }) => sideCell(position.side) },
    { header: 'SIZE', cell: ({ position }) => quantity(position.size), align: 'right' },
    { header: 'ENTRY', cell: ({ position }) => quantity(position.entry_price), align: 'right', keep: 5 },
    // The row of markets has it, too.
    { header: 'MARK', cell: ({ mid }) => price(mid), align: 'right', keep: 3 },
    { header: 'PNL', cell: ({ profit }) => profitCell(profit), align: 'right' },
    { header: 'STOP', cell: ({ position, cover }) => stopCell(position, cover), align: 'right', keep: 10 },
    { header: 'TARGET', cell: ({ cover }) => targetText(cover), align: 'right', keep: 9 },
    { header: 'RISK', cell: ({ cover, risk }) => riskCell(cover, risk), align: 'right', keep: 8 },
    { header: 'R', cell: ({ risk }) => multipleText(risk), align: 'right', keep: 6 },
    {
      header: 'ENDS AT',
      cell: ({ end }) => (end === undefined ? '' : `${roughPrice(end.price)} ${end.by === 'floor' ? 'floor' : 'liq'}`),
      keep: 7,
    },
    {
      header: 'LEVERAGE',
      cell: ({ position }) => `${quantity(position.leverage)}x ${word(position.margin_mode)}`,
      keep: 1,
    },
  ];
  return panelTable(columns, held, width);
}

/** The working orders; `selected` counts from the first of them. */
export function orderRows(
  orders: readonly Order[],
  model: LiveModel,
  selected: number,
  width: number,
  glyphs: Glyphs,
): Row[] {
  if (orders.length === 0) return [[toned('No working orders', 'faint')]];
  const away = (order: Order): string => {
    const price = order.trigger_price ?? order.limit_price;
    const mid = model.mid(order.trigger_market_id ?? order.market_id);
    if (price === undefined || mid === undefined) return '';
    const percent = (price / mid - 1) * 100;
    return `${percent > 0 ? '+' : ''}${percent.toFixed(2)}%`;
  };
  const columns: Column<Order>[] = [
    { header: ' ', cell: (one) => (orders.indexOf(one) === selected ? glyphs.cursor : ' ') },
    { header: 'ORDER', cell: ({ symbol }) => ({ text: symbol, tone: 'strong' }) },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'KIND', cell: ({ mode, reduce_only }) => `${mode}${reduce_only ? ' reduce' : ''}`, keep: 4 },
    {
      header: 'PRICE',
      cell: ({ trigger_price: trigger, limit_price: limit }) =>
        [trigger === undefined ? '' : `@${quantity(trigger)}`, limit === undefined ? '' : quantity(limit)]
          .filter((part) => part !== '')
          .join(' '),
      align: 'right',
    },
    { header: 'AWAY', cell: away, align: 'right', keep: 5 },
    { header: 'STATUS', cell: ({ status }) => (status === 'resting' ? '' : statusCell(status)), keep: 2 },
    { header: 'ID', cell: ({ id }) => id, keep: 1 },
  ];
  return panelTable(columns, orders, width);
}

/** The last fills of the account. */
export function fillRows(fills: readonly Order[], width: number): Row[] {
  if (fills.length === 0) return [[toned('No fills yet', 'faint')]];
  const columns: Column<Order>[] = [
    { header: 'FILLED', cell: (fill) => new Date(fill.settled_at ?? fill.requested_at).toISOString().slice(11, 19) },
    { header: 'MARKET', cell: ({ symbol }) => symbol },
    { header: 'SIDE', cell: ({ side }) => sideCell(side) },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'PRICE', cell: ({ fill_price: price }) => (price === undefined ? '' : quantity(price)), align: 'right' },
    { header: 'PNL', cell: ({ realized_pnl: pnl }) => (pnl === 0 ? '' : profitCell(pnl)), align: 'right', keep: 2 },
    { header: 'FEE', cell: ({ fee }) => (fee === undefined ? '' : usd(fee)), align: 'right', keep: 1 },
  ];
  return panelTable(columns, fills, width);
}

/** The most important figures, for a terminal that is too small for the whole screen. */
export function shortRows(model: LiveModel, { place }: Setting, width: number): Row[] {
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
  return rows.map((row) => fitted(row, width));
}

/** A table of the live screen: a header and one row per record, as many columns as fit. */
export function panelTable<Item>(columns: readonly Column<Item>[], items: readonly Item[], width: number): Row[] {
  const cells = items.map((item) => columns.map((column) => column.cell(item)));
  const widths = columns.map(({ header }, at) => Math.max(header.length, ...cells.map((row) => cellWidth(row[at]!))));
  const filled = columns.map((_, at) => cells.length === 0 || cells.some((row) => textOf(row[at]!) !== ''));
  const shown = columnsThatFit(columns, widths, filled, width) ?? columns.map((_, at) => at).filter((at) => filled[at]);
  const row = (own: readonly Cell[]): Row =>
    shown.flatMap((at, place) => [
      ...(place === 0 ? [] : [' '.repeat(columnGap)]),
      ...aligned(own[at]!, widths[at]!, columns[at]!.align),
    ]);
  const header = row(columns.map(({ header: text }) => toned(text, 'faint')));
  return [header, ...cells.map(row)].map((one) => fitted(one, width));
}

function aligned(cell: Cell, width: number, align: 'right' | undefined): readonly Cell[] {
  const padding = ' '.repeat(Math.max(0, width - cellWidth(cell)));
  return align === 'right' ? [padding, cell] : [cell, padding];
}

function cellWidth(cell: Cell): number {
  return widthOf(textOf(cell));
}
