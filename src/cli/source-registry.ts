import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { CommandModule, Registry } from '../console/console.ts';
import type { CommandSpec } from '../console/grammar/spec.ts';

const folder = join(import.meta.dirname, 'commands');

/** Paths of all command files in `commands/`: `order/place.ts` is `order place`. */
export function commandFiles(): Map<string, string> {
  const files = globSync('**/*.ts', { cwd: folder }).sort();
  return new Map(files.map((file) => [file.replace(/\.ts$/, '').split(sep).join(' '), join(folder, file)]));
}

/** The commands in the source tree: what the build bundles and tests run. */
export async function sourceRegistry(): Promise<Registry & { readonly specs: ReadonlyMap<string, CommandSpec> }> {
  const files = commandFiles();
  const load = async (path: string) => (await import(files.get(path)!)) as CommandModule;
  const specs = new Map<string, CommandSpec>();
  for (const path of files.keys()) specs.set(path, (await load(path)).command);
  const packageFile = join(import.meta.dirname, '../../package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const summaries = new Map([...specs].map(([path, { summary }]) => [path, summary]));
  return { version, summaries, specs, spec: (path) => specs.get(path)!, load };
}
