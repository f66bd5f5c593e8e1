import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { openStudy } from '../../lab/open-study.ts';
import { studyRecord } from '../../lab/study-record.ts';
import { studyBlocks } from '../../lab/study-view.ts';

const defaultLimit = 20;

export const command = defineCommand({
  summary: 'Show what the trials of a file say: variants, luck, overfitting, criteria',
  description:
    'Sums up all trials of the file, of every run, by variant: a strategy with values of its parameters. The verdict compares the best of them with what luck alone gives the best of so many. docs/lab.md says what each figure means.',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  options: {
    limit: { value: 'N', kind: 'count', summary: `variants in the table (default ${defaultLimit})` },
  },
  examples: [
    ['perp lab show sweep.trials', 'the best variants, and the verdict'],
    ['perp lab show sweep.trials --json', 'everything, for a program'],
  ],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const study = await openStudy(console, input.file);
  const record = await studyRecord(study);
  return {
    ...recordOf(record, () => studyBlocks(study, record, input.limit ?? defaultLimit)),
    rows: record.variants,
  };
}
