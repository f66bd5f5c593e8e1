import { isNotFound } from '../../base/failure/failure.ts';
import type { Account, AccountTradingPolicy } from '../../wire/contract/accounts.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { attempt, attemptPages, rowsOf, type Session } from '../session/session.ts';

/** A page of the latest fills or closed positions. */
const page = 100;
/** A guard that missed more fills than this reports only the latest ones. */
const maxFills = 1_000;

/** The account, and exchange time as its answer has it. */
export async function readAccount(session: Session, account_id: string): Promise<{ account: Account; time: number }> {
  const answer = await attempt(session, 'getAccount', { path: { account_id } });
  const [account] = rowsOf([answer.data]);
  if (account === undefined || !Number.isFinite(account.balance)) throw new TypeError('the account has no balance');
  const answeredAt = Date.parse(answer.headers.date ?? '');
  const time = account.risk?.observed_at ?? (Number.isNaN(answeredAt) ? session.machine.now() : answeredAt);
  if (!Number.isFinite(time)) throw new TypeError('the account has no time');
  return { account, time };
}

/** The account's policy; a host may have none. */
export async function readPolicy(session: Session, account_id: string): Promise<AccountTradingPolicy | 'none'> {
  try {
    const policy = (await attempt(session, 'getAccountTradingPolicy', { path: { account_id } })).data;
    const { limits, slippage_tolerance_bps: tolerance, maximum_total_notional_usd: total } = policy;
    const { max_open_positions, max_position_value_usd, maintenance_margin_ratio_bps, liquidation_fee_bps } = limits;
    const figures = [max_open_positions, max_position_value_usd, maintenance_margin_ratio_bps, liquidation_fee_bps];
    if ([...figures, tolerance.max, total ?? 0].every(Number.isFinite)) return policy;
    throw new TypeError('the trading policy has no limits');
  } catch (error) {
    if (isNotFound(error)) return 'none';
    throw error;
  }
}

/** Positions closed since a time, newest first. Reads pages back to a known one, or to that time. */
export async function closedSince(
  session: Session,
  account_id: string,
  time: number,
  before: readonly Position[],
): Promise<readonly Position[]> {
  const isLater = ({ closed_at: at = 0 }: Position) => at >= time;
  const known = new Set(before.map(({ id }) => id));
  const query = { account_id, status: 'closed' as const, limit: page };
  const fresh: Position[] = [];
  for await (const position of attemptPages(session, 'listOpenPositions', { query })) {
    if (!isLater(position) || known.has(position.id)) break;
    fresh.push(...rowsOf([position]));
  }
  return [...fresh, ...before.filter(isLater)];
}

/** The fills after the known one, or the latest page without one; oldest first. */
export async function latestFills(
  session: Session,
  account_id: string,
  known: string | undefined,
): Promise<readonly Order[]> {
  const query = { account_id, limit: page };
  const fills: Order[] = [];
  for await (const fill of attemptPages(session, 'listFills', { query })) {
    if (fill.id === known || fills.length === (known === undefined ? page : maxFills)) break;
    fills.push(...rowsOf([fill]));
  }
  return fills.reverse();
}
