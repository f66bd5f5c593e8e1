import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { positionBlocks } from '../../../console/views/position-view.ts';
import { beginAccount, beginAftermath } from '../../../desk/reading/before.ts';
import { ofChosenAccount } from '../../../desk/resolve/account.ts';
import { resolvePosition } from '../../../desk/resolve/holdings.ts';
import { changedAftermath, withPosition } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { usd } from '../../../ground/text/format.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Set the extra margin of an isolated position',
  description: 'AMOUNT is the new total of extra margin, not a change, so sending it twice is the same as once.',
  args: [
    { name: 'position', kind: 'position', summary: 'position id or market' },
    { name: 'amount', kind: 'amount', summary: 'USD, zero or more' },
  ],
  examples: [
    ['perp positions margin BTC 250', '250 USD on top of the initial margin'],
    ['perp positions margin BTC 100', 'withdraw 150 USD'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  beginAccount(console);
  const position = ofChosenAccount(console, await resolvePosition(console, input.position));
  beginAftermath(console, position);
  const request = { path: { position_id: position.id }, body: { extra_margin: input.amount } };
  return write(console, 'setPositionIsolatedMargin', request, {
    account: position.account_id,
    question: `Set the extra margin of ${position.side} ${position.symbol} from ${usd(position.isolated_margin_extra)} to ${usd(input.amount)} USD?`,
    done: async ({ data }) => {
      const after = await changedAftermath(console, data.account_id, ({ positions }) => ({
        positions: withPosition(positions, data),
      }));
      return recordOf(withMarketFigures(console, data, after), () => positionBlocks(data));
    },
  });
}
