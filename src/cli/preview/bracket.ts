import { type Estimate, feeBpsOf, type Prospect } from '../../desk/preview/prospect.ts';
import { type Block, blank } from '../output/result.ts';
import { exitTable, type PlannedExit } from './exit-table.ts';

/**
 * The legs of an order, each with its gain or loss and R multiple, all fees included. They cover the whole resulting
 * position (simulation 4.3).
 */
export function bracketBlocks(prospect: Prospect, { after, fee = 0 }: Estimate): Block[] {
  const { take_profit_price: target, stop_loss_price: stop } = prospect.order;
  if (after === undefined || after === null || (target === undefined && stop === undefined)) return [];
  // An order that only reduces leaves its legs out.
  if (after.size > 0 !== (prospect.order.side === 'buy')) return [];
  const size = Math.abs(after.size);
  const legs: PlannedExit[] = [];
  if (target !== undefined) legs.push({ group: 'tp', price: target, size });
  if (stop !== undefined) legs.push({ group: 'sl', price: stop, size });
  const closed = {
    side: after.size > 0 ? 'long' : 'short',
    entry: after.entry,
    feeBps: feeBpsOf(prospect) ?? 0,
    entryFee: fee / size,
  } as const;
  return [blank, ...exitTable(closed, legs)];
}
