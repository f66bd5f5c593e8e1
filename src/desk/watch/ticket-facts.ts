import type { Market } from '../../contract/markets.ts';
import { gapOf } from '../preview/gap.ts';
import { policyOf, twapsNow } from '../reading/prospects.ts';
import type { Session } from '../session/session.ts';
import type { TicketFacts } from './ticket.ts';

/** Reads what a ticket needs and no stream tells. */
export async function readTicketFacts(session: Session, account: string, market: Market): Promise<TicketFacts> {
  const { market_id, min_size, size_decimals } = market;
  // Only the quote of a size tells the commission.
  const size = Math.max(min_size ?? 0, 10 ** -size_decimals);
  const [policy, twaps, gap, quote] = await Promise.all([
    policyOf(session, account),
    twapsNow(session, account),
    gapOf(session, market),
    session
      .call('getMarketQuote', { path: { market_id }, query: { side: 'buy', size } })
      .then(({ data }) => data)
      .catch(() => undefined),
  ]);
  return { account, market: market_id, policy, twaps, gap, feeBps: quote?.fee_bps };
}
