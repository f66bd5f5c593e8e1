import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { counted, maybe, stretch, usd } from '../../../base/text/format.ts';
import type { Console } from '../../console/console.ts';
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

type VariantResult = Study['results']['results'][number];

/** A variant as JSON; shares are fractions, money USD. */
export function variantRecord(result: VariantResult, study: Study) {
  const { id, strategy, parameters, plan, think, sample, chosen, trials, failed, problem, ...figures } = result;
  const judged = study.judged.get(id);
  return {
    id,
    strategy,
    parameters,
    plan,
    think,
    sample,
    chosen,
    trials,
    failed,
    problem,
    return: figures.gain,
    sharpe: figures.sharpe,
    max_drawdown: figures.drawdown,
    trips: figures.trips,
    win_rate: figures.wins,
    fees: figures.fees,
    carry: figures.carry,
    volume: figures.volume,
    breaches: figures.breaches,
    criteria_met: judged === undefined ? null : judged.every(({ isMet }) => isMet),
    found: (study.found.get(id) ?? []).map(({ status, sentence, at }) => ({ status, sentence, at })),
  };
}

/** All contents of `perp lab show`, as JSON. */
export async function studyRecord(study: Study) {
  const { verdictSentence, overfittingSentence } = await import('../../../programs/lab/verdict.ts');
  const { proofSentence } = await import('../../../programs/lab/proof/study.ts');
  const { verdict, best, results } = study.results;
  return {
    verdict: {
      found: verdict.isFound,
      sentence: verdictSentence(verdict),
      trials: verdict.trials,
      failed: verdict.failed,
      variants: verdict.variants,
      independent_variants: verdict.independent,
      best: best?.id ?? null,
      sharpe: verdict.best?.sharpe ?? null,
      probabilistic_sharpe: verdict.best?.probabilistic ?? null,
      luck: verdict.luck,
      sharpe_needed: verdict.needed,
      deflated_sharpe: verdict.deflated,
      sharpe_expected_by_luck: verdict.expected,
      overfitting: verdict.overfitting?.probability ?? null,
      overfitting_sentence: overfittingSentence(verdict) ?? null,
      periods: verdict.periods,
      period_ms: verdict.periodMs,
    },
    proof: { tried: study.proofs.size, sentence: proofSentence(study) },
    criteria: criteriaRecord(study),
    variants: [...results].sort(bySharpe).map((one) => variantRecord(one, study)),
  };
}

function criteriaRecord({ sealed, sealRemark, judged, results: { best } }: Study) {
  if (sealed === null) return null;
  const own = best === null ? undefined : judged.get(best.id);
  return {
    hash: sealed.criteria.hash,
    sealed_at: sealed.sealedAt,
    after_trials: sealed.afterTrials,
    remark: sealRemark ?? null,
    met: own?.every(({ isMet }) => isMet) ?? false,
    list: sealed.criteria.list.map(({ text }, at) => ({
      criterion: text,
      value: own?.[at]?.value ?? null,
      met: own?.[at]?.isMet ?? false,
    })),
  };
}

/** Best first; those without a Sharpe ratio last. */
export function bySharpe(one: VariantResult, other: VariantResult): number {
  return (other.sharpe ?? Number.NEGATIVE_INFINITY) - (one.sharpe ?? Number.NEGATIVE_INFINITY) || 0;
}

/** Parameters as they are typed: `fast=5 slow=20`. */
export function parametersText({
  parameters,
  sample,
  chosen,
}: Pick<VariantResult, 'parameters' | 'sample' | 'chosen'>): string {
  if (sample === 'out') return `as chosen by ${chosen?.split(' ')[0] ?? 'the best'}, out of sample`;
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return `${pairs.length === 0 ? 'no parameters' : pairs.join(' ')}${sample === 'in' ? ', in sample' : ''}`;
}

/** A trials file as the lab reads it. */
export type Study = import('../../../programs/lab/proof/study.ts').Study;

/** Reads a trials file; anything else, or a file of another version, is a failure that says so. */
export async function openStudy(console: Console, file: string): Promise<Study> {
  const { asFileError, TrialsFile, TrialsFileError } = await import('../../../programs/lab/trials-file.ts');
  const { readStudy } = await import('../../../programs/lab/proof/study.ts');
  return console.person.during('Reading trials', async () => {
    try {
      const opened = TrialsFile.open(file, { readOnly: true });
      try {
        return readStudy(opened);
      } finally {
        opened.close();
      }
    } catch (thrown) {
      const error = asFileError(file, thrown);
      if (!(error instanceof TrialsFileError)) throw error;
      throw usageFailure(error.message, 'perp lab run writes trials files.');
    }
  });
}

/** The single variant that a text names. */
export async function oneVariant(study: Study, text: string) {
  const { namedVariant } = await import('../../../programs/lab/proof/study.ts');
  const found = namedVariant(study, text);
  if (found.length === 1) return found[0]!;
  const hint = 'perp lab show FILE lists variants with their ids.';
  if (found.length === 0) throw notFoundFailure(`No variant is named ${JSON.stringify(text)}.`, hint);
  const ids = found
    .slice(0, 5)
    .map(({ result }) => result.id)
    .join(', ');
  throw usageFailure(
    `${JSON.stringify(text)} names ${found.length} variants: ${ids}${found.length > 5 ? ', ...' : ''}.`,
    hint,
  );
}
