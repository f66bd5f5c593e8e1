import { boundMargin, chargeClose, directionOf, type Holding, initialMargin, resultOfClose } from '../holding.ts';
import { basisPointsOf, type HalfPrice, type Lots, type Money, notionalAtMark, shareOf } from '../notional.ts';
import type { PathState } from './state.ts';
import { type PathOrder, plainOrder } from './terms.ts';

/** Lots of an order that its book can fill: a reduction at most closes its position (simulation 4.2). */
export function clippedLots(state: PathState, { marketId, side, size, reduceOnly }: PathOrder): Lots {
  if (!reduceOnly) return size;
  const held = state.positions.get(marketId);
  return held === undefined || held.direction === directionOf(side) ? 0 : Math.min(size, held.size);
}

/**
 * The part of these lots that the rules of new exposure let an accepted order fill at a price (simulation 3.4): all of
 * them if they only reduce.
 */
export function admittedLots(state: PathState, order: PathOrder, lots: Lots, price: HalfPrice): Lots {
  const { marketId, side, leverage, marginMode } = order;
  const held = state.positions.get(marketId);
  const isAgainst = held !== undefined && held.direction !== directionOf(side);
  const closing = isAgainst ? Math.min(lots, held.size) : 0;
  const added = lots - closing;
  if (order.reduceOnly || added === 0) return lots;
  if (held !== undefined && !isAgainst && (held.leverage !== leverage || held.marginMode !== marginMode)) return 0;
  const { maxOpenPositions, maxPositionValue, maxTotalNotional } = state.account;
  if (held === undefined && maxOpenPositions !== null && state.positions.size >= maxOpenPositions) return closing;
  const { grid } = state.marketOf(marketId);
  const notional = notionalAtMark(grid, price, added);
  const most = [added];
  if (maxPositionValue !== null)
    most.push(partOf(added, maxPositionValue - (isAgainst ? 0n : state.valueOf(marketId)), notional));
  if (maxTotalNotional !== null)
    most.push(partOf(added, maxTotalNotional - totalValue(state, held, closing), notional));
  const required = shareOf(notional, 1, leverage) + state.feeOf(marketId, notional);
  most.push(partOf(added, state.marginLeft() + released(state, order, closing, price), required));
  return closing + Math.max(0, Math.min(...most));
}

/** Fills lots of an order for a notional, with the consequences for its exits and other orders. */
export function fillOrder(state: PathState, order: PathOrder, lots: Lots, notional: Money): void {
  const { marketId, side } = order;
  state.filled.add(order.id);
  const before = state.positions.get(marketId);
  const isAgainst = before !== undefined && before.direction !== directionOf(side);
  const closing = isAgainst ? Math.min(lots, before.size) : 0;
  const value = closing === lots ? notional : shareOf(notional, closing, lots);
  if (closing > 0) closeLots(state, marketId, { lots: closing, notional: value, liquidationFeeBps: 0 });
  if (lots > closing) openLots(state, order, lots - closing, notional - value);
  if (state.balance < 0n) state.balance = 0n;
  if (order.size > lots) state.orders.set({ ...order, size: order.size - lots });
  else state.orders.delete(order.id);
  if (before !== undefined && closing === before.size) endReductions(state, marketId, before);
  if (order.siblingId !== null) shrinkSibling(state, order.siblingId, lots);
  if (closing > 0 && closing < before!.size) shrinkExits(state, order);
  if (lots > closing && (order.stopLoss !== null || order.takeProfit !== null)) attachLegs(state, order);
}

/**
 * Closes lots of a position at a price: profit, fee and, in a liquidation, its fee; isolated losses end at its margin.
 */
export function closeLots(state: PathState, marketId: string, closing: Closing): void {
  const holding = state.positions.get(marketId)!;
  const { rest, result, shortfall } = closed(state, marketId, holding, closing);
  state.balance += result + shortfall;
  if (rest === null) state.positions.delete(marketId);
  else state.positions.set(marketId, rest);
}

/** Lots that a position closes for a notional. */
interface Closing {
  readonly lots: Lots;
  readonly notional: Money;
  readonly liquidationFeeBps: number;
}

function closed(state: PathState, marketId: string, holding: Holding, { lots, notional, liquidationFeeBps }: Closing) {
  const { cost, realized } = resultOfClose(holding, lots, notional);
  const result = realized - state.feeOf(marketId, notional) - basisPointsOf(notional, liquidationFeeBps);
  const left: Holding = { ...holding, size: holding.size - lots, cost: holding.cost - cost };
  if (holding.marginMode === 'cross') return { rest: left.size === 0 ? null : left, result, shortfall: 0n };
  const before = initialMargin(holding);
  const { extra, shortfall } = chargeClose(before, holding.isolatedMarginExtra, result, initialMargin(left));
  return { rest: left.size === 0 ? null : { ...left, isolatedMarginExtra: extra }, result, shortfall };
}

function openLots(state: PathState, order: PathOrder, lots: Lots, notional: Money): void {
  const { marketId, side, leverage, marginMode } = order;
  const held = state.positions.get(marketId);
  const holding: Holding =
    held === undefined
      ? { direction: directionOf(side), size: lots, cost: notional, leverage, marginMode, isolatedMarginExtra: 0n }
      : { ...held, size: held.size + lots, cost: held.cost + notional };
  state.positions.set(marketId, holding);
  state.balance -= state.feeOf(marketId, notional);
}

/** The amount that closing lots first adds to the remaining margin, before they are closed. */
function released(state: PathState, { marketId }: PathOrder, lots: Lots, price: HalfPrice): Money {
  const holding = state.positions.get(marketId);
  if (holding === undefined || lots === 0) return 0n;
  const notional = notionalAtMark(state.marketOf(marketId).grid, price, lots);
  const { rest, result, shortfall } = closed(state, marketId, holding, { lots, notional, liquidationFeeBps: 0 });
  return result + shortfall + boundMargin(holding) - (rest === null ? 0n : boundMargin(rest));
}

function totalValue(state: PathState, held: Holding | undefined, closing: Lots): Money {
  let total = 0n;
  for (const id of state.positions.marketIds()) {
    const value = state.valueOf(id);
    const holding = state.positions.get(id)!;
    total += holding === held ? value - shareOf(value, closing, holding.size) : value;
  }
  return total;
}

/** The share of lots that an amount pays for, if not all of them. A fill in parts stops no earlier. */
function partOf(lots: Lots, amount: Money, price: Money): Lots {
  if (price <= amount) return lots;
  if (amount <= 0n) return 0;
  return Math.min(lots, Number((BigInt(lots) * amount) / price) + 1);
}

type Group = 'tp' | 'sl';
const groups: readonly Group[] = ['tp', 'sl'];

/** A reduction has nothing to reduce once its position is closed (simulation 4.2). */
function endReductions(state: PathState, marketId: string, closed: Holding): void {
  const side = closed.direction === 'long' ? 'sell' : 'buy';
  for (const order of state.orders.inMarket(marketId))
    if (order.reduceOnly && order.side === side) state.orders.delete(order.id);
}

/** The size that an exit filled is taken from its sibling (simulation 4.3). */
function shrinkSibling(state: PathState, siblingId: string, lots: Lots): void {
  const sibling = state.orders.get(siblingId);
  if (sibling === undefined) return;
  if (sibling.size <= lots) state.orders.delete(sibling.id);
  else state.orders.set({ ...sibling, size: sibling.size - lots });
}

/** Something else reduced the position: its exits of a kind shrink with it, the newest first (simulation 4.3). */
function shrinkExits(state: PathState, by: PathOrder): void {
  const held = state.positions.get(by.marketId);
  if (held === undefined) return;
  for (const group of groups) {
    if (by.exit === group) continue;
    const exits = state.orders.exitsOf(by.marketId, group);
    let excess = exits.reduce((sum, { size }) => sum + size, 0) - held.size;
    for (const exit of exits.reverse()) {
      if (excess <= 0) break;
      const cut = Math.min(excess, exit.size);
      excess -= cut;
      if (cut === exit.size) state.orders.delete(exit.id);
      else state.orders.set({ ...exit, size: exit.size - cut });
    }
  }
}

/**
 * The legs of an entry that opened or added: exits for the whole position where it has none of their kind; one that it
 * has grows with it (simulation 4.3). If it is unknown whether the legs replace it, the state decides which of the two
 * stops stays.
 */
function attachLegs(state: PathState, entry: PathOrder): void {
  const held = state.positions.get(entry.marketId)!;
  const placed: PathOrder[] = [];
  for (const group of groups) {
    const at = group === 'sl' ? entry.stopLoss : entry.takeProfit;
    if (at === null) continue;
    let existing = state.orders.exitsOf(entry.marketId, group);
    if (entry.replacesExits === true) {
      for (const exit of existing) state.orders.delete(exit.id);
      existing = [];
    }
    const [kept, ...others] = existing;
    if (kept === undefined) placed.push(exitFor(entry, held, group, at));
    else if (others.length === 0) grow(state, kept, held, entry.replacesExits === null ? at : null);
  }
  const isPair = placed.length === 2;
  for (const [index, exit] of placed.entries())
    state.orders.set({ ...exit, siblingId: isPair ? placed[1 - index]!.id : null });
}

function grow(state: PathState, kept: PathOrder, held: Holding, other: HalfPrice | null): void {
  const size = Math.max(kept.size, held.size);
  const { trigger } = kept;
  if (trigger === null || other === null || kept.exit !== 'sl') {
    state.orders.set({ ...kept, size });
    return;
  }
  const at = trigger.above === state.stopsSoon ? Math.min(trigger.at, other) : Math.max(trigger.at, other);
  state.orders.set({ ...kept, size, trigger: { ...trigger, at } });
}

function exitFor(entry: PathOrder, held: Holding, exit: Group, at: HalfPrice): PathOrder {
  const { marketId } = entry;
  const { direction, size } = held;
  const trigger = { marketId, at, above: (exit === 'tp') === (direction === 'long') };
  const side = direction === 'long' ? 'sell' : 'buy';
  return { ...entry, ...plainOrder, id: `${entry.id} ${exit}`, side, size, reduceOnly: true, trigger, exit };
}
