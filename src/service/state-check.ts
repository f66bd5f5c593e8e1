import { existsSync } from 'node:fs';
import { Store } from '../store/store.ts';
import { type Repair, repairsOf } from './repair.ts';
import { SimulationError } from './simulation-error.ts';
import { isStateName, stateFiles } from './state-directory.ts';
import { healthOf, type StateHealth } from './state-health.ts';

/** The result of checking everything in a state. */
export interface StateCheck extends StateHealth {
  /** The backup made of a sound state; null if none was made, and an earlier one is kept. */
  backup: string | null;
  /** How a damaged state can be restored, best way first. */
  repairs: Repair[];
}

/**
 * Checks a state, whether it is served or not; a sound one is backed up if requested, and an older one is first
 * migrated to the current format. Throws `SimulationError` `missing` if there is no state with the name.
 */
export function checkState(stateDir: string, state: string, backsUp: boolean): StateCheck {
  if (!isStateName(state) || !existsSync(stateFiles(stateDir, state).database))
    throw new SimulationError('missing', `There is no state ${state}.`);
  let health = healthOf(stateDir, state);
  if (health.problem === null && health.examination === null) {
    Store.open(health.file).close();
    health = healthOf(stateDir, state);
  }
  if (health.problem !== null) return { ...health, backup: null, repairs: repairsOf(stateDir, health) };
  if (!backsUp) return { ...health, backup: null, repairs: [] };
  const store = Store.open(health.file);
  try {
    return { ...health, backup: store.backUp('checked'), repairs: [] };
  } finally {
    store.close();
  }
}
