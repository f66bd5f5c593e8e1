import { DatabaseSync } from 'node:sqlite';
import { isPart } from '../../base/self/self.ts';

/** Exits with 0 if it is locked out of this file, as it should be, else with 1. */
function contend(file: string): number {
  try {
    new DatabaseSync(file, { timeout: 0, readOnly: false }).exec('BEGIN EXCLUSIVE');
    return 1;
  } catch (error) {
    return (error as { errcode?: number }).errcode === 5 ? 0 : 1;
  }
}

if (isPart('lock-probe')) process.exitCode = contend(process.argv[4] ?? '');
