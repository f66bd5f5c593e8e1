import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, fields, type Result } from '../../../console/output/result.ts';
import { orderHeadline } from '../../../console/views/order-view.ts';
import type { Order } from '../../../contract/orders.ts';
import { draftLegs } from '../../../desk/preview/amendment.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import { quantity, word } from '../../../ground/text/format.ts';
import { amendmentPreview } from '../../preview/order-preview.ts';
import { amended, toAmend } from '../../writes/order-outcome.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Change the take-profit and stop-loss attached to a resting entry',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: {
    'take-profit': { value: 'PRICE', kind: 'optionalPrice', summary: 'new take-profit, or none to remove it' },
    'stop-loss': { value: 'PRICE', kind: 'optionalPrice', summary: 'new stop-loss, or none to remove it' },
    force: { summary: 'change the exits even if the worst case of the order would breach a floor' },
  },
  examples: [
    ['perp order exits my-entry-1 --stop-loss 59000', 'move the stop-loss'],
    ['perp order exits my-entry-1 --stop-loss 1%', 'move it to 1% from the entry, on the losing side'],
    ['perp order exits my-entry-1 --take-profit none', 'remove the take-profit'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  if (input.takeProfit === undefined && input.stopLoss === undefined) {
    throw usageFailure('Nothing to change.', 'Give --take-profit or --stop-loss with a price or none.');
  }
  const order = await toAmend(console, input.order);
  const body = await draftLegs(console, order, input);
  return write(
    console,
    'updateAttachedExits',
    { path: { order_id: order.id }, body },
    {
      ...amendmentPreview(console, order, { stop: body.stop_loss_price, target: body.take_profit_price }, input.force),
      account: order.account_id,
      question: `Change the exits of ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}?`,
      done: ({ data, body: { queued } }) => amended(console, order, data, queued, () => attachedBlocks(data)),
    },
  );
}

function attachedBlocks(data: Order): Block[] {
  const priceOr = (price: number | undefined) => (price === undefined ? 'none' : quantity(price));
  return [
    orderHeadline(data),
    fields(
      ['take-profit', priceOr(data.attached_take_profit_price)],
      ['stop-loss', priceOr(data.attached_stop_loss_price)],
      ['order', data.id],
    ),
  ];
}
