import type { Context } from '../context/context.ts';
import type { Time } from '../grammar/values.ts';

/** A time as Unix ms. From now means the exchange's now: a simulation may live in another year. */
export async function resolveTime(context: Context, time: Time): Promise<number> {
  return 'at' in time ? time.at : (await exchangeTime(context)) + time.inMs;
}

/** What the exchange's clock shows. */
export async function exchangeTime(context: Context): Promise<number> {
  if (context.settings.environment !== 'sim') return context.outside.now();
  return (await context.call('simStatus', {})).data.time;
}
