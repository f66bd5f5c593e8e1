import type { Context } from '../context/context.ts';
import { positionIn } from './position.ts';

/** Leverage and margin mode of an order: as given, else the open position's, else the config's, else 1 and cross. */
export async function resolveTerms(
  context: Context,
  marketId: string,
  given: { leverage?: number | undefined; margin?: 'cross' | 'isolated' | undefined },
): Promise<{ leverage: number; margin_mode: 'cross' | 'isolated' }> {
  const { settings } = context;
  const isGiven = given.leverage !== undefined && given.margin !== undefined;
  const open = isGiven ? undefined : await positionIn(context, marketId);
  return {
    leverage: given.leverage ?? open?.leverage ?? settings.leverage ?? 1,
    margin_mode: given.margin ?? open?.margin_mode ?? settings.marginMode ?? 'cross',
  };
}
