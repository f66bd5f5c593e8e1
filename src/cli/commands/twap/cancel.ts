import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { twapBlocks } from '../../../console/views/strategy-view.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { checkAccountOf } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { changedAftermath, withoutCanceled } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Cancel a TWAP or VWAP order; fills are kept',
  args: [{ name: 'id', kind: 'twap', summary: 'TWAP id' }],
  examples: [['perp twap cancel twap_7', 'no further slices']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const path = { twap_order_id: input.id };
  beginAftermath(console);
  await checkAccountOf(console, () =>
    called(console, 'twap', input.id, async () => (await console.call('getTwapOrder', { path })).data),
  );
  return write(
    console,
    'cancelTwapOrder',
    { path },
    {
      question: `Stop ${input.id}?`,
      send: (request) => called(console, 'twap', input.id, () => console.call('cancelTwapOrder', request)),
      done: async ({ data }) => {
        const after = await changedAftermath(console, data.account_id, ({ working }) => ({
          working: withoutCanceled(working, (order) => order.twap_order_id === data.id),
        }));
        return recordOf(withMarketFigures(console, data, after), () => twapBlocks(data));
      },
    },
  );
}
