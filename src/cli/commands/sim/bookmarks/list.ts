import type { Console } from '../../../../console/console.ts';
import { defineCommand } from '../../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../../console/output/result.ts';
import { recordedBooks } from '../../../../desk/resolve/time.ts';
import { dateTime } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List the bookmarks of the current recording',
  examples: [['perp sim bookmarks', 'names and times']],
  simulationOnly: true,
});

interface Bookmark {
  name: string;
  time: number;
}

const columns: readonly Column<Bookmark>[] = [
  { header: 'NAME', cell: ({ name }) => name },
  { header: 'TIME', cell: ({ time }) => dateTime(time) },
];

export async function run(console: Console): Promise<Result> {
  const { books, blind, time: now } = await recordedBooks(console);
  const { readBookmarks } = await import('../../../../service/live/recording.ts');
  const marks = Object.entries(readBookmarks(books)).map(([name, time]): Bookmark => ({ name, time }));
  // With --blind, later bookmarks are hidden.
  const visible = marks.filter(({ time }) => !blind || time <= now).sort((one, other) => one.time - other.time);
  return listOf(visible, {
    fields: ['name', 'time'],
    columns,
    empty: 'No bookmarks. Add one with perp sim bookmarks add NAME.',
  });
}
