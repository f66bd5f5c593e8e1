import type { Context } from '../../context.ts';
import { quantity } from '../../output/format.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { ofChosenAccount } from '../../resolve/belonging.ts';
import { allMarkets } from '../../resolve/market.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { resolveSize } from '../../resolve/size.ts';
import { defineCommand, type InputOf } from '../../spec.ts';
import { orderBrief } from '../../views/order-view.ts';
import { write } from '../../write.ts';

export const command = defineCommand({
  summary: 'Reprice a working order, and resize it',
  description:
    'Of a resting order this moves the limit price, of an armed one the trigger price. A new price, or a larger size, loses the place in the queue.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  flags: {
    price: { value: 'PRICE', kind: 'price', required: true, summary: 'the new price' },
    size: { value: 'SIZE', kind: 'size', summary: 'the new remainder' },
  },
  examples: [
    ['perp order amend my-entry-1 --price 61000', 'move it'],
    ['perp order amend my-entry-1 --price 61000 --size 0.1', 'move and resize it'],
  ],
  operations: ['getOrder', 'listOrders', 'listMarkets', 'getMarketQuote', 'modifyOrder'],
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const order = ofChosenAccount(context, await resolveOrder(context, input.order));
  const { price } = input;
  const body: { price: number; size?: number } = { price };
  if (input.size !== undefined) {
    const market = (await allMarkets(context)).find(({ market_id }) => market_id === order.market_id);
    const decimals = market?.size_decimals ?? 8;
    body.size = await resolveSize(context, input.size, {
      market: { ...order, size_decimals: decimals },
      side: order.side,
      ...(order.limit_price === undefined ? { trigger: price } : { price }),
    });
  }
  const was = order.limit_price ?? order.trigger_price;
  const from = was === undefined ? '' : ` from ${quantity(was)}`;
  const size = body.size === undefined ? '' : `, size ${quantity(order.size)} to ${quantity(body.size)}`;
  return write(
    context,
    'modifyOrder',
    { path: { order_id: order.id }, body },
    {
      question: `Move ${order.side} ${quantity(order.size)} ${order.symbol}${from} to ${quantity(price)}${size}?`,
      done: ({ data, body: { queued } }) =>
        recordOf(data, () => [
          ...orderBrief(data),
          ...(queued === true ? [line({ text: 'Queued behind the armed order.', tone: 'warn' })] : []),
        ]),
    },
  );
}
