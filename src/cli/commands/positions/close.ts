import type { Console } from '../../../console/console.ts';
import { triggerDirection } from '../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Block, fields, line, profitCell, type Result, sideCell } from '../../../console/output/result.ts';
import { stopCell } from '../../../console/views/position-view.ts';
import { goesTo } from '../../../console/where.ts';
import { type CloseDraft, draftClose, previewClose } from '../../../desk/preview/close-draft.ts';
import { beginAccount, beginOrderAftermath } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolvePosition } from '../../../desk/resolve/holdings.ts';
import { quantity, usd } from '../../../ground/text/format.ts';
import { takesAtOnce } from '../../../terms/order-types.ts';
import { checkWait, placed } from '../../writes/order-outcome.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Close a position, or part of it',
  args: [{ name: 'position', kind: 'position', summary: 'position id or market' }],
  options: {
    size: { value: 'SIZE', kind: 'size', summary: 'size to close: 0.02, 500usd or 50% (default: all)' },
    type: {
      value: 'TYPE',
      choices: ['market', 'limit', 'conditional'],
      summary: 'order type (default: market, or limit with --limit-price)',
    },
    'limit-price': { value: 'PRICE', kind: 'price', summary: 'worst price to accept' },
    'trigger-price': { value: 'PRICE', kind: 'price', summary: 'mark that triggers a conditional close' },
    'trigger-market': {
      value: 'MARKET',
      kind: 'market',
      summary: "market whose mark triggers it (default: the position's)",
    },
    'trigger-direction': triggerDirection,
    slippage: { value: 'BPS', kind: 'basisPoints', summary: 'maximum distance from mid of a market close' },
    'cross-ok': { summary: 'let a limit order that crosses the book fill as taker' },
    'expected-price': { value: 'PRICE', kind: 'price', summary: 'price you saw; recorded, not used for pricing' },
    'client-order-id': { value: 'ID', kind: 'text', summary: 'your own name for the closing order' },
    wait: { summary: 'wait until the order ends' },
  },
  examples: [
    ['perp positions close BTC', 'close it at market'],
    ['perp positions close BTC --size 50%', 'close half of it'],
    ['perp positions close BTC --limit-price 160000', 'close it at a limit price'],
    ['perp close-all', 'every position of the account'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  await checkWait(console, input.wait);
  beginAccount(console);
  const position = ofChosenAccount(console, await resolvePosition(console, input.position));
  beginOrderAftermath(console, position);
  const draft = await draftClose(console, input, position);
  const { body, order } = draft;
  return write(
    console,
    'closePosition',
    { path: { position_id: position.id }, body },
    {
      preview: () => preview(console, draft),
      account: position.account_id,
      taker: takesAtOnce(body.type) ? order : undefined,
      question: `Close ${quantity(order.size)} ${position.symbol} of the ${position.side} position?`,
      done: ({ data, body: { queued } }) => placed(console, data, input.wait, queued),
    },
  );
}

async function preview(console: Console, draft: CloseDraft): Promise<Block[]> {
  const { price, isAtBook, notional, fee, profit, left, cover } = await previewClose(console, draft);
  const { position, body, order } = draft;
  const { limit_price: limit, trigger_price: trigger } = body;
  return [
    line(
      { text: 'Close', tone: 'strong' },
      '  ',
      sideCell(position.side),
      ` ${quantity(order.size)} of ${quantity(position.size)} ${position.symbol}, entry ${quantity(position.entry_price)}`,
    ),
    fields(
      ['on', await goesTo(console, position.account_id)],
      ['limit', limit === undefined ? undefined : quantity(limit)],
      ['fills at', price === undefined || (price === limit && !isAtBook) ? undefined : quantity(price)],
      ['trigger', trigger === undefined ? undefined : quantity(trigger)],
      ['notional', notional === undefined ? undefined : `${usd(notional)} USD`],
      ['fee', fee === undefined ? undefined : `${usd(fee)} USD`],
      ['realizes', profit === undefined ? undefined : profitCell(profit)],
      ['then', left === 0 ? 'flat' : `${position.side} ${quantity(left)} ${position.symbol}`],
      ['stop', left === 0 ? undefined : stopCell({ size: left }, cover)],
    ),
  ];
}
