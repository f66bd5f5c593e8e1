import { dateTime, marketName, quantity, stretch, word } from '../../../base/text/format.ts';
import type { ScaledOrder, TwapOrder } from '../../../wire/contract/strategies.ts';
import {
  type Block,
  blank,
  type Cell,
  type Column,
  fields,
  line,
  sideCell,
  statusCell,
  tableOf,
} from '../output/result.ts';

/** What every strategy has. */
type Parent = TwapOrder | ScaledOrder;

const nameOf = (parent: Parent) => marketName(parent.market_id, parent.symbol);
const priceOf = (price: number | undefined) => (price === undefined ? undefined : quantity(price));
const timeOf = (time: number | undefined) => (time === undefined ? undefined : dateTime(time));

const started: Column<Parent> = { header: 'STARTED', cell: (parent) => dateTime(parent.started_at), keep: 2 };
const market: Column<Parent> = { header: 'MARKET', cell: nameOf };
const side: Column<Parent> = { header: 'SIDE', cell: (parent) => sideCell(parent.side) };
const status: Column<Parent> = { header: 'STATUS', cell: (parent) => statusCell(parent.status) };
const id: Column<Parent> = { header: 'ID', cell: (parent) => parent.id, keep: 7 };

/** The table of TWAP and VWAP orders. */
export const twapColumns: readonly Column<TwapOrder>[] = [
  started,
  market,
  { header: 'KIND', cell: (twap) => twap.strategy, keep: 5 },
  side,
  { header: 'FILLED', cell: filledOf, align: 'right' },
  { header: 'AVERAGE', cell: (twap) => priceOf(twap.average_price) ?? '', align: 'right', keep: 6 },
  { header: 'SLICES', cell: slicesOf, align: 'right', keep: 4 },
  status,
  { header: 'REASON', cell: (twap) => twap.completion_reason ?? '', keep: 3 },
  { header: 'ENDS', cell: (twap) => dateTime(twap.end_at), keep: 1 },
  id,
];

/** One TWAP or VWAP order. */
export function twapBlocks(twap: TwapOrder): Block[] {
  return [
    headline(word(twap.strategy).toUpperCase(), twap),
    fields(
      ['market', nameOf(twap)],
      ['filled', filledOf(twap)],
      ['average', priceOf(twap.average_price)],
      ['slices', slicesOf(twap) || undefined],
      ['every', stretch(twap.slice_interval_seconds * 1000)],
      ['duration', stretch(twap.duration_minutes * 60_000)],
      ['randomized', twap.randomize === true ? 'size and time' : undefined],
      ['reduce only', twap.reduce_only ? 'yes' : undefined],
      ['trigger', priceOf(twap.trigger_price)],
      ['price limits', limitsOf(twap)],
      ['leverage', leverageOf(twap)],
      ['reason', twap.completion_reason],
      ['started', dateTime(twap.started_at)],
      ['activated', timeOf(twap.activated_at)],
      ['next slice', timeOf(twap.next_run_at)],
      ['ends', dateTime(twap.end_at)],
      ...endOf('twap', twap),
    ),
  ];
}

function filledOf(twap: TwapOrder): string {
  return `${quantity(twap.filled_size)} of ${quantity(twap.total_size)}`;
}

function slicesOf(twap: TwapOrder): string {
  if (twap.slice_count === undefined) return '';
  return `${word(twap.slices_attempted ?? 0)} of ${word(twap.slice_count)}`;
}

function limitsOf({ min_price: least, max_price: most }: TwapOrder): string | undefined {
  const from = least === undefined ? '' : `from ${quantity(least)}`;
  const to = most === undefined ? '' : `to ${quantity(most)}`;
  return `${from} ${to}`.trim() || undefined;
}

/** The table of ladders. */
export const scaledColumns: readonly Column<ScaledOrder>[] = [
  started,
  market,
  side,
  { header: 'SIZE', cell: (ladder) => quantity(ladder.total_size), align: 'right' },
  { header: 'FROM', cell: (ladder) => priceOf(ladder.start_price) ?? '', align: 'right', keep: 6 },
  { header: 'TO', cell: (ladder) => priceOf(ladder.end_price) ?? '', align: 'right', keep: 5 },
  { header: 'RUNGS', cell: rungsOf, align: 'right', keep: 4 },
  { header: 'SHAPE', cell: (ladder) => ladder.distribution ?? '', keep: 3 },
  status,
  id,
];

/** One ladder with its rungs. */
export function scaledBlocks(ladder: ScaledOrder): Block[] {
  return [
    headline('Ladder', ladder),
    fields(
      ['market', nameOf(ladder)],
      ['shape', ladder.distribution],
      ['rungs', rungsOf(ladder)],
      ['leverage', leverageOf(ladder)],
      ['reduce only', ladder.reduce_only === true ? 'yes' : undefined],
      ['started', dateTime(ladder.started_at)],
      ...endOf('ladder', ladder),
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

function headline(title: string, parent: Parent): Block {
  const what = ` ${quantity(parent.total_size)} ${nameOf(parent)}  `;
  return line({ text: title, tone: 'strong' }, '  ', sideCell(parent.side), what, statusCell(parent.status));
}

function leverageOf({ leverage, margin_mode: mode }: Parent): string | undefined {
  return leverage === undefined ? undefined : `${quantity(leverage)}x ${word(mode ?? '')}`.trim();
}

function endOf(noun: string, parent: Parent): (readonly [string, Cell | undefined])[] {
  return [
    ['completed', timeOf(parent.completed_at)],
    ['canceled', timeOf(parent.canceled_at)],
    [noun, parent.id],
    ['account', parent.account_id],
  ];
}
