/** The licenses of every bundled package: MIT, ISC and BSD require their text in every copy. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Name of the notices file in dist/. */
export const noticesName = 'THIRD-PARTY-NOTICES.txt';

/** A package with code in the bundle, and its folders with a license file. */
interface BundledPackage {
  folder: string;
  licensed: Set<string>;
}

/**
 * Third-party code that a package contains without its license, by the folder that contains it: names of files in
 * scripts/licenses.
 */
const embedded: Readonly<Record<string, readonly string[]>> = {
  'undici/lib/llhttp': ['llhttp'],
  'jq-wasm/dist': ['jq', 'oniguruma', 'emscripten', 'musl'],
  'lightweight-charts/dist': ['fancy-canvas'],
  'hyparquet/src': ['snappyjs'],
  'hyparquet-writer/src': ['snappyjs'],
};

/** How a WebAssembly program begins, in base64. */
const webAssembly = 'AGFzbQ';

/**
 * The notices of all packages with code in these bundles, whose metafiles' paths are below `root`: name, version and
 * license of each, then their license texts. Throws if a package, or a folder with a WebAssembly program, has none.
 */
export function noticesOf(metafiles: readonly Metafile[], root: string): string {
  const notices = bundledPackages(metafiles, root).map((one) => noticeOf(one, root));
  const once = [...new Map(notices.map((notice) => [notice.head, notice])).values()];
  once.sort((one, other) => (one.head < other.head ? -1 : 1));
  const heads = once
    .map(({ head, parts }) => `  ${head}${parts.length > 0 ? `, with ${parts.join(', ')}` : ''}\n`)
    .join('');
  const texts = once.map(({ head, text }) => `${'-'.repeat(80)}\n${head}\n\n${text}\n`);
  return `perp contains code of these packages:\n\n${heads}\n${texts.join('\n')}`;
}

function bundledPackages(metafiles: readonly Metafile[], root: string): BundledPackage[] {
  const packages = new Map<string, BundledPackage>();
  for (const { outputs } of metafiles) {
    for (const [file, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))) {
      const folder = /^(?!builtin:).*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
      if (folder === undefined || bytesInOutput === 0) continue;
      const known = packages.get(folder) ?? { folder, licensed: new Set() };
      packages.set(folder, known);
      for (let at = dirname(file); at.length >= folder.length; at = dirname(at))
        if (licensesIn(join(root, at)) !== '') known.licensed.add(at);
      if (!known.licensed.has(dirname(file)) && readFileSync(join(root, file), 'utf8').includes(webAssembly))
        throw new Error(`${file} contains a program without a license text: add it to scripts/notices.ts`);
    }
  }
  return [...packages.values()];
}

function noticeOf({ folder, licensed }: BundledPackage, root: string): { head: string; parts: string[]; text: string } {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (!licensed.has(folder) || typeof license !== 'string')
    throw new Error(`${name} is bundled but has no license text`);
  const texts = [...licensed].sort().map((at) => {
    const inside = at.slice(folder.length + 1);
    return `${inside === '' ? '' : `In ${inside}:\n\n`}${licensesIn(join(root, at))}`;
  });
  const parts = [...licensed].flatMap((at) => partsIn(at)).sort();
  return { head: `${name} ${version} (${license})`, parts, text: texts.join('\n\n') };
}

/** The license and notice files of a folder, joined; empty when there are none. */
function licensesIn(folder: string): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const carried = partsIn(folder).map((name) =>
    readFileSync(join(import.meta.dirname, `licenses/${name}.txt`), 'utf8'),
  );
  return [...texts, ...carried.map((text) => text.trim())].join('\n\n');
}

/** Names of the third-party code that a package's folder contains without its license. */
function partsIn(folder: string): readonly string[] {
  return Object.entries(embedded).find(([place]) => folder.endsWith(`node_modules/${place}`))?.[1] ?? [];
}
