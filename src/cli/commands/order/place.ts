import type { CreateOrderRequest } from '../../../contract/orders.ts';
import { beginFloorCheck, beginUnstopped, checkFloors } from '../../../desk/preview/floor-check.ts';
import type { StopAt } from '../../../desk/preview/largest-fitting.ts';
import { largestAllowed, type MaxOrder } from '../../../desk/preview/max-size.ts';
import { otherLegs } from '../../../desk/preview/other-legs.ts';
import { riskedSize } from '../../../desk/preview/risk-size.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { positionIn, resolvePosition } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import { legPrices, legTerms, maybePrice, priceNow } from '../../../desk/resolve/price.ts';
import { resolveSize } from '../../../desk/resolve/size.ts';
import { beginReads, resolveTerms } from '../../../desk/resolve/terms.ts';
import { resolveTime } from '../../../desk/resolve/time.ts';
import type { Price } from '../../../desk/values/prices.ts';
import type { OrderSize } from '../../../desk/values/sizes.ts';
import { beginAccount, beginOrderAftermath } from '../../../desk/writes/aftermath.ts';
import { type Failure, usageFailure } from '../../../ground/failure/failure.ts';
import { quantity } from '../../../ground/text/format.ts';
import {
  arrivalOf,
  type Fires,
  isReduction,
  orderKinds,
  requestTypes,
  takesAtOnce,
} from '../../../terms/order-types.ts';
import type { Console } from '../../console/console.ts';
import { defineCommand, type InputOf, termOptions } from '../../grammar/spec.ts';
import { line, type Result } from '../../output/result.ts';
import { orderPreview } from '../../preview/order-preview.ts';
import { checkWait, placed } from '../../writes/order-outcome.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Place an order',
  description:
    'Without --type this is a market order or, with --limit-price, a limit order. On a terminal, perp shows what the order will do and asks for confirmation.',
  args: [
    { name: 'market', kind: 'market', summary: 'id, coin or symbol' },
    { name: 'side', choices: ['buy', 'sell'], summary: 'order side' },
    {
      name: 'size',
      kind: 'orderSize',
      summary:
        'base asset (0.05), notional (500usd), share of the position (50%), loss at the stop (risk:200usd), or max',
    },
  ],
  options: {
    type: {
      value: 'TYPE',
      choices: requestTypes,
      summary: 'order type',
    },
    'limit-price': { value: 'PRICE', kind: 'price', summary: 'worst price to accept' },
    'trigger-price': {
      value: 'PRICE',
      kind: 'price',
      summary: 'mark that triggers a stop, take or conditional order',
    },
    tif: {
      value: 'TIF',
      choices: ['ioc', 'fok', 'gtd'],
      summary: 'time in force of a limit order (default: until canceled)',
    },
    expires: { value: 'WHEN', kind: 'time', summary: 'expiry of a gtd order, such as 30m or 2026-11-21T10:00Z' },
    ...termOptions,
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid of a market order' },
    'reduce-only': { summary: 'only make a position smaller' },
    'take-profit': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a take-profit' },
    'stop-loss': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a stop-loss' },
    'replace-exits': { summary: "replace the position's exits with the attached ones" },
    'chase-offset': { value: 'USD', kind: 'amount', summary: 'distance a chase keeps from the best price of its side' },
    'chase-cap': { value: 'PRICE', kind: 'price', summary: 'worst price of a chase' },
    'trigger-market': { value: 'MARKET', kind: 'market', summary: 'market whose mark triggers a conditional order' },
    'trigger-direction': {
      value: 'WAY',
      choices: ['above', 'below'],
      summary: 'which side of the trigger price fires it',
    },
    'target-position': { value: 'POSITION', kind: 'position', summary: 'position that a take_profit reduces' },
    'cross-ok': { summary: 'let a limit order that crosses the book fill as taker' },
    'expected-price': {
      value: 'PRICE',
      kind: 'price',
      summary: 'price you saw; recorded, not used for pricing',
    },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the order' },
    wait: { summary: 'wait until the order ends' },
    force: { summary: 'place the order even if its worst case would breach a floor' },
  },
  examples: [
    ['perp order place BTC buy 0.05', 'buy at market'],
    ['perp order place BTC buy 500usd --limit-price 61000', 'rest a limit order'],
    ['perp order place BTC sell 50% --reduce-only', 'halve the position'],
    ['perp order place BTC buy 0.05 --stop-loss 1% --take-profit 3%', 'buy with exits, from the entry'],
    ['perp order place BTC buy risk:0.5% --stop-loss 1%', 'lose 0.5% of the equity at the stop'],
    ['perp order place BTC sell 0.05 --type stop_market --trigger-price 60000', 'sell if the price falls'],
    ['perp order place BTC buy 0.1 --type chase --chase-cap 160000', 'follow the best bid'],
  ],
});

type Input = InputOf<typeof command>;

export async function run(console: Console, input: Input): Promise<Result> {
  await checkWait(console, input.wait);
  beginReads(console, input);
  if (console.settings.idempotencyKey === undefined) beginAccount(console);
  beginFloorCheck(console, { reduce_only: input.reduceOnly, type: input.type }, input.force);
  const market = await resolveMarket(console, input.market);
  const where = { account_id: await accountId(console), market_id: market.market_id };
  const checked = { reduce_only: input.reduceOnly, type: input.type };
  if (input.stopLoss === undefined) beginUnstopped(console, { ...checked, ...where }, input.force);
  beginOrderAftermath(console, where);
  const body = await requestOf(console, input, market);
  const judging = { force: input.force, stopAt: stopOf(console, input, market.market_id) };
  return write(
    console,
    'createOrder',
    { body },
    {
      preview: async (request) => [
        ...(await orderPreview(console, request.body, market, judging)),
        ...(await otherLegs(console, body)).map((text) => line({ text, tone: 'warn' })),
      ],
      check: (request) => checkFloors(console, request.body, market, judging),
      taker: meetsBook(body) ? body : undefined,
      question: `Place ${body.type} ${body.side} ${quantity(body.size)} ${market.symbol}?`,
      done: ({ data }) => placed(console, data, input.wait),
    },
  );
}

/** Builds the request from the options; the contract then validates the combination. */
async function requestOf(
  console: Console,
  input: Input,
  market: Awaited<ReturnType<typeof resolveMarket>>,
): Promise<CreateOrderRequest> {
  const { market_id } = market;
  const type = typeOf(input);
  const prices = await pricesOf(console, input, market_id);
  const { trigger_market_id, limit_price } = prices;
  const trigger = trigger_market_id === undefined ? prices.trigger_price : undefined;
  const account_id = await accountId(console);
  const terms = await resolveTerms(console, market_id, input);
  const basis = { type, account_id, market, side: input.side, limit: limit_price, trigger };
  const { size, entry } = await sizeOf(console, input, { ...basis, ...terms });
  const optional: Partial<CreateOrderRequest> = {
    client_order_id: input.clientOrderId,
    slippage_tolerance_bps: input.slippage,
    reduce_only: input.reduceOnly || undefined,
    ...(await legPrices(console, input, {
      type,
      account_id,
      market_id,
      side: input.side,
      size,
      limit: limit_price,
      trigger,
      expected: entry,
    })),
    ...prices,
    time_in_force: input.tif ?? (input.expires === undefined ? undefined : 'gtd'),
    gtd_expires_at: input.expires === undefined ? undefined : await resolveTime(console, input.expires),
    chase_offset: input.chaseOffset,
    marketable_limit_acknowledged: input.crossOk || undefined,
    replace_overlapping_exits: input.replaceExits || undefined,
    trigger_direction: input.triggerDirection,
    target_position_id:
      input.targetPosition === undefined ? undefined : (await resolvePosition(console, input.targetPosition)).id,
  };
  return {
    type,
    account_id,
    market_id,
    side: input.side,
    size,
    ...terms,
    ...optional,
  };
}

/** The size, and the expected price if it was needed to find the size. */
async function sizeOf(
  console: Console,
  input: Input,
  order: Omit<MaxOrder, 'stop' | 'slippage' | 'replacesExits' | 'force'>,
): Promise<{ size: number; entry?: number | undefined }> {
  const { side, size } = input;
  const { market, limit: price, trigger } = order;
  const { market_id } = market;
  const reduces = isReduction({ reduce_only: input.reduceOnly, type: input.type });
  if (size.unit === 'risk' || size.unit === 'max') {
    if (reduces) throw needsStop(size, reduces);
    const stop = stopOf(console, input, market_id);
    const terms = { slippage: input.slippage, replacesExits: input.replaceExits, force: input.force };
    if (size.unit === 'max') {
      return largestAllowed(console, { ...order, ...terms, stop });
    }
    if (stop === undefined) throw needsStop(size, reduces);
    return riskedSize(console, size, { ...order, ...terms, stop });
  }
  const position = size.unit === 'percent' && reduces ? await positionIn(console, market_id) : undefined;
  return { size: await resolveSize(console, size, { market, side, price, trigger, position }) };
}

/** Whether an order takes from the book as soon as it is sent, as far as that is certain. */
function meetsBook({ type, marketable_limit_acknowledged: isAcknowledged }: CreateOrderRequest): boolean {
  return takesAtOnce(type) || (arrivalOf(type) === 'rests' && isAcknowledged === true);
}

/** The stop-loss of an order that trades at a price; undefined without one. */
function stopOf(console: Console, { side, stopLoss }: Input, market_id: string): StopAt | undefined {
  if (stopLoss === undefined) return undefined;
  return async (entry) => {
    const terms = legTerms({ side, market_id }, () => entry, 'stop');
    return (await priceNow(console, stopLoss, terms)).value;
  };
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
async function pricesOf(console: Console, input: Input, marketId: string) {
  const { side } = input;
  const trigger_market_id =
    input.triggerMarket === undefined ? undefined : (await resolveMarket(console, input.triggerMarket)).market_id;
  const price = (given: Price | undefined, label: string, ofMarket = marketId, isLimit = false) =>
    maybePrice(console, given, { label, marketId: ofMarket, side, isLimit });
  return {
    expected_price: await price(input.expectedPrice, '--expected-price'),
    limit_price: await price(input.limitPrice, '--limit-price', marketId, true),
    trigger_price: await price(input.triggerPrice, '--trigger-price', trigger_market_id),
    chase_cap_price: await price(input.chaseCap, '--chase-cap'),
    trigger_market_id,
  };
}

/**
 * The order type: as given, else limit if there is a limit price, else market. A trigger alone does not determine it.
 */
function typeOf(input: Input): NonNullable<CreateOrderRequest['type']> {
  if (input.type !== undefined) return input.type;
  if (input.triggerPrice !== undefined) {
    throw usageFailure(
      '--trigger-price needs a --type.',
      `Add --type ${typesFiring('against')} (if the price moves against you), ${typesFiring('favor')} (if it moves in your favor), or ${typesFiring('directed')} (the mark of another market).`,
    );
  }
  if (input.chaseOffset !== undefined || input.chaseCap !== undefined) return 'chase';
  return input.limitPrice === undefined ? 'market' : 'limit';
}

/** The types that a trigger fires in one way: `stop_market or stop_limit`. */
function typesFiring(way: Fires): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    requestTypes.filter((type) => orderKinds[type].fires === way),
  );
}
