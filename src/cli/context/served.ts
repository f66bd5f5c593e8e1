import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageFailure } from '../../ground/failure/failure.ts';

/** The running service of a simulation; undefined if it is not being served. */
export async function runningSimulation(stateDir: string, state: string) {
  if (!existsSync(join(stateDir, `${state}.service.json`))) return undefined;
  const { runningService } = await import('../../service/service-file.ts');
  const running = await runningService(stateDir, state);
  if (running !== undefined) return running ?? undefined;
  throw usageFailure(
    `The simulation ${state} is in use, but its service has not published an address.`,
    'Wait a moment, or choose another --state.',
  );
}
