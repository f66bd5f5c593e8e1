import type { Console } from '../../../../console/console.ts';
import { outOption, rangeOptions } from '../../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { fields, line, type Result, recordOf } from '../../../../console/output/result.ts';
import { reportAside, writeOut } from '../../../../console/where.ts';
import { draftFolder } from '../../../../ground/files/folders.ts';
import { dateTime, stretch } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Cut a stretch out of a tape',
  description:
    'The result is a tape in one file: the state of each market at the start, the events after it, and the hash of all that.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: {
    out: outOption('FILE', 'the new tape, or - for standard output; compressed if the name ends in .gz'),
    force: { summary: 'replace an existing file' },
    ...rangeOptions,
  },
  examples: [
    ['perp sim tapes slice day.jsonl.gz --from 14:00 --until 15:00 -o hour.jsonl.gz', 'an hour'],
    ['perp sim tapes slice day.jsonl.gz --market BTC -o btc.jsonl.gz', 'a market'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { sliceTape } = await import('../../../../service/live/tapes.ts');
  const { tape, from, until, market, force, out } = input;
  const isStandardOutput = out === '-';
  const destination = isStandardOutput ? (text: string) => writeOut(console, text) : out;
  const range = { from, until, markets: market };
  const { dryRun } = console.settings;
  const options = { replaces: force, draftFolder: draftFolder(console.variables), dryRun, signal: console.signal };
  const cut = await console.during(dryRun ? 'Reading' : 'Slicing', () => sliceTape(tape, range, destination, options));
  const result = recordOf({ file: out, from: cut.from, until: cut.until }, () => [
    line({ text: out, tone: 'strong' }),
    fields(['time', `${dateTime(cut.from)} to ${dateTime(cut.until)} (${stretch(cut.until - cut.from)})`]),
    ...(dryRun ? [line({ text: 'Dry run: nothing was written.', tone: 'faint' })] : []),
  ]);
  return isStandardOutput && !dryRun ? reportAside(console, result) : result;
}
