import { Failure } from '../../base/failure/failure.ts';
import { takesAtOnce } from '../../base/terms/order-types.ts';
import { quantity, word } from '../../base/text/format.ts';
import { isWorking } from '../../desk/account/means.ts';
import { riskOfOrder } from '../../desk/preview/floor-check.ts';
import { follow, wholeOrder } from '../../desk/reading/account-changes.ts';
import { readAftermath } from '../../desk/writes/aftermath.ts';
import { growStop } from '../../desk/writes/stop-growth.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { string } from '../../wire/contract/schema.ts';
import type { Console } from '../console/console.ts';
import type { ToolCall } from './agent-console.ts';
import { orderSentence, orderShown, positionShown } from './shapes.ts';
import { standing } from './tools-reading.ts';

/** Names one intention. Under the same key, a tool does its work once. */
export const keyField = {
  idempotency_key: string(undefined, { minLength: 1, maxLength: 64 }),
};

/** The bytes of a key stay the same, no matter how prices move. */
export async function keptBody<T>({ kept }: ToolCall, draft: () => Promise<T>): Promise<T> {
  const known = kept.get('body') as T | undefined;
  if (known !== undefined) return known;
  const body = await draft();
  kept.set('body', body);
  return body;
}

/** Sends a write, unless the call was canceled before that. A sent request is never canceled. */
export async function sent<T>(call: ToolCall, send: () => Promise<T>): Promise<T> {
  call.stopIfCanceled();
  return send();
}

/** The order that an earlier call under this key has placed. */
export async function placedBefore(console: Console, key: string): Promise<Order | undefined> {
  const { data } = await console.call('listOrders', { query: { client_order_id: key } });
  return data[0];
}

/** The refusal of a key that belongs to another intention. */
export function keyReused(): Failure {
  return new Failure({
    code: 'idempotency_key_reused',
    message: 'This idempotency_key was used for another request. Nothing was sent.',
    hint: 'Use a new key for a new intention, and the same arguments to repeat one.',
  });
}

/** How long to wait for a delayed market order, ms. */
const settlesWithinMs = 3_000;

/** The result of an order: its outcome, and the position of its market. */
export async function placedResult(console: Console, order: Order, isRepeated: boolean, what = '') {
  const isSettling = order.status === 'pending' && takesAtOnce(order.mode);
  const { order: latest } = isSettling ? await follow(console, order, settlesWithinMs) : { order };
  console.memory.forget();
  const hasTraded = latest.status === 'filled' || (latest.filled_size ?? 0) > 0;
  if (hasTraded && !isRepeated && console.settings.stops === 'follow')
    await growStop(console, latest, await readAftermath(console, latest), undefined);
  console.memory.forget();
  const seen = await standing(console);
  const held = seen.positions.find(({ market_id }) => market_id === latest.market_id);
  const { order: whole } = await wholeOrder(console, latest);
  const position = held === undefined ? null : positionShown(held, seen);
  // The filled part is at risk with its position.
  const isOpen = !isWorking(whole) && held !== undefined && (whole.side === 'buy') === (held.side === 'long');
  const risk = isOpen ? (position?.size.risk_usd ?? undefined) : await riskOfOrder(console, whole);
  const again = isRepeated ? 'Nothing was sent again: this key has placed it before. ' : '';
  return {
    summary: `${again}${what}${orderSentence(whole)} ${held === undefined ? `No position in ${word(latest.symbol)}.` : positionSentence(held)}`,
    repeated: isRepeated,
    order: orderShown(whole, { mark: seen.marks.get(latest.market_id)?.price, risk }),
    position,
  };
}

/** A position in a sentence. */
export function positionSentence({ side: is, size, symbol, entry_price }: Position): string {
  return `Position: ${word(is)} ${quantity(size)} ${word(symbol)} at ${quantity(entry_price)}.`;
}
