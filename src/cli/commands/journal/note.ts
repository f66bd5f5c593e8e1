import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';

export const command = defineCommand({
  summary: 'Write a note on a round trip, or remove it',
  args: [
    { name: 'position', kind: 'position', summary: 'id, or the market of an open one' },
    { name: 'text', optional: true, summary: 'the note; it replaces an earlier one' },
  ],
  options: { remove: { summary: 'remove the note' } },
  examples: [
    ['perp journal note BTC late', 'of the open position; quote several words'],
    ['perp journal note pos_000000005 --remove', 'remove the note'],
  ],
  changesMore: true,
});

export async function run(console: Console, { position, text, remove }: InputOf<typeof command>): Promise<Result> {
  if (remove === (text !== undefined))
    throw usageFailure(remove ? '--remove takes no TEXT.' : 'TEXT is missing.', 'perp journal note POSITION TEXT');
  const { writeNote } = await import('../../history/edit-notes.ts');
  return writeNote(console, position, text ?? null);
}
