import { Failure, isNotFound, notFoundFailure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { dateTime, shellSafe } from '../../base/text/format.ts';
import { quoted } from '../../base/text/plain-text.ts';
import { editDistance } from '../../wire/contract/nearest.ts';
import type { Session } from '../session/session.ts';
import { allAccounts } from './account.ts';
import { resolveMarket } from './market.ts';
import { type RememberedKind, remembered } from './remembered.ts';

/** The failure for an unknown id; suggests a similar one that recent lists showed. */
function unknownId(session: Session, kind: RememberedKind, message: string, id: string, lists: string): Failure {
  const known = remembered(session.machine.variables, session.settings.environment, kind).map(([value]) => value);
  const near = nearestId(id, known);
  return notFoundFailure(message, near === undefined ? lists : `Did you mean ${near}? ${lists}`);
}

/** The resources that an id may name, each as in a sentence, with the commands that list and show it. */
const nouns = {
  order: ['an order', 'perp order --ended shows yours.', 'perp order show'],
  position: ['a position', 'perp positions lists the open ones.', 'perp positions show'],
  twap: ['a TWAP order', 'perp twap list shows yours.', 'perp twap show'],
  scaled: ['a ladder', 'perp scaled list shows yours.', 'perp scaled show'],
  account: ['an account', 'perp accounts lists yours.', 'perp accounts show'],
} as const;

/** How to fetch what an id may name. */
const fetched: { readonly [Name in Exclude<Noun, 'account'>]: (session: Session, id: string) => Promise<unknown> } = {
  order: (session, order_id) => session.call('getOrder', { path: { order_id } }),
  position: (session, position_id) => session.call('getPosition', { path: { position_id } }),
  twap: (session, twap_order_id) => session.call('getTwapOrder', { path: { twap_order_id } }),
  scaled: (session, scaled_order_id) => session.call('getScaledOrder', { path: { scaled_order_id } }),
};

type Noun = keyof typeof nouns;

/** The failure for an id that doesn't exist as this noun; it names the noun that the id belongs to. */
export async function missing(session: Session, noun: Noun, id: string): Promise<Failure> {
  const [one, lists] = nouns[noun];
  const message = `There is no ${one.replace(/^an? /, '')} ${quoted(id)}`;
  const several = await severalMeant(session, noun, id);
  if (several !== undefined) return notFoundFailure(`${message}.`, several);
  const other = noun === 'account' ? undefined : await elsewhere(session, noun, id);
  if (other === undefined) return unknownId(session, noun, `${message}.`, id, lists);
  const [is, , shows] = nouns[other];
  return notFoundFailure(`${message}: it is ${is}.`, `${shows} ${id} shows it.`);
}

/** A market or `all` where one order or position belongs. */
async function severalMeant(session: Session, noun: Noun, id: string): Promise<string | undefined> {
  if (noun !== 'order' && noun !== 'position') return undefined;
  const all = /^all$/i.test(id);
  if (noun === 'position')
    return all ? 'perp close-all closes every position; perp flatten cancels orders, too.' : undefined;
  if (all) return 'perp cancel-all cancels every working order; perp order list shows them.';
  const market = await resolveMarket(session, id).catch(() => undefined);
  if (market === undefined) return undefined;
  const name = shellSafe(id);
  return `perp cancel-all --market ${name} cancels the orders in a market; perp order list --market ${name} shows them.`;
}

/** Runs a call about one object; if its id does not exist, names the noun in the failure. */
export async function called<T>(session: Session, noun: Noun, id: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Failure || !isNotFound(error)) throw error;
    throw await missing(session, noun, id);
  }
}

/** The other noun that has this id. Asks only if the text looks like an id. */
async function elsewhere(session: Session, noun: Noun, id: string) {
  if (!/^[A-Za-z]+[_-][\w-]+$/.test(id)) return undefined;
  for (const [other, fetch] of Object.entries(fetched)) {
    if (other === noun) continue;
    try {
      await fetch(session, id);
      return other as Noun;
    } catch {
      // Not found, or the lookup failed; the first failure is reported.
    }
  }
  return undefined;
}

/** The closest id within two edits; undefined if several are equally close, as consecutive ids look alike. */
export function nearestId(id: string, known: readonly string[]): string | undefined {
  for (const slips of [1, 2]) {
    const near = known.filter((candidate) => editDistance(id, candidate, slips + 1) <= slips);
    if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  }
  return undefined;
}

/**
 * The error to throw for a failed request: if it is due to a preset account that doesn't exist, or to a recording that
 * has ended, a failure that says so; otherwise the error itself.
 */
export async function explained(session: Session, request: object, error: unknown): Promise<unknown> {
  if (session.settings.environment === 'sim' && isWithoutPrices(error)) return endOfRecording(session, error);
  return unknownAccount(session, request, error);
}

async function unknownAccount(session: Session, request: object, error: unknown): Promise<unknown> {
  const { account, accountFrom } = session.settings;
  if (account === undefined || !isNotFound(error) || !names(request, account)) return error;
  try {
    if ((await allAccounts(session)).some(({ id }) => id === account)) return error;
  } catch {
    return error;
  }
  const message = `There is no account ${quoted(account)} on ${session.settings.environment} (set by ${accountFrom}).`;
  return unknownId(
    session,
    'account',
    message,
    account,
    waysOut[accountFrom?.startsWith('profile ') === true ? kept : (accountFrom ?? '')] ?? lists,
  );
}

const lists = 'perp accounts lists yours.';

const kept = 'the config file';

const waysOut: Readonly<Record<string, string>> = {
  PERP_ACCOUNT: `Change or unset PERP_ACCOUNT; ${lists}`,
  [kept]: `Choose another with perp accounts use ID; ${lists}`,
};

/** Whether a request names this account. */
function names(request: { path?: unknown; query?: unknown; body?: unknown }, account: string): boolean {
  return [request.path, request.query, request.body].some(
    (part) => (part as { account_id?: unknown } | undefined)?.account_id === account,
  );
}

async function endOfRecording(session: Session, error: unknown): Promise<unknown> {
  const { client } = await session.access();
  const status = await client.call('simStatus', {}).catch(() => undefined);
  const { source, time, last_time: end } = status?.data ?? {};
  if (source !== 'recorded' || end === undefined || end === null || time! < end) return error;
  const facts = factsOf(error);
  return new Failure({
    ...facts,
    message: `${facts.message} The recording ended at ${dateTime(end)}.`,
    hint: 'Start it again with perp sim reset, or play another with --books FILE.',
    retryable: false,
  });
}

/** Whether an answer reports that there is no fresh book. */
function isWithoutPrices(error: unknown): boolean {
  const { name, status, ruleId } = error as { name?: string; status?: number; ruleId?: string };
  return name === 'ApiError' && (status === 503 || ruleId === 'stale-book');
}
