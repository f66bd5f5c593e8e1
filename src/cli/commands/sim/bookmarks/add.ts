import { recordedBooks } from '../../../../desk/resolve/time.ts';
import { usageFailure } from '../../../../ground/failure/failure.ts';
import { dateTime } from '../../../../ground/text/format.ts';
import type { Context } from '../../../context/context.ts';
import { withDestination } from '../../../context/where.ts';
import { defineCommand, type InputOf } from '../../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../../output/result.ts';

export const command = defineCommand({
  summary: 'Bookmark the current time of the recording',
  args: [{ name: 'name', summary: 'up to 64 letters, digits, spaces, dots and dashes' }],
  examples: [
    ['perp sim bookmarks add squeeze', 'here'],
    ['perp sim serve --books day.jsonl.gz --from squeeze', 'start there'],
  ],
  operations: [],
  simulationOnly: true,
  changesMore: true,
});

export async function run(context: Context, { name }: InputOf<typeof command>): Promise<Result> {
  if (context.settings.dryRun) throw usageFailure("Bookmarks can't be combined with --dry-run.", 'Omit --dry-run.');
  const { books, time } = await recordedBooks(context);
  const { setBookmark } = await import('../../../../service/live/recording.ts');
  setBookmark(books, name, time);
  return withDestination(
    context,
    undefined,
    recordOf({ name, time }, () => [line({ text: name, tone: 'strong' }, `  ${dateTime(time)}`)]),
  );
}
