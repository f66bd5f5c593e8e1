import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { scaledBlocks } from '../../../console/views/strategy-view.ts';
import { beginAftermath } from '../../../desk/reading/before.ts';
import { checkAccountOf } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';
import { changedAftermath, withoutCanceled } from '../../../desk/writes/aftermath.ts';
import { withMarketFigures } from '../../../desk/writes/figures.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Cancel the working rungs of a ladder; fills are kept',
  args: [{ name: 'id', kind: 'scaled', summary: 'ladder id' }],
  examples: [['perp scaled cancel scaled_3', 'cancel all of its working rungs']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const path = { scaled_order_id: input.id };
  beginAftermath(console);
  await checkAccountOf(console, () =>
    called(console, 'scaled', input.id, async () => (await console.call('getScaledOrder', { path })).data),
  );
  return write(
    console,
    'cancelScaledOrder',
    { path },
    {
      question: `Cancel the working rungs of ${input.id}?`,
      send: (request) => called(console, 'scaled', input.id, () => console.call('cancelScaledOrder', request)),
      done: async ({ data }) => {
        const after = await changedAftermath(console, data.account_id, ({ working }) => ({
          working: withoutCanceled(working, (order) => order.scaled_order_id === data.id),
        }));
        return recordOf(withMarketFigures(console, data, after), () => scaledBlocks(data));
      },
    },
  );
}
