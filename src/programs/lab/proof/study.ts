import { createHash } from 'node:crypto';
import { netOfTrip } from '../../../desk/risk/profit.ts';
import { winLossOf } from '../../../desk/statistics/proven.ts';
import { momentsOf, periodsPerYear, sharpeOf } from '../../../desk/statistics/sharpe.ts';
import { type Criteria, type Figures, type Judged, judge, sealedCriteria, sealRemark } from '../criteria.ts';
import { isMeasured, type ReturnTable, returnTable, type Variant, variantsOf } from '../returns.ts';
import type { Trial } from '../trial.ts';
import { verdictOf } from '../verdict.ts';
import { leastChanges } from './lookahead.ts';
import type { Proof } from './proof.ts';

/** The parts of a trials file that are read. */
export interface StudySource {
  trials(): Iterable<Trial>;
  facts(kind: string): Map<string, unknown>;
}

/** The kind of facts under which a file stores proofs, by the id of their trial. */
export const proofKind = 'proof';

/** A trials file, read and judged. */
export type Study = ReturnType<typeof readStudy>;

/** Reads and judges all trials of a file. */
export function readStudy(file: StudySource) {
  const results = resultsOf([...file.trials()]);
  const all = sealedCriteria(file);
  const sealed = all[0] ?? null;
  const tried = [...file.facts(proofKind)].map(([trial, proof]) => [trial, proof as Proof] as const);
  const tooFew = tried.filter(([, { status }]) => status === 'too few positions').length;
  const proofs = new Map(tried.filter(([, { status }]) => !['failed', 'too few positions'].includes(status)));
  const judged = new Map<string, readonly Judged[]>(
    sealed === null ? [] : results.results.map((one) => [one.id, judgeVariant(sealed.criteria, one, results)]),
  );
  const found = new Map(results.variants.map((variant) => [variantId(variant), foundIn(variant, proofs)]));
  return {
    results,
    /** The criteria in force: those sealed first; null if there are none. */
    ...{ sealed, sealRemark: sealRemark(all) },
    /** Of each variant, by id; empty without criteria. */
    judged,
    /** The number of trials that traded too little to be judged. */
    tooFew,
    /** Proofs by trial, those with a result, and those of a variant's trials that found something. */
    ...{ proofs, found },
  };
}

function foundIn({ trials }: Variant, proofs: ReadonlyMap<string, Proof>): Proof[] {
  return trials.flatMap(({ id }) => {
    const proof = proofs.get(id);
    return proof === undefined || proof.status === 'clean' ? [] : [proof];
  });
}

/** Factors that an honest strategy may depend on, too. */
const habits: Partial<Record<Proof['status'], string>> = {
  'depends on times': 'hours',
  'depends on prices': 'prices',
};

/** The findings for the best variant, or for the sweep, in a sentence. */
export function proofSentence({ results: { variants, best }, tooFew, proofs, found }: Study): string {
  const all = [...found.values()].flat();
  const cheat = all.find(({ status }) => !(status in habits));
  if (cheat !== undefined) return `Don't believe these results. ${cheat.sentence}`;
  const [bound] = all;
  if (bound !== undefined)
    return `Be careful. ${bound.sentence} Either it trades at set ${habits[bound.status]}, or it has a table of what comes next.`;
  const few = tooFewText(tooFew);
  if (proofs.size === 0)
    return few ?? 'No trial was tried: whether it looks ahead, and whether it can be repeated, is not known.';
  const own =
    variants.find((variant) => variantId(variant) === best?.id)?.trials.filter(({ id }) => proofs.has(id)) ?? [];
  const trials = variants.reduce((sum, one) => sum + one.trials.length, 0);
  const ofBest = own.length === 0 ? 'none of the best variant' : `${own.length} of the best variant`;
  const tried = `${proofs.size} of ${trials} trials ${proofs.size === 1 ? 'was' : 'were'} tried, ${ofBest}, and nothing was found, which is no proof that there is nothing.`;
  return few === undefined ? tried : `${tried} ${few}`;
}

/** A note that trials with hardly any trades are unproven; undefined if there are none. */
function tooFewText(tooFew: number): string | undefined {
  if (tooFew === 0) return undefined;
  const trials = tooFew === 1 ? '1 trial has' : `${tooFew} trials have`;
  return `${trials} too few positions to judge: one that opens, closes, turns, enlarges or reduces its position fewer than ${leastChanges} times does not show whether it knows its market.`;
}

/**
 * The variant that a text names: its id or the start of it, the start of a trial's id, or parameters such as
 * `fast=5,slow=20`.
 */
export function namedVariant({ results }: Study, text: string): { variant: Variant; result: VariantResult }[] {
  const pairs = text.includes('=') ? text.split(',').map((pair) => pair.split('=') as [string, string]) : null;
  return results.variants.flatMap((variant, at) => {
    const result = results.results[at]!;
    const isNamed =
      pairs === null
        ? result.id.startsWith(text) || (text.length >= 6 && variant.trials.some(({ id }) => id.startsWith(text)))
        : pairs.every(([name, value]) => String(variant.parameters[name.trim()]) === value?.trim());
    return isNamed ? [{ variant, result }] : [];
  });
}

/** One variant's result over all of its trials. */
type VariantResult = ReturnType<typeof resultOf>;

/** The conclusions from a file's trials. */
type Results = ReturnType<typeof resultsOf>;

/** Sums up trials by variant, and judges them. `best` is null if it has no result. */
export function resultsOf(trials: readonly Trial[]) {
  const variants = variantsOf(trials);
  const table = returnTable(variants);
  const results = variants.map((variant) => resultOf(variant, table));
  const verdict = verdictOf(trials);
  const key = verdict.best === null ? null : variantId(verdict.best.variant);
  return { variants, results, table, verdict, best: results.find(({ id }) => id === key) ?? null };
}

/** A variant's name: the start of a hash of its definition. */
function variantId({ strategyHash, parameters, plan, think, sample, chosen }: Variant): string {
  const tried = chosen ?? Object.entries(parameters).sort();
  return createHash('sha256')
    .update(JSON.stringify([strategyHash, tried, plan, think, sample]))
    .digest('hex')
    .slice(0, 8);
}

function resultOf(variant: Variant, table: ReturnTable) {
  const { trials, strategy, parameters, plan, think, sample, chosen } = variant;
  const measured = trials.filter(isMeasured);
  const failed = trials.filter(({ result }) => result.status === 'failed');
  const column = table.columns[table.variants.indexOf(variant)];
  const sharpe = column === undefined ? null : sharpeOf(momentsOf(column));
  const sum = (of: (trial: Trial) => number) => trials.reduce((total, trial) => total + of(trial), 0);
  const trips = trials.flatMap(({ result }) => result.trips);
  const closed = trips.filter(({ closedAt }) => closedAt !== null);
  const gains = measured.map(({ result: { equity } }) => equity.at(-1)! / equity[0]! - 1);
  return {
    /** Eight digits, by which commands name it. */
    id: variantId(variant),
    ...{ strategy, parameters, plan, think, sample, chosen },
    ...{ trials: trials.length, failed: failed.length },
    /** From the first trial that failed. */
    problem: failed[0]?.result.problem?.message ?? null,
    /** Mean gain of its trials, as a share of the starting balance; null if none is measured. */
    gain: gains.length === 0 ? null : gains.reduce((total, gain) => total + gain, 0) / gains.length,
    /** A year; null if it isn't measured, or nothing varies. */
    sharpe: sharpe === null ? null : sharpe * Math.sqrt(periodsPerYear(table.periodMs)),
    /** The deepest fall below an earlier highest equity in any trial, as a share of it. */
    drawdown: measured.length === 0 ? null : Math.max(...measured.map(({ result }) => result.drawdown)),
    trips: trips.length,
    /** Of closed trips, the share with a gain after costs; null without one. */
    wins: winLossOf(closed.map(netOfTrip)).winRate?.value ?? null,
    /** USD, all trials. */
    fees: sum(({ result }) => result.fees),
    carry: sum(({ result }) => result.carry),
    volume: sum(({ result }) => result.volume),
    /** Accounts that failed their challenge. */
    breaches: trials.filter(({ result }) => result.account.status === 'failed').length,
  };
}

/** A variant's standing against criteria; those about the whole sweep count for the best variant only. */
function judgeVariant(criteria: Criteria, result: VariantResult, { verdict, best }: Results): Judged[] {
  const isBest = result.id === best?.id;
  const figures: Figures = {
    sharpe: result.sharpe,
    return: result.gain,
    drawdown: result.drawdown,
    trips: result.trips,
    breaches: result.breaches,
    failed: result.failed,
    luck: isBest ? verdict.luck : null,
    dsr: isBest ? verdict.deflated : null,
    pbo: isBest ? (verdict.overfitting?.probability ?? null) : null,
  };
  return judge(criteria, figures);
}
