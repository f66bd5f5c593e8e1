/**
 * Bundles the command line into dist/: the entry with every command's spec, and one chunk for whatever a command loads
 * on its own. Commands are registered from their folder; nothing is listed by hand.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { commandFiles, sourceRegistry } from '../src/cli/source-registry.ts';

const root = join(import.meta.dirname, '..');
const registry = await sourceRegistry();

const loaders = [...commandFiles()].map(([path, file]) => `  ${JSON.stringify(path)}: () => import(${JSON.stringify(file)}),`);
const entry = `
import { main } from ${JSON.stringify(join(root, 'src/cli/main.ts'))};
const specs = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(registry.commands)))});
const loaders = {
${loaders.join('\n')}
};
const registry = {
  version: ${JSON.stringify(registry.version)},
  commands: new Map(Object.entries(specs)),
  load: (path) => loaders[path](),
};
export function run(argv) {
  return main(argv, registry);
}
`;

rmSync(join(root, 'dist'), { recursive: true, force: true });
mkdirSync(join(root, 'dist'));
await build({
  stdin: { contents: entry, resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
  outdir: join(root, 'dist'),
  entryNames: 'perp',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  keepNames: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['keytar'],
  banner: { js: "import{createRequire as perpRequire}from'node:module';const require=perpRequire(import.meta.url);" },
  logLevel: 'warning',
});
