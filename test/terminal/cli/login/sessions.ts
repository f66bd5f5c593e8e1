import type { Serving } from '../../../../src/service/serve.ts';

/** The service's command-line sessions, newest first. */
export function sessionsOf({ simulation }: Serving): { name: string; isLive: boolean }[] {
  return simulation.store.credentials
    .keys()
    .filter(({ kind }) => kind === 'session')
    .map(({ name, revokedAt }) => ({ name, isLive: revokedAt === null }));
}
