import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CommandModule, Registry } from '../console/console.ts';
import type { CommandSpec } from '../console/grammar/spec.ts';

const folder = join(import.meta.dirname, 'commands');

/** The export of a file in `commands/`: one command, or a noun's commands by verb. */
type CommandFile = CommandModule | { readonly commands: Readonly<Record<string, CommandModule>> };

/** Where the code of a command is. */
export interface CommandPlace {
  readonly file: string;
  /** Its name in `commands`; undefined if the file has only this command. */
  readonly verb: string | undefined;
}

/** The commands in the source tree: what the build bundles and tests run. */
export interface SourceRegistry extends Registry {
  readonly specs: ReadonlyMap<string, CommandSpec>;
  readonly places: ReadonlyMap<string, CommandPlace>;
}

/** Reads all command files: `order/place.ts` is `order place`, and so is the verb `place` of `order.ts`. */
export async function sourceRegistry(): Promise<SourceRegistry> {
  const found: [path: string, place: CommandPlace, module: CommandModule][] = [];
  for (const name of globSync('**/*.ts', { cwd: folder })) {
    const file = join(folder, name);
    const words = name.replace(/\.ts$/, '').split(sep).join(' ');
    const content = (await import(file)) as CommandFile;
    if (!('commands' in content)) found.push([words, { file, verb: undefined }, content]);
    else
      for (const [verb, one] of Object.entries(content.commands)) found.push([`${words} ${verb}`, { file, verb }, one]);
  }
  found.sort(([one], [other]) => (one < other ? -1 : 1));
  const modules = new Map(found.map(([path, , module]) => [path, module]));
  const packageFile = join(import.meta.dirname, '../../../package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  return {
    version,
    commit: null,
    summaries: new Map(found.map(([path, , { command }]) => [path, command.summary])),
    specs: new Map(found.map(([path, , { command }]) => [path, command])),
    places: new Map(found.map(([path, place]) => [path, place])),
    spec: (path) => modules.get(path)!.command,
    load: async (path) => modules.get(path)!,
  };
}
