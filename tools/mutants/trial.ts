import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Mutation, mutated, unchanged } from './mutations.ts';

/**
 * How tests ended: all passed, one failed (which, if known, and why), or they took too long. `file`: the test file that
 * ran.
 */
export type Ending =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly file: string | undefined; readonly test: string; readonly why: string }
  | { readonly kind: 'timeout'; readonly file: string | undefined };

/** What a run of tests may use. */
export interface TrialOptions {
  readonly timeoutMs: number;
  /** Where V8 writes its coverage; absent: it does not. */
  readonly coverage?: string;
}

const here = (name: string) => new URL(name, import.meta.url).href;

/**
 * Whether tests notice a mutation. A test that fails by itself, because it is late on a busy machine or lacks
 * something, proves nothing. So its file must fail a second time, and pass in between while the source is loaded in the
 * same way with its own text. If it does not, that is noted, and the other files decide.
 */
export async function verdict(
  mutation: Mutation,
  tests: readonly string[],
  { timeoutMs, note }: { readonly timeoutMs: number; readonly note: (text: string) => void },
): Promise<Ending> {
  const first = await trial(mutation, tests, { timeoutMs });
  if (first.kind === 'passed') return first;
  const suspects = tests.filter((test) => first.file === undefined || first.file === test);
  const begun = performance.now();
  const itself = await trial(unchanged(mutation), suspects, { timeoutMs });
  // As busy as the machine is now.
  const patienceMs = Math.min(timeoutMs, Math.max(10_000, 6 * (performance.now() - begun)));
  const again = itself.kind === 'passed' ? await trial(mutation, suspects, { timeoutMs: patienceMs }) : itself;
  if (itself.kind === 'passed' && again.kind !== 'passed') return again;
  const how = itself.kind === 'passed' ? 'failed only once' : 'fails without the mutation, too';
  note(`Does not count, because it ${how}: ${suspects.join(', ')} ${JSON.stringify(first)}`);
  const others = tests.filter((test) => !suspects.includes(test));
  return others.length === 0 ? { kind: 'passed' } : verdict(mutation, others, { timeoutMs, note });
}

/**
 * Runs test files in one process of their own, up to the first failure, with a mutation or (null) without. The process
 * has folders of its own for everything that it may write.
 */
export async function trial(
  mutation: Mutation | null,
  tests: readonly string[],
  { timeoutMs, coverage }: TrialOptions,
): Promise<Ending> {
  const folder = mkdtempSync(join(tmpdir(), 'perp-mutant-'));
  try {
    mkdirSync(join(folder, 'home'));
    const suites = tests.map((file) => {
      const address = JSON.stringify(pathToFileURL(resolve(file)).href);
      return `suite(${JSON.stringify(file)}, () => import(${address}));\n`;
    });
    writeFileSync(join(folder, 'all.mjs'), `import { suite } from 'node:test';\n${suites.join('')}`);
    const child = spawn(
      process.execPath,
      [
        `--import=${here('hook.ts')}`,
        `--import=${here('../../test/seed.ts')}`,
        `--test-reporter=${here('first-failure.ts')}`,
        '--max-old-space-size=1500',
        join(folder, 'all.mjs'),
      ],
      {
        // Its own group, so that what the tests started ends with them.
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, ...environmentIn(folder, mutation), ...(coverage && { NODE_V8_COVERAGE: coverage }) },
      },
    );
    return await endingOf(child, timeoutMs);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function environmentIn(folder: string, mutation: Mutation | null): NodeJS.ProcessEnv {
  const inherited = {
    TZ: 'UTC',
    HOME: join(folder, 'home'),
    TMPDIR: folder,
    PERP_TEST_SEED: process.env.PERP_TEST_SEED ?? '1',
    PERP_TEST_BUILD: join(folder, 'built'),
    NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/perp-tests'),
  };
  if (mutation === null) return inherited;
  const text = join(folder, 'mutated.ts');
  writeFileSync(text, mutated(mutation));
  // Child processes of tests are mutated, too.
  const options = `${process.env.NODE_OPTIONS ?? ''} --import=${here('hook.ts')}`.trim();
  const url = pathToFileURL(resolve(mutation.file)).href;
  return { ...inherited, PERP_MUTANT_URL: url, PERP_MUTANT_TEXT: text, NODE_OPTIONS: options };
}

async function endingOf(child: ChildProcess, timeoutMs: number): Promise<Ending> {
  let out = '';
  child.stdout!.on('data', (chunk) => {
    out = `${out}${chunk}`.slice(-10_000);
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endGroup(child);
  }, timeoutMs);
  const status = await new Promise((done) => child.on('exit', done));
  clearTimeout(timer);
  endGroup(child);
  const { file, name, message } = lastObject(out);
  if (isLate) return { kind: 'timeout', file };
  if (status === 0) return { kind: 'passed' };
  return name === undefined
    ? { kind: 'failed', file, test: '(the process)', why: `it ended with ${status}` }
    : { kind: 'failed', file, test: name, why: String(message).split('\n')[0]! };
}

/** What the reporter wrote last; tests may have written other lines. */
function lastObject(out: string): { file?: string; name?: string; message?: string } {
  for (const line of out.split('\n').reverse()) {
    try {
      const facts = JSON.parse(line);
      if (typeof facts?.file === 'string') return facts;
    } catch {
      // A line of a test.
    }
  }
  return {};
}

function endGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-pid!, 'SIGKILL');
  } catch {
    // Everything in it has ended.
  }
}
