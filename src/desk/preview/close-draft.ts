import type { Quote } from '../../wire/contract/markets.ts';
import type { ClosePositionRequest, Position } from '../../wire/contract/positions.ts';
import { type Cover, coverOf } from '../account/means.ts';
import { workingOrders } from '../resolve/holdings.ts';
import { resolveMarket } from '../resolve/market.ts';
import { maybePrice } from '../resolve/price.ts';
import { limitFill, sizedQuote } from '../resolve/quote.ts';
import { resolveSize } from '../resolve/size.ts';
import { unrealizedPnl } from '../risk/profit.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import type { Size } from '../values/sizes.ts';

/** A close as typed: `perp positions close` in values. */
export interface TypedClose {
  readonly type?: ClosePositionRequest['type'] | undefined;
  readonly triggerDirection?: ClosePositionRequest['trigger_direction'] | undefined;
  /** All of the position, if undefined. */
  readonly size?: Size | undefined;
  readonly limitPrice?: Price | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly triggerMarket?: string | undefined;
  readonly expectedPrice?: Price | undefined;
  /** bps. */
  readonly slippage?: number | undefined;
  readonly crossOk: boolean;
  readonly clientOrderId?: string | undefined;
}

/** A close as it will be sent, and the order that it is. */
export interface CloseDraft {
  readonly position: Position;
  readonly body: ClosePositionRequest;
  /** Capped at the size of the position. */
  readonly order: { account_id: string; market_id: string; side: 'buy' | 'sell'; size: number };
}

/** The close that is meant by what was typed. */
export async function draftClose(session: Session, typed: TypedClose, position: Position): Promise<CloseDraft> {
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
  const body: ClosePositionRequest = {
    type: typed.type ?? kind,
    size,
    client_order_id: typed.clientOrderId,
    expected_price: await price(typed.expectedPrice, '--expected-price'),
    slippage_tolerance_bps: typed.slippage,
    limit_price,
    trigger_price,
    trigger_market_id,
    trigger_direction: typed.triggerDirection,
    marketable_limit_acknowledged: typed.crossOk || undefined,
  };
  return {
    position,
    body,
    order: { account_id, market_id, side, size: Math.min(size ?? position.size, position.size) },
  };
}

/** What a close would do. */
export interface ClosePreview {
  /** Expected, USD; undefined if unknown. */
  readonly price: number | undefined;
  /** It is the fill against the book as it is now. */
  readonly isAtBook: boolean;
  readonly notional: number | undefined;
  readonly fee: number | undefined;
  /** Realized without fees, USD. */
  readonly profit: number | undefined;
  /** What stays open, base asset, and what its stops cover. */
  readonly left: number;
  readonly cover: Cover;
}

/** Previews a close. */
export async function previewClose(session: Session, { position, body, order }: CloseDraft): Promise<ClosePreview> {
  const [quote, working] = await Promise.all([sizedQuote(session, order), workingOrders(session, order.account_id)]);
  const { side, size } = order;
  const left = Number((position.size - size).toPrecision(14));
  const { limit_price: limit, trigger_price: trigger } = body;
  const fills = quote.estimated_fill_price;
  const price = limit === undefined ? fills : trigger === undefined ? limitFill(side, limit, quote) : limit;
  const isAtBook = price === fills;
  const notional = price === undefined || isAtBook ? quote.estimated_notional : price * size;
  const fee = notional === undefined || isAtBook ? quote.estimated_fee : feeAt(notional, quote);
  const profit = price === undefined ? undefined : unrealizedPnl({ ...position, size }, price);
  return { price, isAtBook, notional, fee, profit, left, cover: coverOf({ ...position, size: left }, working) };
}

/** The fee of a notional; zero if the quote charges none. */
function feeAt(notional: number, { fee_bps: bps, estimated_fee: estimated }: Quote): number | undefined {
  if (estimated === 0 || bps === undefined) return estimated;
  return (notional * bps) / 1e4;
}
