import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';
import { orderBrief } from '../../../console/views/order-view.ts';
import { draftAmendment } from '../../../desk/preview/amendment.ts';
import { quantity, word } from '../../../ground/text/format.ts';
import { amendmentPreview } from '../../preview/order-preview.ts';
import { amended, toAmend } from '../../writes/order-outcome.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Change the price, and optionally the size, of a working order',
  description:
    'Changes the limit price of a resting order, or the trigger price of an armed one. A new price or a larger size loses the place in the queue.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  options: {
    price: { value: 'PRICE', kind: 'price', required: true, summary: 'new price, such as 61000 or bid-0.5%' },
    size: { value: 'SIZE', kind: 'size', summary: 'new remaining size' },
    force: { summary: 'change the order even if its worst case would breach a floor' },
  },
  examples: [
    ['perp order amend my-entry-1 --price 61000', 'change the price'],
    ['perp order amend my-entry-1 --price 61000 --size 0.1', 'change price and size'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const order = await toAmend(console, input.order);
  const body = await draftAmendment(console, order, input);
  const was = order.limit_price ?? order.trigger_price;
  const from = was === undefined ? '' : ` from ${quantity(was)}`;
  const size = body.size === undefined ? '' : `, size ${quantity(order.size)} to ${quantity(body.size)}`;
  return write(
    console,
    'modifyOrder',
    { path: { order_id: order.id }, body },
    {
      ...amendmentPreview(console, order, body, input.force),
      account: order.account_id,
      question: `Move ${word(order.side)} ${quantity(order.size)} ${word(order.symbol)}${from} to ${quantity(body.price)}${size}?`,
      done: ({ data, body: { queued } }) => amended(console, order, data, queued, () => orderBrief(data)),
    },
  );
}
