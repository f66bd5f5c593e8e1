import type { Desk, World } from '../world/world.ts';
import { endScaled } from './scaled.ts';
import { endTwap } from './twap.ts';

/** Ends the strategies of an account that trades no more. */
export function endStrategies(world: World, desk: Desk, reason: 'account_closed'): void {
  for (const twap of [...world.twaps.values()]) {
    if (twap.accountId === desk.account.id) endTwap(world, twap, reason);
  }
  for (const scaled of [...world.scaled.values()]) {
    if (scaled.accountId === desk.account.id) endScaled(world, scaled);
  }
}
