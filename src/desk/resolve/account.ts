import { usageFailure } from '../../base/failure/failure.ts';
import { placeOf } from '../../base/files/folders.ts';
import { quoted } from '../../base/text/plain-text.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Change } from '../session/memory.ts';
import type { Session } from '../session/session.ts';
import { remember } from './remembered.ts';

/** The message where an account is needed. */
export const noAccounts = 'This credential has no accounts.';

/** All accounts of the credential, read once per run. */
export function allAccounts(session: Session): Promise<Account[]> {
  return session.memory.once('accounts', async () => {
    const { data } = await session.call('listAccounts', {});
    remember(
      session,
      'account',
      data.map(({ id, name }) => [id, name] as const),
    );
    remember(session, 'login', [[loginName(session), '']]);
    return data;
  });
}

/** The owner of the listed accounts: the host and the profile. */
export function loginName({ settings: { baseUrl, profile } }: Session): string {
  return `${baseUrl === undefined ? '' : placeOf(baseUrl)}#${profile ?? ''}`;
}

/** Replaces the name or number of the chosen account by its id. */
export async function decideAccount(session: Session): Promise<void> {
  const { settings } = session;
  if (settings.account !== undefined) settings.account = await idOf(session, settings.account);
}

/** An account's id, from an id, number or name. Text that looks like an id is not looked up. */
async function idOf(session: Session, text: string): Promise<string> {
  if (/^[a-z]+_\w+$|^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return text;
  const accounts = await allAccounts(session);
  const same = (value: string) => value.toLowerCase() === text.toLowerCase();
  const found = accounts.filter(({ id, account_number, name }) => [id, account_number, name].some(same));
  if (found.length > 1) {
    throw usageFailure(
      `${found.length} accounts are named ${quoted(text)}: ${found.map(({ id }) => id).join(', ')}.`,
      'Use the id.',
    );
  }
  return found[0]?.id ?? text;
}

/**
 * Id of the account to use: as given, or from --account and its equivalents, or the only account, or the only active
 * one.
 */
export async function accountId(session: Session, given?: string): Promise<string> {
  const { settings, memory } = session;
  const text = given ?? settings.account;
  const id = text === undefined ? await onlyAccount(session) : await idOf(session, text);
  if (given === undefined && text !== undefined) settings.account = id;
  memory.concerns(id);
  return id;
}

function onlyAccount(session: Session): Promise<string> {
  return session.memory.once('the only account', async () => {
    const accounts = await allAccounts(session);
    const active = accounts.filter((account) => account.status === 'active');
    const only = accounts.length === 1 ? accounts[0] : active.length === 1 ? active[0] : undefined;
    if (only !== undefined) return only.id;
    if (accounts.length === 0) throw usageFailure(noAccounts, 'perp accounts lists them.');
    const listed = accounts.map((account) => `${account.id} (${account.name}, ${account.status})`).join('\n  ');
    throw usageFailure(
      `There are several accounts:\n  ${listed}`,
      'Choose one with --account ID, or set a default with: perp accounts use ID',
    );
  });
}

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
  await decideAccount(session);
  ofChosenAccount(session, await read());
}

function isAccountNamed({ settings }: Session): boolean {
  return settings.accountFrom === '--account';
}

/**
 * An account, by default the one in use, with its risk as of this command: as the list of accounts has just shown it,
 * if that was read to find the account. A batch reads it at most once a second and counts what its own orders have done
 * since.
 */
export async function accountRisk(session: Session, account = session.settings.account): Promise<Account> {
  const { read, before } = await session.memory.recent(`risk of ${account ?? 'the only account'}`, async () => {
    const id = account ?? (await accountId(session));
    const before = session.memory.changeOf(id);
    const listed =
      session.settings.account === undefined && !session.memory.sharesReads ? await allAccounts(session) : [];
    const found = listed.find((one) => one.id === id && one.risk !== undefined);
    return { read: found ?? (await session.call('getAccount', { path: { account_id: id } })).data, before };
  });
  const now = session.memory.changeOf(read.id);
  const by = { equity: now.equity - before.equity, unrealized: now.unrealized - before.unrealized };
  return now === before ? read : afterGain(read, by);
}

/** An account after fills have changed its equity, and the unrealized part of it, USD. */
export function afterGain(account: Account, { equity, unrealized }: Change): Account {
  const { risk } = account;
  if (risk === undefined) return account;
  const plus = <T extends number | null>(amount: T, by: number) =>
    amount === null ? amount : Number((amount + by).toFixed(8));
  return {
    ...account,
    risk: {
      ...risk,
      equity: plus(risk.equity, equity),
      unrealized_pnl: plus(risk.unrealized_pnl, unrealized),
      daily_loss_room: plus(risk.daily_loss_room, equity),
      max_drawdown_room: plus(risk.max_drawdown_room, equity),
    },
  };
}

/** The name by which people tell accounts apart: the funded account may have that of the challenge it came from. */
export function titleOf({ name, stage }: Pick<Account, 'name' | 'stage'>): string {
  return stage === 'funded' ? `${name} (funded)` : name;
}
