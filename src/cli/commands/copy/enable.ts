import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { followersOf, resolveGroup } from '../../../desk/resolve/copy-group.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Start copying',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy enable copy_1', 'start copying']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { config_id, source_account_id, targets } = await resolveGroup(console, input.id);
  const groups = [{ config_id, enabled: true, source_account_id, targets }];
  return write(
    console,
    'saveCopyTradingConfigurations',
    { body: { groups, deleted_config_ids: [] } },
    {
      question: `Start copying ${source_account_id} to ${followersOf({ targets })}?`,
      done: ({ data }) => recordOf(data, () => [line(`${config_id} started copying.`)]),
    },
  );
}
