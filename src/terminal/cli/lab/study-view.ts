import { counted, maybe, stretch, usd } from '../../../base/text/format.ts';
import {
  type Blocks,
  blank,
  type Cell,
  type Column,
  type Field,
  fields,
  line,
  tableOf,
} from '../../console/output/result.ts';
import { bySharpe, parametersText, type Study, type studyRecord, variantRecord } from './study-record.ts';

type VariantRow = ReturnType<typeof variantRecord>;
type StudyRecord = Awaited<ReturnType<typeof studyRecord>>;

const dash = (value: number | null, text: (value: number) => string): string => maybe(value, text) ?? '-';

/** A share of money gained or lost, with its sign: `+1.25%`. */
function gainText(share: number | null): string {
  return dash(share, (value) => `${value > 0 ? '+' : ''}${(value * 100).toFixed(2)}%`);
}

/** A ratio with two decimals, a dash if it is undefined. */
function ratio(value: number | null): string {
  return dash(value, (known) => known.toFixed(2));
}

/** A share as a percentage, a dash if it is not known. */
function share(value: number | null): string {
  return dash(value, (known) => `${(known * 100).toFixed(known > 0 && known < 0.1 ? 1 : 0)}%`);
}

function stateOf({ found, failed, trials, breaches, problem, criteria_met }: VariantRow): Cell {
  if (found.length > 0) return { text: found[0]!.status, tone: 'bad' };
  if (failed > 0) return { text: `${failed} of ${trials} failed: ${problem ?? ''}`, tone: 'bad' };
  if (breaches > 0) return { text: `${breaches} of ${trials} breached`, tone: 'warn' };
  if (criteria_met === null) return '';
  return criteria_met ? { text: 'meets the criteria', tone: 'good' } : '';
}

/** The table of variants. */
export const variantColumns: readonly Column<VariantRow>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'PARAMETERS', cell: (variant) => parametersText(variant) },
  { header: 'STRATEGY', cell: ({ strategy }) => strategy, keep: 1 },
  { header: 'PLAN', cell: ({ plan }) => plan, keep: 0 },
  { header: 'TRIALS', cell: ({ trials }) => String(trials), align: 'right', keep: 3 },
  { header: 'RETURN', cell: (row) => toned(gainText(row.return), row.return), align: 'right', keep: 7 },
  { header: 'SHARPE', cell: ({ sharpe }) => toned(ratio(sharpe), sharpe), align: 'right', keep: 9 },
  {
    header: 'DRAWDOWN',
    cell: (row) => dash(row.max_drawdown, (value) => `${(value * 100).toFixed(2)}%`),
    align: 'right',
    keep: 6,
  },
  { header: 'TRIPS', cell: ({ trips }) => String(trips), align: 'right', keep: 5 },
  { header: 'WINS', cell: (row) => share(row.win_rate), align: 'right', keep: 2 },
  { header: 'FEES', cell: ({ fees }) => usd(fees), align: 'right', keep: 4 },
  { header: '', cell: stateOf, keep: 8 },
];

function toned(text: string, value: number | null): Cell {
  return value === null || value === 0 ? text : { text, tone: value > 0 ? 'good' : 'bad' };
}

/** The whole text of `perp lab show`: at most `limit` variants, and their joint verdict. */
export function studyBlocks(study: Study, record: StudyRecord, limit: number): Blocks {
  const rows = [...study.results.results].sort(bySharpe).map((one) => variantRecord(one, study));
  const shown = rows.slice(0, limit);
  const more = rows.length - shown.length;
  return [
    tableOf(shown, variantColumns),
    more > 0 ? line({ text: `${more} more; --limit ${rows.length} shows all.`, tone: 'faint' }) : undefined,
    rows.length === 0 ? undefined : blank,
    verdictBlocks(record),
  ];
}

/** The trials' joint verdict. */
function verdictBlocks({ verdict, proof, criteria }: StudyRecord): Blocks {
  const isCheat = proof.sentence.startsWith("Don't");
  return [
    isCheat ? line({ text: proof.sentence, tone: 'bad' }) : undefined,
    line({ text: verdict.sentence, tone: verdict.found && !isCheat ? 'good' : 'warn' }),
    maybe(verdict.overfitting_sentence, line),
    isCheat ? undefined : line(proof.sentence),
    blank,
    fields(...figurePairs(verdict)),
    criteria && [blank, criteriaBlocks(criteria)],
  ];
}

/** The figures behind the verdict, with their names. */
export function figurePairs(verdict: StudyRecord['verdict']): Field[] {
  const { trials, failed, variants, independent_variants: independent } = verdict;
  const like =
    independent === null || variants < 2 ? '' : `, as many as ${counted(Math.round(independent), 'independent one')}`;
  return [
    ['trials', `${trials}${failed > 0 ? `, ${failed} not measured` : ''}`],
    ['variants', `${variants}${like}`],
    ['best Sharpe', maybe(verdict.sharpe, (sharpe) => `${ratio(sharpe)} a year`)],
    ['needed', maybe(verdict.sharpe_needed, (sharpe) => `${ratio(sharpe)} a year, to be 2% or less of luck`)],
    ['luck', maybe(verdict.luck, share)],
    ['deflated Sharpe', maybe(verdict.deflated_sharpe, ratio)],
    ['overfitting', maybe(verdict.overfitting, share)],
    ['returns', verdict.periods === 0 ? undefined : `${verdict.periods}, each of ${stretch(verdict.period_ms)}`],
  ];
}

function criteriaBlocks({ met, remark, hash, list, after_trials }: NonNullable<StudyRecord['criteria']>): Blocks {
  return [
    line({ text: met ? 'Meets the criteria' : 'Does not meet the criteria', tone: met ? 'good' : 'bad' }),
    list.map((one) => line(one.met ? '  met     ' : { text: '  missed  ', tone: 'bad' }, criterionText(one))),
    remark === null
      ? line({ text: `  sealed before the first trial: ${hash.slice(0, 16)}`, tone: 'faint' })
      : line({ text: `  ${remark}`, tone: after_trials > 0 ? 'bad' : 'warn' }),
  ];
}

/** A criterion with the value that it was compared with. */
export function criterionText({ criterion, value }: { criterion: string; value: number | null }): string {
  if (value === null) return `${criterion}: not known`;
  return `${criterion}: ${criterion.endsWith('%') ? `${(value * 100).toFixed(2)}%` : value.toLocaleString('en-US', { maximumFractionDigits: 4 })}`;
}
