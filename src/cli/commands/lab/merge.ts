import type { Console } from '../../../console/console.ts';
import { outOption } from '../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import { exitCodes } from '../../../ground/failure/failure.ts';
import { quantity } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Merge trials files, such as the shards of a sweep',
  description:
    'The merged file has the same hash however the trials were divided. Missing shards are named, and the exit status is then 9. A trial that several files have must have the same result in each.',
  args: [{ name: 'file', kind: 'file', repeat: true, summary: 'trials files of perp lab run' }],
  options: {
    out: outOption('FILE', 'the merged trials file'),
    force: { summary: 'replace an existing file' },
  },
  examples: [['perp lab merge part1.sqlite part2.sqlite -o all.sqlite', 'two shards']],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { mergeTrials } = await import('../../../lab/merge.ts');
  const { dryRun } = console.settings;
  const options = { replaces: input.force, isDryRun: dryRun };
  const merged = await console.during(dryRun ? 'Reading' : 'Merging', async () =>
    mergeTrials(input.file, input.out, options),
  );
  const missing = merged.sweeps.flatMap(({ missing: shards }) => shards);
  const unfinished = merged.sweeps.flatMap(({ unfinished: shards }) => shards);
  const blocks = () => [
    line({ text: input.out, tone: 'strong' }),
    fields(
      ['trials', quantity(merged.trials)],
      ['missing', missing.length === 0 ? undefined : { text: `shards ${missing.join(', ')}`, tone: 'bad' }],
      ['unfinished', unfinished.length === 0 ? undefined : { text: `shards ${unfinished.join(', ')}`, tone: 'warn' }],
      ['hash', merged.hash],
    ),
    ...(dryRun ? [line({ text: 'Dry run: nothing was written.', tone: 'faint' })] : []),
  ];
  const isWhole = missing.length + unfinished.length === 0;
  return recordOf({ file: input.out, ...merged }, blocks, isWhole ? exitCodes.done : exitCodes.incomplete);
}
