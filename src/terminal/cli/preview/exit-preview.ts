import { quantity, usd } from '../../../base/text/format.ts';
import type { Snapshot } from '../../../desk/preview/exit-plan.ts';
import { type ExitPreview, previewExits } from '../../../desk/preview/exit-preview.ts';
import type { ExitOperation } from '../../../wire/contract/positions.ts';
import type { Console } from '../../console/console.ts';
import { type Block, blank, type Cell, fields, line, sideCell } from '../../console/output/result.ts';
import { goesTo } from '../../console/where.ts';
import { exitTable } from './order-preview.ts';

/** The exits of a position after the operations: price, gain or loss, R multiple, and the room above the floors at a stop. */
export async function exitPreview(
  console: Console,
  snapshot: Snapshot,
  operations: readonly ExitOperation[],
): Promise<Block[]> {
  const seen = await previewExits(console, snapshot, operations);
  const { position, mark, closed, exits } = seen;
  return [
    line(
      { text: 'Exits', tone: 'strong' },
      '  ',
      sideCell(position.side),
      ` ${quantity(position.size)} ${position.symbol} at ${quantity(position.entry_price)}`,
      mark === null ? '' : `, mark ${quantity(mark)}`,
    ),
    fields(['on', await goesTo(console, position.account_id)]),
    ...exitTable(closed, exits),
    ...(exits.length === 0 ? [] : [blank]),
    afterwards(seen),
  ];
}

/** The room left above the floors at the stops, and the size that the stops do not cover. */
function afterwards({ position, account, unstopped, fromNow }: ExitPreview): Block {
  const risk: Cell | undefined =
    unstopped > 0 ? { text: `${quantity(unstopped)} ${position.symbol} has no stop-loss`, tone: 'warn' } : undefined;
  if (fromNow === undefined) return fields(['risk', risk]);
  const roomAfter = (room: number | null | undefined): Cell | undefined => {
    if (room === null || room === undefined) return undefined;
    const left = room + fromNow;
    if (left > 0) return `${usd(room)} USD, ${usd(left)} at the stop`;
    return { text: `${usd(room)} USD: the account fails before the stop`, tone: 'bad' };
  };
  const more = fromNow < 0 ? 'less' : 'more';
  return fields(
    ['at the stop', { text: `${usd(Math.abs(fromNow))} USD ${more} equity than now`, tone: 'strong' }],
    ['risk', risk],
    ['daily-loss room', roomAfter(account.risk?.daily_loss_room)],
    ['drawdown room', roomAfter(account.risk?.max_drawdown_room)],
  );
}
