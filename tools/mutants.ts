/**
 * Mutation tests: changes one thing in `src` and expects a test to fail. Nothing on disk changes.
 *
 *   node tools/mutants.ts [--seed=N] [--count=N] [--seconds=N] [--jobs=N] [FILE|FOLDER ...]   draws mutants (of src)
 *   node tools/mutants.ts --known                                               those that test/mutants.ts lists, and `src` without each assert
 *
 * A drawn mutant meets the quick test files that run its place, by V8's coverage, which is measured first and kept
 * until something changes: as many of them as usually take `seconds` together (60), those named like the file first. A
 * listed one meets the test file that it names. A test that takes too long has failed. A failure counts if it comes
 * twice, and not without the mutation. Exit status 1: one survived.
 */
import { existsSync, globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { knownMutants, mutationOf, withoutAsserts } from '../test/mutants.ts';
import { type Covered, coverageOfTests, testsOf } from './mutants/coverage.ts';
import { described, isSound, type Mutation, mutationsOf } from './mutants/mutations.ts';
import { type Ending, verdict } from './mutants/trial.ts';

/** A mutant's tests run in groups, in one process each, that together take about so long. */
const groupSeconds = 10;
/** Tests of a mutant get so many times their usual time, and at least so long. */
const patience = { times: 6, leastMs: 30_000 };

interface Result {
  readonly mutation: Mutation;
  readonly ending: Ending | { readonly kind: 'not run' };
  readonly tests: number;
}

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    jobs: { type: 'string', default: String(Math.min(availableParallelism(), 4)) },
    known: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

for (const name of ['seed', 'count', 'seconds', 'jobs'] as const)
  if (!/^[0-9]+$/.test(values[name])) refuse(`--${name} is ${values[name]}, not a whole number.`);
for (const place of positionals) if (!existsSync(place)) refuse(`There is no ${place}.`);

const results = await (values.known ? runKnown() : runDrawn());
const survivors = results.filter(({ ending }) => ending.kind === 'passed' || ending.kind === 'not run');
for (const { mutation, ending, tests } of survivors)
  console.log(
    `\nSurvived (${ending.kind === 'passed' ? `${tests} test files` : 'no test runs it'}): ${described(mutation)}`,
  );
console.log(`\n${results.length} mutants, ${results.length - survivors.length} killed, ${survivors.length} survived`);
process.exitCode = survivors.length === 0 && results.length > 0 ? 0 : 1;

function refuse(problem: string): never {
  console.error(problem);
  process.exit(2);
}

async function runKnown(): Promise<Result[]> {
  const rules = knownMutants.map((known) => ({ ...known, mutation: mutationOf(known) }));
  return sideBySide([...rules, ...withoutAsserts()], async ({ rule, mutation, test }) => {
    const ending = await verdict(mutation, [test], { timeoutMs: patience.leastMs, note });
    report(rule, mutation, ending);
    return { mutation, ending, tests: 1 };
  });
}

async function runDrawn(): Promise<Result[]> {
  const places = positionals.length > 0 ? positionals : ['src'];
  const files = places.flatMap((place) => (statSync(place).isDirectory() ? globSync(`${place}/**/*.ts`) : [place]));
  const drawn = drawnFrom(files.sort().flatMap(mutationsOf), Number(values.count), Number(values.seed));
  console.log(`${drawn.length} mutants of ${files.length} files, seed ${values.seed}`);
  const covered = await coverageOfTests(note);
  return sideBySide(drawn, async (mutation) => {
    const tests = within(testsOf(mutation, covered), Number(values.seconds));
    let ending: Result['ending'] = { kind: 'not run' };
    for (const group of grouped(tests)) {
      const usualMs = 1000 * secondsOf(group);
      const timeoutMs = Math.max(patience.leastMs, patience.times * usualMs);
      ending = await verdict(
        mutation,
        group.map(({ test }) => test),
        { timeoutMs, note },
      );
      if (ending.kind !== 'passed') break;
    }
    report('', mutation, ending);
    return { mutation, ending, tests: tests.length };
  });
}

/** A sample without repetition: a Fisher-Yates shuffle that stops early, by a generator of 32 bits (mulberry32). */
function drawnFrom(all: readonly Mutation[], count: number, seed: number): Mutation[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = [...all];
  const most = Math.min(count, left.length);
  for (let at = 0; at < most; at += 1) {
    const other = at + Math.floor(random() * (left.length - at));
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left.slice(0, most).filter(isSound);
}

/** The first tests that together take so long; always the first one. */
function within(tests: readonly Covered[], most: number): readonly Covered[] {
  let count = 1;
  while (count < tests.length && secondsOf(tests.slice(0, count + 1)) <= most) count += 1;
  return tests.slice(0, count);
}

/** The first group is small: most mutants die there. */
function grouped(tests: readonly Covered[]): Covered[][] {
  const groups: Covered[][] = [];
  for (const test of tests) {
    const last = groups.at(-1);
    const most = groups.length <= 1 ? 3 : groupSeconds;
    if (last === undefined || secondsOf(last) + test.seconds > most) groups.push([test]);
    else last.push(test);
  }
  return groups;
}

function secondsOf(tests: readonly Covered[]): number {
  return tests.reduce((sum, { seconds }) => sum + seconds, 0);
}

async function sideBySide<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...all.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  return results;
}

function note(text: string): void {
  console.log(text);
}

function report(rule: string, mutation: Mutation, ending: Result['ending']): void {
  const place = described(mutation).split('\n')[0]!;
  const how =
    ending.kind === 'failed'
      ? `killed by "${ending.test}"`
      : { timeout: 'killed: its test takes too long', passed: 'SURVIVED', 'not run': 'SURVIVED: no test runs it' }[
          ending.kind
        ];
  console.log(`${place} ${rule === '' ? '' : `(${rule}) `}${how}`);
}
