/**
 * Bundles the command line into dist/: the entry with every command's spec, all commands in one chunk, and a chunk for
 * each thing that only some of them load. Few and larger files: a module costs more to find than to parse. Commands are
 * registered from their folder; nothing is listed by hand.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type PluginBuild } from 'esbuild';
import { commandFiles, sourceRegistry } from '../src/cli/source-registry.ts';

const root = join(import.meta.dirname, '..');
const registry = await sourceRegistry();

const files = [...commandFiles()];
const commands = `
${files.map(([, file], index) => `import * as command${index} from ${JSON.stringify(file)};`).join('\n')}
export const commands = { ${files.map(([path], index) => `${JSON.stringify(path)}: command${index}`).join(', ')} };
`;
const entry = `
import { main } from ${JSON.stringify(join(root, 'src/cli/main.ts'))};
const specs = JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(registry.commands)))});
const registry = {
  version: ${JSON.stringify(registry.version)},
  commands: new Map(Object.entries(specs)),
  load: async (path) => (await import('perp:commands')).commands[path],
};
export function run(argv) {
  return main(argv, registry);
}
`;

/** Imported at the top of modules that mostly do without them. */
const lazyBuiltins = new Set(['node:child_process', 'node:crypto', 'node:http', 'node:net', 'node:zlib']);

const dist = join(root, 'dist');
const fresh = `${dist}-${process.pid}`;
await build({
  stdin: { contents: entry, resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
  outdir: fresh,
  entryNames: 'perp',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  external: ['keytar'],
  plugins: [
    { name: 'commands', setup: provideCommands },
    { name: 'builtins', setup: provideBuiltins },
  ],
  banner: { js: "import{createRequire as perpRequire}from'node:module';const require=perpRequire(import.meta.url);" },
  logLevel: 'warning',
});

// A perp that starts meanwhile finds the old bundle or the new one.
const old = `${fresh}-old`;
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });

function provideCommands(plugin: PluginBuild): void {
  plugin.onResolve({ filter: /^perp:commands$/ }, ({ path }) => ({ path, namespace: 'commands' }));
  plugin.onLoad({ filter: /.*/, namespace: 'commands' }, () => ({
    contents: commands,
    resolveDir: root,
    loader: 'js',
  }));
}

/**
 * Node's own modules by getBuiltinModule: an import statement would make Node read every property of the module, which
 * loads much that nobody asked for. Packages that require() theirs keep doing so.
 */
function provideBuiltins(plugin: PluginBuild): void {
  plugin.onResolve({ filter: /^node:/ }, ({ path, kind }) => {
    return kind === 'require-call' ? { path, external: true } : { path, namespace: 'builtin' };
  });
  plugin.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => {
    const load = `process.getBuiltinModule(${JSON.stringify(path)})`;
    if (!lazyBuiltins.has(path)) return { contents: `module.exports = ${load};`, loader: 'js' };
    const names = Object.keys(process.getBuiltinModule(path) ?? {});
    const getters = names.map((name) => `get ${name}() { return (real ??= ${load}).${name}; }`);
    return { contents: `let real; module.exports = { ${getters.join(', ')} };`, loader: 'js' };
  });
}
