import { isNotFound, notFoundFailure } from '../../base/failure/failure.ts';
import { marketName } from '../../base/text/format.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import { exitsOf } from '../account/means.ts';
import { positionsAfterAll, type Trade } from '../risk/trade.ts';
import type { Session } from '../session/session.ts';
import { accountId, decideAccount, loginName } from './account.ts';
import { allMarkets, matchMarket } from './market.ts';
import { expected, remember } from './remembered.ts';
import { called, missing } from './unknown.ts';

/** Open positions of the account, read once per run. */
export async function openPositions(session: Session): Promise<Position[]> {
  return positionsOf(session, await accountId(session));
}

/**
 * Open positions of the account, as far as the check of a new order needs them: in a batch, they are read at most once
 * a second and changed by its own orders since. An unanswered order may trade or be refused: it counts if that is
 * worse, so only if it adds to the new order's exposure, or to a position in another market.
 */
export async function expectedPositions(
  session: Session,
  order: Pick<CreateOrderRequest, 'market_id' | 'side'>,
): Promise<readonly Position[]> {
  const account = await accountId(session);
  const { siblings } = session.memory;
  if (siblings === undefined) return positionsOf(session, account);
  return session.memory.once(
    `expected positions of ${account} before ${order.side} in ${order.market_id}`,
    async () => {
      const { held, trades } = await siblings.positions(account, () => positionsOf(session, account));
      const adds = ({ market_id, side }: Trade) => {
        if (market_id === order.market_id) return side === order.side;
        const open = held.find((position) => position.market_id === market_id);
        return open === undefined || (open.side === 'long') === (side === 'buy');
      };
      return positionsAfterAll(held, trades.filter(adds));
    },
  );
}

/** Open positions of an account, read once per run. */
export function positionsOf(session: Session, account: string): Promise<Position[]> {
  return session.memory.once(`positions of ${account}`, async () => {
    const { data } = await session.call('listOpenPositions', { query: { account_id: account } });
    remember(
      session,
      'position',
      data.map(({ symbol, side }) => [symbol, side] as const),
    );
    return data;
  });
}

/**
 * Starts reading the open positions while the account is still being resolved. Without a chosen account, it reads those
 * of the only account in the last list. If that turns out to be the wrong account, the right one's positions are read
 * instead.
 */
export function beginPositions(session: Session): void {
  if (session.memory.sharesReads) return;
  const { account } = session.settings;
  // An account belongs to a login, and the last list may be of another one.
  const isOfLogin = expected(session, 'login')[0]?.[0] === loginName(session);
  const [last, ...others] = isOfLogin ? expected(session, 'account') : [];
  const likely = account ?? (others.length === 0 ? last?.[0] : undefined);
  if (likely !== undefined) positionsOf(session, likely).catch(() => {});
}

/** The account's open position in a market, if any. */
export async function positionIn(session: Session, marketId: string): Promise<Position | undefined> {
  return (await openPositions(session)).find((position) => position.market_id === marketId);
}

/** Finds a position by its id, open or closed, or the open one in that market. */
export async function resolvePosition(session: Session, text: string): Promise<Position> {
  const open = await openPositions(session);
  const byId = open.find((position) => position.id === text);
  if (byId !== undefined) return byId;
  const market = matchMarket(text, await allMarkets(session));
  if (market !== undefined) {
    const position = open.find(({ market_id }) => market_id === market.market_id);
    if (position !== undefined) return position;
    throw notFoundFailure(
      `There is no open position in ${marketName(market.market_id, market.symbol)}.`,
      'perp positions lists the open ones.',
    );
  }
  const path = { position_id: text };
  return (await called(session, 'position', text, () => session.call('getPosition', { path }))).data;
}

/** The working exits of a position. */
export async function workingExits(session: Session, position: Position): Promise<Order[]> {
  const { data } = await session.call('listOrders', { query: { account_id: position.account_id, status: 'working' } });
  return exitsOf(position, data);
}

/** Finds an order by its id, or by its client order id. */
export async function resolveOrder(session: Session, text: string): Promise<Order> {
  await decideAccount(session);
  const order = await findOrder(session, text);
  (await session.access()).intents.saw(order);
  return order;
}

/** The working orders of an account, read once per run. */
export function workingOrders(session: Session, account_id: string): Promise<readonly Order[]> {
  return session.memory.once(`working orders of ${account_id}`, async () => {
    const { data } = await session.call('listOrders', { query: { account_id, status: 'working' } });
    return data;
  });
}

async function findOrder(session: Session, text: string): Promise<Order> {
  try {
    return (await session.call('getOrder', { path: { order_id: text } })).data;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const named = canBeClientId(text)
    ? (await session.call('listOrders', { query: { client_order_id: text } })).data[0]
    : undefined;
  if (named !== undefined) return named;
  throw await missing(session, 'order', text);
}

/** The service rejects any other client order id in a query. */
function canBeClientId(text: string): boolean {
  return text.length <= 128 && !/\p{Cc}/u.test(text);
}
