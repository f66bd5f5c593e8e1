import type { CommandModule, CommandSpec } from './spec.ts';

/** Every command by its path (`order place`): the specs at hand, the code on demand. */
export interface Registry {
  readonly version: string;
  readonly commands: ReadonlyMap<string, CommandSpec>;
  load(path: string): Promise<CommandModule>;
}

/** Nouns and verbs below a path, e.g. `order` -> amend, cancel, ...; the empty path gives the first words. */
export function childrenOf(registry: Registry, path: string): string[] {
  const depth = path === '' ? 0 : path.split(' ').length;
  const words = new Set<string>();
  for (const command of registry.commands.keys()) {
    if (path === '' || command.startsWith(`${path} `)) words.add(command.split(' ')[depth]!);
  }
  return [...words];
}
