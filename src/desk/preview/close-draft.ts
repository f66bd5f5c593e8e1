import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { ClosePositionRequest, Position } from '../../wire/contract/positions.ts';
import { resolveMarket } from '../resolve/market.ts';
import { maybePrice } from '../resolve/price.ts';
import { resolveSize } from '../resolve/size.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import type { Size } from '../values/sizes.ts';

/** A close as typed: `perp positions close` in values. */
interface TypedClose {
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
  readonly order: CreateOrderRequest;
}

/** The close that the typed values mean. */
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
  return {
    position,
    body: { ...terms, size },
    order: { ...terms, account_id, market_id, side, size: closed, leverage, margin_mode, reduce_only: true },
  };
}
