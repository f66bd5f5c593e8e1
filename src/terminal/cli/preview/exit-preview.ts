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
    ...seen.beyond.map((text) => line({ text, tone: 'bad' })),
  ];
}

/** What the position may lose with its new exits, and the room above the floors that this leaves. */
function afterwards({ position, account, cover, loss }: ExitPreview): Block {
  const { uncovered } = cover;
  const amount = loss === undefined ? undefined : `${usd(loss)} USD`;
  const bare = `${quantity(uncovered)} ${position.symbol} has no stop-loss`;
  if (uncovered > 0) {
    const risk = amount === undefined ? bare : `${bare}: ${amount} may be lost`;
    return fields(['risk', { text: risk, tone: 'warn' }]);
  }
  const roomAfter = (room: number | null | undefined): Cell | undefined => {
    if (room === null || room === undefined || loss === undefined) return undefined;
    const left = room - loss;
    if (left > 0) return `${usd(room)} USD, ${usd(left)} at the stop`;
    return { text: `${usd(room)} USD: the account fails before the stop`, tone: 'bad' };
  };
  return fields(
    ['at the stop', amount === undefined ? undefined : { text: `${amount} less equity than now`, tone: 'strong' }],
    ['daily-loss room', roomAfter(account.risk?.daily_loss_room)],
    ['drawdown room', roomAfter(account.risk?.max_drawdown_room)],
  );
}
