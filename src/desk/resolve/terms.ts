import { newIdempotencyKey } from '../../client/identifiers.ts';
import type { Position } from '../../contract/positions.ts';
import type { Session } from '../session/session.ts';
import { accountId } from './account.ts';
import { beginPositions, positionIn, positionsOf } from './holdings.ts';
import { allMarkets } from './market.ts';

interface GivenTerms {
  leverage?: number | undefined;
  margin?: 'cross' | 'isolated' | undefined;
}

/** Starts in parallel the reads that every new order needs. Each later caller gets its own read's answer or error. */
export function beginReads(session: Session, given: GivenTerms): void {
  for (const read of [allMarkets(session), accountId(session)]) read.catch(() => {});
  if (!areGiven(given)) beginPositions(session);
  // The write will need node:crypto, which takes milliseconds to load; load it while the reads are in flight.
  setImmediate(newIdempotencyKey);
}

/** Leverage and margin mode of an order: as given, else the open position's, else the config's, else 1 and cross. */
export async function resolveTerms(session: Session, marketId: string, given: GivenTerms): Promise<Terms> {
  const { settings, memory } = session;
  const termsOf = (open: Terms | undefined): Terms => ({
    leverage: given.leverage ?? open?.leverage ?? settings.leverage ?? 1,
    margin_mode: given.margin ?? open?.margin_mode ?? settings.marginMode ?? 'cross',
  });
  if (areGiven(given)) return termsOf(undefined);
  const { siblings } = memory;
  if (siblings === undefined) return termsOf(await positionIn(session, marketId));
  const account = await accountId(session);
  const read = () => siblings.positions(account, () => positionsOf(session, account));
  const termsIn = (open: readonly Position[]) => termsOf(open.find((one) => one.market_id === marketId));
  const { held, trades } = await read();
  const found = termsIn(held);
  // The orders before this one may be refused, or close the position: the terms must not depend on that.
  const isSame = (terms: Terms) => terms.leverage === found.leverage && terms.margin_mode === found.margin_mode;
  const others = trades.filter(({ market_id }) => market_id === marketId);
  if (others.length === 0 || [undefined, ...others].every((one) => isSame(termsOf(one)))) return found;
  await siblings.itsTurn();
  return termsIn((await read()).held);
}

type Terms = Pick<Position, 'leverage' | 'margin_mode'>;

function areGiven({ leverage, margin }: GivenTerms): boolean {
  return leverage !== undefined && margin !== undefined;
}
