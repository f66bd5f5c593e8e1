import { join } from 'node:path';
import type { Destination } from '../desk/intents/note.ts';
import { accountFile } from '../desk/lock/trading-lock.ts';
import { exitCodes, Failure } from '../ground/failure/failure.ts';
import type { Variables } from '../ground/files/folders.ts';
import { holdFile } from '../ground/files/private-files.ts';
import { gateFolder } from './bots-file.ts';

/** A gate that ends leaves its accounts within this time, ms. */
const waitMs = 300;

/**
 * Takes charge of accounts until disposed: two gates that judge the orders of one account could each let through what
 * only one of them may. Throws a failure if another gate of this user is in charge of one.
 */
export function takeAccounts(variables: Variables, destination: Destination, accounts: readonly string[]): Disposable {
  const { environment, baseUrl, state } = destination;
  using taken = new DisposableStack();
  for (const account of accounts) {
    const name = accountFile(JSON.stringify([environment, baseUrl, state, account]));
    const held = holdFile(join(gateFolder(variables), 'accounts', name), waitMs);
    if (held === undefined) throw inCharge(account);
    taken.use(held);
  }
  return taken.move();
}

function inCharge(account: string): Failure {
  return new Failure({
    exit: exitCodes.conflict,
    code: 'gate_in_charge',
    message: `Another gate judges the orders of account ${account}, and two could let through twice what one may.`,
    hint: 'End the other perp mcp --mandate or perp gate serve first, or let one gate serve all bots of the account.',
  });
}
