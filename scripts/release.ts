/**
 * Releases a version: sets it in package.json, dates the changelog and commits; builds that commit, runs checks and
 * tests, packs the package, installs it into an empty prefix and tries it there; makes the executables (executables.ts)
 * and their packages (packages.ts); and tags. Everything happens in a clone of this checkout's last commit, so a
 * failure changes nothing here.
 *
 *   npm run release -- VERSION|major|minor|patch [--dry-run]
 *
 * With --dry-run the commit and the tag stay in the clone, which is deleted. The packed file and, in release-VERSION,
 * the archives with SHA256SUMS stay in this folder.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { datedChangelog } from './changelog.ts';
import { cloneAsUser, packed } from './package.ts';
import { tryPackage } from './try-package.ts';

const root = join(import.meta.dirname, '..');
const clone = join(mkdtempSync(join(tmpdir(), 'perp-release-')), 'perp');
/** Every program runs on the Node that runs this one. */
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

try {
  const options = { 'dry-run': { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [wanted] = positionals;
  if (wanted === undefined || positionals.length > 1)
    throw new Error('Give a version: npm run release -- VERSION|major|minor|patch [--dry-run]');
  if (output(root, 'git', 'status', '--porcelain') !== '') throw new Error('Commit your changes first.');
  release(wanted, values['dry-run']);
} catch (error) {
  console.error(`Nothing was released. ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  rmSync(dirname(clone), { recursive: true, force: true });
}

function release(wantedVersion: string, isDryRun: boolean): void {
  cloneAsUser(root, clone);
  const version = output(clone, 'npm', 'version', wantedVersion, '--no-git-tag-version', '--allow-same-version').slice(
    1,
  );
  const tag = `v${version}`;
  if (output(root, 'git', 'tag', '--list', tag) !== '') throw new Error(`The tag ${tag} already exists.`);
  const { text, section } = datedChangelog(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8'), version, today());
  writeFileSync(join(clone, 'CHANGELOG.md'), text);
  // The build names its commit, and who builds the tag must get the same bytes.
  run(clone, 'git', 'commit', '--quiet', '--all', '--message', `Version ${version}`);

  run(clone, 'npm', 'ci');
  run(clone, 'npm', 'run', 'check');
  run(clone, 'npm', 'test');
  const file = packed(clone, join(clone, 'packed'));
  tryPackage(file, version, (line) => console.log(line));
  run(clone, 'node', 'scripts/executables.ts', join(root, `release-${version}`));
  run(clone, 'node', 'scripts/packages.ts', join(root, `release-${version}`));
  run(clone, 'git', 'tag', '--annotate', tag, '--cleanup=verbatim', '--message', `perp ${version}\n\n${section}\n`);
  copyFileSync(file, join(root, basename(file)));
  if (isDryRun) {
    console.log(`\nDry run: ${basename(file)} works. Nothing was committed or tagged.`);
    return;
  }
  run(root, 'git', 'fetch', '--quiet', clone, 'tag', tag);
  run(root, 'git', 'merge', '--quiet', '--ff-only', tag);
  console.log(
    `\n${tag} is committed and tagged. Next: git push --follow-tags && npm publish ${basename(file)}, and upload release-${version}`,
  );
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function run(folder: string, program: string, ...args: string[]): void {
  console.log(`$ ${program} ${args.join(' ').split('\n')[0]}`);
  execFileSync(program, args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
}

function output(folder: string, program: string, ...args: string[]): string {
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8' }).trim();
}
