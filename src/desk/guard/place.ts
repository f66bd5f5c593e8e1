import { factsOf } from '../../base/failure/report.ts';
import { guardFolder, lockFolder } from '../lock/trading-lock.ts';
import { accountId } from '../resolve/account.ts';
import type { Session, Stage } from '../session/session.ts';
import { type Alerts, tell } from './alerts.ts';
import { guardFiles } from './charge.ts';
import { pause, type Reporter } from './reporter.ts';
import { blindAfterMs, refusedAfterMs } from './visibility.ts';

/** Where the guard of one account stores its state. */
export interface GuardPlace {
  account: string;
  /** The environment's folder. */
  folder: string;
  locks: string;
  files: ReturnType<typeof guardFiles>;
}

/** The place of the current account. */
export async function guardPlace(session: Session): Promise<GuardPlace> {
  const account = await accountId(session);
  const { destination } = await session.access();
  const folder = guardFolder(session.machine.variables, destination);
  return {
    account,
    folder,
    locks: lockFolder(session.machine.variables, destination),
    files: guardFiles(folder, account),
  };
}

interface Finding {
  reporter: Reporter;
  alerts: Alerts;
  timers: Stage['timers'];
  isOnce: boolean;
}

const retryMs = 1_000;

/**
 * The place of the current account, once the host reports which one that is. A guard that stays waits for a host that
 * is down, and alerts. Only faults of this machine, and a credential that is refused for a minute, end it.
 */
export async function findPlace(session: Session, { reporter, alerts, timers, isOnce }: Finding): Promise<GuardPlace> {
  const begun = timers.uptime();
  let refusedSince: number | undefined;
  let why = 'no answer yet';
  const cancel = timers.after(blindAfterMs, () => {
    const says = `The account could not be found for ${blindAfterMs / 1000}s, so nothing is guarded: ${why}`;
    tell({ reporter, alerts, word: 'blind', says });
  });
  try {
    while (true) {
      try {
        const place = await guardPlace(session);
        if (timers.uptime() > begun) reporter.sees();
        return place;
      } catch (error) {
        session.signal.throwIfAborted();
        const { name, status } = error as Error & { status?: number };
        if (isOnce || name === 'Failure') throw error;
        why = factsOf(error).message;
        reporter.isBlind(why);
        refusedSince = status === 401 || status === 403 ? (refusedSince ?? timers.uptime()) : undefined;
        if (refusedSince !== undefined && timers.uptime() - refusedSince >= refusedAfterMs) throw error;
        await pause(timers, retryMs, session.signal);
        if (session.settings.environment === 'sim') await session.access('again').catch(() => {});
      }
    }
  } finally {
    cancel();
  }
}
