import type { Context } from '../../context.ts';
import { quantity, timeOfDay } from '../../output/format.ts';
import { type Block, blank, line, type Result, recordOf, tableOf } from '../../output/result.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { defineCommand, type InputOf } from '../../spec.ts';
import { orderHeadline } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'Explain why an order filled or did not (simulation only)',
  description:
    'Its history line by line: book time, levels taken, queue ahead, prints used, tolerance, clips and margin.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [['perp order explain my-entry-1', 'why it is still resting']],
  operations: ['getOrder', 'listOrders'],
  simulationOnly: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const order = await resolveOrder(context, input.order);
  const { data } = await context.call('simExplainOrder', { path: { order_id: order.id } });
  return recordOf(data, (): Block[] => [
    orderHeadline(order),
    blank,
    data.lines.length === 0
      ? line({ text: 'Nothing happened to it yet.', tone: 'faint' })
      : tableOf(data.lines, [
          { header: 'TIME', cell: ({ time }) => timeOfDay(time), keep: 1 },
          { header: 'WHAT', cell: ({ kind }) => ({ text: kind.replaceAll('_', ' '), tone: 'strong' }) },
          { header: 'DETAIL', cell: ({ detail }) => detailText(detail) },
        ]),
  ]);
}

function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return String(detail ?? '');
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`)
    .join(', ');
}

function valueText(value: unknown): string {
  if (typeof value === 'number') return quantity(value);
  if (Array.isArray(value))
    return value.map((level) => (Array.isArray(level) ? level.map(valueText).join('x') : valueText(level))).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
