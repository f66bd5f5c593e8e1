import { dateTime, marketName, maybe, quantity, stretch, word } from '../../../base/text/format.ts';
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
  { header: 'AVERAGE', cell: (twap) => maybe(twap.average_price, quantity), align: 'right', keep: 6 },
  { header: 'SLICES', cell: slicesOf, align: 'right', keep: 4 },
  { header: 'STATUS', cell: (twap) => statusCell(twap.status) },
  { header: 'REASON', cell: (twap) => twap.completion_reason, keep: 3 },
  { header: 'ENDS', cell: (twap) => dateTime(twap.end_at), keep: 1 },
  { header: 'ID', cell: (twap) => twap.id, keep: 7 },
];

/** One TWAP or VWAP order. */
export function twapBlocks(twap: TwapOrder): Block[] {
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
      ['average', maybe(twap.average_price, quantity)],
      ['slices', slicesOf(twap)],
      ['every', stretch(twap.slice_interval_seconds * 1000)],
      ['duration', stretch(twap.duration_minutes * 60_000)],
      ['randomized', twap.randomize === true ? 'size and time' : undefined],
      ['reduce only', twap.reduce_only ? 'yes' : undefined],
      ['trigger', maybe(twap.trigger_price, quantity)],
      ['price limits', limitsOf(twap)],
      ['leverage', `${quantity(twap.leverage)}x ${word(twap.margin_mode)}`],
      ['reason', twap.completion_reason],
      ['started', dateTime(twap.started_at)],
      ['activated', maybe(twap.activated_at, dateTime)],
      ['next slice', maybe(twap.next_run_at, dateTime)],
      ['ends', dateTime(twap.end_at)],
      ['completed', maybe(twap.completed_at, dateTime)],
      ['canceled', maybe(twap.canceled_at, dateTime)],
      ['twap', twap.id],
      ['account', twap.account_id],
    ),
  ];
}

function slicesOf({ slice_count, slices_attempted = 0 }: TwapOrder): string | undefined {
  return maybe(slice_count, (count) => `${word(slices_attempted)} of ${word(count)}`);
}

function limitsOf({ min_price, max_price }: TwapOrder): string | undefined {
  const from = maybe(min_price, (price) => `from ${quantity(price)}`);
  const to = maybe(max_price, (price) => `to ${quantity(price)}`);
  return [from, to].filter(Boolean).join(' ') || undefined;
}

/** The table of ladders. */
export const scaledColumns: readonly Column<ScaledOrder>[] = [
  { header: 'STARTED', cell: (ladder) => dateTime(ladder.started_at), keep: 2 },
  { header: 'MARKET', cell: nameOf },
  { header: 'SIDE', cell: (ladder) => sideCell(ladder.side) },
  { header: 'SIZE', cell: (ladder) => quantity(ladder.total_size), align: 'right' },
  { header: 'FROM', cell: (ladder) => maybe(ladder.start_price, quantity), align: 'right', keep: 6 },
  { header: 'TO', cell: (ladder) => maybe(ladder.end_price, quantity), align: 'right', keep: 5 },
  { header: 'RUNGS', cell: rungsOf, align: 'right', keep: 4 },
  { header: 'SHAPE', cell: (ladder) => ladder.distribution, keep: 3 },
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
      ['leverage', maybe(ladder.leverage, (times) => `${quantity(times)}x ${word(ladder.margin_mode ?? '')}`.trim())],
      ['reduce only', ladder.reduce_only === true ? 'yes' : undefined],
      ['started', dateTime(ladder.started_at)],
      ['completed', maybe(ladder.completed_at, dateTime)],
      ['canceled', maybe(ladder.canceled_at, dateTime)],
      ['ladder', ladder.id],
      ['account', ladder.account_id],
    ),
    blank,
    tableOf(ladder.rungs, [
      { header: 'PRICE', cell: (rung) => quantity(rung.price), align: 'right' },
      { header: 'SIZE', cell: (rung) => quantity(rung.size), align: 'right' },
      { header: 'ROLE', cell: (rung) => rung.liquidity_role, keep: 1 },
      { header: 'ORDER', cell: (rung) => rung.order_id, keep: 2 },
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
