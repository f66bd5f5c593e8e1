/**
 * Bundles the command line into dist/, or into the given folder. Startup time matters, and a module costs more to find
 * than to parse, so there are few and large files: perp-*.js contains what help and completion need and every command's
 * spec; work-*.js and chunk-*.js what two or more commands need; the others what only one command needs and what only
 * some commands load (the simulation, HTTP, tables, prompts); a file for each part that is a process of its own; sdk/
 * the library: modules that use these files, and their types; THIRD-PARTY-NOTICES.txt the licenses of all bundled
 * packages; perp.1 the man page; start.json what bin/start.js begins with. Commands are registered from their folder;
 * nothing is listed by hand. Each file is a script (scripts-of-modules.ts) with a source map.
 *
 *   node scripts/build.ts [FOLDER] [--no-types]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { parts } from '../src/base/self/self.ts';
import { sourceRegistry } from '../src/terminal/cli/source-registry.ts';
import { manPageOfAll } from '../tools/man-page.ts';
import {
  asciiOptions,
  builtins,
  chartLibraryInside,
  partsOfUndici,
  patientParser,
  plainAssertions,
  together,
  withoutAjv,
  withoutHttp2,
  withoutNodeHttp,
  withoutSocks,
} from './bundled-source.ts';
import { loadedTogether, sharedFiles } from './loaded-together.ts';
import { noticesName, noticesOf } from './notices.ts';
import { emptyLine, makeScripts } from './scripts-of-modules.ts';
import { entryNames, rolledTypes } from './sdk-types.ts';

const root = join(import.meta.dirname, '..');
const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const dist = resolve(folder ?? join(root, 'dist'));
/** Tests of the executable need no types of the library, which take longer than the rest. */
const hasTypes = !process.argv.includes('--no-types');
const fresh = `${dist}-${process.pid}`;
/** The file that bin/start.js reads first. */
const startName = 'start.json';

const shared = {
  // Source maps, and with them the names of files, contain the way from here to the sources: one, wherever the files
  // go.
  outdir: join(root, 'dist'),
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  minifyIdentifiers: true,
  legalComments: 'none',
  // Node shows the line of the bundle in which an error that nobody catches was thrown.
  lineLimit: 200,
  banner: { js: emptyLine },
  // Read only to report where in the sources a bug is (src/base/failure/report.ts).
  sourcemap: 'external',
  sourcesContent: false,
  logLevel: 'warning',
  absWorkingDir: root,
  // The names of files contain where libraries are: below this folder, also if node_modules is a link.
  preserveSymlinks: true,
  metafile: true,
} satisfies BuildOptions;

/** To learn which file imports what, without what makes the output small. */
const onlyImports = {
  minifyWhitespace: false,
  minifyIdentifiers: false,
  sourcemap: false,
} satisfies BuildOptions;

// The bundler is a program in Go and lives for seconds: collecting its garbage would take a quarter of its time.
process.env.GOGC ??= '800';

const { version, summaries, specs, places } = await sourceRegistry();
const work = await buildWork();
const ownParts = await buildParts();
const entry = await buildEntry(basename(outputOf(work, 'work.js')));
makeScripts(fresh);
const commands = [...places.keys(), '__complete'];
const ofParts = Object.entries(parts).map(([name, file]) => [name, basename(outputOf(ownParts, `src/${file}`))]);
const start = { entry: basename(outputOf(entry, 'perp.js')), commands, parts: Object.fromEntries(ofParts) };
writeFileSync(join(fresh, startName), JSON.stringify(start));
writeLibrary(work);
writeFileSync(join(fresh, noticesName), noticesOf([entry, work, ownParts], root));
writeFileSync(join(fresh, 'perp.1'), await manPageOfAll());
await replace();

/** Everything that is loaded to run a command: the machinery, and each command as a lazy part. */
async function buildWork(): Promise<Metafile> {
  const { metafile: apart } = await build({ ...workOptions(), ...onlyImports });
  const files = new Set([...places.values()].map(({ file }) => relative(root, file)));
  const always = sharedFiles(apart, [...files]);
  const imports = always.map((path) => ({ path, kind: 'import-statement' as const }));
  apart.inputs['work.js']!.imports.push(...imports);
  const before = loadedTogether(apart, 'work.js', root);
  const options = workOptions(always);
  return bundled({ ...options, plugins: [together(before), ...options.plugins] });
}

/** What runs as a process of its own: each is one file, so that it starts soon. */
async function buildParts(): Promise<Metafile> {
  const { external, define, plugins } = workOptions();
  const entryPoints = Object.entries(parts).map(([out, file]) => ({ in: `src/${file}`, out }));
  const entryNames = '[name]-[hash]';
  return bundled({ ...shared, entryPoints, entryNames, external, define, plugins });
}

/** The bundle of the commands, with `always` loaded at once. */
function workOptions(always: readonly string[] = []) {
  const loaders = [...places].map(([path, { file, names }]) => {
    const one = names.map((name) => `[${JSON.stringify(name)}]`).join('');
    return `${JSON.stringify(path)}: () => import(${JSON.stringify(`./${relative(root, file)}`)}).then((all) => all${one}),`;
  });
  const contents = `
export * from './src/terminal/cli/work.ts';
${always.map((file) => `import ${JSON.stringify(`./${file}`)};`).join('\n')}
export const commands = {
${loaders.join('\n')}
};
// Parts like commands: the modules in sdk/ use them.
export const library = [${entryNames.map((name) => `() => import(${JSON.stringify(`./${sourceOf(name)}`)})`).join(', ')}];
`;
  return {
    ...shared,
    stdin: { contents, resolveDir: root, sourcefile: 'work.js', loader: 'js' },
    entryNames: 'work-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    external: ['keytar'],
    define: { esbuildDetection: '1' },
    plugins: [
      builtins(root),
      chartLibraryInside,
      partsOfUndici,
      patientParser,
      withoutAjv,
      withoutHttp2,
      withoutNodeHttp,
      withoutSocks,
      plainAssertions,
    ],
  } satisfies BuildOptions;
}

/** The entry: routes arguments to help, completion or work, which is in the file of this name. */
async function buildEntry(workFile: string): Promise<Metafile> {
  // As text, because most runs read only one command's spec.
  const texts = Object.fromEntries([...specs].map(([path, spec]) => [path, JSON.stringify(spec)]));
  const contents = `
import { main } from './src/terminal/cli/main.ts';
import { endOfWork } from './src/terminal/console/terminal/io.ts';
const specs = ${JSON.stringify(texts)};
const read = {};
const registry = {
  version: ${JSON.stringify(version)},
  commit: ${JSON.stringify(commitOf())},
  summaries: new Map(${JSON.stringify([...summaries])}),
  spec: (path) => (read[path] ??= JSON.parse(specs[path])),
  load: async (path) => (await import('./src/terminal/cli/work.ts')).commands[path](),
};
export function run(argv) {
  return main(argv, registry);
}
export function end(isDone) {
  endOfWork(isDone, process.env);
}
`;
  return bundled({
    ...shared,
    stdin: { contents, resolveDir: root, sourcefile: 'perp.js', loader: 'js' },
    entryNames: 'perp-[hash]',
    plugins: [
      asciiOptions,
      builtins(root),
      {
        name: 'work',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/work\.ts$/ }, () => ({ path: `./${workFile}`, external: true })),
      },
    ],
  });
}

/** Bundles and writes the files. */
async function bundled(options: typeof shared & BuildOptions): Promise<Metafile> {
  const { metafile, outputFiles } = await build(options);
  mkdirSync(fresh, { recursive: true });
  for (const { path, contents } of outputFiles) writeFileSync(join(fresh, basename(path)), contents);
  return metafile;
}

/**
 * What programs import: for each entry of the library, its types, and a module that takes its exports from the bundle,
 * which has one copy of everything.
 */
function writeLibrary({ outputs }: Metafile): void {
  const types = hasTypes ? rolledTypes() : undefined;
  mkdirSync(join(fresh, 'sdk'), { recursive: true });
  for (const name of entryNames) {
    const file = Object.keys(outputs).find((one) => outputs[one]!.entryPoint === sourceOf(name))!;
    const names = outputs[file]!.exports.join(', ');
    const text = `import { createRequire } from 'node:module';
const { url } = import.meta;
// In a bundle of another program, this text is elsewhere, and the package is asked for.
const find = createRequire(url ?? process.cwd() + '/bundle.js');
const load = () => url?.endsWith('/sdk/${name}.js') ? find('../../bin/start.js').use('${basename(file)}') : find('perp/${name}');
export const { ${names} } = load();
`;
    writeFileSync(join(fresh, 'sdk', `${name}.js`), text);
    if (types === undefined) continue;
    writeFileSync(join(fresh, 'sdk', `${name}.d.ts`), types[name]);
    // A CommonJS program may require a module; TypeScript's node16 lets it only if its types say that they are
    // CommonJS.
    writeFileSync(
      join(fresh, 'sdk', `${name}.d.cts`),
      types[name].replaceAll(/ from '(\.\/\w+)\.js'/g, " from '$1.cjs'"),
    );
  }
}

/** The commit of this folder; null if it is no repository of its own. */
function commitOf(): string | null {
  if (!existsSync(join(root, '.git'))) return null;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function sourceOf(entry: string): string {
  return `src/programs/sdk/${entry}.ts`;
}

function outputOf({ outputs }: Metafile, entryPoint: string): string {
  return Object.keys(outputs).find((name) => outputs[name]!.entryPoint === entryPoint)!;
}

/**
 * Replaces the old files: a perp that starts meanwhile finds either the complete old bundle or the complete new one.
 * All names but start.json contain a hash, so start.json is written last and refers to the others.
 */
async function replace(): Promise<void> {
  if (!existsSync(dist)) {
    mkdirSync(dirname(dist), { recursive: true });
    renameSync(fresh, dist);
    return;
  }
  const names = filesOf(fresh).sort((one, other) => Number(one === startName) - Number(other === startName));
  for (const name of names) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    renameSync(join(fresh, name), join(dist, name));
  }
  rmSync(fresh, { recursive: true });
  const old = filesOf(dist).filter((name) => !names.includes(name));
  // Time for a perp that just started with the old start.json to load the rest of it.
  if (old.length > 0) await delay(1_000);
  for (const name of old) rmSync(join(dist, name), { force: true });
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
