/**
 * The types that users of the library get: one d.ts for each entry, with everything that it exports and nothing else.
 * tsc writes the declarations of our sources; those of the public files are joined here. A name of any other file in
 * them is an error.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
/** The folder of the library in src. */
const library = join('programs', 'sdk');

/** The files that each entry of the package consists of; an entry may use those before it. */
const entries = {
  client: ['call-options', 'operations.generated', 'errors', 'client-types', 'connect'].map((name) => `client/${name}`),
  sim: ['sim/simulation-types'],
  strategy: ['strategy/define-strategy', 'strategy/results'],
} as const;
/** An entry of the package: `perp/client`. */
export type EntryName = keyof typeof entries;
/** The entries, in the order in which they may import each other. */
export const entryNames = Object.keys(entries) as EntryName[];

/** The declarations of each entry. Throws if one would show a name of a file that is not public. */
export function rolledTypes(): Record<EntryName, string> {
  const folder = mkdtempSync(join(root, 'node_modules/.sdk-types-'));
  try {
    emit(folder);
    const rolled = entryNames.map((entry) => [entry, rolledEntry(entry, folder)]);
    return Object.fromEntries(rolled);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function emit(folder: string): void {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    noCheck: true,
    rootDir: join(root, 'src'),
    outDir: folder,
  };
  const files = entryNames.map((name) => `src/programs/sdk/${name}.ts`);
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [] };
  writeFileSync(config, JSON.stringify({ ...settings, files: files.map((name) => join(root, name)) }));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config], { stdio: 'pipe' });
}

function rolledEntry(entry: EntryName, folder: string): string {
  const files = [...entries[entry], entry].map((name) => join(folder, library, `${name}.d.ts`));
  const imports = new Map<EntryName, Set<string>>();
  const texts = files.map((file) => withoutImports(file, readFileSync(file, 'utf8'), { entry, folder, imports }));
  const lines = [...imports].map(
    ([from, names]) => `import type { ${[...names].sort().join(', ')} } from './${from}.js';`,
  );
  // So that the types are whole without @types/node.
  const libraries = texts.some((text) => /\bAsyncDisposable\b/.test(text))
    ? ['/// <reference lib="esnext.disposable" />']
    : [];
  return `${[...libraries, ...lines, ...texts]
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()}\n`;
}

const statement = /^(import|export) (?:type )?(?:\* |\{([^}]*)\} )from '([^']+)';\n/gm;

/** The text without imports; those of public files of other entries are added to `imports`. */
function withoutImports(
  file: string,
  text: string,
  { entry, folder, imports }: { entry: EntryName; folder: string; imports: Map<EntryName, Set<string>> },
): string {
  const without = text.replaceAll(statement, (_, kind: string, names: string | undefined, from: string) => {
    const target = relative(join(folder, library), resolve(dirname(file), from)).replace(/\.ts$/, '');
    const owner = entryNames.find((one) => one === target || (entries[one] as readonly string[]).includes(target));
    if (owner === undefined)
      throw new Error(`${relative(folder, file)} shows a name of ${target}, which is not public`);
    if (owner === entry) return '';
    if (kind === 'export' || names === undefined) throw new Error(`${file} exports names of ${owner}`);
    const known = imports.get(owner) ?? new Set();
    for (const name of names.split(',')) known.add(name.replace('type ', '').trim());
    imports.set(owner, known);
    return '';
  });
  if (/\bfrom '|\bimport\(/.test(without))
    throw new Error(`${relative(folder, file)} imports in a way that is not known`);
  return without;
}
