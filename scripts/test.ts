/**
 * Runs tests with node:test, several processes per core at a time, because many tests wait for processes, sockets and
 * disks. In the quick tier, each process runs a share of the files, because loading and warming up the sources costs
 * more than most files do. Fault trials, and files named on the command line, run in their own processes. All share
 * Node's compile cache, which the next run reuses, and one build of the executable. With CI=true a skipped test is a
 * failure, because CI installs what a plain machine lacks, and a few failed files run again, one at a time. Random
 * tests use the seed PERP_TEST_SEED, a number (default 1) or `random`, so that a run can be repeated. With PERP_LONG=1
 * the default is `random`.
 *
 *   node scripts/test.ts [--tier=quick|faults|all] [FILE|FOLDER ...] [--test-name-pattern=... and other node --test flags]
 *
 *   node scripts/test.ts venue NAME
 *
 * `venue NAME` runs the conformance kit of a venue of live markets. The quick tier (the default) omits the slow fault
 * trials: `*.faults.test.ts` and each `trial` of other files (test/tiers.ts). A file named on the command line runs
 * whole.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestFact } from './test-facts.ts';

const tiers: Record<string, (file: string) => boolean> = {
  quick: (file) => !file.endsWith('.faults.test.ts'),
  faults: (file) => file.endsWith('.faults.test.ts') || /from '[./]+tiers\.ts'/.test(readFileSync(file, 'utf8')),
  all: () => true,
};

const [tier = 'quick'] = process.argv.flatMap((argument) => /^--tier=(.*)$/.exec(argument)?.[1] ?? []);
const isInTier = tiers[tier];
if (isInTier === undefined) throw new Error(`There is no tier ${tier}; tiers: ${Object.keys(tiers).join(', ')}`);
const flags = process.argv.slice(2).filter((argument) => /^-(?!-tier=)/.test(argument));
const words = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const venue = words[0] === 'venue' ? (words[1] ?? '') : undefined;
const named = venue === undefined ? words : ['test/venues/live/conformance.kit.ts'];
const folders = named.length > 0 ? named.filter((place) => statSync(place).isDirectory()) : ['test'];
const found = folders
  .flatMap((place) => globSync(`${place}/**/*.test.ts`))
  .filter((file) => isInTier(file))
  .sort();

const isLong = Boolean(process.env.PERP_LONG);
// As for two processors at most: a container may show all those of its host, and give it the time of two.
const processes = (tier === 'quick' ? 3 : 2) * Math.min(availableParallelism(), 2);
const { PERP_TEST_SEED: wanted = isLong ? 'random' : '1' } = process.env;
const seed = wanted === 'random' ? randomInt(1_000_000) : Number(wanted);
if (!Number.isSafeInteger(seed) || seed < 0)
  throw new Error(`PERP_TEST_SEED is ${wanted}, not a whole number or random.`);
if (wanted === 'random') console.log(`Random tests use seed ${seed}: PERP_TEST_SEED=${seed} repeats them.`);

const folder = mkdtempSync(join(hasMemoryDisk() ? '/dev/shm' : tmpdir(), 'perp-test-'));
const cache = resolve(import.meta.dirname, '../node_modules/.cache');
const memory = join(cache, 'perp-test-milliseconds.json');
const isCi = process.env.CI === 'true';
/** In CI, where only the end of the output may be seen, what hangs is ended in time to be named there. */
const longest = { quick: 20, faults: 45 }[tier] ?? 0;
/** Failed files that run again; more have one cause, which is not the load. */
const mostAgain = 3;

const first = run(
  [...named.filter((place) => !folders.includes(place)), ...(tier === 'quick' ? grouped(found) : found)],
  processes,
);
if (tier === 'quick' && flags.length === 0) remember(first.those('file'));
if (isCi) told('The slowest files:', slowest(first.those('file')));
if (first.status !== 0) console.error(`\nRandom tests used seed ${seed}: PERP_TEST_SEED=${seed} repeats them.`);
told(`Ended from outside, or after ${longest} minutes, while these ran:`, first.those('interrupted'));
if (isCi) told('In CI, a skipped test is a failure:', first.those('skipped'));
const isSkipping = isCi && first.those('skipped').length > 0;
const status = first.status === 0 || !isCi || isSkipping ? first.status : again(first);
rmSync(folder, { recursive: true, force: true });
process.exit(isSkipping ? 1 : status);

interface Run {
  readonly status: number;
  those(kind: TestFact['kind']): readonly TestFact[];
}

/** Runs these files, so many at a time. */
function run(files: readonly string[], atOnce: number): Run {
  const written = join(folder, `facts-${atOnce}.jsonl`);
  const { status } = spawnSync(
    process.execPath,
    [
      '--test',
      `--import=${new URL('../test/seed.ts', import.meta.url).href}`,
      `--test-concurrency=${atOnce}`,
      // For what hangs: it also holds for each process as a whole, which on a busy machine takes many times as long.
      `--test-timeout=${isLong ? 7_200_000 : 1_200_000}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${new URL('test-facts.ts', import.meta.url).href}`,
      `--test-reporter-destination=${written}`,
      ...flags,
      ...files,
    ],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: isCi && !isLong ? longest * 60_000 : 0,
      env: {
        ...process.env,
        // Times for people are local, and tests compare them.
        TZ: 'UTC',
        TMPDIR: folder,
        NODE_COMPILE_CACHE: join(cache, 'perp-tests'),
        PERP_TEST_SEED: String(seed),
        // What is named runs whole.
        PERP_TEST_TIER: folders.length < named.length ? 'all' : tier,
        ...(venue !== undefined && { PERP_VENUE: venue }),
        PERP_TEST_BUILD: join(folder, 'built'),
      },
    },
  );
  const lines = readFileSync(written, 'utf8').split('\n');
  const facts = lines.filter((line) => line !== '').map((line): TestFact => JSON.parse(line));
  return { status: status ?? 1, those: (kind) => facts.filter((fact) => fact.kind === kind) };
}

/**
 * In CI, the few files that failed beside others run again, one at a time. What passes then failed only on a busy
 * machine: the end of the output names it, for it hides a race that is to be mended. The status of this second run.
 */
function again({ status, those }: Run): number {
  // A test may stand in a file that test files import.
  const places = [...new Set(those('failed').flatMap(({ file }) => file ?? []))].map((place) => relative('.', place));
  const isOf = (file: string, place: string) =>
    file === place || (!place.endsWith('.test.ts') && readFileSync(file, 'utf8').includes(`/${basename(place)}'`));
  const files = found.filter((file) => places.some((place) => isOf(file, place)));
  if (those('interrupted').length > 0 || files.length === 0 || files.length > mostAgain) return status;
  console.error(`\nAgain, one at a time: ${files.join(', ')}`);
  const second = run(files, 1);
  if (second.status === 0) told('UNSTEADY: these failed beside others and passed alone:', those('failed'));
  return second.status;
}

/** The ten files that took longest, with their seconds. */
function slowest(files: readonly TestFact[]): TestFact[] {
  const sorted = files.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 10);
  return sorted.map((file) => ({ ...file, name: `${Math.round(file.milliseconds / 1_000)} s  ${file.name}` }));
}

function told(title: string, facts: readonly TestFact[]): void {
  if (facts.length > 0) console.error(`\n${title}\n${facts.map(({ name }) => `  ${name}\n`).join('')}`);
}

/**
 * One file per process, which imports that process's test files, each as a suite with its own hooks. The longest ones,
 * as the last run in this checkout found, or else `longest-tests.json`, are dealt out first, each to the process that
 * has the least to do, so that all end at about the same time.
 */
function grouped(files: readonly string[]): string[] {
  const known = { ...millisecondsOf(join(import.meta.dirname, 'longest-tests.json')), ...millisecondsOf(memory) };
  // Most take less than a second.
  const timeOf = (file: string) => known[file] ?? 600;
  const groups = Array.from({ length: Math.min(processes, Math.ceil(files.length / 8)) }, () => ({
    files: [] as string[],
    time: 0,
  }));
  for (const file of files.toSorted((one, other) => timeOf(other) - timeOf(one))) {
    const group = groups.reduce((least, one) => (one.time < least.time ? one : least));
    group.files.push(file);
    group.time += timeOf(file);
  }
  return groups.map((group, at) => {
    const suites = group.files.map((file) => {
      const address = pathToFileURL(resolve(file)).href;
      return `suite(${JSON.stringify(file)}, () => import(${JSON.stringify(address)}));\n`;
    });
    const place = join(folder, `group-${String(at + 1).padStart(2, '0')}.test.mjs`);
    writeFileSync(place, `import { suite } from 'node:test';\n${suites.join('')}`);
    return place;
  });
}

/** Keeps how long each file of a run took, for the next one. */
function remember(files: readonly TestFact[]): void {
  const known = {
    ...millisecondsOf(memory),
    ...Object.fromEntries(files.map((file) => [file.name, file.milliseconds])),
  };
  mkdirSync(dirname(memory), { recursive: true });
  writeFileSync(memory, JSON.stringify(known));
}

function millisecondsOf(place: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(place, 'utf8'));
  } catch {
    return {};
  }
}

/** Whether /dev/shm, where a sync costs nothing, has a gigabyte free and allows executables. */
function hasMemoryDisk(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    const isExecutable = !/ \/dev\/shm .*\bnoexec\b/.test(readFileSync('/proc/mounts', 'utf8'));
    return bavail * bsize > 2 ** 30 && isExecutable;
  } catch {
    return false;
  }
}
