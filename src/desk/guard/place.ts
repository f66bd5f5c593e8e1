import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { holdFile, writePrivateFile } from '../../base/files/private-files.ts';
import { dateTime } from '../../base/text/format.ts';
import { accountFile, guardFolder, lockFolder } from '../lock/trading-lock.ts';
import { accountId } from '../resolve/account.ts';
import type { Session, Stage } from '../session/session.ts';
import { type Alerts, tell } from './alerts.ts';
import { blindAfterMs, pause, type Reporter, refusedAfterMs } from './reporter.ts';

/** The guard that is in charge of an account. */
export interface Charge {
  pid: number;
  /** Wall time, Unix ms. */
  since: number;
  /** Whether it carries out the guard's part of exit plans. */
  plans?: boolean;
}

/** perp guard status holds the lock for a moment to check whether another process has it. */
const waitMs = 300;

/** Files of one account's guard. */
export function guardFiles(folder: string, account: string) {
  const base = join(folder, accountFile(account));
  return { state: `${base}.state`, lock: `${base}.running`, charge: `${base}.charge`, plans: `${base}.plans` };
}

/**
 * Takes charge of an account until disposed; otherwise throws a Failure that names the guard in charge. A disk that
 * accepts no file is only reported: two guards act under the same keys, so they do nothing twice.
 */
export function takeCharge(
  folder: string,
  account: string,
  { now, plans }: { readonly now: number; readonly plans: boolean },
  uncharged: (why: string) => void,
): Disposable | undefined {
  const files = guardFiles(folder, account);
  let held: Disposable | undefined;
  try {
    held = holdFile(files.lock, waitMs);
  } catch (error) {
    uncharged(`Another guard may also be in charge: ${factsOf(error).message}`);
    return undefined;
  }
  if (held === undefined) throw inCharge(account, readCharge(files.charge));
  try {
    writePrivateFile(files.charge, JSON.stringify({ pid: process.pid, since: now, plans } satisfies Charge), 'quick');
  } catch (error) {
    uncharged(`perp guard status can't show this guard: ${factsOf(error).message}`);
  }
  return {
    [Symbol.dispose]() {
      try {
        rmSync(files.charge, { force: true });
      } catch {
        // It has no meaning without the lock.
      }
      held[Symbol.dispose]();
    },
  };
}

/** The guard that is in charge of an account now; undefined if none is. */
export function chargeOf(folder: string, account: string): Charge | undefined {
  const files = guardFiles(folder, account);
  const charge = readCharge(files.charge);
  // The file of a killed guard is meaningless: its lock ended with it.
  if (charge === undefined) return undefined;
  using held = holdFile(files.lock);
  return held === undefined ? charge : undefined;
}

function readCharge(file: string): Charge | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Charge;
  } catch {
    return undefined;
  }
}

function inCharge(account: string, charge: Charge | undefined): Failure {
  const who = charge === undefined ? 'Another guard' : `The guard with process id ${charge.pid}`;
  const since = charge === undefined ? '' : ` since ${dateTime(charge.since)}`;
  return new Failure({
    code: 'guard_in_charge',
    message: `${who} has been in charge of account ${account}${since}; this one does nothing.`,
    hint: 'Only one guard can watch an account. Stop the other one first; perp guard status shows it.',
    details: charge === undefined ? undefined : { account_id: account, ...charge },
  });
}

/** Where the guard of one account stores its state: `folder` and `locks` are its environment's. */
export type GuardPlace = Awaited<ReturnType<typeof guardPlace>>;

/** The place of the current account. */
export async function guardPlace(session: Session) {
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
