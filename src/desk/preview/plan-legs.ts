import { usageFailure } from '../../base/failure/failure.ts';
import { exitGroupOf } from '../../base/terms/order-types.ts';
import { quantity } from '../../base/text/format.ts';
import type { ExitOperation } from '../../wire/contract/positions.ts';
import type { Session } from '../session/session.ts';
import { type ExitPlan, lotsOfTargets } from '../values/exit-plans.ts';
import type { Snapshot } from './exit-plan.ts';
import { exitPrice } from './exit-preview.ts';

/** A target of a plan for one position: a reduce-only order of whole lots at a price on the grid. */
export interface PlanLeg {
  /** Base asset. */
  readonly size: number;
  readonly price: number;
}

/** The targets of a plan for a position as it is now; a usage failure names the target that does not fit it. */
export async function planLegs(session: Session, snapshot: Snapshot, plan: ExitPlan): Promise<PlanLeg[]> {
  const { position } = snapshot;
  const decimals = position.size_decimals ?? 8;
  const lots = lotsOfTargets(plan.targets, Math.round(position.size * 10 ** decimals));
  const legs: PlanLeg[] = [];
  for (const [at, { price: typed, text }] of plan.targets.entries()) {
    const size = Number(`${lots[at]!}e-${decimals}`);
    if (size === 0)
      throw usageFailure(
        `Target ${at + 1} (${text}) is less than a lot: the position has ${quantity(position.size)} ${position.symbol}, in steps of ${quantity(10 ** -decimals)}.`,
        'Use fewer targets.',
      );
    const price = await exitPrice(session, snapshot, typed, { group: 'tp', label: `The price of target ${at + 1}` });
    const before = legs.at(-1)?.price;
    if (before !== undefined && (position.side === 'long' ? price <= before : price >= before))
      throw usageFailure(
        `Target ${at + 1} (${text}) is at ${quantity(price)}, which the price reaches before target ${at} at ${quantity(before)}.`,
        'Write targets in the order in which the price reaches them.',
      );
    legs.push({ size, price });
  }
  return legs;
}

/** The operations that put the targets of a plan in place of those that a position has. Its stops stay as they are. */
export function planOperations({ exits }: Snapshot, legs: readonly PlanLeg[]): ExitOperation[] {
  if (legs.length === 0) return [];
  const former = exits.filter(({ type }) => exitGroupOf(type) === 'tp');
  return [
    ...former.map(({ id }) => ({ kind: 'cancel' as const, order_id: id })),
    ...legs.map(({ size, price }) => ({
      ...{ kind: 'place' as const, group: 'tp' as const, execution_type: 'market' as const },
      ...{ price, size },
    })),
  ];
}
