import { newIdempotencyKey } from '../../client/identifiers.ts';
import type { Context } from '../context/context.ts';
import type { OptionSpec } from '../grammar/spec.ts';
import { accountId } from './account.ts';
import { allMarkets } from './market.ts';
import { beginPositions, positionIn } from './position.ts';

interface GivenTerms {
  leverage?: number | undefined;
  margin?: 'cross' | 'isolated' | undefined;
}

/** The options that {@link resolveTerms} reads. */
export const termOptions = {
  leverage: {
    value: 'N',
    kind: 'count',
    maximum: 1000,
    summary: 'leverage (default: that of the open position, else config, else 1)',
  },
  margin: {
    value: 'MODE',
    choices: ['cross', 'isolated'],
    summary: 'margin mode (default: that of the open position, else config, else cross)',
  },
} as const satisfies Record<string, OptionSpec>;

/** Starts in parallel the reads that every new order needs. Each later caller gets its own read's answer or error. */
export function beginReads(context: Context, given: GivenTerms): void {
  for (const read of [allMarkets(context), accountId(context)]) read.catch(() => {});
  if (!areGiven(given)) beginPositions(context);
  // The write will need node:crypto, which takes milliseconds to load; load it while the reads are in flight.
  setImmediate(newIdempotencyKey);
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
