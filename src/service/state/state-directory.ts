import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isStateName } from '../../base/terms/state-names.ts';
import { syncFolderOf } from '../../exchange/store/opened-files.ts';

/** Files of one named state, in one folder (simulation 9.1). */
export interface StateFiles {
  database: string;
  lock: string;
  service: string;
}

/** The files of a state. Throws for an invalid name; callers check with `isStateName` first. */
export function stateFiles(stateDirectory: string, name: string): StateFiles {
  if (!isStateName(name)) throw new RangeError(`Not a valid state name: ${JSON.stringify(name)}`);
  const path = join(stateDirectory, name);
  return { database: `${path}.db`, lock: `${path}.lock`, service: `${path}.service.json` };
}

/**
 * Makes the folder and its missing parents, accessible only to their owner. Node's own function for this never returns
 * if an existing folder accepts no new ones but reports that it does not exist, as /proc does.
 */
export function makeStateDirectory(stateDirectory: string): void {
  const isThere = () => statSync(stateDirectory, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  const above = dirname(stateDirectory);
  if (above !== stateDirectory) makeStateDirectory(above);
  try {
    mkdirSync(stateDirectory, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isThere()) throw error;
    return;
  }
  // In a power failure, a folder whose name is not on disk is lost with everything in it.
  syncFolderOf(stateDirectory);
}

/**
 * `conflict`: the state has other contents, or is in use. `invalid`: no state can have these options. `missing`: there
 * is no such state. `unavailable`: a venue does not answer.
 */
type SimulationErrorKind = 'conflict' | 'invalid' | 'missing' | 'unavailable';

/** A state that can't be opened as requested. */
export class SimulationError extends Error {
  readonly kind: SimulationErrorKind;
  /** The way out, if the message does not name it. */
  readonly hint: string | undefined;

  constructor(kind: SimulationErrorKind, message: string, hint?: string) {
    super(message);
    this.name = 'SimulationError';
    this.kind = kind;
    this.hint = hint;
  }
}
