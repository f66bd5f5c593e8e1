import type { Context } from '../../../context/context.ts';
import { notFoundFailure, usageFailure } from '../../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../../grammar/spec.ts';
import { line, type Result, recordOf } from '../../../output/result.ts';
import { recordedBooks } from '../../../reading/bookmarks.ts';
import { quoted } from '../../../text/quoted.ts';

export const command = defineCommand({
  summary: 'Remove a bookmark of the recording that is played',
  args: [{ name: 'name', summary: 'as perp sim bookmarks shows it' }],
  examples: [['perp sim bookmarks delete squeeze', 'by name']],
  operations: [],
  simulationOnly: true,
  changesMore: true,
});

export async function run(context: Context, { name }: InputOf<typeof command>): Promise<Result> {
  if (context.settings.dryRun) throw usageFailure('There is no --dry-run of a bookmark.', 'Leave it out.');
  const { books } = await recordedBooks(context);
  const { readBookmarks, setBookmark } = await import('../../../../service/live/recording.ts');
  if (!Object.hasOwn(readBookmarks(books), name))
    throw notFoundFailure(`There is no bookmark ${quoted(name)}.`, 'perp sim bookmarks lists them.');
  setBookmark(books, name, null);
  return recordOf({ name, deleted: true }, () => [line(`Bookmark ${name} is removed.`)]);
}
