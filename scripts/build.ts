/**
 * Bundles the command line into dist/, or into the given folder. Startup time matters, and a module costs more to find
 * than to parse, so there are few and large files: perp.js contains what help and completion need and every command's
 * spec; work-*.js all commands; chunks/ what only some commands load (the simulation, HTTP, tables, prompts);
 * THIRD-PARTY-NOTICES.txt the licenses of all bundled packages. Commands are registered from their folder; nothing is
 * listed by hand. Each file has a source map.
 *
 *   node scripts/build.ts [FOLDER]
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { commandFiles, sourceRegistry } from '../src/cli/source-registry.ts';
import { builtins, plainAssertions, together, withoutHttp2, withoutNodeHttp } from './bundled-source.ts';
import { loadedTogether } from './loaded-together.ts';
import { noticesName, noticesOf } from './notices.ts';

const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
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
  // Read only to report where in the sources a bug is (src/cli/failure/source-lines.ts).
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
  absWorkingDir: root,
  metafile: true,
} satisfies BuildOptions;

const work = await buildWork();
const entry = await buildEntry(basename(outputOf(work, 'work.js')));
writeFileSync(join(fresh, noticesName), noticesOf([entry, work], root));
await replace();

/** Everything that is loaded to run a command: the machinery and all commands. */
async function buildWork(): Promise<Metafile> {
  const files = [...commandFiles()];
  const contents = `
export * from './src/cli/work.ts';
${files.map(([, file], index) => `import * as command${index} from ${JSON.stringify(file)};`).join('\n')}
export const commands = { ${files.map(([path], index) => `${JSON.stringify(path)}: command${index}`).join(', ')} };
`;
  const options = {
    ...shared,
    stdin: { contents, resolveDir: root, sourcefile: 'work.js', loader: 'js' },
    entryNames: 'work-[hash]',
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    external: ['keytar'],
    define: { esbuildDetection: '1' },
    // Bundled CommonJS packages load Node's modules with require().
    banner: {
      js: "const require=name=>process.getBuiltinModule(name)??process.getBuiltinModule('module').createRequire(import.meta.url)(name);",
    },
    plugins: [builtins(root), withoutHttp2, withoutNodeHttp, plainAssertions],
  } satisfies BuildOptions;
  const trial = await build({ ...options, write: false });
  const before = loadedTogether(trial.metafile, 'work.js', root);
  return (await build({ ...options, plugins: [together(before), ...options.plugins] })).metafile;
}

/** The entry: routes arguments to help, completion or work, which is in the file of this name. */
async function buildEntry(workFile: string): Promise<Metafile> {
  const { version, summaries, specs } = await sourceRegistry();
  // As text, because most runs read only one command's spec.
  const texts = Object.fromEntries([...specs].map(([path, spec]) => [path, JSON.stringify(spec)]));
  const contents = `
import { main } from './src/cli/main.ts';
const specs = ${JSON.stringify(texts)};
const registry = {
  version: ${JSON.stringify(version)},
  summaries: new Map(${JSON.stringify([...summaries])}),
  spec: (path) => JSON.parse(specs[path]),
  load: async (path) => (await import('./src/cli/work.ts')).commands[path],
};
export function run(argv) {
  return main(argv, registry);
}
`;
  const { metafile } = await build({
    ...shared,
    stdin: { contents, resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
    entryNames: 'perp',
    plugins: [
      builtins(root),
      {
        name: 'work',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/work\.ts$/ }, () => ({ path: `./${workFile}`, external: true })),
      },
    ],
  });
  return metafile;
}

function outputOf({ outputs }: Metafile, entryPoint: string): string {
  return Object.keys(outputs).find((name) => outputs[name]!.entryPoint === entryPoint)!;
}

/**
 * Replaces the old files: a perp that starts meanwhile finds either the complete old bundle or the complete new one.
 * All names but perp.js contain a hash, so perp.js is written last and refers to the others.
 */
async function replace(): Promise<void> {
  if (!existsSync(dist)) {
    mkdirSync(dirname(dist), { recursive: true });
    renameSync(fresh, dist);
    return;
  }
  const names = filesOf(fresh).sort((one, other) => Number(one === 'perp.js') - Number(other === 'perp.js'));
  for (const name of names) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    renameSync(join(fresh, name), join(dist, name));
  }
  rmSync(fresh, { recursive: true });
  const old = filesOf(dist).filter((name) => !names.includes(name));
  // Time for a perp that just started with the old perp.js to load the rest of it.
  if (old.length > 0) await delay(1_000);
  for (const name of old) rmSync(join(dist, name), { force: true });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
