import { existsSync } from 'node:fs';
import { hintFor } from '../../ground/failure/hints.ts';
import { stateFolder } from '../../ground/files/folders.ts';
import type { Context } from '../context/context.ts';
import { type Finding, fail, ok } from './finding.ts';

/** The databases of all simulations are undamaged and of a known format; shows their sizes. */
export async function checkSimulations({ variables }: Context): Promise<Finding[]> {
  const { stateHealth } = await import('../../service/entry.ts');
  const states = stateHealth(stateFolder(variables));
  if (states.length === 0) return [ok('simulation', 'none yet; the first command creates one')];
  return states.map(({ state, sizeBytes, format, problem }) => {
    const check = `simulation ${state}`;
    if (problem?.kind === 'corrupt') return fail(check, problem.message, `perp sim check --state ${state}`);
    if (problem !== null) return fail(check, problem.message, hintFor(`store_${problem.kind}`));
    return ok(check, `undamaged, ${size(sizeBytes)}, ${format === null ? 'still empty' : `format ${format}`}`);
  });
}

/** Processes on one state exclude each other with file locks, which not every file system supports. */
export async function checkLocks({ variables }: Context): Promise<Finding[]> {
  const folder = stateFolder(variables);
  if (!existsSync(folder)) return [];
  const { assertLocksWork } = await import('../../service/entry.ts');
  await assertLocksWork(folder);
  return [ok('file locks', 'work between processes')];
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
