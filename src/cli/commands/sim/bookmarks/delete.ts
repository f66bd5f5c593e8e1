import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../../console/output/result.ts';
import { withDestination } from '../../../../console/where.ts';
import { recordedBooks } from '../../../../desk/resolve/time.ts';
import { notFoundFailure, usageFailure } from '../../../../ground/failure/failure.ts';
import { quoted } from '../../../../ground/text/plain-text.ts';

export const command = defineCommand({
  summary: 'Remove a bookmark from the current recording',
  args: [{ name: 'name', summary: 'name, from perp sim bookmarks' }],
  examples: [['perp sim bookmarks delete squeeze', 'by name']],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, { name }: InputOf<typeof command>): Promise<Result> {
  if (console.settings.dryRun) throw usageFailure("Bookmarks can't be combined with --dry-run.", 'Omit --dry-run.');
  const { books } = await recordedBooks(console);
  const { readBookmarks, setBookmark } = await import('../../../../service/live/recording.ts');
  if (!Object.hasOwn(readBookmarks(books), name))
    throw notFoundFailure(`There is no bookmark ${quoted(name)}.`, 'perp sim bookmarks lists them.');
  setBookmark(books, name, null);
  return withDestination(
    console,
    undefined,
    recordOf({ name, deleted: true }, () => [line(`Removed bookmark ${name}.`)]),
  );
}
