import { draftFolder } from '../../../../base/files/folders.ts';
import { counted, shellSafe } from '../../../../base/text/format.ts';
import { defineCommand } from '../../../console/console.ts';
import { outOption } from '../../../console/grammar/option-groups.ts';
import { fields, line, nothingWritten, recordOf, span } from '../../../console/output/result.ts';
import { reportAside, writeOut } from '../../../console/where.ts';

export const command = defineCommand({
  summary: 'Merge recordings into one, by time',
  description:
    'The files may contain different markets, different times of one market, or its books and its prints. Two files with a book of the same market at the same time are refused.',
  args: [{ name: 'file', kind: 'file', repeat: true, summary: 'recordings, as created by perp sim import' }],
  options: {
    out: outOption('FILE', 'the recording, - for standard output; gzip if its name ends in .gz'),
    force: { summary: 'replace an existing recording' },
  },
  examples: [
    ['perp sim merge btc.jsonl.gz eth.jsonl.gz -o both.jsonl.gz', 'two markets'],
    ['perp sim merge monday.jsonl.gz tuesday.jsonl.gz -o week.jsonl.gz', 'one day after the other'],
    ['perp sim merge book.jsonl.gz trades.jsonl.gz -o btc.jsonl.gz', 'a book and its prints'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { mergeRecordings } = await import('../../../../service/live/tapes.ts');
    const { dryRun } = console.settings;
    const isStandardOutput = input.out === '-';
    const { firstTime, lastTime, markets } = await console.person.during(dryRun ? 'Reading' : 'Merging', () =>
      mergeRecordings(input.file, isStandardOutput ? (text) => writeOut(console, text) : input.out, {
        dryRun,
        replaces: input.force,
        draftFolder: draftFolder(console.variables),
      }),
    );
    const record = { file: input.out, first_time: firstTime, last_time: lastTime, markets };
    const result = recordOf(record, () => [
      line({ text: input.out, tone: 'strong' }),
      fields(
        ['time', span(firstTime, lastTime)],
        ...markets.map(({ market, files, books, deltas, prints }) => {
          const events = `${counted(books, 'book')}, ${counted(deltas, 'change')}, ${counted(prints, 'print')}`;
          return [
            market.symbol,
            `${shellSafe(market.market_id)}: ${events}, from ${counted(files.length, 'file')}`,
          ] as const;
        }),
      ),
      ...(dryRun ? [nothingWritten] : []),
    ]);
    return isStandardOutput && !dryRun ? reportAside(console, result) : result;
  },
});
