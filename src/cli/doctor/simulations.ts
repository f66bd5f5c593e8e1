import type { Context } from '../context.ts';
import { hintFor } from '../hints.ts';
import { stateFolder } from '../places.ts';
import { type Finding, fail, ok } from './finding.ts';

/** The databases of all simulations: sound, of a format that this perp knows, and how large. */
export async function checkSimulations({ variables }: Context): Promise<Finding[]> {
  const { stateHealth } = await import('../../service/entry.ts');
  const states = stateHealth(stateFolder(variables));
  if (states.length === 0) return [ok('simulation', 'none yet: the first command makes one')];
  return states.map(({ state, sizeBytes, format, problem }) => {
    const check = `simulation ${state}`;
    if (problem !== null) return fail(check, problem.message, hintFor(`store_${problem.kind}`));
    return ok(check, `sound, ${size(sizeBytes)}, ${format === null ? 'still empty' : `format ${format}`}`);
  });
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
