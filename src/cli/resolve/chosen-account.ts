import { isNotFound } from '../../ground/failure/failure.ts';
import { quoted } from '../../ground/text/quoted.ts';
import type { Context } from '../context/context.ts';
import { allAccounts } from './account.ts';
import { unknownId } from './unknown.ts';

/**
 * What to throw for a failed request: if the preset account does not exist, a failure that names it and where it was
 * set; otherwise the error itself.
 */
export async function explained(context: Context, request: object, error: unknown): Promise<unknown> {
  const { account, accountFrom } = context.settings;
  if (account === undefined || !isNotFound(error) || !names(request, account)) return error;
  try {
    if ((await allAccounts(context)).some(({ id }) => id === account)) return error;
  } catch {
    return error;
  }
  const message = `There is no account ${quoted(account)} on ${context.settings.environment} (set by ${accountFrom}).`;
  return unknownId(context, 'account', message, account, waysOut[accountFrom ?? ''] ?? lists);
}

const lists = 'perp accounts lists yours.';

const waysOut: Readonly<Record<string, string>> = {
  PERP_ACCOUNT: `Change or unset PERP_ACCOUNT; ${lists}`,
  'the config file': `Choose another with perp accounts use ID; ${lists}`,
};

/** Whether a request names this account. */
function names(request: { path?: unknown; query?: unknown; body?: unknown }, account: string): boolean {
  return [request.path, request.query, request.body].some(
    (part) => (part as { account_id?: unknown } | undefined)?.account_id === account,
  );
}
