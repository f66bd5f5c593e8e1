import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import { holdFile } from '../../base/files/private-files.ts';
import type { Destination } from '../../desk/intents/note.ts';
import { placesOf } from '../../desk/intents/places.ts';
import { accountFile } from '../../desk/lock/trading-lock.ts';
import { gateFolder } from './bots-file.ts';

/** A gate that ends leaves its accounts within this time, ms. */
const waitMs = 300;

/**
 * Takes charge of accounts until disposed: two gates that judge the orders of one account could together allow more
 * than the mandate does. Throws a failure if another gate of this user is in charge of one.
 */
export function takeAccounts(variables: Variables, destination: Destination, accounts: readonly string[]): Disposable {
  using taken = new DisposableStack();
  for (const account of accounts)
    for (const key of keysOf(variables, destination, account)) {
      const held = holdFile(join(gateFolder(variables), 'accounts', accountFile(key)), waitMs);
      if (held === undefined) throw inCharge(account);
      taken.use(held);
    }
  return taken.move();
}

/** One for each name of the place, and the one held by a gate of an earlier version. */
function keysOf(variables: Variables, destination: Destination, account: string): string[] {
  const { environment, baseUrl: former, state } = destination;
  const keys = placesOf(variables, destination).map((place) => JSON.stringify([place, account]));
  return [...keys, JSON.stringify([environment, former, state, account])];
}

function inCharge(account: string): Failure {
  return new Failure({
    code: 'gate_in_charge',
    message: `Another gate is in charge of account ${account}, and two gates could allow twice the limits.`,
    hint: 'Stop the other perp mcp --mandate or perp gate serve first, or serve all bots of the account with one gate.',
  });
}
