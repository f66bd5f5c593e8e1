import { Failure, isNotFound } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';
import { dateTime } from '../../ground/text/format.ts';
import { quoted } from '../../ground/text/plain-text.ts';
import type { Session } from '../session/session.ts';
import { allAccounts } from './account.ts';
import { unknownId } from './unknown.ts';

/**
 * What to throw for a failed request: if it is due to a preset account that does not exist, or to a recording that has
 * ended, a failure that says so; otherwise the error itself.
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
  return unknownId(session, 'account', message, account, waysOut[accountFrom ?? ''] ?? lists);
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
