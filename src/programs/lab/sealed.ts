import { type Criteria, CriteriaError, parseCriteria } from './criteria.ts';

/** Where criteria are sealed: a trials file. */
export interface SealedIn {
  /** How many trials it has. */
  readonly count: number;
  facts(kind: string): Map<string, unknown>;
  setFact(kind: string, name: string, value: unknown): void;
}

/** Criteria as a trials file has them. */
export interface SealedCriteria {
  readonly criteria: Criteria;
  /** How many trials there were when they were sealed: 0, or they were chosen with results at hand. */
  readonly afterTrials: number;
  readonly sealedAt: number;
}

const kind = 'criteria';

/** Other criteria are sealed already. */
export class SealedError extends Error {
  override readonly name = 'SealedError';
}

/** Seals criteria in a trials file, with how many trials it has by then. Throws a SealedError if it has others. */
export function sealCriteria(file: SealedIn, criteria: Criteria, now: number): SealedCriteria {
  const known = sealedCriteria(file);
  const same = known.find(({ criteria: { hash } }) => hash === criteria.hash);
  if (same !== undefined) return same;
  if (known.length > 0) {
    const list = known[0]!.criteria.list.map(({ text }) => text).join(', ');
    throw new SealedError(`Other criteria are sealed in this file: ${list}. Changed ones need a new trials file.`);
  }
  const sealed = { text: criteria.text, afterTrials: file.count, sealedAt: now };
  file.setFact(kind, criteria.hash, sealed);
  return { criteria, afterTrials: sealed.afterTrials, sealedAt: now };
}

/** The criteria of a file, those sealed after the fewest trials first; more than one only if files were merged. */
export function sealedCriteria(file: Pick<SealedIn, 'facts'>): SealedCriteria[] {
  const found: SealedCriteria[] = [];
  for (const [hash, value] of file.facts(kind)) {
    const { text, afterTrials, sealedAt } = value as { text: string; afterTrials: number; sealedAt: number };
    const criteria = readable(text);
    // Anything that was changed in the file by hand is not a seal.
    if (criteria?.hash === hash) found.push({ criteria, afterTrials, sealedAt });
  }
  return found.sort((one, other) => one.afterTrials - other.afterTrials || one.sealedAt - other.sealedAt);
}

function readable(text: string): Criteria | undefined {
  try {
    return parseCriteria(text);
  } catch (error) {
    if (error instanceof CriteriaError) return undefined;
    throw error;
  }
}

/** What to know about the seal before believing a verdict, in a sentence; undefined if there is nothing. */
export function sealRemark(sealed: readonly SealedCriteria[]): string | undefined {
  const [first, ...others] = sealed;
  if (first === undefined) return undefined;
  const last = others.at(-1);
  if (last !== undefined)
    return `Criteria changed after ${last.afterTrials} trials: files with different ones were merged, and the first sealed ones apply.`;
  if (first.afterTrials > 0)
    return `Criteria sealed after ${first.afterTrials} trials, when results were already known.`;
  return undefined;
}
