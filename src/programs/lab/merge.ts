import { existsSync, rmSync } from 'node:fs';
import { usageFailure } from '../../base/failure/failure.ts';
import { moveFile } from '../../base/system/system.ts';
import { asFailure } from './lab.ts';
import { type Proof, worseProof } from './proof/proof.ts';
import { proofKind } from './proof/study.ts';
import { type SweepPart, TrialsFile, TrialsFileError } from './trials-file.ts';

/** The contents of a merged file. */
export type Merged = ReturnType<typeof mergeTrials>;

/** Merges trials files into a new one, which appears complete or not at all. Throws a Failure. */
export function mergeTrials(files: readonly string[], out: string, { replaces = false, isDryRun = false } = {}) {
  if (existsSync(out) && !replaces) throw usageFailure(`${out} exists. Name a new file, or add --force to replace it.`);
  const draft = `${out}.${process.pid}.merging`;
  let merged: TrialsFile | undefined;
  try {
    remove(draft);
    merged = TrialsFile.open(draft, { create: true });
    for (const file of files) {
      const other = TrialsFile.open(file, { readOnly: true });
      try {
        merged.take(other, worseOf);
      } finally {
        other.close();
      }
    }
    const result = { trials: merged.count, hash: merged.hash(), sweeps: sweepsOf(merged.parts()) };
    merged.close();
    if (!isDryRun) {
      // Leftovers of a write to the replaced file would damage the new one.
      rmSync(journalOf(out), { force: true });
      moveFile(draft, out);
    }
    return result;
  } catch (error) {
    if (error instanceof TrialsFileError)
      throw asFailure(new TrialsFileError(error.message.replaceAll(draft, out), error.isOfDisk));
    throw error;
  } finally {
    merged?.close();
    remove(draft);
  }
}

/** Of two facts about the same: the proof that found more; of criteria, the seal that came after more results. */
function worseOf(kind: string, one: unknown, other: unknown): unknown {
  if (kind === proofKind) return worseProof(one as Proof, other as Proof);
  const [first, second] = [one, other] as { afterTrials?: number }[];
  return (second?.afterTrials ?? 0) > (first?.afterTrials ?? 0) ? other : one;
}

/** The file in which SQLite stores the data to roll back an unfinished write. */
function journalOf(file: string): string {
  return `${file}-journal`;
}

function remove(file: string): void {
  for (const one of [journalOf(file), file]) rmSync(one, { force: true });
}

/**
 * The missing pieces of each sweep, whose parts come by division: of the finest one, unless another one is complete.
 * `missing`: shards that no file has; `unfinished`: those that did not run to their end.
 */
function sweepsOf(parts: readonly SweepPart[]) {
  return [...new Set(parts.map(({ sweep }) => sweep))].map((sweep) => {
    const own = parts.filter((part) => part.sweep === sweep);
    const divisions = [...new Set(own.map(({ of }) => of))].map((of) => standOf(own, of));
    const whole = divisions.find(({ missing, unfinished }) => missing.length + unfinished.length === 0);
    return { sweep, ...(whole ?? divisions.at(-1)!) };
  });
}

function standOf(parts: readonly SweepPart[], of: number) {
  const own = parts.filter((part) => part.of === of);
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter(
    (number) => !own.some(({ shard }) => shard === number),
  );
  const unfinished = own.filter(({ isDone }) => !isDone).map(({ shard }) => shard);
  const named = (numbers: readonly number[]) => numbers.map((number) => `${number}/${of}`);
  return { shards: of, missing: named(missing), unfinished: named(unfinished) };
}
