import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { blank, line, type Result, recordOf, tableOf } from '../../../console/output/result.ts';
import { usageFailure } from '../../../ground/failure/failure.ts';
import { stretch } from '../../../ground/text/format.ts';
import { oneVariant, openStudy } from '../../lab/open-study.ts';
import { variantRecord } from '../../lab/study-record.ts';
import { variantColumns } from '../../lab/study-view.ts';

export const command = defineCommand({
  summary: 'Compare two variants over the same periods, and say whether one is better',
  description:
    'Resamples the returns of both together, in blocks (a paired stationary bootstrap), so that what moved both is no difference between them. Better means: the 95% interval of the difference of their Sharpe ratios is on one side of zero.',
  args: [
    { name: 'file', kind: 'file', summary: 'the trials file' },
    { name: 'first', summary: 'id of a variant, or its parameters: fast=5,slow=20' },
    { name: 'second', summary: 'the other one' },
  ],
  examples: [['perp lab compare sweep.trials fast=5 fast=10', 'by their parameters']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const study = await openStudy(console, input.file);
  const { compareVariants } = await import('../../../lab/compare.ts');
  const [first, second] = [await oneVariant(study, input.first), await oneVariant(study, input.second)];
  const compared = compareVariants(first.variant, second.variant, [input.first, input.second]);
  if (typeof compared === 'string') throw usageFailure(compared);
  const both = [first, second].map(({ result }) => variantRecord(result, study));
  const { mean, sharpe, better, sentence, periods, periodMs, block, draws } = compared;
  const record = {
    sentence,
    better: better === null ? null : better === 'first' ? first.result.id : second.result.id,
    sharpe_difference: sharpe,
    mean_return_difference: mean,
    periods,
    period_ms: periodMs,
    block,
    draws,
    variants: both,
  };
  const times = `${periods} returns of ${stretch(periodMs)}, ${draws} resamples in blocks of about ${block}`;
  return recordOf(record, () => [
    tableOf(both, variantColumns),
    blank,
    line({ text: sentence, tone: better === null ? 'warn' : 'strong' }),
    line({ text: times, tone: 'faint' }),
  ]);
}
