/**
 * Bundles the command line into dist/. Start-up is a feature, and a module costs more to find than to parse, so there are
 * few and large files: perp.js holds what help and completion need and every command's spec; work.js all commands;
 * chunks/ what only some of them load (the simulation, HTTP, tables, prompts). Commands are registered from their folder;
 * nothing is listed by hand.
 */
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type PluginBuild } from 'esbuild';
import { commandFiles, sourceRegistry } from '../src/cli/source-registry.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const fresh = `${dist}-${process.pid}`;

const shared = {
  outdir: fresh,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

await build({
  ...shared,
  stdin: { contents: await entry(), resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
  entryNames: 'perp',
  plugins: [
    { name: 'builtins', setup: provideBuiltins },
    { name: 'work', setup: leaveWorkOutside },
  ],
});
await build({
  ...shared,
  stdin: { contents: work(), resolveDir: root, sourcefile: 'work.js', loader: 'js' },
  entryNames: 'work',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external: ['keytar'],
  // Bundled packages of the older kind ask for Node's modules by require().
  banner: { js: "import{createRequire as perpRequire}from'node:module';const require=perpRequire(import.meta.url);" },
  plugins: [{ name: 'builtins', setup: provideBuiltins }],
});

// A perp that starts meanwhile finds the old bundle or the new one.
const old = `${fresh}-old`;
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });

/** The entry: the arguments' way to help, completion or work. */
async function entry(): Promise<string> {
  const { version, commands } = await sourceRegistry();
  return `
import { main } from './src/cli/main.ts';
const registry = {
  version: ${JSON.stringify(version)},
  commands: new Map(Object.entries(JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(commands)))}))),
  load: async (path) => (await import('./src/cli/work.ts')).commands[path],
};
export function run(argv) {
  return main(argv, registry);
}
`;
}

/** Everything that is loaded once there is work: the machinery and all commands. */
function work(): string {
  const files = [...commandFiles()];
  return `
export * from './src/cli/work.ts';
${files.map(([, file], index) => `import * as command${index} from ${JSON.stringify(file)};`).join('\n')}
export const commands = { ${files.map(([path], index) => `${JSON.stringify(path)}: command${index}`).join(', ')} };
`;
}

function leaveWorkOutside(plugin: PluginBuild): void {
  plugin.onResolve({ filter: /\/work\.ts$/ }, () => ({ path: './work.js', external: true }));
}

/**
 * Node's own modules by getBuiltinModule: for an import statement Node reads every property of the module, which loads
 * much that nobody asked for.
 */
function provideBuiltins(plugin: PluginBuild): void {
  plugin.onLoad({ filter: /\/(src|node_modules\/commander)\/.*\.[jt]s$/ }, ({ path }) => ({
    contents: readFileSync(path, 'utf8').replace(
      /^import (?!type\b)([^'"]*?) from '(node:[^']+)';$/gm,
      (_, clause, name) => builtin(clause, name, path),
    ),
    loader: path.endsWith('.ts') ? 'ts' : 'js',
  }));
}

function builtin(clause: string, name: string, importer: string): string {
  // Commander starts a process for commands that are programs of their own; perp has none.
  const isUnused = name === 'node:child_process' && importer.includes('commander');
  const module = isUnused ? '{}' : `globalThis.process.getBuiltinModule('${name}')`;
  if (!clause.startsWith('{')) return `const ${clause.replace(/^\* as /, '')} = ${module};`;
  const names = clause.replace(/\btype \w+,?/g, '').replace(/ as /g, ': ');
  return `const ${names} = ${module};`;
}
