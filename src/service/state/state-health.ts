import { readdirSync, statSync } from 'node:fs';
import { isStateName } from '../../base/terms/state-names.ts';
import { type DatabaseHealth, databaseHealth } from '../../exchange/store/check.ts';
import { stateFiles } from './state-directory.ts';

/** The health of a state's file. */
export interface StateHealth extends DatabaseHealth {
  state: string;
  file: string;
  sizeBytes: number;
}

/** Checks every state in the folder without changing any; a missing folder has none. */
export function stateHealth(stateDirectory: string): StateHealth[] {
  const names = readdir(stateDirectory).flatMap((file) => (file.endsWith('.db') ? [file.slice(0, -'.db'.length)] : []));
  return names
    .filter(isStateName)
    .sort()
    .map((state) => healthOf(stateDirectory, state));
}

/** Checks one state without changing it. */
export function healthOf(stateDirectory: string, state: string): StateHealth {
  const file = stateFiles(stateDirectory, state).database;
  return { state, file, sizeBytes: sizeOf(file), ...databaseHealth(file) };
}

function readdir(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw error;
  }
}

/** Including the log, which may be the larger part. */
function sizeOf(file: string): number {
  return ['', '-wal'].reduce((sum, ending) => sum + (statSync(file + ending, { throwIfNoEntry: false })?.size ?? 0), 0);
}
