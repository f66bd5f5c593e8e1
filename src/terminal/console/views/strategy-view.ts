import { dateTime, marketName, quantity, stretch, word } from '../../../base/text/format.ts';
import type { ScaledOrder, TwapOrder } from '../../../wire/contract/strategies.ts';
import { type Block, blank, type Column, fields, line, sideCell, statusCell, tableOf } from '../output/result.ts';

const nameOf = (parent: { symbol?: string | undefined; market_id: string }) =>
  marketName(parent.market_id, parent.symbol);

/** The table of TWAP and VWAP orders. */
export const twapColumns: readonly Column<TwapOrder>[] = [
  { header: 'STARTED', cell: (twap) => dateTime(twap.started_at), keep: 2 },
  { header: 'MARKET', cell: nameOf },
  { header: 'KIND', cell: (twap) => twap.strategy, keep: 5 },
  { header: 'SIDE', cell: (twap) => sideCell(twap.side) },
  { header: 'FILLED', cell: (twap) => `${quantity(twap.filled_size)} of ${quantity(twap.total_size)}`, align: 'right' },
  {
    header: 'AVERAGE',
    cell: (twap) => (twap.average_price === undefined ? '' : quantity(twap.average_price)),
    align: 'right',
    keep: 6,
  },
  { header: 'SLICES', cell: slicesOf, align: 'right', keep: 4 },
  { header: 'STATUS', cell: (twap) => statusCell(twap.status) },
  { header: 'REASON', cell: (twap) => twap.completion_reason ?? '', keep: 3 },
  { header: 'ENDS', cell: (twap) => dateTime(twap.end_at), keep: 1 },
  { header: 'ID', cell: (twap) => twap.id, keep: 7 },
];

/** One TWAP or VWAP order. */
export function twapBlocks(twap: TwapOrder): Block[] {
  const price = (value: number | undefined) => (value === undefined ? undefined : quantity(value));
  const time = (value: number | undefined) => (value === undefined ? undefined : dateTime(value));
  return [
    line(
      { text: word(twap.strategy).toUpperCase(), tone: 'strong' },
      '  ',
      sideCell(twap.side),
      ` ${quantity(twap.total_size)} ${nameOf(twap)}  `,
      statusCell(twap.status),
    ),
    fields(
      ['market', nameOf(twap)],
      ['filled', `${quantity(twap.filled_size)} of ${quantity(twap.total_size)}`],
      ['average', price(twap.average_price)],
      ['slices', slicesOf(twap) || undefined],
      ['every', stretch(twap.slice_interval_seconds * 1000)],
      ['duration', stretch(twap.duration_minutes * 60_000)],
      ['randomized', twap.randomize === true ? 'size and time' : undefined],
      ['reduce only', twap.reduce_only ? 'yes' : undefined],
      ['trigger', price(twap.trigger_price)],
      ['price limits', limitsOf(twap)],
      ['leverage', `${quantity(twap.leverage)}x ${word(twap.margin_mode)}`],
      ['reason', twap.completion_reason],
      ['started', dateTime(twap.started_at)],
      ['activated', time(twap.activated_at)],
      ['next slice', time(twap.next_run_at)],
      ['ends', dateTime(twap.end_at)],
      ['completed', time(twap.completed_at)],
      ['canceled', time(twap.canceled_at)],
      ['twap', twap.id],
      ['account', twap.account_id],
    ),
  ];
}

function slicesOf(twap: TwapOrder): string {
  if (twap.slice_count === undefined) return '';
  return `${word(twap.slices_attempted ?? 0)} of ${word(twap.slice_count)}`;
}

function limitsOf(twap: TwapOrder): string | undefined {
  const parts = [
    twap.min_price === undefined ? '' : `from ${quantity(twap.min_price)}`,
    twap.max_price === undefined ? '' : `to ${quantity(twap.max_price)}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** The table of ladders. */
export const scaledColumns: readonly Column<ScaledOrder>[] = [
  { header: 'STARTED', cell: (ladder) => dateTime(ladder.started_at), keep: 2 },
  { header: 'MARKET', cell: nameOf },
  { header: 'SIDE', cell: (ladder) => sideCell(ladder.side) },
  { header: 'SIZE', cell: (ladder) => quantity(ladder.total_size), align: 'right' },
  {
    header: 'FROM',
    cell: (ladder) => (ladder.start_price === undefined ? '' : quantity(ladder.start_price)),
    align: 'right',
    keep: 6,
  },
  {
    header: 'TO',
    cell: (ladder) => (ladder.end_price === undefined ? '' : quantity(ladder.end_price)),
    align: 'right',
    keep: 5,
  },
  { header: 'RUNGS', cell: rungsOf, align: 'right', keep: 4 },
  { header: 'SHAPE', cell: (ladder) => ladder.distribution ?? '', keep: 3 },
  { header: 'STATUS', cell: (ladder) => statusCell(ladder.status) },
  { header: 'ID', cell: (ladder) => ladder.id, keep: 7 },
];

/** One ladder with its rungs. */
export function scaledBlocks(ladder: ScaledOrder): Block[] {
  return [
    line(
      { text: 'Ladder', tone: 'strong' },
      '  ',
      sideCell(ladder.side),
      ` ${quantity(ladder.total_size)} ${nameOf(ladder)}  `,
      statusCell(ladder.status),
    ),
    fields(
      ['market', nameOf(ladder)],
      ['shape', ladder.distribution],
      ['rungs', rungsOf(ladder)],
      [
        'leverage',
        ladder.leverage === undefined
          ? undefined
          : `${quantity(ladder.leverage)}x ${word(ladder.margin_mode ?? '')}`.trim(),
      ],
      ['reduce only', ladder.reduce_only === true ? 'yes' : undefined],
      ['started', dateTime(ladder.started_at)],
      ['completed', ladder.completed_at === undefined ? undefined : dateTime(ladder.completed_at)],
      ['canceled', ladder.canceled_at === undefined ? undefined : dateTime(ladder.canceled_at)],
      ['ladder', ladder.id],
      ['account', ladder.account_id],
    ),
    blank,
    tableOf(ladder.rungs, [
      { header: 'PRICE', cell: (rung) => quantity(rung.price), align: 'right' },
      { header: 'SIZE', cell: (rung) => quantity(rung.size), align: 'right' },
      { header: 'ROLE', cell: (rung) => rung.liquidity_role ?? '', keep: 1 },
      { header: 'ORDER', cell: (rung) => rung.order_id ?? '', keep: 2 },
      {
        header: 'REJECTED',
        cell: (rung) => ({ text: rung.reject_message ?? rung.reject_reason ?? '', tone: 'bad' }),
        keep: 3,
      },
    ]),
  ];
}

function rungsOf(ladder: ScaledOrder): string {
  const rejected = ladder.rejected_count ?? 0;
  return `${word(ladder.rung_count)}${rejected > 0 ? `, ${rejected} rejected` : ''}`;
}
