import { type Block, type Column, tableOf } from '../output/result.ts';
import { quantity } from '../text/format.ts';
import { profitCell } from '../views/tones.ts';
import { type ExitGroup, exitNames } from './exit-plan.ts';

/** What exits close: a position, or what an order will make of it. */
export interface Closed {
  readonly side: 'long' | 'short';
  /** Average, USD. */
  readonly entry: number;
  /** Commission of the exits, bps of their notional. */
  readonly feeBps: number;
  /** Commission that is still to be paid on the way in, USD per unit. */
  readonly entryFee: number;
}

/** An exit as it will be. */
export interface PlannedExit {
  readonly group: ExitGroup;
  readonly price: number;
  /** Base asset. */
  readonly size: number;
  /** Its price now, if it moves. */
  readonly was?: number | undefined;
  /** Undefined: it will be placed. */
  readonly id?: string | undefined;
}

/** What an exit realizes when it fills at its price, after the commissions that are still to be paid, USD. */
export function profitAt({ side, entry, feeBps, entryFee }: Closed, { price, size }: PlannedExit): number {
  const move = side === 'long' ? price - entry : entry - price;
  return size * (move - entryFee - (price * feeBps) / 1e4);
}

/** The exits, each with its gain or loss, and as a multiple of what is lost at the stops (R). */
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

/** What one unit loses at the stops on average, USD above zero; undefined without a stop that loses. */
function riskPerUnit(closed: Closed, exits: readonly PlannedExit[]): number | undefined {
  const stops = exits.filter(({ group }) => group === 'sl');
  const size = stops.reduce((total, stop) => total + stop.size, 0);
  const profit = stops.reduce((total, stop) => total + profitAt(closed, stop), 0);
  return size > 0 && profit < 0 ? -profit / size : undefined;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}
