import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Stop copying; filled positions stay open',
  args: [{ name: 'id', kind: 'group', summary: 'the copy group' }],
  examples: [['perp copy disable copy_1', 'stop copying']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return write(
    console,
    'disableCopyTradingConfiguration',
    { path: { config_id: input.id } },
    {
      question: `Stop copying in ${input.id}?`,
      done: ({ data }) =>
        recordOf(data, () => [line(`${input.id} stopped copying; outstanding copies are being cleaned up.`)]),
    },
  );
}
