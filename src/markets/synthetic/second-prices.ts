import type { MarketDefinition, Ms } from '../../engine/model.ts';
import { minutesPerHour, PricePath } from './path.ts';
import { profileOf } from './profile.ts';
import { Scale } from './scale.ts';
import { Session } from './session.ts';
import type { LastTouch } from './start.ts';

/**
 * Best bid and best ask under version 2 of the prices at the last full minute, from which a state of that version
 * continues; null before the Unix epoch. `start` is the touch from which the market itself continued.
 */
export function secondPricesTouch(
  seed: number,
  definition: MarketDefinition,
  time: Ms,
  start: LastTouch | null,
): Pick<LastTouch, 'bid' | 'ask'> | null {
  if (time < 0) return null;
  const profile = profileOf(definition);
  const { kind, loads, dailyVolatility, rhythm } = profile;
  const session = new Session(kind);
  const path = new PricePath(seed, definition.marketId, { loads, session, dailyVolatility, rhythm }, 2);
  const plain = new Scale(profile.base * 10 ** definition.priceDecimals, 1);
  const factor = start === null ? 1 : (start.bid + start.ask) / 2 / plain.gridOf(valueAt(path, start.time));
  const step = start === null ? profile.gridStep : profileOf(definition, profile.base * factor, [start.bid]).gridStep;
  const bid = Math.floor((plain.gridOf(valueAt(path, time)) * factor) / step) * step;
  return { bid, ask: bid + step };
}

/** The path's value at the last full minute. */
function valueAt(path: PricePath, time: Ms): number {
  const minute = Math.floor(time / 60_000);
  path.loadHour(Math.floor(minute / minutesPerHour));
  return path.minutes.values[minute % minutesPerHour]!;
}
