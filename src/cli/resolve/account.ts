import type { Account } from '../../contract/accounts.ts';
import { remember } from '../completion/remember.ts';
import type { Context } from '../context/context.ts';
import { usageFailure } from '../failure/failure.ts';

/** All accounts of the credential, read once per run. */
export function allAccounts(context: Context): Promise<Account[]> {
  return context.once('accounts', async () => {
    const { data } = await context.call('listAccounts', {});
    remember(
      context,
      'account',
      data.map(({ id, name }) => [id, name] as const),
    );
    return data;
  });
}

/**
 * Id of the account to use: as given, or from --account and its equivalents, or the only account, or the only active
 * one.
 */
export async function accountId(context: Context, given?: string): Promise<string> {
  const chosen = given ?? context.settings.account;
  if (chosen !== undefined) return chosen;
  const accounts = await allAccounts(context);
  const active = accounts.filter((account) => account.status === 'active');
  const only = accounts.length === 1 ? accounts[0] : active.length === 1 ? active[0] : undefined;
  if (only !== undefined) return only.id;
  if (accounts.length === 0) throw usageFailure('This credential has no accounts.', 'perp accounts lists them.');
  const listed = accounts.map((account) => `${account.id} (${account.name}, ${account.status})`).join('\n  ');
  throw usageFailure(
    `There are several accounts:\n  ${listed}`,
    'Choose one with --account ID, or set a default with: perp accounts use ID',
  );
}
