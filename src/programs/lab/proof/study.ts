import type { Judged } from '../criteria.ts';
import type { Variant } from '../returns.ts';
import { type SealedCriteria, sealedCriteria, sealRemark } from '../sealed.ts';
import type { Trial } from '../trial.ts';
import { judgeVariant, type Results, resultsOf, type VariantResult, variantId } from '../variant-results.ts';
import { leastChanges } from './foresight.ts';
import type { Proof } from './proof.ts';

/** What is read of a trials file. */
export interface StudySource {
  trials(): Iterable<Trial>;
  facts(kind: string): Map<string, unknown>;
}

/** Under which kind of facts a file keeps proofs, by the id of their trial. */
export const proofKind = 'proof';

/** A trials file, read and judged. */
export interface Study {
  readonly results: Results;
  /** The criteria that count: those sealed first; null: there are none. */
  readonly sealed: SealedCriteria | null;
  readonly sealRemark: string | undefined;
  /** Of each variant, by id; empty without criteria. */
  readonly judged: ReadonlyMap<string, readonly Judged[]>;
  /** How many trials traded too little to be judged. */
  readonly tooFew: number;
  /** By trial, those that came to a result. */
  readonly proofs: ReadonlyMap<string, Proof>;
  /** The proofs of a variant's trials that found something. */
  readonly found: ReadonlyMap<string, readonly Proof[]>;
}

/** Reads and judges all trials of a file. */
export function readStudy(file: StudySource): Study {
  const results = resultsOf([...file.trials()]);
  const all = sealedCriteria(file);
  const sealed = all[0] ?? null;
  const tried = [...file.facts(proofKind)].map(([trial, proof]) => [trial, proof as Proof] as const);
  const tooFew = tried.filter(([, { status }]) => status === 'too few positions').length;
  const proofs = new Map(tried.filter(([, { status }]) => !['failed', 'too few positions'].includes(status)));
  const judged = new Map(
    sealed === null ? [] : results.results.map((one) => [one.id, judgeVariant(sealed.criteria, one, results)]),
  );
  const found = new Map(results.variants.map((variant) => [variantId(variant), foundIn(variant, proofs)]));
  return { results, sealed, sealRemark: sealRemark(all), judged, tooFew, proofs, found };
}

function foundIn({ trials }: Variant, proofs: ReadonlyMap<string, Proof>): Proof[] {
  return trials.flatMap(({ id }) => {
    const proof = proofs.get(id);
    return proof === undefined || proof.status === 'clean' ? [] : [proof];
  });
}

/** What an honest strategy may hang on, too. */
const habits: Partial<Record<Proof['status'], string>> = {
  'depends on times': 'hours',
  'depends on prices': 'prices',
};

/** What was found in the best variant, or in the sweep, as a sentence. */
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

/** That nothing is known about trials which hardly traded; undefined: there are none. */
function tooFewText(tooFew: number): string | undefined {
  if (tooFew === 0) return undefined;
  const trials = tooFew === 1 ? '1 trial has' : `${tooFew} trials have`;
  return `${trials} too few positions to judge: one that opens, closes, turns, enlarges or reduces its position fewer than ${leastChanges} times does not show whether it knows its market.`;
}

/** The variant that a text names: its id or the start of it, the start of a trial's id, or parameters such as `fast=5,slow=20`. */
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
