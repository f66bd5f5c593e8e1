import type { Context } from '../../context/context.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { type Block, blank, line, type Result, recordOf } from '../../output/result.ts';
import { resolveOrder } from '../../resolve/order.ts';
import { quantity, timeOfDay } from '../../text/format.ts';
import { wrap } from '../../text/wrap.ts';
import { orderHeadline } from '../../views/order-view.ts';

export const command = defineCommand({
  summary: 'Explain why an order filled or did not (simulation only)',
  description:
    'Prints the history of the order: book times, levels taken, queue ahead, prints used, tolerance, clips and margin.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [['perp order explain my-entry-1', 'why it still rests']],
  simulationOnly: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const order = await resolveOrder(context, input.order);
  const { data } = await context.call('simExplainOrder', { path: { order_id: order.id } });
  const width = Math.min(context.io.columns, 100);
  return recordOf(data, (): Block[] => [
    orderHeadline(order),
    ...(data.lines.length === 0 ? [line({ text: 'Nothing has happened to it yet.', tone: 'faint' })] : []),
    ...data.lines.flatMap(({ time, kind, detail }) => [
      blank,
      line(`${timeOfDay(time)}  `, { text: kind.replaceAll('_', ' '), tone: 'strong' }),
      ...wrap(detailText(detail), width, '  ')
        .split('\n')
        .map((text) => line(text)),
    ]),
  ]);
}

function detailText(detail: unknown): string {
  if (typeof detail !== 'object' || detail === null) return String(detail ?? '');
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${factText(name, value)}`)
    .join(', ');
}

function factText(name: string, value: unknown): string {
  if (typeof value === 'number') return /_(time|at|since)$/.test(name) ? timeOfDay(value) : quantity(value);
  // Levels: price and size.
  if (Array.isArray(value))
    return value
      .map((level) => (Array.isArray(level) ? level.map(Number).map(quantity).join(' x ') : String(level)))
      .join('; ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
