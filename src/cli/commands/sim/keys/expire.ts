import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../../console/output/result.ts';
import { dateTime } from '../../../../ground/text/format.ts';
import { write } from '../../../writes/write.ts';

export const command = defineCommand({
  summary: 'Let an API key or session of the simulation expire, now or later',
  args: [{ name: 'id', summary: 'id, from perp sim keys' }],
  options: { in: { value: 'DURATION', kind: 'duration', summary: 'how long it is still valid (default: not at all)' } },
  examples: [
    ['perp sim keys expire key_0123456789abcdef', 'now'],
    ['perp sim keys expire key_0123456789abcdef --in 10m', 'in ten minutes; a later time makes it valid again'],
  ],
  simulationOnly: true,
});

export async function run(console: Console, { id, in: delayMs = 0 }: InputOf<typeof command>): Promise<Result> {
  const request = { path: { key_id: id }, body: { expires_at: Date.now() + delayMs } };
  return write(console, 'simEndKey', request, {
    question: `Let the key ${id} expire?`,
    done: ({ data }) =>
      recordOf(data, () => [line(`Key ${data.id} (${data.name}) is valid until ${dateTime(data.expires_at!)}.`)]),
  });
}
