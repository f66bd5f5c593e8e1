/**
 * Fewer and larger chunks. The bundler cuts a program wherever one of its lazy parts shares a module with another, and a
 * module costs more to find than to run. Most of those cuts are for nothing: what a lazy part shares is mostly there
 * already when the part is asked for. So each lazy part is made to import all that is certainly there: that then has the
 * same users throughout and stays in one chunk.
 */
import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** What a bundle's lazy parts find there. Files are absolute and our own. */
export interface LoadedTogether {
  /** Everything that is certainly there before the file that an `import()` names, unless it is there itself. */
  before: ReadonlyMap<string, readonly string[]>;
  /** Files that an `import()` names although they are certainly there. */
  needless: ReadonlySet<string>;
}

/** Reads from a bundle's metafile, whose paths are below `root`, who loads what; `start` is the file it begins with. */
export function loadedTogether({ inputs }: Metafile, start: string, root: string): LoadedTogether {
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
  const needless = own(askers.keys()).filter((part) => there.get(part)!.has(part));
  return {
    needless: new Set(needless.map((file) => resolve(root, file))),
    before: new Map(
      own(askers.keys())
        .filter((part) => !needless.includes(part))
        .map((part) => [resolve(root, part), own(there.get(part)!).map((file) => resolve(root, file))]),
    ),
  };
}

/** Of each part what everyone who asks for it has loaded: everything to begin with, then less until nothing changes. */
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
