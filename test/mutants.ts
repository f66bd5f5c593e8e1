import { readFileSync } from 'node:fs';
import type { Mutation } from '../scripts/mutants/mutations.ts';

/** A mutant that CI tries with every change: a rule that once had no test, or the assert of an invariant. */
export interface KnownMutant {
  readonly rule: string;
  readonly file: string;
  /** The text that is changed, which the file has once, and what it becomes. */
  readonly from: string;
  readonly to: string;
  /** The test file that kills it. */
  readonly test: string;
}

/** Found by their text, so they stay the same however the code around them changes. */
export const knownMutants: readonly KnownMutant[] = [];

/** A known mutant as a change of its file; throws if the file does not have the text exactly once. */
export function mutationOf({ rule, file, from, to }: KnownMutant): Mutation {
  const text = readFileSync(file, 'utf8');
  const start = text.indexOf(from);
  if (start < 0 || text.indexOf(from, start + 1) >= 0)
    throw new Error(`The mutant of "${rule}" needs "${from}" exactly once in ${file}.`);
  return { file, start, end: start + from.length, replacement: to };
}
