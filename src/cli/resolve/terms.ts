import type { Context } from '../context/context.ts';
import { accountId } from './account.ts';
import { allMarkets } from './market.ts';
import { beginPositions, positionIn } from './position.ts';

interface GivenTerms {
  leverage?: number | undefined;
  margin?: 'cross' | 'isolated' | undefined;
}

/**
 * Begins side by side the reads that a new order waits for in any case. Whoever asks for one of them later gets its
 * answer or its error, in the order in which they are asked for.
 */
export function beginReads(context: Context, given: GivenTerms): void {
  for (const read of [allMarkets(context), accountId(context)]) read.catch(() => {});
  if (!areGiven(given)) beginPositions(context);
}

/** Leverage and margin mode of an order: as given, else the open position's, else the config's, else 1 and cross. */
export async function resolveTerms(
  context: Context,
  marketId: string,
  given: GivenTerms,
): Promise<{ leverage: number; margin_mode: 'cross' | 'isolated' }> {
  const { settings } = context;
  const open = areGiven(given) ? undefined : await positionIn(context, marketId);
  return {
    leverage: given.leverage ?? open?.leverage ?? settings.leverage ?? 1,
    margin_mode: given.margin ?? open?.margin_mode ?? settings.marginMode ?? 'cross',
  };
}

function areGiven({ leverage, margin }: GivenTerms): boolean {
  return leverage !== undefined && margin !== undefined;
}
