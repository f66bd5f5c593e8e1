import { roundedUnits } from '../../base/terms/decimal.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { type Cover, lossPerUnit } from './means.ts';

/** 1R of a position, and the position when that was last noted. */
export interface FirstRisk {
  /** USD that one unit loses from its entry at the stops, fees included; null: its first stops are unknown. */
  readonly unit: number | null;
  /** The total size opened so far that `unit` is the average of, base asset. */
  readonly size: number;
  readonly held: number;
  /** Average entry of `held`. */
  readonly entry: number;
  /** Identity of the simulation's run; absent on a host. */
  readonly run?: string | undefined;
}

type Sized = Pick<Position, 'size' | 'entry_price'>;

/**
 * 1R of a position once its stops cover all of it: the loss at them then. Later additions count with their own size and
 * distance; moving a stop and closing a part change nothing. Undefined before anything covered it.
 */
export function firstRiskOf(
  before: FirstRisk | undefined,
  position: Position,
  cover: Cover,
  { feeBps, wasMoved, run }: { feeBps: number | undefined; wasMoved: boolean; run: string | undefined },
): FirstRisk | undefined {
  const { size, entry_price: entry } = position;
  if (!Number.isFinite(size) || !Number.isFinite(entry)) return before;
  if (before === undefined) {
    if (cover.uncovered !== 0 || size === 0) return undefined;
    return {
      unit: wasMoved ? null : losing(lossPerUnit(position, cover, entry, feeBps)),
      size,
      held: size,
      entry,
      run,
    };
  }
  const added = addedTo(before, position);
  if (added === undefined) return { ...before, held: size, entry };
  if (cover.uncovered !== 0) return before;
  const own = lossPerUnit(position, cover, added.price, feeBps);
  const whole = before.size + added.size;
  const isKnown = before.unit !== null && own !== undefined;
  const unit = isKnown ? losing((before.unit! * before.size + Math.max(0, own!) * added.size) / whole) : null;
  return { ...before, unit, size: roundedTo(whole), held: size, entry };
}

/** Whether an addition has never been covered by a stop: then 1R of the whole is unknown. */
export function isGrown(first: FirstRisk, position: Sized): boolean {
  return addedTo(first, position) !== undefined;
}

/** The additions to a position since it was noted; undefined if there are none. */
function addedTo({ held, entry }: FirstRisk, { size, entry_price: average }: Sized) {
  const added = roundedTo(size - held);
  return added > 0 ? { size: added, price: (average * size - entry * held) / added } : undefined;
}

/** Stops that secure a gain don't define R. */
function losing(unit: number | undefined): number | null {
  return unit !== undefined && Number.isFinite(unit) && unit > 1e-8 ? unit : null;
}

function roundedTo(size: number): number {
  return Number(`${roundedUnits(size, 12)}e-12`);
}
