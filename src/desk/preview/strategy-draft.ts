import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { marketName, stretch } from '../../base/text/format.ts';
import type { Market } from '../../wire/contract/markets.ts';
import type { CreateOrderRequest } from '../../wire/contract/orders.ts';
import type { CreateScaledOrderRequest, CreateTwapOrderRequest } from '../../wire/contract/strategies.ts';
import { positionIn } from '../resolve/holdings.ts';
import { maybePrice, resolvePrice } from '../resolve/price.ts';
import { quoteOnce } from '../resolve/quote.ts';
import { resolveSize } from '../resolve/size.ts';
import type { Session } from '../session/session.ts';
import type { Price } from '../values/prices.ts';
import type { Size } from '../values/sizes.ts';
import { type BegunOrder, beginOrder, resolveTerms } from './order-draft.ts';
import type { Drafted } from './prospect.ts';

interface TypedStrategy extends BegunOrder {
  readonly side: 'buy' | 'sell';
  readonly size: Size;
}

/** A TWAP or VWAP as typed: `perp twap place` in values. */
interface TypedTwap extends TypedStrategy {
  readonly strategy?: CreateTwapOrderRequest['strategy'] | undefined;
  /** ms. */
  readonly duration: number;
  /** ms. */
  readonly interval?: number | undefined;
  readonly randomize: boolean;
  readonly expectedPrice?: Price | undefined;
  readonly triggerPrice?: Price | undefined;
  readonly maxPrice?: Price | undefined;
  readonly minPrice?: Price | undefined;
}

/** A ladder as typed: `perp scaled place` in values. */
interface TypedLadder extends TypedStrategy {
  readonly from: Price;
  readonly to: Price;
  readonly rungs: number;
  readonly distribution?: CreateScaledOrderRequest['distribution'] | undefined;
  readonly crossOk: boolean;
}

/** A strategy as it will be sent, and the order that it trades like. */
export interface StrategyDraft<Body> extends Drafted {
  readonly body: Body;
}

/** The price of a rung, and its share of the size. */
interface Rung {
  readonly price: number;
  readonly weight: number;
}

/** The TWAP or VWAP that the typed values mean. */
export async function draftTwap(
  session: Session,
  typed: TypedTwap,
  isPreviewed: boolean,
): Promise<StrategyDraft<CreateTwapOrderRequest>> {
  const { market, account_id } = await beginOrder(session, typed, isPreviewed);
  const price = (given: Price | undefined, label: string, side = typed.side) =>
    maybePrice(session, given, { label, marketId: market.market_id, side });
  const expected_price =
    (await price(typed.expectedPrice, '--expected-price')) ?? (await quoteOnce(session, market.market_id)).mid;
  if (expected_price === null)
    throw new Failure({
      code: 'no_price',
      message: `${marketName(market.market_id, market.symbol)} currently has no price to use as --expected-price.`,
      hint: 'Try again in a moment, or give --expected-price.',
      retryable: true,
    });
  const body: CreateTwapOrderRequest = {
    account_id,
    market_id: market.market_id,
    strategy: typed.strategy,
    side: typed.side,
    size: await sizeOf(session, typed, market),
    expected_price,
    ...(await resolveTerms(session, market.market_id, typed)),
    duration_minutes: whole(typed.duration, 60_000, '--duration', 'minutes'),
    slice_interval_seconds:
      typed.interval === undefined ? undefined : whole(typed.interval, 1000, '--interval', 'seconds'),
    randomize: typed.randomize || undefined,
    reduce_only: typed.reduceOnly || undefined,
    trigger_price: await price(typed.triggerPrice, '--trigger-price'),
    // Rounded inward: the order never works at a mark outside the requested limits.
    max_price: await price(typed.maxPrice, '--max-price', 'buy'),
    min_price: await price(typed.minPrice, '--min-price', 'sell'),
  };
  return draftOf(body, market, typed, { type: 'market' });
}

/** The ladder that the typed values mean, and roughly what its rungs would trade against the current book, in USD. */
export async function draftLadder(
  session: Session,
  typed: TypedLadder,
  isPreviewed: boolean,
): Promise<StrategyDraft<CreateScaledOrderRequest> & { notional(): Promise<number> }> {
  const { market, account_id } = await beginOrder(session, typed, isPreviewed);
  const price = (given: Price, label: string) =>
    resolvePrice(session, given, { label, marketId: market.market_id, side: typed.side, isLimit: true });
  const from = await price(typed.from, '--from');
  const to = await price(typed.to, '--to');
  const rungs = rungsOf(typed, from, to);
  const body: CreateScaledOrderRequest = {
    account_id,
    market_id: market.market_id,
    side: typed.side,
    size: await sizeOf(session, typed, market, rungs),
    start_price: from,
    end_price: to,
    rung_count: typed.rungs,
    distribution: typed.distribution ?? 'flat',
    ...(await resolveTerms(session, market.market_id, typed)),
    reduce_only: typed.reduceOnly || undefined,
    marketable_limit_acknowledged: typed.crossOk || undefined,
  };
  const draft = draftOf(body, market, typed, { type: 'limit', limit_price: meanOf(rungs) });
  return { ...draft, notional: () => notionalOf(session, body, rungs) };
}

async function sizeOf(session: Session, typed: TypedStrategy, market: Market, rungs?: readonly Rung[]) {
  const { side, size, reduceOnly } = typed;
  const position = size.unit === 'percent' && reduceOnly ? await positionIn(session, market.market_id) : undefined;
  return resolveSize(session, size, { market, side, rungs, position });
}

/** Judged like an order without a stop; no stop grows with its later trades. */
function draftOf<Body extends CreateTwapOrderRequest | CreateScaledOrderRequest>(
  body: Body,
  market: Market,
  { force }: BegunOrder,
  kind: Pick<CreateOrderRequest, 'type' | 'limit_price'>,
): StrategyDraft<Body> {
  const { account_id, market_id, side, size, leverage, margin_mode, reduce_only } = body;
  const order = { ...kind, account_id, market_id, side, size, leverage, margin_mode, reduce_only };
  return { body, market, order, judging: { force, stops: 'off', wayOut: 'use a smaller size' } };
}

function whole(ms: number, unitMs: number, flag: string, units: string): number {
  if (ms % unitMs === 0) return ms / unitMs;
  throw usageFailure(`${flag} is ${stretch(ms)}; it must be in whole ${units}.`);
}

/** The rungs of a ladder (simulation 7). */
function rungsOf({ rungs: count, distribution }: TypedLadder, from: number, to: number): Rung[] {
  const weight = { flat: () => 1, ascending: (at: number) => at + 1, descending: (at: number) => count - at };
  return Array.from({ length: count }, (_, at) => ({
    price: count === 1 ? from : (from * (count - 1 - at) + to * at) / (count - 1),
    weight: weight[distribution ?? 'flat'](at),
  }));
}

/** The average price at which all rungs fill. */
function meanOf(rungs: readonly Rung[]): number {
  const parts = rungs.reduce((sum, { weight }) => sum + weight, 0);
  return rungs.reduce((sum, { price, weight }) => sum + price * weight, 0) / parts;
}

async function notionalOf(session: Session, body: CreateScaledOrderRequest, rungs: readonly Rung[]): Promise<number> {
  const quote = await quoteOnce(session, body.market_id);
  const meets = body.side === 'buy' ? quote.ask : quote.bid;
  // A rung that crosses fills against the book, at a better price than its own.
  const better = body.side === 'buy' ? Math.min : Math.max;
  return body.size * meanOf(rungs.map(({ price, weight }) => ({ price: better(price, meets ?? price), weight })));
}
