import type { Outcome, SetPolicy } from '../commands.ts';
import { notFound } from '../violation.ts';
import { touchAccount, touchOrder } from '../world/changes.ts';
import { triggersOf, type World } from '../world/world.ts';
import { awaitTrigger, isArmed } from './working-orders.ts';

/** Replaces an account's policy, for practice (`perp sim policy`). Armed stops then wait for the price that it names. */
export function setPolicy(world: World, { accountId, policy }: SetPolicy): Outcome {
  const portfolio = world.portfolios.get(accountId);
  if (portfolio === undefined) return notFound('account', accountId);
  const { account, orders } = portfolio;
  const armed = [...orders.values()].filter(isArmed);
  const before = new Map(armed.map((order) => [order, triggersOf(world, order)]));
  account.policy = structuredClone(policy);
  touchAccount(world, account);
  for (const [order, triggers] of before) {
    if (triggersOf(world, order) === triggers) continue;
    triggers.remove(order);
    awaitTrigger(world, order);
    touchOrder(world, order);
  }
  return { ok: true, account };
}
