import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { writePrivateFile } from '../files/private-files.ts';
import { holdFile } from '../files/process-lock.ts';
import { accountFile } from '../lock/guard-folder.ts';
import { dateTime } from '../text/format.ts';

/** The guard that is in charge of an account. */
export interface Charge {
  pid: number;
  /** Wall time, Unix ms. */
  since: number;
}

/** perp guard status holds the lock for a moment to check whether another process has it. */
const waitMs = 300;

/** Files of one account's guard. */
export function guardFiles(folder: string, account: string): { state: string; lock: string; charge: string } {
  const base = join(folder, accountFile(account));
  return { state: `${base}.state`, lock: `${base}.running`, charge: `${base}.charge` };
}

/** Takes charge of an account until disposed; otherwise throws a Failure that names the guard in charge. */
export function takeCharge(folder: string, account: string, now: number): Disposable {
  const files = guardFiles(folder, account);
  const held = holdFile(files.lock, waitMs);
  if (held === undefined) throw inCharge(account, readCharge(files.charge));
  writePrivateFile(files.charge, JSON.stringify({ pid: process.pid, since: now } satisfies Charge), 'quick');
  return {
    [Symbol.dispose]() {
      rmSync(files.charge, { force: true });
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
    exit: exitCodes.conflict,
    code: 'guard_in_charge',
    message: `${who} has been in charge of account ${account}${since}; this one does nothing.`,
    hint: 'Only one guard can watch an account. Stop the other one first; perp guard status shows it.',
    details: charge === undefined ? undefined : { account_id: account, ...charge },
  });
}
