import type { MousePress } from '../terminal/input-reader.ts';
import { paneTop, partAt, priceWidthOf } from './ladder-pane.ts';
import { type Act, type Bench, cancelAt } from './trading-keys.ts';

/** Where on the screen a ladder's pane is; rows and columns count from 0. */
export interface LadderPlace {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Rows that a turn of the wheel moves. */
const wheelRows = 3;

/**
 * What a press of the mouse on the ladder means: left enters on the side that was clicked, or puts the cursor on a
 * price; middle picks an order up or puts it down; right cancels a level. Undefined beside the ladder.
 */
export function mouseAct(
  { button, column, row }: MousePress,
  place: LadderPlace,
  bench: Bench,
  now: number,
): Act | undefined {
  const { ladder, model } = bench;
  const [x, y] = [column - 1 - place.left, row - 1 - place.top];
  if (x < 0 || x >= place.width || y < 0 || y >= place.height) return undefined;
  if (button === 'up' || button === 'down') {
    ladder.scroll(button === 'up' ? wheelRows : -wheelRows);
    return { kind: 'moved' };
  }
  if (ladder.drawn?.rows[y - paneTop] === undefined) return undefined;
  const price = ladder.priceAtRow(y - paneTop, now);
  if (price === undefined) return { kind: 'says', text: 'The ladder has just moved; click again.' };
  const part = partAt(x, place.width, priceWidthOf(ladder, model.grid?.tick ?? 1));
  if (button === 'right') return cancelAt(bench, price);
  if (button === 'middle') return moveAt(bench, price);
  ladder.setCursor(price);
  if (part === 'price') return { kind: 'moved' };
  return { kind: 'enter', side: part === 'bid' ? 'buy' : 'sell', limit: price };
}

function moveAt({ ladder, model }: Bench, price: number): Act {
  const { moving } = ladder;
  if (moving === undefined) {
    const [order, another] = ladder.ownAt(price);
    if (order === undefined) return { kind: 'says', text: 'No order of yours is here.' };
    if (another !== undefined) return { kind: 'says', text: 'Several orders are here; amend one with :order amend.' };
    ladder.moving = order.id;
    return { kind: 'moved' };
  }
  ladder.moving = undefined;
  if (model.account?.orders.get(moving) === undefined) return { kind: 'says', text: 'The order is no longer working.' };
  return { kind: 'command', line: `order amend ${moving} --price ${price}` };
}
