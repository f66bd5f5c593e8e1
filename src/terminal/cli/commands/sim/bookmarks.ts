import { notFoundFailure, usageFailure } from '../../../../base/failure/failure.ts';
import { dateTime } from '../../../../base/text/format.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { recordedBooks } from '../../../../desk/resolve/time.ts';
import { type Console, defineCommand } from '../../../console/console.ts';
import { line, listOf, recordOf } from '../../../console/output/result.ts';
import { withDestination } from '../../../console/where.ts';

const list = defineCommand({
  summary: 'List the bookmarks of the current recording',
  examples: [['perp sim bookmarks', 'names and times']],
  simulationOnly: true,
  async run(console) {
    const { books, blind, time: now } = await recordedBooks(console);
    const { readBookmarks } = await import('../../../../service/live/recording.ts');
    const marks = Object.entries(readBookmarks(books)).map(([name, time]) => ({ name, time }));
    // With --blind, later bookmarks are hidden.
    const visible = marks.filter(({ time }) => !blind || time <= now).sort((one, other) => one.time - other.time);
    return listOf(visible, {
      fields: ['name', 'time'],
      columns: [
        { header: 'NAME', cell: ({ name }) => name },
        { header: 'TIME', cell: ({ time }) => dateTime(time) },
      ],
      empty: 'No bookmarks. Add one with perp sim bookmarks add NAME.',
    });
  },
});

const add = defineCommand({
  summary: 'Bookmark the current time of the recording',
  args: [{ name: 'name', summary: 'up to 64 letters, digits, spaces, dots and dashes' }],
  examples: [
    ['perp sim bookmarks add squeeze', 'here'],
    ['perp sim serve --books day.jsonl.gz --from squeeze', 'start there'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, { name }) {
    refuseDryRun(console);
    const { books, time } = await recordedBooks(console);
    const { setBookmark } = await import('../../../../service/live/recording.ts');
    setBookmark(books, name, time);
    const result = recordOf({ name, time }, () => [line({ text: name, tone: 'strong' }, `  ${dateTime(time)}`)]);
    return withDestination(console, undefined, result);
  },
});

function refuseDryRun({ settings }: Console): void {
  if (settings.dryRun) throw usageFailure("Bookmarks can't be combined with --dry-run.", 'Omit --dry-run.');
}

const rm = defineCommand({
  summary: 'Remove a bookmark from the current recording',
  args: [{ name: 'name', summary: 'name, from perp sim bookmarks' }],
  examples: [['perp sim bookmarks rm squeeze', 'by name']],
  simulationOnly: true,
  changesMore: true,
  async run(console, { name }) {
    refuseDryRun(console);
    const { books } = await recordedBooks(console);
    const { readBookmarks, setBookmark } = await import('../../../../service/live/recording.ts');
    if (!Object.hasOwn(readBookmarks(books), name))
      throw notFoundFailure(`There is no bookmark ${quoted(name)}.`, 'perp sim bookmarks lists them.');
    setBookmark(books, name, null);
    const result = recordOf({ name, deleted: true }, () => [line(`Removed bookmark ${name}.`)]);
    return withDestination(console, undefined, result);
  },
});

export const commands = { list, add, rm };
