import type { Context } from '../context/context.ts';
import { usageFailure } from '../failure/failure.ts';

interface Owned {
  id: string;
  account_id: string;
}

/**
 * What an id on the command line came to, for a command that changes it: refused where --account names an account other
 * than its own. An account that a variable or the config names is only what holds where nothing else is said.
 */
export function ofChosenAccount<T extends Owned>(context: Context, thing: T): T {
  const { account } = context.settings;
  if (!isAccountNamed(context) || account === undefined || thing.account_id === account) return thing;
  throw usageFailure(
    `${thing.id} belongs to ${thing.account_id}, and --account says ${account}. Nothing was sent.`,
    `Give --account ${thing.account_id} if it is meant, or the id of something of ${account}.`,
  );
}

/** The same for what would not be read otherwise: it is, where --account names an account to hold it against. */
export async function checkAccountOf(context: Context, read: () => Promise<Owned>): Promise<void> {
  if (isAccountNamed(context)) ofChosenAccount(context, await read());
}

function isAccountNamed({ settings }: Context): boolean {
  return settings.accountFrom === '--account';
}
