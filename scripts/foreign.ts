/**
 * Tests perp with clients that nobody here wrote: installs those of test/foreign in a temporary folder, so that they
 * are no part of the project, and runs the tests there. Every step has a limit of its own.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'perp-foreign-'));

/** Runs a program there; ends this one if it fails or takes too long. */
function step(limitMs: number, problem: string, program: string, ...words: string[]): void {
  const env = { ...process.env, PERP_ROOT: root };
  const { status, error } = spawnSync(program, words, { cwd: folder, env, stdio: 'inherit', timeout: limitMs });
  if (status === 0) return;
  rmSync(folder, { recursive: true, force: true });
  console.error(`${problem}${error === undefined ? '' : `: ${error.message}`}`);
  process.exit(1);
}

cpSync(join(root, 'test/foreign'), folder, { recursive: true });
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund'];
step(300_000, 'The packages of test/foreign/package-lock.json could not be installed', 'npm', 'ci', ...quiet);
const tests = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'));
const words = ['--test', '--test-concurrency=2', ...tests];
step(480_000, 'The tests with foreign clients failed or took too long', process.execPath, ...words);
rmSync(folder, { recursive: true, force: true });
