import { type Closed, type PlannedExit, profitAt, riskPerUnit } from '../../desk/preview/exit-outcome.ts';
import { exitNames } from '../../desk/preview/exit-plan.ts';
import { quantity } from '../../ground/text/format.ts';
import { type Block, type Column, tableOf } from '../output/result.ts';
import { profitCell } from '../views/tones.ts';

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

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(2)}`;
}
