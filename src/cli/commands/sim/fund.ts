import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { accountBlocks } from '../../../console/views/account-view.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Create the funded successor of a passed account',
  args: [{ name: 'account', kind: 'account', summary: 'the passed account' }],
  examples: [['perp sim fund acc_1', 'after it passed its challenge']],
  simulationOnly: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return write(
    console,
    'simFund',
    { body: { account_id: input.account } },
    {
      question: `Create the funded successor of ${input.account}?`,
      done: ({ data }) => recordOf(data, () => accountBlocks(data)),
    },
  );
}
