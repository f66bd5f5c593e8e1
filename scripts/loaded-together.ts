/**
 * Makes fewer and larger chunks. The bundler splits a program wherever two of its lazy parts share a module, and a
 * module costs more to find than to run. Most of those splits are useless: what a lazy part shares is usually loaded
 * already when the part is requested. So each lazy part is made to import everything that is always loaded before it;
 * those modules then have the same users everywhere and stay in one chunk.
 */
import { resolve } from 'node:path';
import type { ImportKind, Metafile } from 'esbuild';

/**
 * With 3, first starts of the executable take 4 % less than with 1, and later ones as long; with 12, some take 8 %
 * more.
 */
const few = 3;

/**
 * Our own files that more than a few of these parts load at once, relative to the root as in the metafile: loading them
 * always takes less time than finding the many chunks that some of the parts share. What fewer share costs more to
 * compile at the first start of every command.
 */
export function sharedFiles({ inputs }: Metafile, parts: readonly string[]): string[] {
  const users = new Map<string, number>();
  for (const part of parts) for (const file of reachedFrom(part, inputs)) users.set(file, (users.get(file) ?? 0) + 1);
  return [...users].filter(([file, count]) => count > few && file.startsWith('src/')).map(([file]) => file);
}

/**
 * Everything that is always loaded before each file named by an `import()`: absolute paths of our own files below
 * `root`. Reads from a bundle's metafile which file loads what; `start` is the entry. Throws for an `import()` of
 * something that is always loaded anyway.
 */
export function loadedTogether({ inputs }: Metafile, start: string, root: string): Map<string, string[]> {
  const reach = (part: string) => reachedFrom(part, inputs);
  // The start and every lazy part, with what each loads at once.
  const loads = new Map([[start, reach(start)]]);
  const askers = new Map<string, Set<string>>();
  for (const [part, files] of loads) {
    for (const lazy of [...files].flatMap((file) => importsOf(file, inputs, 'dynamic-import'))) {
      if (!loads.has(lazy)) loads.set(lazy, reach(lazy));
      askers.set(lazy, (askers.get(lazy) ?? new Set()).add(part));
    }
  }
  const there = certainlyThere(start, loads, askers);
  const own = (files: Iterable<string>) => [...files].filter((file) => file.startsWith('src/'));
  const needless = own(askers.keys()).find((part) => there.get(part)!.has(part));
  if (needless !== undefined) throw new Error(`${needless} is always loaded before import() requests it`);
  // A part that others import would be split into its content and a file that only exports it.
  const common = (part: string) => own(there.get(part)!).filter((file) => !loads.has(file));
  return new Map(
    own(askers.keys()).map((part) => [resolve(root, part), common(part).map((file) => resolve(root, file))]),
  );
}

/** A file and everything that its import statements load. */
function reachedFrom(file: string, inputs: Metafile['inputs'], reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached;
  reached.add(file);
  for (const path of importsOf(file, inputs, 'import-statement')) reachedFrom(path, inputs, reached);
  for (const path of importsOf(file, inputs, 'require-call')) reachedFrom(path, inputs, reached);
  return reached;
}

/** The bundled files that a file imports in this way. */
function importsOf(file: string, inputs: Metafile['inputs'], wanted: ImportKind): string[] {
  return inputs[file]!.imports.filter(({ path, kind }) => path in inputs && kind === wanted).map(({ path }) => path);
}

/** For each part, what all its importers have loaded: starts with everything and shrinks until nothing changes. */
function certainlyThere(
  start: string,
  loads: ReadonlyMap<string, ReadonlySet<string>>,
  askers: ReadonlyMap<string, ReadonlySet<string>>,
): Map<string, Set<string>> {
  const everything = new Set([...loads.values()].flatMap((files) => [...files]));
  const there = new Map([...loads.keys()].map((part) => [part, part === start ? new Set<string>() : everything]));
  for (let isSettled = false; !isSettled; ) {
    isSettled = true;
    for (const [part, asking] of askers) {
      if (part === start) continue;
      const least = [...asking]
        .map((asker) => loads.get(asker)!.union(there.get(asker)!))
        .reduce((common, files) => common.intersection(files));
      if (least.size < there.get(part)!.size) isSettled = false;
      there.set(part, least);
    }
  }
  return there;
}
