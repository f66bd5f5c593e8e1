import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import type { Console } from '../../console/console.ts';

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
