import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { realTiming } from '../../../base/sockets/timing.ts';
import { quantity, stretch } from '../../../base/text/format.ts';
import { type Condition, parseCondition } from '../../../desk/reading/condition.ts';
import { type Met, waitFor } from '../../../desk/reading/wait.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { line, recordOf } from '../../console/output/result.ts';
import { checkWait } from '../writes/order-outcome.ts';

export const command = defineCommand({
  summary: 'Wait for a price, a position or an order',
  description:
    "Exits 0 when the condition is true. A price is the mark, or last or mid. The market stream reports every change; after a lost connection, one-second candles show the missed last prices. A bound such as mark-1% is computed once, at the start. flat waits for the whole account, 'BTC flat' for one market. If the order ends without filling, exits 5.",
  args: [{ name: 'condition', repeat: true, summary: "'BTC < 95000', 'ETH last >= mark+1%', flat, 'order ID filled'" }],
  options: { for: { value: 'DURATION', kind: 'duration', summary: 'exit 7 if it is not true within this time' } },
  examples: [
    ["perp wait 'BTC < 95000' && perp order place BTC buy 0.01", 'buy once the mark is below a price'],
    ["perp wait 'BTC last >= mark+0.5%' --for 4h", 'for at most four hours'],
    ["perp wait 'order my-entry-1 filled' && perp stop BTC 1%", 'a stop after an order has filled'],
  ],
  async run(console, input) {
    if (console.settings.dryRun) throw usageFailure("perp wait can't be combined with --dry-run.", 'Omit --dry-run.');
    const text = input.condition.join(' ');
    const condition = parseCondition(text);
    await checkWait(console, 'perp wait');
    const began = console.outside.now();
    const met = await console.person.during(`Waiting for ${text}`, () => inTime(console, condition, text, input.for));
    const record = { condition: text, ...met, waited_ms: console.outside.now() - began };
    return recordOf(record, () => [line({ text, tone: 'strong' }, `  ${howMet(met)}`)]);
  },
});

async function inTime(console: Console, condition: Condition, text: string, forMs: number | undefined): Promise<Met> {
  const late = new AbortController();
  const cancel = forMs === undefined ? () => {} : realTiming.after(forMs, () => late.abort());
  const stop = new AbortController();
  const signal = AbortSignal.any([console.signal, late.signal, stop.signal]);
  try {
    return await waitFor(console, condition, signal);
  } catch (error) {
    throw late.signal.aborted && !console.signal.aborted ? notMet(text, forMs!) : error;
  } finally {
    cancel();
    stop.abort();
  }
}

function notMet(text: string, forMs: number): Failure {
  return new Failure({
    code: 'not_met',
    message: `${text} was not true within ${stretch(forMs)}.`,
    hint: 'Wait longer with --for.',
  });
}

function howMet({ price, bound, from, order }: Met): string {
  if (price !== undefined) {
    const shown = from === 'candle' ? 'the last price was' : 'at';
    return `${shown} ${quantity(price)} (bound ${quantity(bound!)})`;
  }
  return order === undefined ? 'no open position' : `${order.status}, ${quantity(order.filled_size ?? 0)} filled`;
}
