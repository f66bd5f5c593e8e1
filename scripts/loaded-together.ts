/**
 * Makes fewer and larger chunks. The bundler splits a program wherever one of its lazy parts shares a module with
 * another, and a module costs more to find than to run. Most of those splits are useless: what a lazy part shares is
 * usually loaded already when the part is requested. So each lazy part is made to import everything that is always
 * loaded before it; that then has the same users throughout and stays in one chunk.
 */
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Everything that is always loaded before each file that an `import()` names: absolute paths of our own files below
 * `root`. Reads from a bundle's metafile which file loads what; `start` is the entry. Throws for an `import()` of
 * something that is always loaded anyway.
 */
export function loadedTogether({ inputs }: Metafile, start: string, root: string): Map<string, string[]> {
  const importsOf = (file: string, isLazy: boolean) =>
    inputs[file]!.imports.filter(({ path, kind }) => path in inputs && (kind === 'dynamic-import') === isLazy).map(
      ({ path }) => path,
    );
  const reach = (file: string, reached: Set<string>): Set<string> => {
    if (!reached.has(file)) {
      reached.add(file);
      for (const path of importsOf(file, false)) reach(path, reached);
    }
    return reached;
  };
  // The start and every lazy part, with what each loads at once.
  const loads = new Map([[start, reach(start, new Set())]]);
  const askers = new Map<string, Set<string>>();
  for (const [part, files] of loads) {
    for (const lazy of [...files].flatMap((file) => importsOf(file, true))) {
      if (!loads.has(lazy)) loads.set(lazy, reach(lazy, new Set()));
      askers.set(lazy, (askers.get(lazy) ?? new Set()).add(part));
    }
  }
  const there = certainlyThere(start, loads, askers);
  const own = (files: Iterable<string>) => [...files].filter((file) => file.startsWith('src/'));
  const needless = own(askers.keys()).find((part) => there.get(part)!.has(part));
  if (needless !== undefined) throw new Error(`${needless} is always loaded before import() requests it`);
  return new Map(
    own(askers.keys()).map((part) => [resolve(root, part), own(there.get(part)!).map((file) => resolve(root, file))]),
  );
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
