import { exact } from '../../base/terms/decimal.ts';
import { marketName } from '../../base/text/format.ts';
import { exitPriceOf } from '../../desk/account/means.ts';
import { breakEvenOf, type PriceLadder } from '../../desk/ladder/price-ladder.ts';
import { onGrid, tickAt } from '../../desk/resolve/grid.ts';
import type { LiveModel } from '../../desk/watch/live-model.ts';
import { type Held, heldIn } from '../../desk/watch/standing.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { MousePress } from '../console/terminal/input-reader.ts';
import { ownAtColumn, paneTop, partAt, priceWidthOf } from './ladder-pane.ts';
import type { Page } from './view.ts';

const noOrderHere = 'No order of yours is here.';
const otherMarket = 'Show the market of the position first.';

/** The meaning of a trading key. */
export type Act =
  /** An order of the agreed size; unarmed, its command is typed with the size left blank. */
  | { readonly kind: 'enter'; readonly side: 'buy' | 'sell'; readonly limit: number | undefined }
  /** A complete command. */
  | { readonly kind: 'command'; readonly line: string }
  /** The start of a command, to be completed. */
  | { readonly kind: 'type'; readonly line: string; readonly cursor?: number }
  /** The cursor or the rows of the ladder have changed. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'arm' }
  /** Nothing can be done, for this reason. */
  | { readonly kind: 'says'; readonly text: string };

/** The state that trading keys act on. */
export interface Bench {
  readonly model: LiveModel;
  readonly ladder: PriceLadder;
  readonly isLadderShown: boolean;
  /** The commission of a fill, bps, if known. */
  readonly feeBps: number | undefined;
  /** The id of the selected position or order, if any. */
  readonly selected: { readonly position: string | undefined; readonly order: string | undefined };
  /** The scrolling parts of the screen. */
  readonly page?: Page | undefined;
  /** Commands of the user's keys and templates, by key. */
  readonly ownKeys: ReadonlyMap<string, string>;
}

/** The meaning of a key while trading keys are on; undefined if it isn't a trading key. */
export function actOf(name: string, bench: Bench): Act | undefined {
  const own = bench.ownKeys.get(name);
  if (own !== undefined) return templateAct(own, bench);
  if (bench.isLadderShown && Object.hasOwn(ladderKeys, name)) return ladderKeys[name]!(bench);
  return Object.hasOwn(tradingKeys, name) ? tradingKeys[name]!(bench) : undefined;
}

type KeyAct = (bench: Bench) => Act;

const moved: Act = { kind: 'moved' };
const says = (text: string): Act => ({ kind: 'says', text });
const command = (line: string): Act => ({ kind: 'command', line });
const type = (line: string): Act => ({ kind: 'type', line });

/** A change of what the ladder shows. */
const view =
  (change: (ladder: PriceLadder) => void): KeyAct =>
  ({ ladder }) => {
    change(ladder);
    return moved;
  };
const cursorBy = (rows: number) => view((ladder) => ladder.moveCursor(rows));

/** Keys of the ladder. */
const ladderKeys: Readonly<Record<string, KeyAct>> = {
  up: cursorBy(1),
  k: cursorBy(1),
  down: cursorBy(-1),
  j: cursorBy(-1),
  pageup: cursorBy(10),
  pagedown: cursorBy(-10),
  '=': view((ladder) => ladder.center()),
  f: view((ladder) => ladder.toggleCentered()),
  g: view((ladder) => ladder.regroup(1)),
  G: view((ladder) => ladder.regroup(-1)),
  '0': view((ladder) => ladder.toggleAuto()),
  i: (bench) => atCursor(bench, (limit) => ({ kind: 'enter', side: 'buy', limit })),
  o: (bench) => atCursor(bench, (limit) => ({ kind: 'enter', side: 'sell', limit })),
  I: ({ ladder }) => joining('buy', ladder.drawn?.bestBid),
  O: ({ ladder }) => joining('sell', ladder.drawn?.bestAsk),
  m: (bench) =>
    atCursor(bench, (price) => (bench.ladder.moving === undefined ? pickUp(bench, price) : putDown(bench, price))),
  x: (bench) => atCursor(bench, (price) => cancelAt(bench, price)),
  X: (bench) =>
    atCursor(bench, (price) => {
      const { bestBid, bestAsk } = bench.ladder.drawn!;
      const side = price <= ((bestBid ?? price) + (bestAsk ?? price)) / 2 ? 'buy' : 'sell';
      return cancelOrders(bench, (order) => order.side === side, `No working ${side} orders here.`);
    }),
};

/** Keys that need no ladder. */
const tradingKeys: Readonly<Record<string, KeyAct>> = {
  b: () => ({ kind: 'enter', side: 'buy', limit: undefined }),
  s: () => ({ kind: 'enter', side: 'sell', limit: undefined }),
  A: () => ({ kind: 'arm' }),
  c: (bench) => onPosition(bench, ({ position }) => command(`positions close ${position.id}`)),
  v: (bench) => onPosition(bench, ({ position }) => command(`positions close ${position.id} --size 50%`)),
  z: (bench) => onPosition(bench, ({ position }) => command(`positions close ${position.id} --size 25%`)),
  r: (bench) => onPosition(bench, ({ position }) => command(`reverse ${position.id}`)),
  x: ({ selected }) =>
    selected.order === undefined ? type('order cancel ') : command(`order cancel ${selected.order}`),
  X: () => type('order cancel '),
  K: (bench) => cancelOrders(bench, () => true, 'No working orders in this market.'),
  S: (bench) => type(`stop ${positionOf(bench)?.position.id ?? nameOf(bench)} `),
  T: (bench) => type(`target ${positionOf(bench)?.position.id ?? nameOf(bench)} `),
  F: () => command('flatten'),
  e: (bench) => onPosition(bench, (held) => breakEven(bench, held)),
  p: (bench) => onPosition(bench, (held) => scaleIn(held)),
  u: (bench) => onPosition(bench, (held) => moveExit(bench, held, 'stop', 1)),
  d: (bench) => onPosition(bench, (held) => moveExit(bench, held, 'stop', -1)),
  U: (bench) => onPosition(bench, (held) => moveExit(bench, held, 'target', 1)),
  D: (bench) => onPosition(bench, (held) => moveExit(bench, held, 'target', -1)),
};

function nameOf({ model: { chosen } }: Bench): string {
  return marketName(chosen.market_id, chosen.symbol);
}

function atCursor({ ladder }: Bench, act: (price: number) => Act): Act {
  const price = ladder.priceAtCursor();
  if (price !== undefined) return act(price);
  if (ladder.drawn === undefined) return says('There is no book.');
  return ladder.cursor === undefined
    ? says('Put the cursor on a price first: up, down, or a click.')
    : says('The cursor is not on the screen at this price; = centers.');
}

function joining(side: 'buy' | 'sell', limit: number | undefined): Act {
  return limit === undefined ? says('There is no price to join.') : { kind: 'enter', side, limit };
}

/** Picks up the only order at a price that was drawn. */
function pickUp({ ladder }: Bench, price: number): Act {
  const [order, another] = ladder.ownAt(price);
  if (order === undefined) return says(noOrderHere);
  if (another !== undefined) return says('Several orders are here: drag one with the mouse, or type :order amend.');
  ladder.moving = order.id;
  return moved;
}

/** Moves the order that was picked up to a price that was drawn. */
function putDown({ ladder, model }: Bench, price: number): Act {
  const order = model.account?.orders.get(ladder.moving ?? '');
  ladder.moving = undefined;
  if (order === undefined) return says('The order is no longer working.');
  // A row of several ticks has orders at other prices than its own.
  const isThere = ladder.ownAt(price).some(({ id }) => id === order.id);
  return isThere ? moved : command(`order amend ${order.id} --price ${price}`);
}

/** Cancels the orders at a price that was drawn. */
function cancelAt({ ladder }: Pick<Bench, 'ladder'>, price: number): Act {
  const ids = ladder.ownAt(price).map(({ id }) => id);
  return ids.length === 0 ? says(noOrderHere) : command(`order cancel ${ids.join(' ')}`);
}

function cancelOrders({ model }: Bench, isMeant: (order: Order) => boolean, none: string): Act {
  const here = model.orders.filter(isMeant);
  return here.length === 0 ? says(none) : command(`order cancel ${here.map(({ id }) => id).join(' ')}`);
}

/** The selected position, else that of the chosen market. */
function positionOf({ model, selected }: Bench): Held | undefined {
  if (model.account === undefined) return undefined;
  const held = heldIn(model.account, model);
  return (
    held.find(({ position }) => position.id === selected.position) ??
    held.find(({ position }) => position.market_id === model.chosen.market_id)
  );
}

function onPosition(bench: Bench, act: (held: Held) => Act): Act {
  const held = positionOf(bench);
  return held === undefined ? says(`No open position in ${nameOf(bench)}.`) : act(held);
}

function breakEven({ model, feeBps }: Bench, { position }: Held): Act {
  const even = breakEvenOf(position, feeBps);
  if (even === undefined) return says('Break-even is unknown: the host reports no commission or no carry.');
  if (position.market_id !== model.chosen.market_id || model.grid === undefined) return says(otherMarket);
  const price = onGrid(model.grid, even, position.side === 'long' ? 'sell' : 'buy');
  return command(`stop ${position.id} ${price}`);
}

/** Types an entry that adds to a position under its own stop and target; its size is left blank. */
function scaleIn({ position, cover }: Held): Act {
  const { stops, targets } = cover;
  if (stops.length > 1 || targets.length > 1)
    return says('The position has several stops or targets: type the order with --replace-exits and its own.');
  const [stop, target] = [stops[0], targets[0]].map((order) => order && exitPriceOf(order));
  const exits = [
    ...(stop === undefined ? [] : [`--stop-loss ${stop}`]),
    ...(target === undefined ? [] : [`--take-profit ${target}`]),
    ...(stop === undefined && target === undefined ? [] : ['--replace-exits']),
  ].join(' ');
  const before = `order place ${marketName(position.market_id, position.symbol)} ${position.side === 'long' ? 'buy' : 'sell'} `;
  return { kind: 'type', line: `${before} ${exits}`.trimEnd(), cursor: before.length };
}

/** One tick up or down; on the ladder, one row. */
function moveExit(bench: Bench, { position, cover }: Held, exit: 'stop' | 'target', way: 1 | -1): Act {
  const { model, ladder, isLadderShown } = bench;
  const [first] = exit === 'stop' ? cover.stops : cover.targets;
  if (first === undefined) return says(`The position has no ${exit}.`);
  if (position.market_id !== model.chosen.market_id || model.grid?.tick === undefined) return says(otherMarket);
  const from = exitPriceOf(first);
  const step = (isLadderShown ? ladder.drawn?.step : undefined) ?? tickAt(model.grid, from);
  const price = exact(from + way * step);
  return price > 0 ? command(`${exit} ${position.id} ${price}`) : says('There is no price below.');
}

/** Names that a template may contain. */
const fillers: Readonly<Record<string, (bench: Bench) => string | undefined>> = {
  market: nameOf,
  position: (bench) => positionOf(bench)?.position.id,
  price: ({ ladder }) => {
    const price = ladder.priceAtCursor();
    return price === undefined ? undefined : String(price);
  },
};

const unfilled: Readonly<Record<string, string>> = {
  position: 'There is no open position here.',
  price: 'The cursor of the ladder is not on the screen.',
};

/** A template with its names filled in: a complete command, or one to be completed if it ends with a space. */
function templateAct(template: string, bench: Bench): Act {
  let missing: string | undefined;
  const line = template.replace(/\{([a-z]{1,10})\}/g, (whole, name: string) => {
    const text = Object.hasOwn(fillers, name) ? fillers[name]!(bench) : undefined;
    if (text === undefined) missing ??= unfilled[name] ?? `${whole} is not known; use {market}, {position} or {price}.`;
    return text ?? '';
  });
  if (missing !== undefined) return says(missing);
  return line.endsWith(' ') ? type(line) : command(line);
}

/** The location of a ladder's pane on the screen; rows and columns count from 0. */
export interface LadderPlace {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** The number of rows per turn of the wheel. */
export const wheelRows = 3;

const hasMoved = 'The ladder has just moved: nothing was sent. Click again.';

/**
 * The mouse on the ladder: left enters on the side that was clicked, puts the cursor on a price, or drags an own order;
 * middle picks an order up or puts it down; right cancels a level. Undefined beside the ladder.
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
      else if (price !== undefined) ladder.cursor = price;
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
  const part = partAt(x, place.width, priceWidth);
  if (button === 'up' || button === 'down') {
    const way = button === 'up' ? 1 : -1;
    if (part === 'price') ladder.regroup(way === 1 ? -1 : 1);
    else ladder.scroll(way * wheelRows);
    return moved;
  }
  if (row === undefined) return undefined;
  if (price === undefined) return says(hasMoved);
  if (button === 'right') return cancelAt(bench, price);
  if (button === 'middle') return ladder.moving === undefined ? pickUp(bench, price) : putDown(bench, price);
  ladder.cursor = price;
  const order = ownAtColumn(x, row, { width: place.width, priceWidth, ahead: model.ahead });
  if (order !== undefined) {
    ladder.moving = order.id;
    ladder.isDragged = true;
    return moved;
  }
  if (part === 'price') return moved;
  return { kind: 'enter', side: part === 'bid' ? 'buy' : 'sell', limit: price };
}
