import { existsSync } from 'node:fs';
import type { Context } from '../context/context.ts';
import { hintFor } from '../failure/hints.ts';
import { stateFolder } from '../files/folders.ts';
import { type Finding, fail, ok } from './finding.ts';

/** The databases of all simulations, with everything in them: sound, of a format that this perp knows, and how large. */
export async function checkSimulations({ variables }: Context): Promise<Finding[]> {
  const { stateHealth } = await import('../../service/entry.ts');
  const states = stateHealth(stateFolder(variables));
  if (states.length === 0) return [ok('simulation', 'none yet: the first command makes one')];
  return states.map(({ state, sizeBytes, format, problem }) => {
    const check = `simulation ${state}`;
    if (problem?.kind === 'corrupt') return fail(check, problem.message, `perp sim check --state ${state}`);
    if (problem !== null) return fail(check, problem.message, hintFor(`store_${problem.kind}`));
    return ok(check, `sound, ${size(sizeBytes)}, ${format === null ? 'still empty' : `format ${format}`}`);
  });
}

/** Two processes on one state keep out of each other's way by file locks, which not every file system has. */
export async function checkLocks({ variables }: Context): Promise<Finding[]> {
  const folder = stateFolder(variables);
  if (!existsSync(folder)) return [];
  const { assertLocksWork } = await import('../../service/entry.ts');
  await assertLocksWork(folder);
  return [ok('file locks', 'kept between processes')];
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
