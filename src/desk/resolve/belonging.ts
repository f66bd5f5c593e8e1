import { usageFailure } from '../../ground/failure/failure.ts';
import type { Session } from '../session/session.ts';
import { settleAccount } from './account.ts';

interface Owned {
  id: string;
  account_id: string;
}

/**
 * Checks the target of a command that changes it: rejected if --account names a different account. An account from a
 * variable or the config is only a default, so it is not compared.
 */
export function ofChosenAccount<T extends Owned>(session: Session, thing: T): T {
  const { account } = session.settings;
  if (!isAccountNamed(session) || account === undefined || thing.account_id === account) return thing;
  throw usageFailure(
    `${thing.id} belongs to ${thing.account_id}, but --account is ${account}. Nothing was sent.`,
    `Use --account ${thing.account_id}, or the id of something that belongs to ${account}.`,
  );
}

/**
 * The same for targets that the command itself does not read: they are read only if --account names an account to
 * compare.
 */
export async function checkAccountOf(session: Session, read: () => Promise<Owned>): Promise<void> {
  if (!isAccountNamed(session)) return;
  await settleAccount(session);
  ofChosenAccount(session, await read());
}

function isAccountNamed({ settings }: Session): boolean {
  return settings.accountFrom === '--account';
}
