import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { resolveGroup } from '../../../desk/resolve/copy-group.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Delete a disabled copy group',
  description: 'Without a terminal, this needs --yes.',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy delete copy_1 --yes', 'without a prompt']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { config_id } = await resolveGroup(console, input.id);
  return write(
    console,
    'saveCopyTradingConfigurations',
    { body: { groups: [], deleted_config_ids: [config_id] } },
    {
      question: `Delete the copy group ${config_id}?`,
      needsYes: true,
      done: ({ data }) => recordOf(data, () => [line(`Deleted ${config_id}.`)]),
    },
  );
}
