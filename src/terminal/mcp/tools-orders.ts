import { typesWithin } from '../../base/terms/order-types.ts';
import { quantity, word } from '../../base/text/format.ts';
import { amendedOrder, draftAmendment, judgingOf } from '../../desk/preview/amendment.ts';
import { checkFloors, type OrderPreview, previewOrder } from '../../desk/preview/floor-check.ts';
import { lossOf } from '../../desk/preview/judged.ts';
import { draftOrder, type TypedOrder } from '../../desk/preview/order-draft.ts';
import { ofChosenAccount } from '../../desk/resolve/account.ts';
import { resolveOrder } from '../../desk/resolve/holdings.ts';
import type { OrderSize, Size } from '../../desk/values/sizes.ts';
import type { CreateOrderRequest, Order } from '../../wire/contract/orders.ts';
import { boolean, choice, closed, object, optional, positive, type Sent, string } from '../../wire/contract/schema.ts';
import type { Console } from '../console/console.ts';
import { defineTool, type Tool } from './agent-console.ts';
import { keptBody, keyField, keyReused, placedBefore, placedResult, sent } from './placed.ts';
import { givenSize, money, neededSize, OrderShape, plainSizeFields, Sized, sized, sizeFields } from './shapes.ts';
import { accountField, marketField, marketNamed } from './tools-reading.ts';

const side = choice(['buy', 'sell']);
/** Types that need no fields beyond those below. */
const types = typesWithin(['limit', 'trigger', 'expiry', 'slip', 'legs', 'ack']);

const orderFields = {
  ...accountField,
  market: marketField,
  side,
  ...sizeFields,
  type: optional(choice(types)),
  limit_price: optional(positive()),
  trigger_price: optional(positive()),
  stop_loss_price: optional(positive()),
  take_profit_price: optional(positive()),
  replace_overlapping_exits: optional(boolean()),
  reduce_only: optional(boolean()),
  leverage: optional(positive()),
  margin_mode: optional(choice(['cross', 'isolated'])),
  time_in_force: optional(choice(['ioc', 'fok'])),
  slippage_tolerance_bps: optional(positive()),
};

const OrderArgs = closed({ ...orderFields });
const KeyedOrderArgs = closed({ ...keyField, ...orderFields });
type GivenOrder = Sent<typeof OrderArgs>;

/** An order in the desk's terms. */
function typedOrder(market: string, size: OrderSize, given: GivenOrder): TypedOrder {
  return {
    market,
    side: given.side,
    size,
    type: given.type,
    limitPrice: given.limit_price,
    triggerPrice: given.trigger_price,
    stopLoss: given.stop_loss_price,
    takeProfit: given.take_profit_price,
    reduceOnly: given.reduce_only === true,
    leverage: given.leverage,
    margin: given.margin_mode,
    tif: given.time_in_force,
    slippage: given.slippage_tolerance_bps,
    force: false,
    farStop: 'refuse',
    crossOk: given.time_in_force !== undefined,
    replaceExits: given.replace_overlapping_exits === true,
  };
}

async function drafted(console: Console, args: GivenOrder, isPreviewed: boolean) {
  const size = neededSize(args);
  const { market_id } = await marketNamed(console, args.market);
  return draftOrder(console, typedOrder(market_id, size, args), isPreviewed);
}

const previewTool = defineTool({
  name: 'preview_order',
  description:
    'What place_order would do with these arguments: exact request, expected fill, fee, worst case. Sends nothing. Call it before place_order.',
  changes: false,
  input: OrderArgs,
  output: {
    request: object({ size: Sized }),
  },
  async run(console, args) {
    const draft = await drafted(console, args, true);
    const { order: body, market } = draft;
    const seen = await previewOrder(console, draft);
    const request = requestShown(body, 'unknown' in seen ? undefined : seen);
    if ('unknown' in seen) return { summary: `Not sent. ${seen.unknown}`, request, position_after: null };
    const { worst, end, after, fee, price, quote, floor, margin, isTaker } = seen;
    return {
      summary: `Not sent, only previewed: ${word(body.side)} ${quantity(body.size)} ${market.symbol}.`,
      request,
      fills_at_once: isTaker,
      fillable: isTaker ? (quote.fillable ?? null) : null,
      expected_price: price ?? null,
      fee_usd: money(fee),
      margin_usd: margin === undefined ? null : { needed: money(margin.needed), available: money(margin.available) },
      worst_case: worst === undefined ? null : { loss_usd: money(worst.loss), at: worst.at, price: worst.price },
      nearest_floor:
        floor === undefined ? null : { name: floor.name, equity_usd: floor.at, room_usd: money(floor.room) },
      first_end: end === undefined ? null : { by: end.by, mark: end.price },
      position_after:
        after === undefined
          ? null
          : {
              side: after === null ? 'flat' : after.size > 0 ? 'long' : 'short',
              size_base: Math.abs(after?.size ?? 0),
            },
      stop_after: seen.stop?.text ?? null,
    };
  },
});

function requestShown(body: CreateOrderRequest, seen: OrderPreview | undefined) {
  const { size, client_order_id: _, ...rest } = body;
  const price = seen?.price ?? body.limit_price ?? body.trigger_price;
  return { ...rest, size: sized(size, price, seen && lossOf(seen)) };
}

const placeTool = defineTool({
  name: 'place_order',
  description:
    'Places one order. The size has exactly one unit. A result says whether it is filled; a resting order is not a position. Refused, never resized, if its worst case would reach a floor.',
  changes: true,
  input: KeyedOrderArgs,
  output: { order: OrderShape },
  async run(console, args, call) {
    const before = await placedBefore(console, call.key);
    if (before !== undefined) {
      await checkSame(console, before, args);
      return placedResult(console, before, true);
    }
    const body = await keptBody(call, async () => {
      const draft = await drafted(console, args, false);
      await checkFloors(console, draft);
      return { ...draft.order, client_order_id: call.key };
    });
    const { data } = await sent(call, () => console.call('createOrder', { body, idempotencyKey: call.key }));
    return placedResult(console, data, false);
  },
});

/** Refuses a key that placed something else. */
async function checkSame(
  console: Console,
  { market_id, side: placedSide, initial_size, size }: Order,
  args: { market: string; side: string; size_base?: number | undefined },
): Promise<void> {
  const market = await marketNamed(console, args.market);
  const isSame = market.market_id === market_id && args.side === placedSide;
  if (isSame && (args.size_base === undefined || args.size_base === (initial_size ?? size))) return;
  throw keyReused();
}

const amendTool = defineTool({
  name: 'amend_order',
  description: 'Changes the price of a working order (the trigger price while it is armed), and optionally its size.',
  changes: true,
  input: closed({ ...keyField, ...accountField, order: string(), price: positive(), ...plainSizeFields }),
  output: { order: OrderShape },
  async run(console, { order: id, price, ...size }, call) {
    const order = ofChosenAccount(console, await resolveOrder(console, id));
    const body = await draftAmendment(console, order, { price, size: givenSize(size) as Size | undefined });
    const judging = judgingOf(order, body, { force: false, farStop: 'refuse' });
    const market = await marketNamed(console, order.market_id);
    if (judging !== undefined) await checkFloors(console, { order: amendedOrder(order, body), market, judging });
    const { data } = await sent(call, () => console.call('modifyOrder', { path: { order_id: order.id }, body }));
    return placedResult(console, data, false, 'Amended. ');
  },
});

/** The tools that preview, place and amend orders. */
export const orderTools: readonly Tool[] = [previewTool, placeTool, amendTool];
