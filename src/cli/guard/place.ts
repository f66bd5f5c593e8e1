import type { Context } from '../context/context.ts';
import { guardFolder } from '../lock/guard-folder.ts';
import { lockFolder } from '../lock/trading-lock.ts';
import { accountId } from '../resolve/account.ts';
import { guardFiles } from './charge.ts';

/** Where the guard of one account stores its state. */
export interface GuardPlace {
  account: string;
  /** The environment's folder. */
  folder: string;
  locks: string;
  files: ReturnType<typeof guardFiles>;
}

/** The place of the current account. */
export async function guardPlace(context: Context): Promise<GuardPlace> {
  const account = await accountId(context);
  const { destination } = await context.connection();
  const folder = guardFolder(context.variables, destination);
  return { account, folder, locks: lockFolder(context.variables, destination), files: guardFiles(folder, account) };
}
