import type { Context } from '../context/context.ts';
import type { Time } from '../grammar/values.ts';

/** Resolves a time to Unix ms. "From now" means the exchange's clock: a simulation may be in another year. */
export async function resolveTime(context: Context, time: Time): Promise<number> {
  return 'at' in time ? time.at : (await exchangeTime(context)) + time.inMs;
}

/** Resolves the beginning of a period to Unix ms: a duration counts back from the exchange's current time. */
export async function resolveSince(context: Context, time: Time): Promise<number> {
  return 'at' in time ? time.at : (await exchangeTime(context)) - time.inMs;
}

/** The exchange's current time. */
export async function exchangeTime(context: Context): Promise<number> {
  if (context.settings.environment !== 'sim') return context.outside.now();
  return (await context.call('simStatus', {})).data.time;
}
