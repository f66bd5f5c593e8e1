import { orderKindOf } from '../../base/terms/order-types.ts';
import { marketName, quantity, timeOfDay, word } from '../../base/text/format.ts';
import type { CopyTradingConfiguration } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';

/** Something that keeps trading in an account automatically. Null: any, or not known. */
export interface Acting {
  readonly kind: 'twap' | 'vwap' | 'ladder' | 'chase' | 'copy';
  readonly id: string;
  readonly market_id: string | null;
  readonly side: 'buy' | 'sell' | null;
  /** Base asset; for a ladder, the rungs that still work. */
  readonly total: number | null;
  readonly left: number | null;
  /** When it trades next, Unix ms; a resting order trades when its price comes. */
  readonly next_at: number | null;
  readonly reduce_only: boolean;
  readonly ends_with: string;
  /** A description, for people. */
  readonly says: string;
}

/** Sources of automatic orders in an account. */
interface Actors {
  readonly twaps: readonly TwapOrder[] | undefined;
  readonly working: readonly Order[] | undefined;
  readonly copies: readonly CopyTradingConfiguration[] | undefined;
}

/** Whether an order follows the best price automatically. */
export function isChase({ mode }: Order): boolean {
  return orderKindOf(mode)?.meets === 'follows';
}

/** Sources of orders in an account without its owner: running parents, ladders, chases, and copying into it. */
export function actingOf(account_id: string, { twaps = [], working = [], copies = [] }: Actors): Acting[] {
  const rungs = Map.groupBy(
    working.filter(({ scaled_order_id: ladder }) => ladder !== undefined),
    ({ scaled_order_id: ladder }) => ladder!,
  );
  const chases = working.filter(isChase);
  const groups = copies.filter(
    ({ enabled, targets }) => enabled && targets.some((target) => target.account_id === account_id),
  );
  return [
    ...twaps.map(parentActing),
    ...[...rungs].map(([id, orders]) => ladderActing(id, orders)),
    ...chases.map(chaseActing),
    ...groups.map(copyActing),
  ];
}

/** Sources of automatic orders in a market, including those that may act in any market. */
export function actingIn(marketId: string, acting: readonly Acting[]): Acting[] {
  return acting.filter(({ market_id }) => market_id === null || market_id === marketId);
}

/**
 * `Acts without you: TWAP buy 0.3 of 0.5 BTC, next at 14:20:30Z; end it with perp twap cancel twap_1`. Where that would
 * be cut off, the command comes first.
 */
export function actingText(
  { says, ends_with: ends }: Pick<Acting, 'says' | 'ends_with'>,
  width = Number.POSITIVE_INFINITY,
): string {
  const text = `Acts without you: ${says}; end it with ${ends}`;
  return text.length <= width ? text : `Acts without you until ${ends}: ${says}`;
}

function parentActing(twap: TwapOrder): Acting {
  const { id, strategy: kind, market_id, side, total_size: total, filled_size: filled, reduce_only } = twap;
  const left = Number((total - filled).toPrecision(14));
  const waits = twap.trigger_price !== undefined && twap.activated_at === undefined;
  const next_at = waits ? null : (twap.next_run_at ?? null);
  const next = waits
    ? `, starts at ${quantity(twap.trigger_price!)}`
    : next_at === null
      ? ''
      : `, next at ${timeOfDay(next_at).replace('.000', '')}`;
  const says = `${kind.toUpperCase()} ${side} ${quantity(left)} of ${quantity(total)} ${marketName(market_id, twap.symbol)}${next}`;
  return { kind, id, market_id, side, total, left, next_at, reduce_only, ends_with: `perp twap cancel ${id}`, says };
}

function ladderActing(id: string, orders: readonly Order[]): Acting {
  const left = Number(orders.reduce((sum, { size }) => sum + size, 0).toPrecision(14));
  const total = Number(orders.reduce((sum, { size, initial_size = size }) => sum + initial_size, 0).toPrecision(14));
  return restingActing(orders[0]!, { kind: 'ladder', id, left, total }, ` in ${orders.length} rungs`, 'scaled');
}

function chaseActing(order: Order): Acting {
  const { id, size: left, initial_size: total = left } = order;
  return restingActing(order, { kind: 'chase', id, left, total }, '', 'order');
}

function restingActing(
  { market_id, side, symbol, reduce_only }: Order,
  { kind, id, left, total }: { kind: 'ladder' | 'chase'; id: string; left: number; total: number },
  rungs: string,
  noun: 'scaled' | 'order',
): Acting {
  const says = `${kind} ${side} ${quantity(left)} of ${quantity(total)} ${word(symbol)}${rungs}`;
  const ends_with = `perp ${noun} cancel ${id}`;
  return { kind, id, market_id, side, total, left, next_at: null, reduce_only, ends_with, says };
}

function copyActing({ config_id: id, source_account_id: source }: CopyTradingConfiguration): Acting {
  const none = { market_id: null, side: null, total: null, left: null, next_at: null };
  const ends_with = `perp copy disable ${word(id)}`;
  return { kind: 'copy', id, ...none, reduce_only: false, ends_with, says: `copy of ${word(source)}` };
}
