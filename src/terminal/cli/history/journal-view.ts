import { dateTime, dollars, marketName, maybe, quantity, signedUsd, stretch, usd } from '../../../base/text/format.ts';
import type { TripRecord } from '../../../desk/history/journaled.ts';
import { type Block, type Column, fields, line, profitCell, sideCell } from '../../console/output/result.ts';

/** Names of a trip's fields, used as CSV columns. */
export const tripFields: readonly (keyof TripRecord)[] = [
  'position_id',
  'market_id',
  'side',
  'status',
  'opened_at',
  'closed_at',
  'size',
  'entry_price',
  'exit_price',
  'net',
  'realized_pnl',
  'fees',
  'funding',
  'bankruptcy',
  'fills',
  'stop_price',
  'one_r',
  'r',
  'tags',
  'note',
];

/** The table of round trips. */
export const tripColumns: readonly Column<TripRecord>[] = [
  { header: 'CLOSED', cell: (trip) => (trip.closed_at === null ? 'open' : dateTime(trip.closed_at).slice(5, 16)) },
  { header: 'MARKET', cell: ({ market_id }) => marketName(market_id), keep: 10 },
  { header: 'SIDE', cell: ({ side }) => sideCell(side), keep: 9 },
  { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right', keep: 6 },
  { header: 'ENTRY', cell: (trip) => quantity(Number(trip.entry_price.toPrecision(7))), align: 'right', keep: 5 },
  { header: 'EXIT', cell: exitText, align: 'right', keep: 4 },
  { header: 'NET', cell: ({ net }) => profitCell(net), align: 'right' },
  { header: 'R', cell: ({ r }) => r?.toFixed(2), align: 'right', keep: 8 },
  { header: 'HELD', cell: heldText, align: 'right', keep: 3 },
  { header: 'POSITION', cell: (trip) => trip.position_id, keep: 11 },
  { header: 'TAGS', cell: ({ tags }) => tags.join(' '), keep: 7 },
  { header: 'NOTE', cell: ({ note }) => note, keep: 2 },
];

/** One round trip, in full. */
export function tripBlocks(trip: TripRecord): Block[] {
  const when = maybe(trip.closed_at, (at) => `${dateTime(at)} `) ?? '';
  return [
    line({ text: marketName(trip.market_id), tone: 'strong' }, '  ', sideCell(trip.side), `  ${quantity(trip.size)}`),
    fields(
      ['opened', `${dateTime(trip.opened_at)} at ${quantity(trip.entry_price)}`],
      [
        trip.status === 'open' ? 'closed in part' : 'closed',
        maybe(trip.exit_price, (exit) => `${when}at ${quantity(exit)}`),
      ],
      ['held', heldText(trip) ?? ''],
      ['net', profitCell(trip.net)],
      ['realized', signedUsd(trip.realized_pnl)],
      ['fees', usd(trip.fees)],
      ['carry', usd(trip.funding)],
      ['stop', maybe(trip.stop_price, quantity)],
      ['1R', maybe(trip.one_r, dollars)],
      ['R', trip.r?.toFixed(2)],
      ['tags', trip.tags.join(' ') || undefined],
      ['note', trip.note],
      ['position', trip.position_id],
    ),
  ];
}

function exitText({ exit_price }: TripRecord): string | undefined {
  return maybe(exit_price, (price) => quantity(Number(price.toPrecision(7))));
}

function heldText({ opened_at, closed_at }: TripRecord): string | undefined {
  return maybe(closed_at, (closed) => stretch(closed - opened_at));
}
