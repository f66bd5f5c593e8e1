import type { MousePress } from '../console/terminal/input-reader.ts';
import { ownAtColumn, paneTop, partAt, priceWidthOf } from './ladder-pane.ts';
import { type Act, type Bench, cancelAt, pickUp, putDown } from './trading-keys.ts';

/** Where on the screen a ladder's pane is; rows and columns count from 0. */
export interface LadderPlace {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Rows that a turn of the wheel moves. */
export const wheelRows = 3;

const moved: Act = { kind: 'moved' };
const says = (text: string): Act => ({ kind: 'says', text });
const hasMoved = 'The ladder has just moved: nothing was sent. Click again.';

/**
 * What the mouse on the ladder means: left enters on the side that was clicked, puts the cursor on a price, or drags an
 * own order; middle picks an order up or puts it down; right cancels a level. Undefined beside the ladder.
 */
export function mouseAct(press: MousePress, place: LadderPlace, bench: Bench, now: number): Act | undefined {
  const { ladder } = bench;
  const { button } = press;
  const [x, y] = [press.column - 1 - place.left, press.row - 1 - place.top];
  const isOn = x >= 0 && x < place.width && y >= 0 && y < place.height;
  const row = isOn ? ladder.drawn?.rows[y - paneTop] : undefined;
  const price = row && ladder.priceAtRow(y - paneTop, now);
  if (ladder.isDragged) {
    if (button === 'drag') {
      // Beyond the first or the last row, the rows follow.
      if (y < paneTop) ladder.scroll(1);
      else if (y >= paneTop + (ladder.drawn?.rows.length ?? 0)) ladder.scroll(-1);
      else if (price !== undefined) ladder.setCursor(price);
      return moved;
    }
    ladder.isDragged = false;
    if (button === 'release' && price !== undefined) return putDown(bench, price);
    ladder.leave();
    return says(row === undefined ? 'The order was put down beside the prices: it stays where it is.' : hasMoved);
  }
  if (!isOn || button === 'drag' || button === 'release') return undefined;
  const { model } = bench;
  const priceWidth = priceWidthOf(ladder, model.grid?.tick ?? 1);
  if ((button === 'up' || button === 'down') && partAt(x, place.width, priceWidth) === 'price') {
    ladder.regroup(button === 'up' ? -1 : 1);
    return moved;
  }
  if (button === 'up' || button === 'down') {
    ladder.scroll(button === 'up' ? wheelRows : -wheelRows);
    return moved;
  }
  if (row === undefined) return undefined;
  if (price === undefined) return says(hasMoved);
  if (button === 'right') return cancelAt(bench, price);
  if (button === 'middle') return ladder.moving === undefined ? pickUp(bench, price) : putDown(bench, price);
  ladder.setCursor(price);
  const order = ownAtColumn(x, row, { width: place.width, priceWidth, ahead: model.ahead });
  if (order !== undefined) {
    ladder.moving = order.id;
    ladder.isDragged = true;
    return moved;
  }
  const part = partAt(x, place.width, priceWidth);
  if (part === 'price') return moved;
  return { kind: 'enter', side: part === 'bid' ? 'buy' : 'sell', limit: price };
}
