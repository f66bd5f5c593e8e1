import { usageFailure } from '../../../../base/failure/failure.ts';
import { draftFolder } from '../../../../base/files/folders.ts';
import { quantity } from '../../../../base/text/format.ts';
import { defineCommand } from '../../../console/console.ts';
import { outOption, rangeOptions } from '../../../console/grammar/option-groups.ts';
import { fields, line, nothingWritten, recordOf, span } from '../../../console/output/result.ts';

export const command = defineCommand({
  summary: 'Export a tape as tables for other programs',
  description:
    'Writes a folder with the tables lines, books and trades as Parquet or CSV, and export.json. Prices and sizes are exact decimals, times are in microseconds. perp sim import FOLDER turns it back into a recording.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: {
    to: { value: 'FORMAT', choices: ['parquet', 'csv'], required: true, summary: 'format of the tables' },
    out: outOption('FOLDER', 'the folder, which must not exist yet'),
    ...rangeOptions,
  },
  examples: [
    ['perp sim export day.jsonl.gz --to parquet -o day', 'day/books.parquet and other files'],
    ['perp sim export day.jsonl.gz --to csv -o btc --market BTC --from 14:00', 'one market, starting at a time'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { exportTables } = await import('../../../../service/live/tapes.ts');
    const { tape, from, until, market, to, out } = input;
    if (out === '-') throw usageFailure('-o must name a folder: an export has several files.', 'For example: -o day');
    const { dryRun } = console.settings;
    const options = { dryRun, draftFolder: draftFolder(console.variables), signal: console.signal };
    const range = { from, until, markets: market };
    const { folder, firstTime, lastTime, rows } = await console.person.during(dryRun ? 'Reading' : 'Exporting', () =>
      exportTables(tape, range, out, to, options),
    );
    const record = { folder, format: to, first_time: firstTime, last_time: lastTime, rows };
    return recordOf(record, () => [
      line({ text: folder, tone: 'strong' }, `  ${to}`),
      fields(
        ['time', span(firstTime, lastTime)],
        ...Object.entries(rows).map(([table, count]) => [table, `${quantity(count)} rows`] as const),
      ),
      ...(dryRun ? [nothingWritten] : []),
    ]);
  },
});
