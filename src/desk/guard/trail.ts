import { exitExecutionOf, exitGroupOf } from '../../base/terms/order-types.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { ExitOrderBatchRequest, Position } from '../../wire/contract/positions.ts';
import { type Amount, aimOf } from './plans.ts';
import type { GuardView } from './view.ts';

/** A rule whose stops follow the price: of positions in one market, or of all. */
interface TrailRule {
  readonly id: string;
  readonly kind: string;
  readonly market?: string;
  /** Undefined: none, only the entry. */
  readonly by: Amount | undefined;
  /** The entry, if it is closer. */
  readonly breakEven?: boolean;
}

/** A position whose stop follows the price. Prices are in the quote currency. */
export interface Followed {
  rule: { readonly id: string; readonly kind: string };
  position: Position;
  mark: number;
  /** The best mark since the position was first seen. */
  best: number;
  /** The wanted price of its stop, on the price grid. */
  wanted: number;
  /** Whether the mark is already at or beyond that price. */
  isCrossed: boolean;
  /** The change that moves its stop there; undefined if the stop is close enough. */
  move: ExitOrderBatchRequest | undefined;
}

/** A stop moves only by at least this share of its distance, because otherwise every tick would be a request. */
const minMove = 0.1;

/** The open positions that trail rules follow. A rule for a market takes precedence over one for all. */
export function followedByTrails(
  trails: readonly TrailRule[],
  view: GuardView,
  bestBefore: Readonly<Record<string, number>>,
): Followed[] {
  return view.positions.flatMap((position) => {
    const marketOf = ({ market }: TrailRule) => (market === undefined ? undefined : view.markets.get(market));
    const rule =
      trails.find((one) => marketOf(one) === position.market_id) ?? trails.find(({ market }) => market === undefined);
    const mark = view.marks.get(position.market_id);
    if (rule === undefined || mark === undefined) return [];
    return [follow(rule, position, mark, view, bestBefore[position.id])];
  });
}

/** The open positions whose plans ask for another stop now, after targets that have filled. */
export function followedByPlans(
  rule: Followed['rule'],
  view: GuardView,
  bestBefore: Readonly<Record<string, number>>,
): Followed[] {
  return view.positions.flatMap((position) => {
    const plan = view.plans.find(({ position_id }) => position_id === position.id);
    const mark = view.marks.get(position.market_id);
    const aim = plan === undefined ? undefined : aimOf(plan, position, view.working);
    if (mark === undefined || aim === undefined) return [];
    const before = aim.trail === undefined ? undefined : bestBefore[position.id];
    return [follow({ ...rule, by: aim.trail, breakEven: aim.breakEven }, position, mark, view, before)];
  });
}

function follow(rule: TrailRule, position: Position, mark: number, view: GuardView, bestBefore = mark): Followed {
  const isLong = position.side === 'long';
  const best = isLong ? Math.max(bestBefore, mark) : Math.min(bestBefore, mark);
  const { unit, amount } = rule.by ?? { unit: 'absolute', amount: 0 };
  const distance = unit === 'percent' ? (best * amount) / 100 : amount;
  const trailed = rule.by === undefined ? [] : [isLong ? best - distance : best + distance];
  const prices = rule.breakEven ? [...trailed, position.entry_price] : trailed;
  const closest = isLong ? Math.max(...prices) : Math.min(...prices);
  const wanted = onGrid(closest, isLong, view.ticks.get(position.market_id));
  const isCrossed = isLong ? mark <= wanted : mark >= wanted;
  const move = isCrossed || wanted <= 0 ? undefined : moveTo(wanted, distance, position, view.working);
  return { rule, position, mark, best, wanted, isCrossed, move };
}

/** Rounded toward the price, so the distance is at most the requested one. */
function onGrid(price: number, isLong: boolean, tick: number | undefined): number {
  if (tick === undefined || !(tick > 0)) return Number(price.toPrecision(12));
  const steps = Number((price / tick).toPrecision(12));
  return Number(((isLong ? Math.ceil(steps) : Math.floor(steps)) * tick).toPrecision(12));
}

/** Moves every stop that is further away, and adds one for the part of the position without a stop. */
function moveTo(
  price: number,
  distance: number,
  position: Position,
  working: readonly Order[],
): ExitOrderBatchRequest | undefined {
  const own = working.filter((exit) => exit.target_position_id === position.id);
  const stops = own.filter(({ mode }) => exitGroupOf(mode) === 'sl');
  const isLong = position.side === 'long';
  const gain = (stop: Order) => (isLong ? price - (stop.trigger_price ?? 0) : (stop.trigger_price ?? 0) - price);
  const late = stops.filter((stop) => gain(stop) > 0);
  const covered = stops.reduce((sum, { size }) => sum + size, 0);
  const bare = Number((position.size - covered).toPrecision(12));
  const isWorthIt = bare > 0 || late.some((stop) => gain(stop) >= distance * minMove);
  if (!isWorthIt) return undefined;
  return {
    expected_position_size: position.size,
    expected_orders: own.map((exit) => ({
      order_id: exit.id,
      execution_type: exitExecutionOf(exit.type),
      price: exit.trigger_price ?? exit.limit_price ?? 0,
      size: exit.size,
    })),
    operations: [
      ...late.map((stop) => ({ kind: 'modify' as const, order_id: stop.id, price })),
      ...(bare > 0
        ? [{ kind: 'place' as const, group: 'sl' as const, execution_type: 'market' as const, price, size: bare }]
        : []),
    ],
  };
}
