import type { Order } from '../../contract/orders.ts';
import { filledSizeOf } from '../../desk/preview/trade.ts';
import { ofChosenAccount } from '../../desk/resolve/belonging.ts';
import { resolveOrder } from '../../desk/resolve/order.ts';
import {
  beginAccount,
  beginAftermath,
  expectedAftermath,
  readAftermath,
  showsFigures,
} from '../../desk/writes/aftermath.ts';
import { orderFigures } from '../../desk/writes/figures.ts';
import type { Context } from '../context/context.ts';
import { type Block, line, type RecordResult, recordOf } from '../output/result.ts';

/** Finds the order that a command changes, and starts reading what its result needs. */
export async function toAmend(context: Context, text: string): Promise<Order> {
  beginAccount(context);
  const order = ofChosenAccount(context, await resolveOrder(context, text));
  beginAftermath(context, order);
  return order;
}

/** The result of a changed order: its own blocks, and whether the change is queued. */
export async function amended(
  context: Context,
  was: Order,
  order: Order,
  queued: boolean | undefined,
  blocks: () => readonly Block[],
): Promise<RecordResult> {
  const expected = await expectedAftermath(context, order, filledSizeOf(was));
  const after = expected ?? (showsFigures(context) ? await readAftermath(context, order) : undefined);
  return recordOf({ ...order, computed: orderFigures(context, order, after) }, () => [
    ...blocks(),
    ...(queued === true ? [line({ text: 'Queued behind the armed order.', tone: 'warn' })] : []),
  ]);
}
