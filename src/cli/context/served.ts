import { readdirSync } from 'node:fs';
import { usageFailure } from '../failure/failure.ts';

/**
 * The served simulation with that name. Without a name: `default`, or the only one being served, because starting it
 * suggests that it is the one to use.
 */
export async function runningSimulation(stateDir: string, state: string | undefined) {
  const served = serviceFiles(stateDir);
  if (served.length === 0) return undefined;
  const { runningService } = await import('../../service/service-file.ts');
  const named = async (name: string) => {
    const running = await runningService(stateDir, name);
    if (running !== undefined) return running;
    throw usageFailure(
      `The simulation ${name} is in use, but its service has not published an address.`,
      'Wait a moment, or choose another --state.',
    );
  };
  if (state !== undefined || served.includes('default')) {
    const running = await named(state ?? 'default');
    if (running !== null || state !== undefined) return running ?? undefined;
  }
  const all = (await Promise.all(served.map(named))).filter((running) => running !== null);
  if (all.length <= 1) return all[0];
  throw usageFailure(
    `Several simulations are being served: ${all.map((running) => running.state).join(', ')}.`,
    'Choose one with --state NAME.',
  );
}

/** Names of the simulations that are or were served. */
function serviceFiles(stateDir: string): string[] {
  try {
    const files = readdirSync(stateDir).filter((file) => file.endsWith('.service.json'));
    return files.map((file) => file.slice(0, -'.service.json'.length));
  } catch {
    return [];
  }
}
