import { decimalsOf } from '../../base/terms/decimal.ts';
import { quantity } from '../../base/text/format.ts';
import { isWaiting, type LadderMarket, type LadderRow, type PriceLadder } from '../../desk/ladder/price-ladder.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { cutText, fitted, type Row, toned, widthOf } from '../console/charts/cells.ts';
import type { Glyphs } from '../console/charts/glyphs.ts';

/** A pane is at least this wide. */
export const minPaneWidth = 34;
/** From this width of a half on, trades have their own column. */
const widthWithPrints = 17;
const printsWidth = 7;
const sizeWidth = 6;

/** The appearance of a pane, apart from its contents. */
interface PaneLook {
  readonly width: number;
  readonly height: number;
  readonly symbol: string;
  readonly glyphs: Glyphs;
  /** ms, of a clock that does not go back. */
  readonly now: number;
}

/** The number of rows of a pane above its prices. */
export const paneTop = 1;

/**
 * The price ladder: prices in the middle, bids on the left and asks on the right, with own orders, trades of the last
 * half minute, and the lines of the position. Drawing it fixes the prices at which keys act.
 */
export function ladderPane(
  ladder: PriceLadder,
  market: LadderMarket,
  { width, height, symbol, glyphs, now }: PaneLook,
): Row[] {
  const frame = ladder.draw(market, Math.max(1, height - paneTop - 1), now);
  if (frame === undefined) return [[toned('Waiting for the book.', 'faint')]];
  const decimals = decimalsOf(market.tick);
  const priceWidth = Math.max(...frame.rows.map(({ price }) => price.toFixed(decimals).length));
  const half = Math.floor((width - priceWidth - 2) / 2);
  const largest = Math.max(0, ...frame.rows.map(({ bid, ask }) => Math.max(bid, ask)));
  const look = { half, largest, decimals, priceWidth, glyphs, ahead: market.ahead };
  const rows = frame.rows.map((row): Row => {
    const isCursor = row.price === frame.cursor;
    const isBest = row.price === frame.bestBid || row.price === frame.bestAsk;
    return [
      ...bidHalf(row, look),
      priceCell(row.price, { ...look, isCursor, isBest, isMoving: ladder.moving !== undefined }),
      ...askHalf(row, look),
    ];
  });
  return [headOf(ladder, symbol, width), ...rows, footOf(ladder, market, decimals)].map((row) => fitted(row, width));
}

/** The position of a column in a pane of this width: on the bids, the prices or the asks. */
export function partAt(column: number, width: number, priceWidth: number): 'bid' | 'price' | 'ask' {
  const half = Math.floor((width - priceWidth - 2) / 2);
  return column < half ? 'bid' : column < half + priceWidth + 2 ? 'price' : 'ask';
}

/** The own order drawn at a column of a pane's row; undefined elsewhere. */
export function ownAtColumn(
  column: number,
  { own, lines, bid, ask }: LadderRow,
  { width, priceWidth, ahead }: { width: number; priceWidth: number; ahead: ReadonlyMap<string, number> },
): Order | undefined {
  const half = Math.floor((width - priceWidth - 2) / 2);
  const isBid = column < half;
  const orders = own.filter(({ side }) => side === (isBid ? 'buy' : 'sell'));
  const texts = orders.map((order) => ownText(order, ahead));
  const text = texts.join(' ');
  const room = labelRoom(half, isBid ? bid : ask);
  const named = isBid ? 0 : widthOf(namesOf(lines, text, room));
  const length = Math.min(room - named, text.length);
  // A line's name represents the order that draws it.
  const [waiting, another] = own.filter(isWaiting);
  if (!isBid && named > 0 && column >= 2 * half + priceWidth + 2 - named)
    return another === undefined ? waiting : undefined;
  // Asks end where the lines begin.
  let from = isBid ? 0 : 2 * half + priceWidth + 2 - named - length;
  const end = from + length;
  for (const [at, text] of texts.entries()) {
    if (column >= from && column < Math.min(end, from + text.length)) return orders[at];
    from += text.length + 1;
  }
  return undefined;
}

/** The width of the prices that were drawn last. */
export function priceWidthOf(ladder: PriceLadder, tick: number): number {
  const decimals = decimalsOf(tick);
  return Math.max(0, ...(ladder.drawn?.rows ?? []).map(({ price }) => price.toFixed(decimals).length));
}

interface HalfLook {
  readonly half: number;
  readonly largest: number;
  readonly decimals: number;
  readonly priceWidth: number;
  readonly glyphs: Glyphs;
  readonly ahead: ReadonlyMap<string, number>;
}

function headOf(ladder: PriceLadder, symbol: string, width: number): Row {
  const { grouping, isCentered, isAuto } = ladder;
  const place = isAuto && isCentered ? 'auto' : isCentered ? 'centered' : 'free';
  const text = `${symbol} ladder  ${grouping === 1 ? '1 tick' : `${grouping} ticks`} a row, ${place}`;
  return fitted([toned(text, 'faint')], width);
}

/** The location of the cursor if it is off the screen, and the order being moved. */
function footOf({ cursor, drawn, moving }: PriceLadder, { orders }: LadderMarket, decimals: number): Row {
  const order = orders.find(({ id }) => id === moving);
  if (order !== undefined) return [toned(`m moves ${ownText(order)} to the cursor, Esc leaves it`, 'warn')];
  if (cursor !== undefined && drawn?.cursor === undefined)
    return [toned(`cursor ${cursor.toFixed(decimals)}, off the screen; the trading key = centers`, 'warn')];
  return [];
}

function bidHalf(row: LadderRow, look: HalfLook): Row {
  const own = row.own.filter(({ side }) => side === 'buy').map((order) => ownText(order, look.ahead));
  const left = half(own.join(' '), row.bid, row.sold, look);
  return [toned(left.label, 'strong'), left.space, toned(left.bar, 'good'), left.size, toned(left.print, 'bad')];
}

function askHalf(row: LadderRow, look: HalfLook): Row {
  const own = row.own.filter(({ side }) => side === 'sell').map((order) => ownText(order, look.ahead));
  const names = namesOf(row.lines, own.join(' '), labelRoom(look.half, row.ask));
  const right = half(own.join(' '), row.ask, row.bought, look, widthOf(names));
  return [
    toned(right.print, 'good'),
    // The space separates a cut label from it.
    right.size.replace(/^ (.+)/, '$1 '),
    toned(right.bar, 'bad'),
    right.space,
    toned(right.label, 'strong'),
    toned(names, 'warn'),
  ];
}

/** The names of a row's lines after a space; own orders have room for at least a mark. */
function namesOf(lines: readonly string[], own: string, room: number): string {
  return lines.length === 0 ? '' : ` ${cutText(lines.join(' '), room - (own === '' ? 1 : 2))}`;
}

/** The parts of a half, as wide as it together with the names: own orders, a bar, the size, trades. */
function half(own: string, size: number, traded: number, { half: whole, largest, glyphs }: HalfLook, named = 0) {
  const hasPrints = whole >= widthWithPrints;
  const print = hasPrints
    ? (traded > 0 ? brief(traded) : '').padStart(printsWidth - 1).padEnd(printsWidth)
    : traded > 0
      ? glyphs.traded
      : ' ';
  const sizeText = size > 0 ? ` ${brief(size).padStart(sizeWidth - 1)}` : '';
  const left = labelRoom(whole, size) - named;
  const label = cutText(own, left);
  const room = Math.max(0, left - label.length - (label === '' ? 0 : 1));
  const full = size > 0 && largest > 0 ? Math.max(1, Math.round((size / largest) * Math.min(room, 12))) : 0;
  const bar = glyphs.bars[7]!.repeat(Math.min(room, full));
  return { label, bar, size: sizeText, print, space: ' '.repeat(Math.max(0, left - label.length - widthOf(bar))) };
}

/** How many columns of a half remain beside trades and, if there is one, the size. */
function labelRoom(half: number, size: number): number {
  return half - (half >= widthWithPrints ? printsWidth : 1) - (size > 0 ? sizeWidth : 0);
}

function priceCell(
  price: number,
  {
    decimals,
    priceWidth,
    isCursor,
    isBest,
    isMoving,
  }: HalfLook & { isCursor: boolean; isBest: boolean; isMoving: boolean },
) {
  const text = price.toFixed(decimals).padStart(priceWidth);
  const [open, close] = isCursor ? (isMoving ? ['{', '}'] : ['[', ']']) : [' ', ' '];
  return toned(`${open}${text}${close}`, isCursor ? 'warn' : isBest ? 'strong' : undefined);
}

/** An own order: its size, and the queue ahead of it if known: `0.05<3.2`. */
function ownText(order: Order, ahead?: ReadonlyMap<string, number>): string {
  const queue = ahead?.get(order.id);
  const sign = isWaiting(order) ? '@' : order.side === 'buy' ? 'B' : 'S';
  return `${sign}${quantity(order.size)}${queue === undefined ? '' : `<${brief(queue)}`}`;
}

/** A size in five characters or fewer. */
function brief(size: number): string {
  if (size >= 1e6) return `${Number((size / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((size / 1e3).toPrecision(3))}k`;
  const text = String(Number(size.toPrecision(4)));
  if (text.length <= 5) return text;
  const rounded = size.toFixed(3);
  return rounded === '0.000' ? '<.001' : rounded.slice(0, 5);
}
