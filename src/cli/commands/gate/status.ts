import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { statusBlocks } from '../../../console/views/gate-view.ts';

export const command = defineCommand({
  summary: 'Show the running gate: where it leads, what its bots may do, and what they do',
  description: 'REFUSED counts since the gate started; OPEN are writes whose outcome is not known or not shown yet.',
  examples: [['perp gate status', 'as the user that runs the gate']],
});

export async function run({ variables }: Console): Promise<Result> {
  const { gateFolder } = await import('../../../gate/bots-file.ts');
  const { askGate } = await import('../../../gate/control.ts');
  const status = await askGate(gateFolder(variables), 'status');
  return recordOf(status, () => statusBlocks(status));
}
