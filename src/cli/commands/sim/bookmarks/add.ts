import type { Context } from '../../../context/context.ts';
import { usageFailure } from '../../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../../output/result.ts';
import { recordedBooks } from '../../../reading/bookmarks.ts';
import { dateTime } from '../../../text/format.ts';

export const command = defineCommand({
  summary: 'Give the present moment of the recording a name',
  args: [{ name: 'name', summary: 'up to 64 letters, digits, spaces, dots and dashes' }],
  examples: [
    ['perp sim bookmarks add squeeze', 'here'],
    ['perp sim serve --books day.jsonl.gz --from squeeze', 'begin there'],
  ],
  operations: [],
  simulationOnly: true,
  changesMore: true,
});

export async function run(context: Context, { name }: InputOf<typeof command>): Promise<Result> {
  if (context.settings.dryRun) throw usageFailure('There is no --dry-run of a bookmark.', 'Leave it out.');
  const { books, time } = await recordedBooks(context);
  const { setBookmark } = await import('../../../../service/live/recording.ts');
  setBookmark(books, name, time);
  return recordOf({ name, time }, () => [line({ text: name, tone: 'strong' }, `  ${dateTime(time)}`)]);
}
