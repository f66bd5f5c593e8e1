import { type Failure, usageFailure } from '../../base/failure/failure.ts';
import type { RequestField, RequestName } from '../../base/terms/order-fields.ts';
import { type Fires, isReduction, orderKinds, requestTypes } from '../../base/terms/order-types.ts';
import { newIdempotencyKey } from '../../wire/client/form-request.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { ClosePositionRequest, Position } from '../../wire/contract/positions.ts';
import { beginAccount, beginAftermath, showsFigures } from '../reading/before.ts';
import { accountId, accountRisk } from '../resolve/account.ts';
import { beginPositions, positionIn, positionsOf, resolvePosition } from '../resolve/holdings.ts';
import { allMarkets, resolveMarket } from '../resolve/market.ts';
import { legPrices, legTerms, maybePrice, priceNow } from '../resolve/price.ts';
import { beginQuote } from '../resolve/quote.ts';
import { resolveSize } from '../resolve/size.ts';
import { resolveTime } from '../resolve/time.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import type { OrderSize, Size } from '../values/sizes.ts';
import type { Time } from '../values/times.ts';
import { isChecked, readUnstopped } from './floor-check.ts';
import type { Unsized } from './largest-size.ts';
import { type Drafted, type FarStop, ownTriggerOf } from './prospect.ts';

/** The options that start an order: an order, a TWAP or a ladder, as typed. */
export interface BegunOrder extends GivenTerms {
  readonly market: string;
  readonly side: 'buy' | 'sell';
  readonly type?: CreateOrderRequest['type'] | undefined;
  readonly reduceOnly: boolean;
  /** --force: it is not compared with the floors. */
  readonly force: boolean;
  readonly stopLoss?: Price | undefined;
  /** The treatment of a stop-loss that is far away; allowed by default. */
  readonly farStop?: FarStop | undefined;
}

/** An order as typed: `perp order place` in values. */
export interface TypedOrder extends BegunOrder {
  readonly size: OrderSize;
  readonly limitPrice?: Price | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly triggerMarket?: string | undefined;
  readonly triggerDirection?: CreateOrderRequest['trigger_direction'] | undefined;
  readonly expectedPrice?: Price | undefined;
  readonly takeProfit?: Price | undefined;
  readonly replaceExits: boolean;
  /** bps. */
  readonly slippage?: number | undefined;
  readonly tif?: CreateOrderRequest['time_in_force'] | undefined;
  readonly expires?: Time | undefined;
  readonly chaseOffset?: number | undefined;
  readonly chaseCap?: Price | undefined;
  readonly targetPosition?: string | undefined;
  readonly crossOk: boolean;
  readonly clientOrderId?: string | undefined;
}

interface GivenTerms {
  readonly leverage?: number | undefined;
  readonly margin?: 'cross' | 'isolated' | undefined;
}

/**
 * Starts, at once, every read that a new order needs, and finds its market and account. Each later use of a read gets
 * its answer or its error. With a preview, nothing is read for a check without one.
 */
export async function beginOrder(
  session: Session,
  typed: BegunOrder,
  isPreviewed: boolean,
): Promise<{ market: Market; account_id: string }> {
  const checked = { reduce_only: typed.reduceOnly, type: typed.type };
  const isCompared = !typed.force && isChecked(session, checked);
  for (const read of [allMarkets(session), accountId(session)]) read.catch(() => {});
  if (isCompared || !areGiven(typed)) beginPositions(session);
  const hasAftermath = session.settings.idempotencyKey === undefined && showsFigures(session);
  if (hasAftermath) beginAccount(session);
  if (isCompared) accountRisk(session).catch(() => {});
  const needsQuote = isCompared && !isPreviewed && typed.stopLoss === undefined;
  if (needsQuote || hasAftermath) beginQuote(session, typed.market);
  // The write will need node:crypto, which takes milliseconds to load; load it while the reads are in flight.
  if (!session.memory.sharesReads) setImmediate(newIdempotencyKey);
  const market = await resolveMarket(session, typed.market);
  const account_id = await accountId(session);
  const where = { account_id, market_id: market.market_id };
  if (needsQuote) readUnstopped(session, { ...where, side: typed.side }).catch(() => {});
  if (hasAftermath) beginAftermath(session, where);
  return { market, account_id };
}

/**
 * The order that the typed values mean. Everything that is read is read once; prices, size and legs are each found
 * once, in this order, because each may depend on those before it. The contract then validates the combination.
 */
export async function draftOrder(session: Session, typed: TypedOrder, isPreviewed: boolean): Promise<Drafted> {
  const { market, account_id } = await beginOrder(session, typed, isPreviewed);
  const { market_id } = market;
  const { side, slippage, force } = typed;
  const prices = await pricesOf(session, typed, market_id);
  const unsized = {
    type: typeOf(typed),
    account_id,
    market_id,
    side,
    size: 0,
    ...(await resolveTerms(session, market_id, typed)),
    client_order_id: typed.clientOrderId,
    slippage_tolerance_bps: slippage,
    reduce_only: typed.reduceOnly || undefined,
    take_profit_price: undefined,
    stop_loss_price: undefined,
    ...prices,
    time_in_force: typed.tif ?? (typed.expires === undefined ? undefined : 'gtd'),
    gtd_expires_at: undefined,
    chase_offset: typed.chaseOffset,
    marketable_limit_acknowledged: typed.crossOk || undefined,
    replace_overlapping_exits: typed.replaceExits || undefined,
    trigger_direction: typed.triggerDirection,
    target_position_id: undefined,
  } satisfies CreateOrderRequest & Readonly<Record<RequestName<RequestField>, unknown>>;
  const stopAt = stopOf(session, side, market_id, typed.stopLoss);
  const hasTarget = typed.takeProfit !== undefined;
  const judging = { force, stopAt, farStop: typed.farStop };
  const { size, entry } = await sizeOf(session, typed, { order: unsized, market, judging, hasTarget, isTyped: true });
  const hasLegs = hasTarget || stopAt !== undefined;
  const sized = { ...unsized, size, limit: prices.limit_price, trigger: ownTriggerOf(unsized), expected: entry };
  const order: CreateOrderRequest = {
    ...unsized,
    size,
    ...(hasLegs && (await legPrices(session, typed, sized))),
    gtd_expires_at: typed.expires === undefined ? undefined : await resolveTime(session, typed.expires),
    target_position_id:
      typed.targetPosition === undefined ? undefined : (await resolvePosition(session, typed.targetPosition)).id,
  };
  return { order, market, judging };
}

/** The order that turns a position into one of the same size on the other side. */
export async function draftReversal(
  session: Session,
  typed: Pick<TypedOrder, 'stopLoss' | 'takeProfit' | 'clientOrderId' | 'slippage' | 'force' | 'farStop'>,
  position: Position,
  market: Market,
): Promise<Drafted> {
  const { account_id, market_id, leverage, margin_mode } = position;
  const side = position.side === 'long' ? 'sell' : 'buy';
  const size = Number((2 * position.size).toPrecision(15));
  const taken = { type: 'market', account_id, market_id, side, size } as const;
  const order = {
    ...taken,
    ...(await legPrices(session, typed, { ...taken, limit: undefined, trigger: undefined })),
    leverage,
    margin_mode,
    client_order_id: typed.clientOrderId,
    slippage_tolerance_bps: typed.slippage,
  };
  const { force, farStop } = typed;
  const stopAt = stopOf(session, side, market_id, typed.stopLoss);
  const wayOut = 'use perp order place with a smaller size';
  return { order, market, judging: { force, stopAt, farStop, wayOut } };
}

/** The size, and the expected price if it was needed to find the size. */
async function sizeOf(
  session: Session,
  { side, size }: TypedOrder,
  unsized: Unsized,
): Promise<{ size: number; entry?: number | undefined }> {
  const { order, market, judging } = unsized;
  const reduces = isReduction(order);
  if (size.unit === 'max' || size.unit === 'risk') {
    if (reduces || (size.unit === 'risk' && judging.stopAt === undefined)) throw needsStop(size, reduces);
    if (session.memory.siblings !== undefined) {
      // The margin and room that earlier lines use.
      await session.memory.siblings.itsTurn();
      session.memory.forget();
    }
    const { largestAllowed, riskedSize } = await import('./risk-size.ts');
    const found = await (size.unit === 'max' ? largestAllowed(session, unsized) : riskedSize(session, size, unsized));
    return { size: found.order.size, entry: found.price };
  }
  const position = size.unit === 'percent' && reduces ? await positionIn(session, market.market_id) : undefined;
  const prices = { price: order.limit_price, trigger: ownTriggerOf(order) };
  return { size: await resolveSize(session, size, { market, side, ...prices, position }) };
}

/** The stop-loss of an order that trades at a price; undefined without one. */
function stopOf(session: Session, side: 'buy' | 'sell', market_id: string, stopLoss: Price | undefined) {
  if (stopLoss === undefined) return undefined;
  return async (entry: number) =>
    (
      await priceNow(
        session,
        stopLoss,
        legTerms({ side, market_id }, () => entry, 'stop'),
      )
    ).value;
}

function needsStop({ text }: OrderSize, reduces: boolean): Failure {
  return reduces
    ? usageFailure(
        `${text} sizes an order that opens a position, not one that reduces it.`,
        'Write a size such as 50%.',
      )
    : usageFailure(`${text} needs a stop.`, 'Add --stop-loss, such as --stop-loss 1%.');
}

/** The order's own prices. */
async function pricesOf(session: Session, typed: TypedOrder, marketId: string) {
  const { side } = typed;
  const trigger_market_id =
    typed.triggerMarket === undefined ? undefined : (await resolveMarket(session, typed.triggerMarket)).market_id;
  const price = (given: Price | undefined, label: string, ofMarket = marketId, isLimit = false) =>
    maybePrice(session, given, { label, marketId: ofMarket, side, isLimit });
  return {
    expected_price: await price(typed.expectedPrice, '--expected-price'),
    limit_price: await price(typed.limitPrice, '--limit-price', marketId, true),
    trigger_price: await price(typed.triggerPrice, '--trigger-price', trigger_market_id),
    chase_cap_price: await price(typed.chaseCap, '--chase-cap'),
    trigger_market_id,
  };
}

/**
 * The order type: as given, else limit if there is a limit price, else market. A trigger alone does not determine it.
 */
function typeOf(typed: TypedOrder): NonNullable<CreateOrderRequest['type']> {
  if (typed.type !== undefined) return typed.type;
  if (typed.triggerPrice !== undefined) {
    throw usageFailure(
      '--trigger-price needs a --type.',
      `Add --type ${typesFiring('against')} (if the price moves against you), ${typesFiring('favor')} (if it moves in your favor), or ${typesFiring('directed')} (the mark of another market).`,
    );
  }
  if (typed.chaseOffset !== undefined || typed.chaseCap !== undefined) return 'chase';
  return typed.limitPrice === undefined ? 'market' : 'limit';
}

/** The types that a trigger fires in one way: `stop_market or stop_limit`. */
function typesFiring(way: Fires): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    requestTypes.filter((type) => orderKinds[type].fires === way),
  );
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
  // Earlier orders may be refused, or close the position: the terms must not depend on that.
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

/** A close as typed: `perp positions close` in values. */
type TypedClose = Pick<
  TypedOrder,
  'limitPrice' | 'triggerPrice' | 'triggerMarket' | 'expectedPrice' | 'slippage' | 'crossOk' | 'clientOrderId'
> & {
  readonly type?: ClosePositionRequest['type'] | undefined;
  readonly triggerDirection?: ClosePositionRequest['trigger_direction'] | undefined;
  /** All of the position, if undefined. */
  readonly size?: Size | undefined;
};

/** A close as it will be sent, and the order that it is, capped at the size of the position. */
export type CloseDraft = Awaited<ReturnType<typeof draftClose>>;

/** The close that the typed values mean. */
export async function draftClose(session: Session, typed: TypedClose, position: Position) {
  const { account_id, market_id } = position;
  const side = position.side === 'long' ? 'sell' : 'buy';
  const triggered = typed.triggerMarket ?? (typed.triggerPrice === undefined ? undefined : market_id);
  const trigger_market_id = triggered === undefined ? undefined : (await resolveMarket(session, triggered)).market_id;
  const price = (given: Price | undefined, label: string, marketId = market_id, isLimit = false) =>
    maybePrice(session, given, { label, marketId, side, entry: () => position.entry_price, isLimit });
  const limit_price = await price(typed.limitPrice, '--limit-price', market_id, true);
  const trigger_price = await price(typed.triggerPrice, '--trigger-price', trigger_market_id);
  const basis = {
    market: { ...position, size_decimals: position.size_decimals ?? 8 },
    side,
    price: limit_price,
    trigger: typed.triggerMarket === undefined ? trigger_price : undefined,
    position,
  } as const;
  const size = typed.size === undefined ? undefined : await resolveSize(session, typed.size, basis);
  const kind = typed.triggerPrice === undefined ? (typed.limitPrice === undefined ? 'market' : 'limit') : 'conditional';
  const terms = {
    type: typed.type ?? kind,
    client_order_id: typed.clientOrderId,
    expected_price: await price(typed.expectedPrice, '--expected-price'),
    slippage_tolerance_bps: typed.slippage,
    limit_price,
    trigger_price,
    trigger_market_id,
    trigger_direction: typed.triggerDirection,
    marketable_limit_acknowledged: typed.crossOk || undefined,
  };
  const { leverage, margin_mode } = position;
  const closed = Math.min(size ?? position.size, position.size);
  const body: ClosePositionRequest = { ...terms, size };
  const where = { account_id, market_id, side, leverage, margin_mode } as const;
  const order: CreateOrderRequest = { ...terms, ...where, size: closed, reduce_only: true };
  return { position, body, order };
}
