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

/** Licenses of third-party code that a package includes without the license file, by folder. */
const carried: Readonly<Record<string, string>> = {
  'undici/lib/llhttp': `llhttp (MIT)

This software is licensed under the MIT License.

Copyright Fedor Indutny, 2018.

Permission is hereby granted, free of charge, to any person obtaining a
copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction, including
without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the
following conditions:

The above copyright notice and this permission notice shall be included
in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS
OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN
NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE
USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};

/**
 * The notices of all packages with code in these bundles, whose metafiles' paths are below `root`: name, version and
 * license of each, then their license texts. Throws if a package has none.
 */
export function noticesOf(metafiles: readonly Metafile[], root: string): string {
  const notices = bundledPackages(metafiles, root).map((one) => noticeOf(one, root));
  const once = [...new Map(notices.map((notice) => [notice.head, notice])).values()];
  once.sort((one, other) => (one.head < other.head ? -1 : 1));
  const heads = once.map(({ head }) => `  ${head}\n`).join('');
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
    }
  }
  return [...packages.values()];
}

function noticeOf({ folder, licensed }: BundledPackage, root: string): { head: string; text: string } {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  if (!licensed.has(folder) || typeof license !== 'string')
    throw new Error(`${name} is bundled but has no license text`);
  const texts = [...licensed].sort().map((at) => {
    const inside = at.slice(folder.length + 1);
    return `${inside === '' ? '' : `In ${inside}:\n\n`}${licensesIn(join(root, at))}`;
  });
  return { head: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

/** The license and notice files of a folder, joined; empty when there are none. */
function licensesIn(folder: string): string {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const own = Object.entries(carried).find(([place]) => folder.endsWith(`node_modules/${place}`));
  return [...texts, ...(own === undefined ? [] : [own[1]])].join('\n\n');
}
