import { existsSync } from 'node:fs';
import { isStateName } from '../../base/terms/state-names.ts';
import { Store } from '../../exchange/store/store.ts';
import { makeDailyBackup } from '../state/daily-backup.ts';
import { SimulationError, stateFiles } from '../state/state-directory.ts';
import { healthOf, type StateHealth } from '../state/state-health.ts';
import { type Repair, repairsOf } from './repair.ts';

/** The result of checking everything in a state. */
export interface StateCheck extends StateHealth {
  /** The backup made of a sound state; null if none was made, and an earlier one is kept. */
  backup: string | null;
  /** Why there is no backup of a sound state; null if there is one. */
  backupProblem: string | null;
  /** How a damaged state can be restored, best way first. */
  repairs: Repair[];
  /** For a damaged state: why replaying its command log isn't among them; null if it is. */
  rebuildProblem: string | null;
}

/**
 * Checks a state, whether it is served or not; a sound one is backed up if requested, and an older one is first
 * migrated to the current format. Throws `SimulationError` `missing` if there is no state with the name.
 */
export function checkState(stateDir: string, state: string, backsUp = true, wallMs = Date.now()): StateCheck {
  if (!isStateName(state) || !existsSync(stateFiles(stateDir, state).database))
    throw new SimulationError('missing', `There is no state ${state}.`);
  let health = healthOf(stateDir, state);
  if (health.problem === null && health.examination === null) {
    Store.open(health.file).close();
    health = healthOf(stateDir, state);
  }
  if (health.problem !== null) return { ...health, backup: null, backupProblem: null, ...repairsOf(stateDir, health) };
  const sound = { ...health, repairs: [], rebuildProblem: null };
  if (!backsUp) return { ...sound, backup: null, backupProblem: null };
  const made = makeDailyBackup(health.file, wallMs);
  return 'file' in made
    ? { ...sound, backup: made.file, backupProblem: null }
    : { ...sound, backup: null, backupProblem: made.problem };
}
