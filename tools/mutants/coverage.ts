import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutation } from './mutations.ts';
import { type Ending, trial } from './trial.ts';

/** What one test file ran: for each source file the pieces of its text, as start, end, start, end ... */
export interface Covered {
  readonly test: string;
  /** Of the test file and all of `src`: what was measured is forgotten when one of them changes. */
  readonly hash: string;
  readonly seconds: number;
  readonly sources: Readonly<Record<string, readonly number[]>>;
}

const top = resolve(import.meta.dirname, '../..');
const kept = join(top, 'node_modules/.cache/perp-mutants.json');

/**
 * What every quick test file runs of `src`, measured by V8, each in a process of its own. Kept for the next call until
 * `src` or the test file changes. A test file that fails without any mutation is noted and left out.
 */
export async function coverageOfTests(note: (text: string) => void): Promise<Covered[]> {
  const tests = globSync('test/**/*.test.ts').filter((file) => !file.endsWith('.faults.test.ts'));
  const sources = hashOf(...globSync('src/**/*.ts').sort());
  const hashes = new Map(tests.map((test) => [test, `${sources} ${hashOf(test)}`]));
  const known = new Map(
    readKept().flatMap((covered) => (hashes.get(covered.test) === covered.hash ? [[covered.test, covered]] : [])),
  );
  const missing = tests.filter((test) => !known.has(test));
  let done = 0;
  const work = async () => {
    for (let test = missing.shift(); test !== undefined; test = missing.shift()) {
      const covered = await coverageOf(test);
      if (covered.ending.kind !== 'passed')
        note(`Left out, because it fails by itself: ${test} ${JSON.stringify(covered.ending)}`);
      else known.set(test, { ...covered, hash: hashes.get(test)! });
      done += 1;
      if (done % 20 > 0) continue;
      note(`${done} test files measured, ${missing.length} left`);
      keep([...known.values()]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  keep([...known.values()]);
  return [...known.values()];
}

/**
 * The test files that run a mutation's place: those named like it, then those of its room, then others; quick ones
 * first.
 */
export function testsOf({ file, start, met = start }: Mutation, covered: readonly Covered[]): Covered[] {
  const [, room, ...path] = file.replace(/\.ts$/, '').split('/');
  const rankOf = ({ test }: Covered) => {
    const [, itsRoom, ...words] = test.replace(/\.test\.ts$/, '').split('/');
    const name = words.at(-1)!;
    const isNamed = name === path.at(-1) || (itsRoom === room && path.includes(name));
    return isNamed ? 0 : itsRoom === room ? 1 : 2;
  };
  const runs = ({ sources }: Covered) => {
    const pieces = sources[file] ?? [];
    return pieces.some((from, at) => at % 2 === 0 && from <= met && met < pieces[at + 1]!);
  };
  return covered.filter(runs).sort((one, other) => rankOf(one) - rankOf(other) || one.seconds - other.seconds);
}

async function coverageOf(test: string): Promise<Omit<Covered, 'hash'> & { ending: Ending }> {
  const reports = mkdtempSync(join(tmpdir(), 'perp-coverage-'));
  try {
    const begun = performance.now();
    const ending = await trial(null, [test], { timeoutMs: 300_000, coverage: reports });
    const seconds = (performance.now() - begun) / 1000;
    const sources: Record<string, number[]> = {};
    for (const name of readdirSync(reports)) addReport(sources, join(reports, name));
    return { test, seconds, sources, ending };
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

interface FunctionCoverage {
  ranges: { startOffset: number; endOffset: number; count: number }[];
}

/** Types are stripped in place, so V8's offsets are those of the source. */
function addReport(sources: Record<string, number[]>, report: string): void {
  const { result } = JSON.parse(readFileSync(report, 'utf8')) as {
    result: { url: string; functions: FunctionCoverage[] }[];
  };
  for (const { url, functions } of result) {
    if (!url.startsWith('file:')) continue;
    const file = relative(top, fileURLToPath(url));
    if (!file.startsWith('src/')) continue;
    sources[file] = [...(sources[file] ?? []), ...piecesRun(functions)];
  }
}

/** The pieces that ran at least once: an inner range counts instead of the ones around it. */
function piecesRun(functions: readonly FunctionCoverage[]): number[] {
  const ranges = functions.flatMap(({ ranges }) => ranges);
  const bounds = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))];
  bounds.sort((one, other) => one - other);
  // Outer ranges come first in V8's order of functions and blocks; a later, smaller one overrides.
  const counts = new Array<number>(bounds.length).fill(0);
  const indexOf = new Map(bounds.map((bound, at) => [bound, at]));
  const widestFirst = ranges.toSorted((one, other) => widthOf(other) - widthOf(one));
  for (const { startOffset, endOffset, count } of widestFirst)
    counts.fill(count, indexOf.get(startOffset), indexOf.get(endOffset));
  const pieces: number[] = [];
  for (const [at, count] of counts.entries()) {
    if (count === 0 || at === bounds.length - 1) continue;
    if (pieces.at(-1) === bounds[at]) pieces[pieces.length - 1] = bounds[at + 1]!;
    else pieces.push(bounds[at]!, bounds[at + 1]!);
  }
  return pieces;
}

function widthOf({ startOffset, endOffset }: { startOffset: number; endOffset: number }): number {
  return endOffset - startOffset;
}

function hashOf(...files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

function readKept(): Covered[] {
  try {
    return JSON.parse(readFileSync(kept, 'utf8'));
  } catch {
    return [];
  }
}

function keep(covered: readonly Covered[]): void {
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(covered));
}
