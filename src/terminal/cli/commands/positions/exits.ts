import { usageFailure } from '../../../../base/failure/failure.ts';
import { exitGroupOf } from '../../../../base/terms/order-types.ts';
import { counted, quantity, word } from '../../../../base/text/format.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { type Aim, planExits, type Snapshot } from '../../../../desk/preview/exit-plan.ts';
import { exitPrice, exitSize } from '../../../../desk/preview/exit-preview.ts';
import { ofChosenAccount } from '../../../../desk/resolve/account.ts';
import { resolveOrder, resolvePosition, workingExits } from '../../../../desk/resolve/holdings.ts';
import { parseValue } from '../../../../desk/values/values.ts';
import type { ExitOperation } from '../../../../wire/contract/positions.ts';
import { type Console, defineCommand, type InputOf } from '../../../console/console.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { orderColumns, orderFields } from '../../../console/views/order-view.ts';
import { changeExits } from '../../writes/exit-changes.ts';
import { farStopOf } from '../../writes/write.ts';

export const command = defineCommand({
  summary: "Place, move and cancel a position's exits in one request",
  description:
    'Without options, lists the exits. All changes apply or none do, and only to the exits shown. --take-profit and --stop-loss move an existing exit; with --size, they add another.',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    'take-profit': { value: 'PRICE', kind: 'exitPrice', summary: 'place the take-profit, or move it' },
    'stop-loss': { value: 'PRICE', kind: 'exitPrice', summary: 'place the stop-loss, or move it' },
    size: { value: 'SIZE', kind: 'size', summary: 'add exits of this size: 0.02, 500usd or 50%' },
    'far-stop': { summary: 'allow a stop-loss more than 20% from the mark' },
    oco: { summary: 'pair the new exits: a fill of one reduces the other' },
    cancel: { value: 'ORDER', kind: 'order', repeat: true, summary: 'cancel an exit' },
    modify: { value: 'ORDER=PRICE', kind: 'exitMove', repeat: true, summary: 'move an exit' },
  },
  examples: [
    ['perp positions exits BTC', 'list them'],
    ['perp positions exits BTC --take-profit 3% --stop-loss 1% --oco', 'a bracket, from the entry'],
    ['perp positions exits BTC --stop-loss entry', 'move the stop-loss to break-even'],
    ['perp positions exits BTC --modify ord_12=59500', 'move a stop'],
  ],
  async run(console, input): Promise<Result> {
    checkOptions(input);
    const position = ofChosenAccount(console, await resolvePosition(console, input.position));
    const { takeProfit, stopLoss, cancel, modify } = input;
    if (takeProfit === undefined && stopLoss === undefined && cancel.length + modify.length === 0) {
      return listOf(await workingExits(console, position), {
        fields: orderFields,
        columns: orderColumns,
        empty: `The ${word(position.side)} ${word(position.symbol)} position has no exits.`,
      });
    }
    const of = `${word(position.side)} ${quantity(position.size)} ${word(position.symbol)}`;
    return changeExits(console, position, {
      farStop: farStopOf(console, input.farStop),
      async plan(snapshot) {
        const given = await changes(console, input, snapshot);
        return planExits(snapshot, await aims(console, input, snapshot), { given, paired: input.oco });
      },
      question: (_, operations) => `Apply ${counted(operations.length, 'change')} to the exits of ${of}`,
      unchanged: () => `The exits of ${of} are already as requested.`,
    });
  },
});

type Input = InputOf<typeof command>;

function checkOptions({ takeProfit, stopLoss, oco, size }: Input): void {
  if (oco && (takeProfit === undefined || stopLoss === undefined))
    throw usageFailure('--oco needs two exits.', 'Give both --take-profit and --stop-loss.');
  if (size !== undefined && takeProfit === undefined && stopLoss === undefined)
    throw usageFailure('--size needs --take-profit or --stop-loss.', 'Give one of them, or omit --size.');
}

/** The exits named by --cancel and --modify. */
async function changes(console: Console, input: Input, snapshot: Snapshot): Promise<ExitOperation[]> {
  const operations: ExitOperation[] = [];
  for (const text of input.cancel)
    operations.push({ kind: 'cancel', order_id: ofChosenAccount(console, await resolveOrder(console, text)).id });
  for (const text of input.modify) {
    const at = text.lastIndexOf('=');
    if (at < 1)
      throw usageFailure(`--modify is ${quoted(text)}, not ORDER=PRICE.`, 'Write ORDER=PRICE, such as ord_12=59500.');
    const label = 'The price of --modify';
    const given = parseValue('exitPrice', text.slice(at + 1), label);
    const order = ofChosenAccount(console, await resolveOrder(console, text.slice(0, at)));
    const price = await exitPrice(console, snapshot, given, { group: exitGroupOf(order.type), label });
    operations.push({ kind: 'modify', order_id: order.id, price });
  }
  return operations;
}

/** The exits given by --take-profit and --stop-loss; with both, R is that of the new stop. */
async function aims(console: Console, input: Input, snapshot: Snapshot): Promise<Aim[]> {
  const aims: Aim[] = [];
  const options = [
    ['sl', input.stopLoss, '--stop-loss'],
    ['tp', input.takeProfit, '--take-profit'],
  ] as const;
  let stop: number | undefined;
  for (const [group, given, label] of options) {
    if (given === undefined) continue;
    const price = await exitPrice(console, snapshot, given, { group, label, stop });
    if (group === 'sl') stop = price;
    const size = await exitSize(console, input.size, snapshot.position, price);
    aims.unshift({ group, price, size, adds: size !== undefined });
  }
  return aims;
}
