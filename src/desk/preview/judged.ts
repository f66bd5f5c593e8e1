import { arrivalOf, isReduction, takesAtOnce } from '../../base/terms/order-types.ts';
import { counted, quantity, roughPrice, usd, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { coverOf, isEndedBefore, lossAtExits, type Reach, stopText } from '../account/means.ts';
import { markOf } from '../resolve/quote.ts';
import { type End, type Floor, isMarked, roomAt } from '../risk/breach.ts';
import { noOutlook } from '../risk/outlook.ts';
import type { Mark, Marks } from '../risk/path-account.ts';
import { unrealizedPnl } from '../risk/profit.ts';
import { afterTrade, type Exposure, exposureOf } from '../risk/trade.ts';
import { type Loss, outcomeOf } from '../risk/worst-case.ts';
import type { StopGrowth } from '../session/session.ts';
import type { Closed, PlannedExit } from './exit-plan.ts';
import { feeBpsOf, floorOf, isAgainst, ownTriggerOf, type Prospect, priceOf } from './prospect.ts';

/** An order's value when it trades: exact for a fill that takes from the book. */
interface Fill {
  /** Expected price; undefined if unknown. */
  readonly price: number | undefined;
  readonly notional: number | undefined;
  readonly fee: number | undefined;
  /** The fill takes from the book as it is now. */
  readonly isTaker: boolean;
}

/** The effect of an order's market on the account afterward. */
interface Effect {
  /** The resulting position; null if flat, undefined if unknown. */
  readonly after: Exposure | null | undefined;
  /** The first end of the account or the resulting position; undefined if none is in reach. */
  readonly end: End | undefined;
  /** The end of the loss: at the stop, or otherwise at the liquidation; undefined if neither is in reach. */
  readonly worst: Loss | undefined;
  /**
   * The possible loss of positions in other markets, USD, at their stops or, without one, at a liquidation within
   * reach. It counts for an order without a stop, and is 0 for any other.
   */
  readonly atRisk: number;
  /** The part of it at stops, without positions that could reach the floor on their own. */
  readonly atStops: number;
}

/** An order with its surroundings and its effect, without the conclusions from both. */
export interface Estimated extends Prospect, Fill, Effect {
  /** The nearest floor, and the room above it at the quoted marks; undefined without one. */
  readonly floor: Floor | undefined;
}

/** A worst case that reaches a floor. */
export interface Breach {
  readonly text: string;
  readonly details: {
    readonly floor: Floor['name'];
    /** The account's allowed loss before it touches the floor, USD. */
    readonly room: number;
    readonly loss: number;
    readonly at: 'stop' | 'liquidation' | 'floor';
    /** The largest size that fits, base asset, 0 if none does; only if it was searched for and found. */
    readonly largest_size?: number | undefined;
    /** Working orders that fill on the way, whose loss is included. */
    readonly orders_beside?: readonly string[];
    /** The possible loss of positions in other markets, USD; included for an order without a stop. */
    readonly at_risk?: number;
    /** The assumed slippage of the stop beyond its trigger, bps. */
    readonly gap_bps?: number;
  };
}

/**
 * An order with all its judged figures, for every user of them: previews on the command line, in a batch and of tools,
 * the check before it is sent, the search for a size, the ticket of the ladder, and armed keys.
 */
export interface Judged extends Estimated {
  /** The cover of the resulting position; undefined if flat or unknown. */
  readonly cover: ReturnType<typeof coverAfter>;
  /** Its worst case, if that reaches a floor. */
  readonly breach: Breach | undefined;
  /**
   * The profit realized on the position that it closes or reduces, without fees, USD; undefined if it closes nothing.
   */
  readonly realizes: number | undefined;
  /** Undefined if the order also closes something, or uses no margin. */
  readonly margin: ReturnType<typeof marginOf>;
  /** The part of the position without a stop, if all of the room above the floor may be lost. */
  readonly unstopped: ReturnType<typeof unstoppedIn>;
  /** The legs, and the position that they close; undefined if there are none. */
  readonly legs: ReturnType<typeof legsOf>;
}

/** Judges an order by its surroundings: the only place that computes an order's effect. */
export function judged(prospect: Prospect): Judged {
  const marks = allMarks(prospect);
  const fill = fillOf(prospect);
  const floor = floorAt(prospect, marks);
  const estimated = { ...prospect, ...fill, floor, ...effectOf(prospect, fill, { floor, marks }) };
  const cover = coverAfter(estimated);
  return {
    ...estimated,
    cover,
    breach: breachOf(estimated),
    realizes: realizedBy(estimated),
    margin: marginOf(estimated),
    unstopped: unstoppedIn(estimated, cover),
    legs: legsOf(estimated),
  };
}

/**
 * The possible loss of an order, USD: its worst case, or all of the room if nothing ends it before; undefined if
 * unknown.
 */
export function lossOf({ order, worst, floor }: Judged): number | undefined {
  return worst?.loss ?? (isReduction(order) ? 0 : floor?.room);
}

/**
 * The value that the order trades for. A stop's slippage from its trigger is assumed to be that of walking the book
 * now.
 */
function fillOf(prospect: Prospect): Fill {
  const { order, quote } = prospect;
  const { estimated_fill_price: walked, mid } = quote;
  const price = priceOf(order, quote);
  const isWalk = price === walked;
  const isTaker = takesAtOnce(order.type) || (arrivalOf(order.type) === 'rests' && isWalk);
  if (price === undefined) return { price, notional: undefined, fee: undefined, isTaker };
  const isTriggered = order.limit_price === undefined && ownTriggerOf(order) !== undefined;
  const walk = isTriggered && walked !== undefined && mid !== null ? walked - mid : 0;
  const atPrice = (price + walk) * order.size;
  const notional = isWalk ? (quote.estimated_notional ?? atPrice) : atPrice;
  const feeBps = feeBpsOf(prospect);
  const fee = isWalk ? quote.estimated_fee : feeBps === undefined ? undefined : (notional * feeBps) / 1e4;
  return { price, notional, fee, isTaker };
}

const unknown: Effect = { after: undefined, end: undefined, worst: undefined, atRisk: 0, atStops: 0 };

function effectOf(
  prospect: Prospect,
  { price, notional }: Fill,
  { floor, marks }: { floor: Floor | undefined; marks: Marks },
): Effect {
  if (price === undefined || notional === undefined) return unknown;
  const { order, quote, account, positions, working = [], twaps, policy, gap } = prospect;
  const { market_id, side, size, leverage, margin_mode, stop_loss_price: stop } = order;
  const held = heldBy(prospect);
  const before = exposureOf(held);
  const isIdle = isReduction(order) && (held === undefined || !isAgainst(order, held));
  const after = isIdle ? before : afterTrade(before, { size: side === 'buy' ? size : -size, price });
  if (isIdle || after === null) return { ...unknown, after };
  const { end, worst } = outcomeOf(
    { standing: { account, positions, working, twaps, policy }, room: floor?.room, marks, gap },
    {
      ...{ market_id, side, size, notional, leverage, margin_mode, stop },
      waitsAt: price === quote.estimated_fill_price || arrivalOf(order.type) === 'takes' ? undefined : price,
      reduceOnly: isReduction(order),
      target: order.take_profit_price,
      replacesExits: order.replace_overlapping_exits === true,
    },
  );
  const isCounted = positions.length > 0 && !isReduction(order) && stop === undefined;
  const { atRisk, atStops } = isCounted ? atRiskElsewhere(prospect, floor) : unknown;
  const loss = worst && { ...worst, loss: Number((Math.max(0, worst.loss) + atRisk).toFixed(8)) };
  const isStopped = stop !== undefined || worst?.at === 'liquidation';
  return { after, end, worst: isReduction(order) || !isStopped ? undefined : loss, atRisk, atStops };
}

function heldBy({ order, positions }: Pick<Prospect, 'order' | 'positions'>) {
  return positions.find(({ market_id }) => market_id === order.market_id);
}

/** The nearest floor, with the room at these marks as far as they are known. */
function floorAt({ account, positions }: Prospect, marks: Marks): Floor | undefined {
  const floor = floorOf(account);
  if (floor === undefined || !isMarked(positions, marks)) return floor;
  return { ...floor, room: roomAt(positions, marks, floor.room, account.risk?.unrealized_pnl ?? null) };
}

/** The marks of the other markets, and the quotes' facts about the order's own. */
function allMarks({ quote, exitQuote, marks, market, policy }: Prospect): Marks {
  const entry = markOf(quote, market.tick_size);
  if (entry === undefined) return marks;
  const exit = exitQuote && markOf(exitQuote, market.tick_size);
  const feeBps = feeBpsOf({ policy, quote });
  const own: Mark = { ...entry, category: market.category, feeBps, depth: (exit ?? entry).depth };
  return new Map([...marks, [market.market_id, own]]);
}

/** The possible further loss of positions in other markets, USD: a simple sum. */
function atRiskElsewhere({ order, positions, marks, working }: Prospect, floor: Floor | undefined) {
  const sum = { atStops: 0, atRisk: 0 };
  const room = floor?.room ?? 0;
  for (const position of positions) {
    const mid = marks.get(position.market_id)?.price;
    if (position.market_id === order.market_id || mid === undefined || working === undefined) continue;
    const { atStops, atLiquidation } = lossAtExits(position, coverOf(position, working), mid);
    if (atStops < room) sum.atStops += atStops;
    sum.atRisk += atStops + atLiquidation;
  }
  return { atStops: Number(sum.atStops.toFixed(8)), atRisk: Number(sum.atRisk.toFixed(8)) };
}

/** The size of an order's resulting position, base asset, how much of it stops cover, and the stop reached first. */
export function coverAfter(estimated: Pick<Estimated, 'order' | 'positions' | 'working' | 'after' | 'end'>) {
  const { order, working, after, end } = estimated;
  if (after === null || after === undefined || working === undefined) return undefined;
  const size = Math.abs(after.size);
  const held = heldBy(estimated);
  const isSame = held !== undefined && after.size > 0 === (held.side === 'long');
  const isAdding = held === undefined || !isAgainst(order, held) || !isSame;
  if (isAdding && order.stop_loss_price !== undefined) {
    const first: Reach = { from: order.stop_loss_price, to: undefined };
    const isIdle = isEndedBefore({ side: after.size > 0 ? 'long' : 'short' }, first, end?.price);
    return isIdle ? { size, covered: 0, first: undefined } : { size, covered: size, first };
  }
  const ends = new Map([[order.market_id, { falling: end, rising: end, loss: undefined }]]);
  const cover = isSame ? coverOf(held, working, { ...noOutlook, ends }) : undefined;
  return { size, covered: Math.min(cover?.covered ?? 0, size), first: cover?.first };
}

/** The stop of an order's resulting position, in words: `95410.7 (0.3 of 0.6)`; undefined if flat or unknown. */
export function stopAfter(
  { cover, order }: Pick<Judged, 'cover' | 'order'>,
  stops: StopGrowth,
): { text: string; isWhole: boolean; grows: boolean } | undefined {
  if (cover === undefined) return undefined;
  const { size, covered, first } = cover;
  const text = stopText(first, covered, size);
  if (covered === size) return { text, isWhole: true, grows: false };
  const isGrowing = stops === 'follow' && first !== undefined && takesAtOnce(order.type);
  return { text: isGrowing ? `${text}, then grows to all of it` : text, isWhole: false, grows: isGrowing };
}

function realizedBy({ order, positions, notional }: Estimated): number | undefined {
  const held = heldBy({ order, positions });
  if (notional === undefined || held === undefined || !isAgainst(order, held)) return undefined;
  const closed = Math.min(order.size, held.size);
  return unrealizedPnl({ ...held, size: closed }, notional / order.size);
}

/** An order's use of the available balance, USD; `isEnough`: with the fee. */
function marginOf({ account, order, positions, notional, fee = 0 }: Estimated) {
  const available = account.risk?.available_balance;
  const held = heldBy({ order, positions });
  const isAdding = !isReduction(order) && (held === undefined || !isAgainst(order, held));
  if (available === undefined || notional === undefined || !isAdding) return undefined;
  const needed = notional / order.leverage;
  return { needed, available, isEnough: needed + fee <= available };
}

/** Without a liquidation in reach, a position with an uncovered part can lose all of the room. */
function unstoppedIn({ end, worst, floor, order }: Estimated, cover: ReturnType<typeof coverAfter>) {
  const isKnown = worst !== undefined || end?.by !== 'floor' || floor === undefined;
  if (isKnown || cover === undefined || isReduction(order) || cover.covered === cover.size) return undefined;
  return { size: Number((cover.size - cover.covered).toPrecision(14)), isAll: cover.covered === 0 };
}

/**
 * The legs of an order, and the position that they close. They cover the whole resulting position (simulation 4.3). An order that only reduces leaves them out.
 */
function legsOf(estimated: Estimated) {
  const { after, fee = 0, order } = estimated;
  const { side, take_profit_price: target, stop_loss_price: stop } = order;
  if (after === undefined || after === null || (target === undefined && stop === undefined)) return undefined;
  if (after.size > 0 !== (side === 'buy')) return undefined;
  const size = Math.abs(after.size);
  const exits: PlannedExit[] = [];
  if (target !== undefined) exits.push({ group: 'tp', price: target, size });
  if (stop !== undefined) exits.push({ group: 'sl', price: stop, size });
  const { entry } = after;
  const direction = after.size > 0 ? 'long' : 'short';
  const closed: Closed = { side: direction, entry, feeBps: feeBpsOf(estimated) ?? 0, entryFee: fee / size };
  return { closed, exits };
}

/** The worst case of an order, if it reaches a floor of its account. */
export function breachOf(seen: Estimated): Breach | undefined {
  const { floor, order, worst, end, atRisk, atStops, after, positions } = seen;
  if (floor === undefined) return undefined;
  if (worst === undefined && order.stop_loss_price !== undefined && end?.by === 'floor')
    return endsBehindStop(seen, floor, end.price);
  if (worst === undefined) return atStops >= floor.room && after ? allAtRisk(floor, atStops) : undefined;
  if (worst.loss < floor.room) return undefined;
  const { loss, at, beside } = worst;
  const isAlone = !positions.some(({ market_id }) => market_id === order.market_id);
  const who = isAlone ? 'the order loses' : 'the position and the order together lose';
  const where = at === 'stop' ? stopReached(order, worst.price) : `its liquidation near ${roughPrice(worst.price)}`;
  const others =
    atRisk === 0 ? besideText(beside, seen) : `, with the ${usd(atRisk)} USD that other positions may lose`;
  const text = `In the worst case, ${who} ${usd(loss)} USD at ${where}${others}, which would breach the ${floor.name} floor: ${leftText(floor)}.`;
  const ids = beside.length === 0 ? {} : { orders_beside: beside };
  const risked = atRisk === 0 ? {} : { at_risk: atRisk };
  const gap = seen.gap.from === 'none' ? {} : { gap_bps: seen.gap.bps };
  const details = { floor: floor.name, room: floor.room, loss, at, ...ids, ...risked, ...gap };
  return { text, details };
}

function leftText({ room, at }: Floor): string {
  return `only ${usd(room)} USD is left above ${usd(at)}`;
}

/**
 * The stop that closes the last of it: the order's own, or that of its position or of an entry that fills on the way.
 */
function stopReached({ stop_loss_price: own }: Estimated['order'], price: number): string {
  return quantity(own ?? Number.NaN) === quantity(price)
    ? `its stop ${quantity(price)}`
    : `the last stop on the way, ${quantity(price)}`;
}

/** The working orders that fill before a worst case is reached, and the TWAPs whose rest does. */
export function besideText(ids: readonly string[], { twaps = [] }: Pick<Estimated, 'twaps'>): string {
  const rests = ids.filter((id) => twaps.some((twap) => twap.id === id)).length;
  const orders = ids.length - rests;
  const named = [
    ...(orders === 0 ? [] : [counted(orders, 'working order')]),
    ...(rests === 0 ? [] : [`the rest of ${counted(rests, 'TWAP')}`]),
  ];
  const fills = ids.length === 1 ? 'fills' : 'fill';
  return named.length === 0 ? '' : `, with ${named.join(' and ')} that ${fills} on the way`;
}

/**
 * The account still reaches its floor beyond the order's stop: the displayed book doesn't take all of the position
 * there, or an order that fills on the way has no stop.
 */
function endsBehindStop(seen: Estimated, floor: Floor, price: number): Breach {
  const { name, room } = floor;
  const { order, market, exitQuote, working = [], twaps = [] } = seen;
  const isOpening = (one: Order | TwapOrder) => one.market_id === market.market_id && !one.reduce_only;
  const beside = [...working, ...twaps].filter(isOpening).map(({ id }) => id);
  const stop = `its stop ${quantity(order.stop_loss_price!)}`;
  const left = leftText(floor);
  const text =
    beside.length === 0 || exitQuote?.fillable === false
      ? `The displayed book of ${word(market.symbol)} can't take the whole position at ${stop}, and the rest would breach the ${name} floor: ${left}.`
      : `Beyond ${stop}, the account would breach the ${name} floor near ${roughPrice(price)}${besideText(beside, seen)}: ${left}.`;
  const ids = beside.length === 0 ? {} : { orders_beside: beside };
  return { text, details: { floor: name, room, loss: room, at: 'floor', ...ids } };
}

/** An order without a stop or a liquidation in reach, beside positions whose stops already use up the room. */
function allAtRisk(floor: Floor, atStops: number): Breach {
  const { name, room } = floor;
  const text = `The positions in other markets lose ${usd(atStops)} USD at their stops, which would breach the ${name} floor: ${leftText(floor)}. The order has no stop.`;
  return { text, details: { floor: name, room, loss: atStops, at: 'floor', at_risk: atStops } };
}
