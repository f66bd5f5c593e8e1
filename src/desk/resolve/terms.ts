import { newIdempotencyKey } from '../../client/identifiers.ts';
import type { Session } from '../session/session.ts';
import { accountId } from './account.ts';
import { allMarkets } from './market.ts';
import { beginPositions, positionIn } from './position.ts';

interface GivenTerms {
  leverage?: number | undefined;
  margin?: 'cross' | 'isolated' | undefined;
}

/** Starts in parallel the reads that every new order needs. Each later caller gets its own read's answer or error. */
export function beginReads(session: Session, given: GivenTerms): void {
  for (const read of [allMarkets(session), accountId(session)]) read.catch(() => {});
  if (!areGiven(given)) beginPositions(session);
  // The write will need node:crypto, which takes milliseconds to load; load it while the reads are in flight.
  setImmediate(newIdempotencyKey);
}

/** Leverage and margin mode of an order: as given, else the open position's, else the config's, else 1 and cross. */
export async function resolveTerms(
  session: Session,
  marketId: string,
  given: GivenTerms,
): Promise<{ leverage: number; margin_mode: 'cross' | 'isolated' }> {
  const { settings } = session;
  const open = areGiven(given) ? undefined : await positionIn(session, marketId);
  return {
    leverage: given.leverage ?? open?.leverage ?? settings.leverage ?? 1,
    margin_mode: given.margin ?? open?.margin_mode ?? settings.marginMode ?? 'cross',
  };
}

function areGiven({ leverage, margin }: GivenTerms): boolean {
  return leverage !== undefined && margin !== undefined;
}
