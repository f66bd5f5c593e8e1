import type { Holding } from '../holding.ts';
import type { HalfPrice, Lots } from '../notional.ts';
import type { PathState } from './state.ts';
import type { PathOrder } from './terms.ts';

type Group = 'tp' | 'sl';
const groups: readonly Group[] = ['tp', 'sl'];

/** A reduction has nothing to reduce once its position is closed (simulation 4.2). */
export function endReductions(state: PathState, marketId: string, closed: Holding): void {
  const side = closed.direction === 'long' ? 'sell' : 'buy';
  for (const order of state.orders.inMarket(marketId))
    if (order.reduceOnly && order.side === side) state.orders.delete(order.id);
}

/** The size that an exit filled is taken from its sibling (simulation 4.3). */
export function shrinkSibling(state: PathState, { siblingId }: PathOrder, lots: Lots): void {
  const sibling = siblingId === null ? undefined : state.orders.get(siblingId);
  if (sibling === undefined) return;
  if (sibling.size <= lots) state.orders.delete(sibling.id);
  else state.orders.set({ ...sibling, size: sibling.size - lots });
}

/** Something else reduced the position: its exits of a kind shrink with it, the newest first (simulation 4.3). */
export function shrinkExits(state: PathState, by: PathOrder): void {
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
 * has grows with it (simulation 4.3). If it is unknown whether the legs replace it, the state says which
 * of the two stops stays.
 */
export function attachLegs(state: PathState, entry: PathOrder): void {
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
  const above = (exit === 'tp') === (held.direction === 'long');
  return {
    ...entry,
    id: `${entry.id} ${exit}`,
    side: held.direction === 'long' ? 'sell' : 'buy',
    size: held.size,
    reduceOnly: true,
    limit: null,
    trigger: { marketId, at, above },
    exit,
    stopLoss: null,
    takeProfit: null,
    replacesExits: false,
    isUncertain: false,
  };
}
