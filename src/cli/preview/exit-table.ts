import { exitNames } from '../../desk/preview/exit-plan.ts';
import { quantity } from '../../ground/text/format.ts';
import type { ExitGroup } from '../../terms/order-types.ts';
import { type Block, type Column, tableOf } from '../output/result.ts';
import { profitCell } from '../views/tones.ts';

/** What the exits close: a position, or the expected position of an order. */
export interface Closed {
  readonly side: 'long' | 'short';
  /** Average, USD. */
  readonly entry: number;
  /** Commission of the exits, bps of their notional. */
  readonly feeBps: number;
  /** Commission still to be paid for the entry, USD per unit. */
  readonly entryFee: number;
}

/** An exit as it will be placed or moved. */
export interface PlannedExit {
  readonly group: ExitGroup;
  readonly price: number;
  /** Base asset. */
  readonly size: number;
  /** Its current price, if it moves. */
  readonly was?: number | undefined;
  /** Undefined if it will be placed. */
  readonly id?: string | undefined;
}

/** The result of an exit that fills at its price, after the commissions still to be paid, USD. */
export function profitAt({ side, entry, feeBps, entryFee }: Closed, { price, size }: PlannedExit): number {
  const move = side === 'long' ? price - entry : entry - price;
  return size * (move - entryFee - (price * feeBps) / 1e4);
}

/** The exits, each with its gain or loss, also as a multiple of the loss at the stops (R). */
export function exitTable(closed: Closed, exits: readonly PlannedExit[]): Block[] {
  if (exits.length === 0) return [];
  const top = closed.side === 'long' ? -1 : 1;
  const sorted = exits.toSorted((one, other) => top * (one.price - other.price));
  return [tableOf(sorted, columnsFor(closed, sorted))];
}

function columnsFor(closed: Closed, exits: readonly PlannedExit[]): readonly Column<PlannedExit>[] {
  const risk = riskPerUnit(closed, exits);
  const distance = ({ price }: PlannedExit) => `${signed(((price - closed.entry) / closed.entry) * 100)}%`;
  const columns: Column<PlannedExit>[] = [
    { header: 'EXIT', cell: ({ group }) => exitNames[group] },
    { header: 'SIZE', cell: ({ size }) => quantity(size), align: 'right' },
    { header: 'PRICE', cell: ({ price }) => quantity(price), align: 'right' },
    { header: 'FROM ENTRY', cell: distance, align: 'right', keep: 3 },
    { header: 'NET PNL', cell: (exit) => profitCell(profitAt(closed, exit)), align: 'right' },
  ];
  if (risk !== undefined && exits.some(({ group }) => group === 'tp')) {
    const multiple = (exit: PlannedExit) => `${signed(profitAt(closed, exit) / exit.size / risk)}R`;
    columns.push({ header: 'R', cell: multiple, align: 'right', keep: 4 });
  }
  if (exits.some(({ was }) => was !== undefined)) {
    columns.push({
      header: 'WAS',
      cell: ({ was }) => (was === undefined ? '' : quantity(was)),
      align: 'right',
      keep: 5,
    });
  }
  if (exits.every(({ id }) => id === undefined)) return columns;
  return [...columns, { header: 'ORDER', cell: ({ id }) => id ?? 'new', keep: 2 }];
}

/** Average loss of one unit at the stops, in positive USD: 1R; undefined without a stop that loses. */
export function riskPerUnit(closed: Closed, exits: readonly PlannedExit[]): number | undefined {
  const stops = exits.filter(({ group }) => group === 'sl');
  const size = stops.reduce((total, stop) => total + stop.size, 0);
  const profit = stops.reduce((total, stop) => total + profitAt(closed, stop), 0);
  return size > 0 && profit < 0 ? -profit / size : undefined;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}
