import { join } from 'node:path';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { orderKindOf } from '../../base/terms/order-types.ts';
import { withPlace } from '../../base/text/place-options.ts';
import type { Account } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { allAccounts, titleOf } from '../resolve/account.ts';
import { filledAt } from '../risk/trade.ts';
import type { Session } from '../session/session.ts';

/** How an account ended: as the simulation reports it, or what is known of it. */
export type Ending = NonNullable<Awaited<ReturnType<typeof endingOf>>>;

/**
 * How this account ended; undefined while it is active. Values that can't be read stay unknown. `beside`: the accounts
 * among which the user may continue.
 */
export async function endingOf(session: Session, account: Account, beside?: readonly Account[]) {
  if (account.status === 'active') return undefined;
  const [reported, fills, accounts] = await Promise.all([
    reportedEnding(session, account).catch(() => undefined),
    lastFills(session, account),
    beside ?? allAccounts(session).catch((): Account[] => []),
  ]);
  const { id, status, stage, balance } = account;
  const closes = closesOf(account, fills);
  const known = reported ?? { rule_id: touchedRule(account), ended_at: endOf(closes), equity: null, bound: null };
  const { rule_id, ended_at, equity, bound } = known;
  return {
    account_id: id,
    name: titleOf(account),
    status: status as Account['status'],
    /** Why a failed one ended: daily-loss, maximum-drawdown. */
    rule_id,
    /** Unix ms. */
    ended_at,
    /** At that moment, USD; for a passed one its balance. */
    equity,
    /** The floor that it touched, or the target that it reached, USD. */
    bound,
    balance,
    /** The fills that ended it. */
    closes: closes.map(({ market_id, symbol, fill_price: price }) => ({ market_id, symbol, price: price ?? null })),
    /** The next thing to do. */
    next:
      session.settings.afterEnd ??
      withPlace(nextStep({ id, status, stage }, accounts, session.settings.environment === 'sim'), session.settings),
  };
}

/** How the accounts of a list ended, by id; active ones are absent. */
export async function endingsOf(session: Session, accounts: readonly Account[]): Promise<Map<string, Ending>> {
  const ended = accounts.filter(({ status }) => status !== 'active').slice(0, mostEnded);
  const endings = await Promise.all(ended.map((account) => endingOf(session, account, accounts)));
  return new Map(endings.flatMap((ending) => (ending === undefined ? [] : [[ending.account_id, ending]])));
}

/** A list of accounts reads the fills of this many ended ones. */
const mostEnded = 10;

/** Only the simulation reports how an account ended. */
async function reportedEnding(session: Session, { id }: Account) {
  if (session.settings.environment !== 'sim') return undefined;
  const { data } = await session.call('simStatus', {});
  return data.ended_accounts.find(({ account_id }) => account_id === id);
}

async function lastFills(session: Session, { id }: Account): Promise<readonly Order[]> {
  try {
    return (await session.call('listFills', { query: { account_id: id, limit: 100 } })).data;
  } catch {
    return [];
  }
}

/** The fills that ended it: the closes of everything that was open, or the one that reached the target. */
function closesOf({ status }: Account, fills: readonly Order[]): readonly Order[] {
  return status === 'failed' ? fills.filter(({ mode }) => orderKindOf(mode)?.forces === 'account') : fills.slice(0, 1);
}

function endOf(closes: readonly Order[]): number | null {
  const times = closes.map(filledAt).filter(Number.isFinite);
  return times.length === 0 ? null : Math.max(...times);
}

/** On a host, the floor that equity has reached identifies the rule. */
function touchedRule({ status, risk }: Account): string | null {
  if (status !== 'failed') return null;
  if (risk?.max_drawdown_room === 0) return 'maximum-drawdown';
  return risk?.daily_loss_room === 0 ? 'daily-loss' : null;
}

/** The next thing to do, in a sentence with a command that works. */
function nextStep(
  { id, status, stage }: Pick<Account, 'id' | 'status' | 'stage'>,
  accounts: readonly Account[],
  isSimulation: boolean,
): string {
  const active = accounts.filter((account) => account.status === 'active' && account.id !== id);
  const isPassed = status === 'passed' && stage === 'evaluation';
  const other = isPassed ? active.find((account) => account.stage === 'funded') : active[0];
  if (other !== undefined) return `perp accounts use ${other.id} continues with ${titleOf(other)}`;
  if (isPassed)
    return isSimulation
      ? `perp sim fund ${id} opens the funded account`
      : 'perp accounts lists the funded account once it is open';
  return isSimulation ? 'perp sim reset starts over' : 'this account no longer trades; perp accounts lists others';
}

/** Announcements made about a state of the simulation: its last mark, and the accounts with the times of their end. */
interface Announced {
  readonly mark: string;
  readonly ended: readonly string[];
}

/** Announcements made, by state; empty if the file can't be read. */
export function announced(variables: Variables): Readonly<Record<string, Announced | undefined>> {
  try {
    const kept: unknown = JSON.parse(readRegularFile(fileIn(variables)).text);
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Announced>) : {};
  } catch {
    return {};
  }
}

/** Stores what has been announced about a state; undefined: forgets it. */
export function storeAnnounced(variables: Variables, state: string, now: Announced | undefined): void {
  if (now === undefined && announced(variables)[state] === undefined) return;
  changeFile({ file: fileIn(variables), speed: 'quick' }, (write) => {
    write(JSON.stringify({ ...announced(variables), [state]: now }));
  });
}

function fileIn(variables: Variables): string {
  return join(stateFolder(variables), 'endings.json');
}
