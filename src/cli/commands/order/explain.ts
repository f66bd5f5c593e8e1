import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, blank, line, type Result, recordOf } from '../../../console/output/result.ts';
import { explained, waitingText } from '../../../console/views/explanation-view.ts';
import { orderHeadline } from '../../../console/views/order-view.ts';
import type { Order } from '../../../contract/orders.ts';
import { resolveOrder } from '../../../desk/resolve/holdings.ts';
import { fetchQuote } from '../../../desk/resolve/quote.ts';
import { isWorking } from '../../../desk/risk/cover.ts';
import { dateTime, quantity, timeOfDay } from '../../../ground/text/format.ts';
import { wrap } from '../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: 'Explain why an order filled or did not (simulation only)',
  description:
    'Prints the history of the order: book times, levels taken, queue ahead, prints used, tolerance, reductions and margin. For a working order, the last line says what it waits for and how far away that is.',
  args: [{ name: 'order', kind: 'order', summary: 'order id or client order id' }],
  examples: [['perp order explain my-entry-1', 'why it is still resting']],
  simulationOnly: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const order = await resolveOrder(console, input.order);
  const { data } = await console.call('simExplainOrder', { path: { order_id: order.id } });
  const queue = data.queue_ahead === undefined ? '' : ` ${quantity(data.queue_ahead)} ${order.symbol} are ahead of it.`;
  const now = isWorking(order) ? `${await waitsFor(console, order)}${queue}` : undefined;
  const width = Math.min(console.io.columns, 100);
  return recordOf(data, (): Block[] => [
    orderHeadline(order),
    ...(data.lines.length === 0 ? [line({ text: 'Nothing has happened to it yet.', tone: 'faint' })] : []),
    ...data.lines.flatMap(({ time, kind, detail }, at) => [
      blank,
      ...dayOf(time, data.lines[at - 1]?.time),
      line(`${timeOfDay(time)}  `, { text: kind.replaceAll('_', ' '), tone: 'strong' }),
      ...wrap(explained({ kind, detail: Object(detail) }, order), width, '  ')
        .split('\n')
        .map((text) => line(text)),
    ]),
    ...(now === undefined ? [] : [blank, line({ text: 'now', tone: 'strong' }), line(`  ${now}`)]),
  ]);
}

/** The date, where it is not that of the line above. */
function dayOf(time: number, above: number | undefined): Block[] {
  const date = (ms: number) => dateTime(ms).slice(0, 'YYYY-MM-DD'.length);
  return above !== undefined && date(above) === date(time) ? [] : [line({ text: date(time), tone: 'faint' })];
}

async function waitsFor(console: Console, order: Order): Promise<string> {
  try {
    const isArmed = order.trigger_price !== undefined && order.triggered_at === undefined;
    const marketId = (isArmed ? order.trigger_market_id : undefined) ?? order.market_id;
    return waitingText(order, await fetchQuote(console, marketId));
  } catch (error) {
    return (error as Error).message;
  }
}
