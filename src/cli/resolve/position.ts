import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import { exitsOf } from '../../desk/risk/cover.ts';
import { Failure, isNotFound, notFoundFailure } from '../../ground/failure/failure.ts';
import { marketName } from '../../ground/text/market-name.ts';
import { remembered } from '../completion/memory.ts';
import { remember } from '../completion/remember.ts';
import type { Context } from '../context/context.ts';
import { accountId } from './account.ts';
import { allMarkets, matchMarket } from './market.ts';
import { missing } from './unknown.ts';

/** Open positions of the account, read once per run. */
export async function openPositions(context: Context): Promise<Position[]> {
  return positionsOf(context, await accountId(context));
}

/** Open positions of an account, read once per run. */
export function positionsOf(context: Context, account: string): Promise<Position[]> {
  return context.once(`positions of ${account}`, async () => {
    const { data } = await context.call('listOpenPositions', { query: { account_id: account } });
    remember(
      context,
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
export function beginPositions(context: Context): void {
  const { environment, account } = context.settings;
  const [last, ...others] = remembered(context.variables, environment, 'account');
  const expected = account ?? (others.length === 0 ? last?.[0] : undefined);
  if (expected !== undefined) positionsOf(context, expected).catch(() => {});
}

/** The account's open position in a market, if any. */
export async function positionIn(context: Context, marketId: string): Promise<Position | undefined> {
  return (await openPositions(context)).find((position) => position.market_id === marketId);
}

/** Finds a position by its id, open or closed, or the open one in that market. */
export async function resolvePosition(context: Context, text: string): Promise<Position> {
  const open = await openPositions(context);
  const byId = open.find((position) => position.id === text);
  if (byId !== undefined) return byId;
  const market = matchMarket(text, await allMarkets(context));
  if (market !== undefined) {
    const position = open.find(({ market_id }) => market_id === market.market_id);
    if (position !== undefined) return position;
    throw notFoundFailure(
      `There is no open position in ${marketName(market.market_id, market.symbol)}.`,
      'perp positions lists the open ones.',
    );
  }
  try {
    return (await context.call('getPosition', { path: { position_id: text } })).data;
  } catch (error) {
    if (error instanceof Failure || !isNotFound(error)) throw error;
    throw await missing(context, 'position', text);
  }
}

/** The working exits of a position. */
export async function workingExits(context: Context, position: Position): Promise<Order[]> {
  const { data } = await context.call('listOrders', { query: { account_id: position.account_id, status: 'working' } });
  return exitsOf(position, data);
}
