/**
 * Runs tests with node:test. Every test file is its own process, as many at a time as there are cores. They share
 * Node's compile cache, which the next run reuses, and one build of the executable. With CI=true a skipped test is a
 * failure: CI installs what a plain machine lacks.
 *
 *   node scripts/test.ts [--tier=quick|faults|all] [FILE|FOLDER ...] [--test-name-pattern=... and other node --test flags]
 *
 * The quick tier (the default) leaves out the slow fault trials, `*.faults.test.ts`. A file named on the command line
 * always runs.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const tiers: Record<string, (file: string) => boolean> = {
  quick: (file) => !file.endsWith('.faults.test.ts'),
  faults: (file) => file.endsWith('.faults.test.ts'),
  all: () => true,
};

const [tier = 'quick'] = process.argv.flatMap((argument) => /^--tier=(.*)$/.exec(argument)?.[1] ?? []);
const isInTier = tiers[tier];
if (isInTier === undefined) throw new Error(`no tier ${tier}; there are: ${Object.keys(tiers).join(', ')}`);
const flags = process.argv.slice(2).filter((argument) => /^-(?!-tier=)/.test(argument));
const places = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const files = (places.length > 0 ? places : ['test'])
  .flatMap((place) =>
    statSync(place).isDirectory() ? globSync(`${place}/**/*.test.ts`).filter((file) => isInTier(file)) : [place],
  )
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'perp-test-'));
const counts = join(folder, 'counts.tap');
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    `--test-concurrency=${availableParallelism()}`,
    '--test-timeout=600000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${counts}`,
    ...flags,
    ...files,
  ],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      TMPDIR: folder,
      NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../node_modules/.cache/perp-tests'),
      PERP_TEST_BUILD: join(folder, 'built'),
    },
  },
);

const skipped = readFileSync(counts, 'utf8')
  .split('\n')
  .filter((line) => /^\s*ok .* # SKIP/.test(line));
rmSync(folder, { recursive: true, force: true });
if (process.env.CI === 'true' && skipped.length > 0) {
  console.error(`\n${skipped.length} skipped; in CI, a skipped test is a failure:\n${skipped.join('\n')}`);
  process.exit(1);
}
process.exit(status ?? 1);
