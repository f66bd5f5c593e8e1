import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../../console/output/result.ts';
import { write } from '../../../writes/write.ts';

export const command = defineCommand({
  summary: 'Revoke an API key or session of the simulation, for good',
  args: [{ name: 'id', summary: 'id, from perp sim keys' }],
  examples: [['perp sim keys revoke key_0123456789abcdef', 'its client gets 401 from now on']],
  simulationOnly: true,
});

export async function run(console: Console, { id }: InputOf<typeof command>): Promise<Result> {
  const request = { path: { key_id: id }, body: { revoked: true as const } };
  return write(console, 'simEndKey', request, {
    question: `Revoke the key ${id}?`,
    done: ({ data }) => recordOf(data, () => [line(`Revoked key ${data.id} (${data.name}).`)]),
  });
}
