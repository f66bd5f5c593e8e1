import { counted, quantity, roughPrice, usd, word } from '../../base/text/format.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import type { Floor } from '../risk/breach.ts';
import { type Estimate, floorOf, type Prospect } from './prospect.ts';

/** A worst case that reaches a floor. */
export interface WorstCase {
  readonly prospect: Prospect;
  readonly text: string;
  readonly details: {
    readonly floor: Floor['name'];
    /** USD that the account may lose before it touches the floor. */
    readonly room: number;
    readonly loss: number;
    readonly at: 'stop' | 'liquidation' | 'floor';
    /** The largest size that fits, base asset; only if the order has a stop. */
    readonly largest_size?: number;
    /** Working orders that fill on the way, whose loss is included. */
    readonly orders_beside?: readonly string[];
    /** USD that the positions in other markets may lose; included for an order without a stop. */
    readonly at_risk?: number;
    /** How far beyond its trigger the stop may find the market, bps. */
    readonly gap_bps?: number;
  };
}

/** The worst case of an order, if it reaches a floor of its account. */
export function worstCaseOf(
  prospect: Prospect,
  { worst, atRisk, atStops, after, end }: Estimate,
): WorstCase | undefined {
  const floor = floorOf(prospect.account);
  if (floor === undefined) return undefined;
  if (worst === undefined && prospect.order.stop_loss_price !== undefined && end?.by === 'floor')
    return endsBehindStop(prospect, floor, end.price);
  if (worst === undefined) return atStops >= floor.room && after ? allAtRisk(prospect, floor, atStops) : undefined;
  if (worst.loss < floor.room) return undefined;
  const { loss, at, beside } = worst;
  const { positions, order } = prospect;
  const isAlone = !positions.some(({ market_id }) => market_id === order.market_id);
  const who = isAlone ? 'the order loses' : 'the position and the order together lose';
  const where = at === 'stop' ? `its stop ${quantity(worst.price)}` : `its liquidation near ${roughPrice(worst.price)}`;
  const others =
    atRisk === 0 ? besideText(beside, prospect) : `, with the ${usd(atRisk)} USD that other positions may lose`;
  const left = `only ${usd(floor.room)} USD is left above ${usd(floor.at)}`;
  const text = `In the worst case, ${who} ${usd(loss)} USD at ${where}${others}, which would breach the ${floor.name} floor: ${left}.`;
  const ids = beside.length === 0 ? {} : { orders_beside: beside };
  const risked = atRisk === 0 ? {} : { at_risk: atRisk };
  const gap = prospect.gap.from === 'none' ? {} : { gap_bps: prospect.gap.bps };
  const details = { floor: floor.name, room: floor.room, loss, at, ...ids, ...risked, ...gap };
  return { prospect, text, details };
}

/** The working orders that fill before a worst case is reached, and the TWAPs whose rest does. */
export function besideText(ids: readonly string[], { twaps = [] }: Pick<Prospect, 'twaps'>): string {
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
 * The account still reaches its floor beyond the order's stop: the displayed book does not take all of the position
 * there, or what fills on the way has no stop.
 */
function endsBehindStop(prospect: Prospect, { name, at, room }: Floor, price: number): WorstCase {
  const { order, market, exitQuote, working = [], twaps = [] } = prospect;
  const isOpening = (one: Order | TwapOrder) => one.market_id === market.market_id && !one.reduce_only;
  const beside = [...working, ...twaps].filter(isOpening).map(({ id }) => id);
  const stop = `its stop ${quantity(order.stop_loss_price!)}`;
  const left = `only ${usd(room)} USD is left above ${usd(at)}`;
  const text =
    beside.length === 0 || exitQuote?.fillable === false
      ? `The displayed book of ${word(market.symbol)} can't take the whole position at ${stop}, and the rest would breach the ${name} floor: ${left}.`
      : `Beyond ${stop}, the account would breach the ${name} floor near ${roughPrice(price)}${besideText(beside, prospect)}: ${left}.`;
  const ids = beside.length === 0 ? {} : { orders_beside: beside };
  return { prospect, text, details: { floor: name, room, loss: room, at: 'floor', ...ids } };
}

/** An order without a stop or a liquidation in reach, beside positions whose stops already use up the room. */
function allAtRisk(prospect: Prospect, { name, at, room }: Floor, atStops: number): WorstCase {
  const text = `The positions in other markets lose ${usd(atStops)} USD at their stops, which would breach the ${name} floor: only ${usd(room)} USD is left above ${usd(at)}. The order has no stop of its own.`;
  return { prospect, text, details: { floor: name, room, loss: atStops, at: 'floor', at_risk: atStops } };
}
