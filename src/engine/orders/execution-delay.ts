import type { Ms, Order } from '../model.ts';
import { drawBetween } from '../random.ts';
import type { Desk, World } from '../world.ts';

/** The seeded moment at which an order meets the book (simulation 3); null: now. */
export function executionTime(world: World, desk: Desk, order: Order): Ms | null {
  const { executionDelayMinMs: min, executionDelayMaxMs: max } = desk.account.policy.limits;
  if (max <= 0) return null;
  const delayMs = drawBetween(world.seed, 'execution-delay', order.id, min, Math.max(min, max));
  return delayMs === 0 ? null : world.now + delayMs;
}
