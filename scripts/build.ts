/**
 * Bundles the command line into dist/. Start-up is a feature, and a module costs more to find than to parse, so there are
 * few and large files: perp.js holds what help and completion need and every command's spec; work.js all commands;
 * chunks/ what only some of them load (the simulation, HTTP, tables, prompts); THIRD-PARTY-NOTICES.txt the licenses of all
 * bundled packages. Commands are registered from their folder; nothing is listed by hand.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type PluginBuild } from 'esbuild';
import { commandFiles, sourceRegistry } from '../src/cli/source-registry.ts';
import { leaveOutHttp2, readSource } from './bundled-source.ts';
import { loadedTogether } from './loaded-together.ts';
import { noticesName, noticesOf } from './notices.ts';

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
  absWorkingDir: root,
  metafile: true,
} satisfies BuildOptions;

const entryBundle = await build({
  ...shared,
  stdin: { contents: await entry(), resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
  entryNames: 'perp',
  plugins: [
    { name: 'source', setup: readSource() },
    { name: 'work', setup: leaveWorkOutside },
  ],
});
const workBundle = {
  ...shared,
  stdin: { contents: work(), resolveDir: root, sourcefile: 'work.js', loader: 'js' },
  entryNames: 'work',
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  external: ['keytar'],
  define: { esbuildDetection: '1' },
  // Bundled packages of the older kind ask for Node's modules by require().
  banner: {
    js: "const require=name=>process.getBuiltinModule(name)??process.getBuiltinModule('module').createRequire(import.meta.url)(name);",
  },
} satisfies BuildOptions;
const trial = await build({
  ...workBundle,
  write: false,
  plugins: [
    { name: 'source', setup: readSource() },
    { name: 'undici', setup: leaveOutHttp2 },
  ],
});
const bundle = await build({
  ...workBundle,
  plugins: [
    { name: 'source', setup: readSource(loadedTogether(trial.metafile, 'work.js', root)) },
    { name: 'undici', setup: leaveOutHttp2 },
  ],
});

writeFileSync(join(fresh, noticesName), noticesOf([entryBundle.metafile, bundle.metafile], root));

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
