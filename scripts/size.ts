/**
 * The budget: how large the program is, wing by wing, against test/size.json. It only falls; what an issue allows above
 * the recorded numbers stands there as an allowance, with its reason.
 *
 *   node scripts/size.ts              what is above the budget (part of npm run check)
 *   node scripts/size.ts --lower      lowers the recorded numbers to the present ones, and drops used allowances
 *   node scripts/size.ts --since=REF  what was added since a commit
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Counts by what is counted: `lines`, `files`, `exports` of a wing; `words`, `options` of all. */
type Counts = Readonly<Record<string, number>>;
/** Counts by wing, and under `all` those of the whole. */
type Sizes = Readonly<Record<string, Counts>>;
interface Budget {
  readonly sizes: Sizes;
  /** What may be above the recorded numbers: where, what of it, how much, and why. */
  readonly allowances: readonly { where: string; what: string; more: number; why: string }[];
}

const root = join(import.meta.dirname, '..');
const file = join(root, 'test/size.json');

/** Lines of code: neither blank nor only comment. */
function linesOf(name: string, text: string): Counts {
  const { comments, module } = parseSync(name, text);
  const code = comments.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/g, ' ') + rest.slice(end),
    text,
  );
  return {
    lines: code.split('\n').filter((line) => line.trim() !== '').length,
    files: 1,
    exports: module.staticExports.reduce((sum, { entries }) => sum + entries.length, 0),
  };
}

/** The sizes of a checkout. Its modules are loaded to count the options of its commands. */
async function sizesIn(folder: string): Promise<Sizes> {
  const wings: Record<string, Record<string, number>> = {};
  for (const name of globSync('src/*/**/*.ts', { cwd: folder }).sort()) {
    if (name.includes('.generated.')) continue;
    const wing = name.split(/[\\/]/)[1]!;
    const sums = wings[wing] ?? { lines: 0, files: 0, exports: 0 };
    wings[wing] = sums;
    const counts = linesOf(name, readFileSync(join(folder, name), 'utf8'));
    for (const [what, count] of Object.entries(counts)) sums[what]! += count;
  }
  const pages = globSync(['*.md', 'docs/*.md', '{src,test,tools,scripts,.github}/**/*.md'], { cwd: folder });
  const words = pages.map((name) => readFileSync(join(folder, name), 'utf8').match(/\S*[\p{L}\d]\S*/gu)?.length ?? 0);
  const { sourceRegistry } = (await import(
    join(folder, 'src/terminal/cli/source-registry.ts')
  )) as typeof import('../src/terminal/cli/source-registry.ts');
  const { specs } = await sourceRegistry();
  const options = [...specs.values()].map((spec) => Object.keys(spec.options ?? {}).length);
  const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
  return { ...wings, all: { words: sum(words), options: sum(options) } };
}

/** The sizes at a commit. */
async function sizesAt(ref: string): Promise<Sizes> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-size-'));
  try {
    const archive = execFileSync('git', ['archive', ref], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return await sizesIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One line per wing: what of it is larger, or has changed. */
function differences(now: Sizes, before: Sizes, isShown: (by: number) => boolean): string[] {
  return Object.entries(now).flatMap(([where, counts]) => {
    const parts = Object.entries(counts).flatMap(([what, count]) => {
      const by = count - (before[where]?.[what] ?? 0);
      return isShown(by) ? [`${by > 0 ? '+' : ''}${by} ${what} (${count})`] : [];
    });
    return parts.length > 0 ? [`${where}: ${parts.join(', ')}`] : [];
  });
}

const ref = process.argv.find((word) => word.startsWith('--since='))?.slice('--since='.length);
const now = await sizesIn(root);
// Without the file, the present sizes are the budget: --lower writes it.
const { sizes, allowances }: Budget = existsSync(file)
  ? (JSON.parse(readFileSync(file, 'utf8')) as Budget)
  : { sizes: now, allowances: [] };
const allowed = Object.fromEntries(
  Object.entries(now).map(([where, counts]) => {
    const more = (what: string) =>
      allowances.filter((one) => one.where === where && one.what === what).reduce((sum, one) => sum + one.more, 0);
    const known = Object.keys(counts).map((what) => [what, (sizes[where]?.[what] ?? 0) + more(what)] as const);
    return [where, Object.fromEntries(known)];
  }),
);
if (ref !== undefined) {
  const lines = differences(now, await sizesAt(ref), (by) => by !== 0);
  console.log(lines.length > 0 ? lines.join('\n') : 'Nothing has changed in size.');
} else {
  const above = differences(now, allowed, (by) => by > 0);
  if (above.length > 0) {
    console.error(
      `Larger than test/size.json allows; remove as much, or name an allowance there:\n${above.join('\n')}`,
    );
    process.exitCode = 1;
  } else if (process.argv.includes('--lower')) {
    writeFileSync(file, `${JSON.stringify({ sizes: now, allowances: [] }, null, 2)}\n`);
  }
}
