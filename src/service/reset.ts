import { StoreError } from '../store/errors.ts';
import { Store } from '../store/store.ts';
import { ServeLock } from './lock.ts';
import { startOver } from './open.ts';
import { type SimulationOptions, stateOf } from './options.ts';
import { servedAlready } from './service-file.ts';
import type { Simulation } from './simulation.ts';
import { makeStateDirectory, stateFiles } from './state-directory.ts';

/** What the new state is like. */
export interface ResetOptions extends SimulationOptions {
  /** Called with the place that a damaged state's file was moved to. */
  onSetAside?: (file: string) => void;
}

/**
 * Resets a state: all trades are deleted, API keys are kept. A newer perp's file is replaced, a damaged one is moved
 * aside. Throws `SimulationError` of kind `conflict` if a service is running on it (simulation 9.1), StoreError
 * `foreign` if another program's database is there.
 */
export async function resetState(options: ResetOptions): Promise<Simulation> {
  const state = stateOf(options);
  makeStateDirectory(options.stateDir);
  const files = stateFiles(options.stateDir, state);
  const lock = ServeLock.acquire(files.lock);
  if (lock === null) throw servedAlready(state, files, 'then reset it.');
  try {
    return await startOver({ ...options, state });
  } catch (error) {
    if (!(error instanceof StoreError && ['corrupt', 'newer', 'outdated'].includes(error.kind))) throw error;
    if (error.kind !== 'corrupt') Store.destroy(files.database);
    else options.onSetAside?.(Store.setAside(files.database));
    return await startOver({ ...options, state });
  } finally {
    lock.release();
  }
}
