import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../../console/output/result.ts';
import { withDestination } from '../../../../console/where.ts';
import { recordedBooks } from '../../../../desk/resolve/time.ts';
import { usageFailure } from '../../../../ground/failure/failure.ts';
import { dateTime } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Bookmark the current time of the recording',
  args: [{ name: 'name', summary: 'up to 64 letters, digits, spaces, dots and dashes' }],
  examples: [
    ['perp sim bookmarks add squeeze', 'here'],
    ['perp sim serve --books day.jsonl.gz --from squeeze', 'start there'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, { name }: InputOf<typeof command>): Promise<Result> {
  if (console.settings.dryRun) throw usageFailure("Bookmarks can't be combined with --dry-run.", 'Omit --dry-run.');
  const { books, time } = await recordedBooks(console);
  const { setBookmark } = await import('../../../../service/live/recording.ts');
  setBookmark(books, name, time);
  return withDestination(
    console,
    undefined,
    recordOf({ name, time }, () => [line({ text: name, tone: 'strong' }, `  ${dateTime(time)}`)]),
  );
}
