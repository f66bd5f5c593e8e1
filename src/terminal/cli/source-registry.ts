import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Command, Registry } from '../console/console.ts';
import type { CommandSpec } from '../console/grammar/spec.ts';

const folder = join(import.meta.dirname, 'commands');

/** The commands of a file, by the rest of their paths; commands of one noun are below it. */
type Commands = { readonly [Word in string]: Command | Commands };

/**
 * The export of a file in `commands/`: one command, whose path is the file's; a noun's commands by verb; or, in a file
 * named by its subject, commands by their words.
 */
type CommandFile = { readonly command: Command } | { readonly commands: Commands } | { readonly words: Commands };

/** The location of a command's code. */
export interface CommandPlace {
  readonly file: string;
  /** The names that lead to it from the file's exports. */
  readonly names: readonly string[];
}

/** The commands in the source tree: what the build bundles and tests run. */
export interface SourceRegistry extends Registry {
  readonly specs: ReadonlyMap<string, CommandSpec>;
  readonly places: ReadonlyMap<string, CommandPlace>;
}

/** Reads all command files: `order/place.ts` is `order place`, and so is the verb `place` of `order.ts`. */
export async function sourceRegistry(): Promise<SourceRegistry> {
  const found: [path: string, place: CommandPlace, command: Command][] = [];
  for (const name of globSync('**/*.ts', { cwd: folder })) {
    const file = join(folder, name);
    const words = name.replace(/\.ts$/, '').split(sep);
    const take = (path: readonly string[], names: readonly string[], one: Command | Commands) => {
      if (isCommand(one)) found.push([path.join(' '), { file, names }, one]);
      else for (const [word, below] of Object.entries(one)) take([...path, word], [...names, word], below);
    };
    for (const [as, content] of Object.entries((await import(file)) as CommandFile))
      if (as === 'command' || as === 'commands' || as === 'words')
        take(as === 'words' ? words.slice(0, -1) : words, [as], content);
  }
  found.sort(([one], [other]) => (one < other ? -1 : 1));
  const specs = new Map(found.map(([path, , command]) => [path, command]));
  const packageFile = join(import.meta.dirname, '../../../package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return {
    version,
    commit: null,
    summaries: new Map(found.map(([path, , { summary }]) => [path, summary])),
    specs,
    places: new Map(found.map(([path, place]) => [path, place])),
    spec: (path) => specs.get(path)!,
    load: async (path) => specs.get(path)!,
  };
}

function isCommand(one: Command | Commands): one is Command {
  return typeof one.run === 'function';
}
