import { basename } from 'node:path';
import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { dateTime, quantity, stretch, usd } from '../../../base/text/format.ts';
import { defineCommand } from '../../console/console.ts';
import { outOption } from '../../console/grammar/option-groups.ts';
import {
  blank,
  type Column,
  fields,
  line,
  listOf,
  nothingWritten,
  recordOf,
  tableOf,
} from '../../console/output/result.ts';
import { pageWritten } from '../history/write-page.ts';
import { studyPage } from '../lab/study-page.ts';
import { oneVariant, openStudy, studyBlocks, studyRecord, variantColumns, variantRecord } from '../lab/study-view.ts';

const defaultLimit = 20;

const show = defineCommand({
  summary: "Evaluate a file's trials: variants, luck, overfitting",
  description:
    'Sums up all trials of the file, of every run, by variant: a strategy with values of its parameters. The verdict compares the best variant with the best that luck alone would produce from as many variants. docs/lab.md explains each figure.',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  options: {
    limit: { value: 'N', kind: 'count', summary: `variants in the table (default ${defaultLimit})` },
  },
  examples: [
    ['perp lab show sweep.trials', 'the best variants, and the verdict'],
    ['perp lab show sweep.trials --json', 'everything, for a program'],
  ],
  async run(console, input) {
    const study = await openStudy(console, input.file);
    const record = await studyRecord(study);
    return {
      ...recordOf(record, () => studyBlocks(study, record, input.limit ?? defaultLimit)),
      rows: record.variants,
    };
  },
});

const trials = defineCommand({
  summary: 'List every trial of a file, one per row',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  examples: [
    ['perp lab trials trials.sqlite', 'a table'],
    ['perp lab trials trials.sqlite -o csv > trials.csv', 'for a spreadsheet'],
    ['perp lab trials trials.sqlite -o ndjson', 'one JSON object per line, as they are read'],
  ],
  async run(_console, input) {
    const { trialRows } = await import('../../../programs/lab/trial-rows.ts');
    return listOf(trialRows(input.file), {
      fields: trialFields,
      columns: trialColumns,
      empty: 'The file has no trials.',
    });
  },
});

type Row = import('../../../programs/lab/trial-rows.ts').TrialRow;

const trialFields = [
  ...['id', 'strategy', 'parameters', 'source', 'from', 'to', 'plan', 'seed', 'think', 'fold', 'sample', 'status'],
  ...['problem', 'equity', 'return', 'sharpe', 'drawdown', 'trades', 'fees', 'carry', 'volume', 'account', 'rule'],
  ...['decisions', 'requests', 'refusals', 'fills', 'cpu_ms', 'hash'],
];

const trialColumns: readonly Column<Row>[] = [
  { header: 'TRIAL', cell: ({ id }) => id.slice(0, 8) },
  {
    header: 'PARAMETERS',
    cell: ({ parameters }) =>
      Object.entries(parameters)
        .map(([name, value]) => `${name}=${String(value)}`)
        .join(' '),
  },
  { header: 'MARKETS', cell: ({ source }) => source, keep: 3 },
  { header: 'FROM', cell: ({ from }) => dateTime(from), keep: 1 },
  { header: 'PLAN', cell: ({ plan }) => plan, keep: 2 },
  { header: 'TRADES', cell: ({ trades }) => String(trades), align: 'right', keep: 4 },
  { header: 'EQUITY', cell: ({ equity }) => usd(equity), align: 'right' },
  { header: '', cell: ({ problem }) => (problem === null ? '' : { text: problem, tone: 'bad' }), keep: 5 },
];

const compare = defineCommand({
  summary: 'Compare two variants over the same periods',
  description:
    'Resamples the returns of both together, in blocks (a paired stationary bootstrap), so common moves are not a difference. One is better if the 95% interval of the difference of their Sharpe ratios excludes zero.',
  args: [
    { name: 'file', kind: 'file', summary: 'the trials file' },
    { name: 'first', summary: 'id of a variant, or its parameters: fast=5,slow=20' },
    { name: 'second', summary: 'the other variant' },
  ],
  examples: [['perp lab compare sweep.trials fast=5 fast=10', 'by their parameters']],
  async run(console, input) {
    const study = await openStudy(console, input.file);
    const { compareVariants } = await import('../../../programs/lab/verdict.ts');
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
  },
});

const merge = defineCommand({
  summary: 'Merge trials files, such as the shards of a sweep',
  description:
    'The merged file has the same hash regardless of how the trials were divided. If shards are missing, names them and exits 9. A trial in several files must have the same result in each.',
  args: [{ name: 'file', kind: 'file', repeat: true, summary: 'trials files of perp lab run' }],
  options: {
    out: outOption('FILE', 'the merged trials file'),
    force: { summary: 'replace an existing file' },
  },
  examples: [['perp lab merge part1.sqlite part2.sqlite -o all.sqlite', 'two shards']],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { mergeTrials } = await import('../../../programs/lab/merge.ts');
    const { dryRun } = console.settings;
    const options = { replaces: input.force, isDryRun: dryRun };
    const merged = await console.person.during(dryRun ? 'Reading' : 'Merging', async () =>
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
      dryRun ? nothingWritten : [],
    ];
    const isWhole = missing.length + unfinished.length === 0;
    return recordOf({ file: input.out, ...merged }, blocks, isWhole ? exitCodes.done : exitCodes.incomplete);
  },
});

const defaultFile = 'perp-lab.html';

const report = defineCommand({
  summary: "Write an HTML page about a file's trials",
  description:
    'Writes one HTML file without scripts that needs no network and loads nothing. It follows the light or dark setting of the browser and can be printed. Its figures are those of perp lab show.',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  options: {
    out: { short: 'o', value: 'FILE', kind: 'file', summary: `the page (default ${defaultFile})` },
    open: { summary: 'open it in the browser' },
    force: { summary: 'replace the page if it exists' },
  },
  examples: [['perp lab report sweep.trials -o sweep.html --open', 'a page, in the browser']],
  changesMore: true,
  async run(console, input) {
    return pageWritten(console, { ...input, out: input.out ?? defaultFile }, async () => {
      const study = await openStudy(console, input.file);
      return studyPage(study, await studyRecord(study), basename(input.file));
    });
  },
});

export const commands = { show, trials, compare, merge, report };
