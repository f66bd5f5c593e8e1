import { dateTime, marketName, quantity, signedUsd, stretch, usd } from '../../../base/text/format.ts';
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
  { header: 'EXIT', cell: (trip) => exitText(trip), align: 'right', keep: 4 },
  { header: 'NET', cell: ({ net }) => profitCell(net), align: 'right' },
  { header: 'R', cell: ({ r }) => (r === null ? '' : r.toFixed(2)), align: 'right', keep: 8 },
  { header: 'HELD', cell: (trip) => heldText(trip), align: 'right', keep: 3 },
  { header: 'POSITION', cell: (trip) => trip.position_id ?? '', keep: 11 },
  { header: 'TAGS', cell: ({ tags }) => tags.join(' '), keep: 7 },
  { header: 'NOTE', cell: ({ note }) => note ?? '', keep: 2 },
];

/** One round trip, in full. */
export function tripBlocks(trip: TripRecord): Block[] {
  return [
    line({ text: marketName(trip.market_id), tone: 'strong' }, '  ', sideCell(trip.side), `  ${quantity(trip.size)}`),
    fields(
      ['opened', `${dateTime(trip.opened_at)} at ${quantity(trip.entry_price)}`],
      [
        trip.status === 'open' ? 'closed in part' : 'closed',
        trip.exit_price === null
          ? undefined
          : `${trip.closed_at === null ? '' : `${dateTime(trip.closed_at)} `}at ${quantity(trip.exit_price)}`,
      ],
      ['held', heldText(trip)],
      ['net', profitCell(trip.net)],
      ['realized', signedUsd(trip.realized_pnl)],
      ['fees', usd(trip.fees)],
      ['carry', usd(trip.funding)],
      ['stop', trip.stop_price === null ? undefined : quantity(trip.stop_price)],
      ['1R', trip.one_r === null ? undefined : `${usd(trip.one_r)} USD`],
      ['R', trip.r === null ? undefined : trip.r.toFixed(2)],
      ['tags', trip.tags.length === 0 ? undefined : trip.tags.join(' ')],
      ['note', trip.note ?? undefined],
      ['position', trip.position_id ?? undefined],
    ),
  ];
}

function exitText({ exit_price }: TripRecord): string {
  return exit_price === null ? '' : quantity(Number(exit_price.toPrecision(7)));
}

function heldText({ opened_at, closed_at }: TripRecord): string {
  return closed_at === null ? '' : stretch(closed_at - opened_at);
}
