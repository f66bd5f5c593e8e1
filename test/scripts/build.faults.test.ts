import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cloneAsUser, packed } from '../../scripts/package.ts';
import { tryPackage } from '../../scripts/try-package.ts';
import { bin, buildPerp } from '../terminal/cli/built-perp.ts';

const root = resolve(import.meta.dirname, '../..');
const script = join(root, 'scripts/build.ts');
const folder = mkdtempSync(join(tmpdir(), 'perp-build-'));
const dist = join(folder, 'dist');
after(() => rmSync(folder, { recursive: true, force: true }));

/** Files of the bundle that are named in it and not there. */
function missing(): string[] {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  return files.flatMap((file) => {
    const text = readFileSync(join(dist, file), 'utf8');
    return [...text.matchAll(/\b(?:use|load) *\(["'](?:\.\/)?([^"']+\.js)["']/g)]
      .map(([, name]) => join(dist, name!))
      .filter((name) => !existsSync(name));
  });
}

/** The file that a start loads first. */
function named(): string {
  return JSON.parse(readFileSync(join(dist, 'start.json'), 'utf8')).entry;
}

test('a build in place of another leaves no moment without a whole one, and nothing of the old one behind', async () => {
  buildPerp();
  cpSync(join(dirname(bin), '../dist'), dist, { recursive: true });
  assert.deepEqual(missing(), []);
  writeFileSync(join(dist, 'perp-OLD.js'), '');
  writeFileSync(join(dist, 'start.json'), JSON.stringify({ entry: 'perp-OLD.js', commands: [] }));

  const second = spawn(process.execPath, [script, dist], { stdio: 'inherit' });
  const ended = once(second, 'exit');
  let looks = 0;
  while (second.exitCode === null) {
    assert.ok(existsSync(join(dist, 'start.json')));
    // What start.json names is there, whichever of the two it is, unless the other takes its place at this moment.
    const entry = named();
    assert.ok(existsSync(join(dist, entry)) || named() !== entry, entry);
    looks++;
    await delay(1);
  }
  assert.deepEqual(await ended, [0, null]);
  assert.ok(looks > 0);
  assert.deepEqual(missing(), []);
  assert.equal(existsSync(join(dist, 'perp-OLD.js')), false);
});

test('two checkouts of a commit, in any folders, are built to the same bytes', () => {
  buildPerp();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const other = join(folder, 'src/für alle/checkout');
  for (const name of git('ls-files', '-z')
    .split('\0')
    .filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, name), join(other, name), { recursive: true });
  git('init', '--quiet', other);
  writeFileSync(join(other, '.git/HEAD'), git('rev-parse', 'HEAD'));
  symlinkSync(join(root, 'node_modules'), join(other, 'node_modules'));
  execFileSync(process.execPath, [join(other, 'scripts/build.ts'), '--no-types'], { cwd: folder, stdio: 'inherit' });
  const built = (at: string) =>
    readdirSync(at, { recursive: true, encoding: 'utf8' })
      .sort()
      .filter((name) => name !== 'sdk')
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(at, name)))
          .digest('hex'),
      ]);
  assert.deepEqual(built(join(other, 'dist')), built(join(dirname(bin), '../dist')));
});

/** Why the package can't be tried here; false if it can. */
function cannotTry(): string | false {
  if (process.platform !== 'linux') return 'uses the options of Linux programs';
  for (const program of ['man', 'script', 'bash'])
    if (spawnSync(program, ['--version']).status !== 0) return `not installed: ${program}`;
  return spawnSync('npm', ['ping'], { timeout: 30_000 }).status !== 0 && 'needs the npm registry';
}

test('the package installs three packages in 10 MB, and works in an empty home', { skip: cannotTry() }, (trial) => {
  buildPerp();
  const built = join(folder, 'built');
  cpSync(dirname(dirname(bin)), built, { recursive: true, filter: (from) => !from.endsWith('node_modules') });
  for (const name of ['docs', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, name), join(built, name), { recursive: true });
  const file = packed(built, join(folder, 'packed'));
  const manifest = JSON.parse(execFileSync('tar', ['-xOf', file, 'package/package.json'], { encoding: 'utf8' }));
  assert.deepEqual(Object.keys(manifest.dependencies), ['keytar']);
  assert.equal(manifest.devDependencies, undefined);
  // Yarn PnP unpacks it: nothing can be started from an archive.
  assert.equal(manifest.preferUnplugged, true);
  const said: string[] = [];
  tryPackage(file, manifest.version, (line) => said.push(line));
  trial.diagnostic(said[0]!);
  assert.match(said[0]!, /^installed: 3 packages, \d\.\d MB on disk$/);
});

test('a release commits as the user that only its repository knows, or not at all', (trial) => {
  const nobody = { ...process.env, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM } = process.env;
  Object.assign(process.env, nobody);
  trial.after(() => {
    for (const [name, value] of Object.entries({ HOME, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });
  const git = (at: string, ...args: string[]) => execFileSync('git', args, { cwd: at, encoding: 'utf8' }).trim();
  const origin = join(folder, 'origin');
  git(folder, 'init', '--quiet', origin);
  git(origin, 'config', 'user.useConfigOnly', 'true');
  assert.throws(() => cloneAsUser(origin, join(folder, 'unknown')), /user\.(?:name|email)|tell me who you are/i);

  git(origin, 'config', 'user.name', 'Ada Lovelace');
  git(origin, 'config', 'user.email', 'ada@example.com');
  git(origin, 'commit', '--quiet', '--allow-empty', '--message', 'First');
  const clone = join(folder, 'clone');
  cloneAsUser(origin, clone);
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'Version 1');
  git(clone, 'tag', '--annotate', 'v1', '--message', 'perp 1');
  assert.equal(git(clone, 'log', '-1', '--format=%an <%ae>, %cn'), 'Ada Lovelace <ada@example.com>, Ada Lovelace');
  assert.equal(git(clone, 'tag', '--list', '--format=%(taggername)'), 'Ada Lovelace');
});
