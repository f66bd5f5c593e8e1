import { Failure, notFoundFailure } from '../../../base/failure/failure.ts';
import { quantity } from '../../../base/text/format.ts';
import { checkFloors } from '../../../desk/preview/floor-check.ts';
import { draftReversal } from '../../../desk/preview/order-draft.ts';
import { beginAccount, beginOrderAftermath } from '../../../desk/reading/before.ts';
import { noteActing } from '../../../desk/reading/prospects.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolvePosition } from '../../../desk/resolve/holdings.ts';
import { resolveMarket } from '../../../desk/resolve/market.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import { type Console, defineCommand, type InputOf } from '../../console/console.ts';
import { type Blocks, line, type Result } from '../../console/output/result.ts';
import { orderPreview } from '../preview/order-preview.ts';
import { checkWait, placed } from '../writes/order-outcome.ts';
import { farStopOf, write } from '../writes/write.ts';

export const command = defineCommand({
  summary: 'Turn a long into a short of the same size, or back',
  description:
    "Sends one market order of twice the size, which fills completely or not at all, so the account is never flat in between. The old position's exits end with it; attach new ones with --stop-loss and --take-profit. perp reads the position again just before sending, and sends nothing if it has changed.",
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    'stop-loss': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a stop-loss to the new position' },
    'take-profit': { value: 'PRICE', kind: 'exitPrice', summary: 'attach a take-profit to the new position' },
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid' },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the order' },
    wait: { summary: 'wait until the order ends' },
    force: { summary: 'place the order even if its worst case would breach a floor' },
    'far-stop': { summary: 'allow a stop-loss more than 20% away' },
  },
  examples: [
    ['perp reverse BTC', 'from long to short, or back'],
    ['perp reverse BTC --stop-loss 1%', 'with a stop 1% beyond the new entry'],
  ],
  async run(console, input): Promise<Result> {
    if (input.wait) await checkWait(console);
    beginAccount(console);
    const position = ofChosenAccount(console, await resolvePosition(console, input.position));
    if (position.status !== 'open') {
      throw notFoundFailure(`${position.id} is closed.`, 'perp positions lists the open ones.');
    }
    beginOrderAftermath(console, position);
    const market = await resolveMarket(console, position.market_id);
    const drafted = await draftReversal(
      console,
      { ...input, farStop: farStopOf(console, input.farStop) },
      position,
      market,
    );
    const { order: body } = drafted;
    const [from, to] = position.side === 'long' ? ['long', 'short'] : ['short', 'long'];
    const size = `${quantity(position.size)} ${market.symbol}`;
    const request = { body };
    return write(console, 'createOrder', request, {
      preview: async () => [
        line({ text: 'Reverse', tone: 'strong' }, `  ${from} ${size} to ${to} ${size}`),
        await orderPreview(console, drafted),
        leftBehind(input),
      ],
      check: () => checkFloors(console, drafted),
      taker: body,
      question: `Reverse ${from} ${size} to ${to} ${size}?`,
      send: async (keyed) => {
        await checkUnchanged(console, position);
        return console.call('createOrder', keyed);
      },
      done: async ({ data }) => {
        const noted = noteActing(console, data.account_id, data.market_id);
        const [result] = await Promise.all([placed(console, data, input.wait), noted]);
        return result;
      },
    });
  },
});

type Input = InputOf<typeof command>;

function leftBehind({ stopLoss, takeProfit }: Input): Blocks {
  if (stopLoss !== undefined || takeProfit !== undefined) return [];
  return [
    line({ text: 'The new position has no exits; add --stop-loss or --take-profit to attach one.', tone: 'warn' }),
  ];
}

/** If the position is gone, an order of twice its size would open one of twice the size. */
async function checkUnchanged(console: Console, position: Position): Promise<void> {
  const { data } = await console.call('getPosition', { path: { position_id: position.id } });
  if (data.status === 'open' && data.side === position.side && data.size === position.size) return;
  const now = data.status === 'open' ? `${data.side} ${quantity(data.size)} ${data.symbol}` : data.status;
  throw new Failure({
    code: 'position_changed',
    message: `The position has changed: it is ${now} now, not ${position.side} ${quantity(position.size)}. Nothing was sent.`,
    hint: 'Check it with perp positions, and run the command again.',
  });
}
