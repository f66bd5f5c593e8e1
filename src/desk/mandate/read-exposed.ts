import type { Account } from '../../wire/contract/accounts.ts';
import { gapOf } from '../preview/prospect.ts';
import { policyOf } from '../reading/prospects.ts';
import { allMarkets } from '../resolve/market.ts';
import { marksOf, withTicks } from '../resolve/quote.ts';
import type { Marks } from '../risk/path-account.ts';
import { dayStartEquity, equityAt } from '../risk/profit.ts';
import type { Session } from '../session/session.ts';
import { copiersOf, groupsOf } from './at-stake.ts';
import type { Exposed } from './mandate.ts';

/** Reads an account's current exposure, with the marks of these markets. */
export async function readExposed(session: Session, account_id: string, markets: readonly string[]): Promise<Exposed> {
  const query = { account_id };
  const [{ data: account }, { data: positions }, { data: working }, twaps, groups, policy, known] = await Promise.all([
    session.call('getAccount', { path: { account_id } }),
    session.call('listOpenPositions', { query }),
    session.call('listOrders', { query: { account_id, status: 'working' } }),
    session.call('listActiveTwapOrders', { query }),
    session.call('listCopyTradingConfigurations', {}),
    policyOf(session, account_id),
    allMarkets(session),
  ]);
  const ids = [...markets, ...[...positions, ...working, ...twaps.data].map(({ market_id }) => market_id)];
  const marks = await withGaps(session, markets, await withTicks(session, marksOf(session, ids)));
  const copies = groupsOf(groups.data, account_id);
  const followers = await Promise.all(
    copiersOf(copies, account_id).map(async (id) => [id, await readExposed(session, id, markets)] as const),
  );
  return {
    account,
    positions,
    working,
    twaps: twaps.data.filter(({ status }) => status === 'running'),
    copies,
    followers: new Map(followers),
    policy,
    marks,
    markets: new Map(known.map((market) => [market.market_id, market])),
    lostUsd: lostToday(account, positions, marks),
    sentAt: [],
    pending: [],
  };
}

/** Marks with the gaps of these markets. */
async function withGaps(session: Session, markets: readonly string[], marks: Marks): Promise<Marks> {
  const known = (await allMarkets(session)).filter(({ market_id: id }) => markets.includes(id) && marks.has(id));
  const gaps = await Promise.all(
    known.map(async (market) => {
      const { bps: gapBps } = await gapOf(session, market);
      return [market.market_id, { ...marks.get(market.market_id)!, gapBps }] as const;
    }),
  );
  return new Map([...marks, ...gaps]);
}

/** The equity at the start of the day, according to its floor, minus the current equity; undefined if unknown. */
function lostToday(account: Account, positions: Exposed['positions'], marks: Marks): number | undefined {
  const began = dayStartEquity(account);
  const equity = equityAt(account.balance, positions ?? [], (id) => marks.get(id)?.price);
  return began === undefined || equity === undefined ? undefined : began - equity;
}
