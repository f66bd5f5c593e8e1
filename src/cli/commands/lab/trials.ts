import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../console/output/result.ts';
import { dateTime, usd } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List every trial of a file, one per row: also as NDJSON or CSV',
  args: [{ name: 'file', kind: 'file', summary: 'the trials file' }],
  examples: [
    ['perp lab trials trials.sqlite', 'a table'],
    ['perp lab trials trials.sqlite -o csv > trials.csv', 'for a spreadsheet'],
    ['perp lab trials trials.sqlite -o ndjson', 'one JSON object per line, as they are read'],
  ],
});

type Row = import('../../../lab/trial-rows.ts').TrialRow;

const fields = [
  ...['id', 'strategy', 'parameters', 'source', 'from', 'to', 'plan', 'seed', 'think', 'fold', 'sample', 'status'],
  ...['problem', 'equity', 'return', 'sharpe', 'drawdown', 'trades', 'fees', 'carry', 'volume', 'account', 'rule'],
  ...['decisions', 'requests', 'refusals', 'fills', 'cpu_ms', 'hash'],
];

const columns: readonly Column<Row>[] = [
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

export async function run(_console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { trialRows } = await import('../../../lab/trial-rows.ts');
  return listOf(trialRows(input.file), { fields, columns, empty: 'The file has no trials.' });
}
