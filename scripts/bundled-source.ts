/** How sources go into the bundle: as they are, but for what makes a command start sooner. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { PluginBuild } from 'esbuild';
import type { LoadedTogether } from './loaded-together.ts';

/** Slow to load and used by few commands: these are loaded by the first call of what is imported, always a function. */
const loadedWhenCalled = new Set(['node:child_process', 'node:crypto']);

/** Our source and commander's, with Node's modules, and each lazy part with what is there before it. */
export function readSource(together: LoadedTogether = { before: new Map(), needless: new Set() }) {
  return (plugin: PluginBuild): void => {
    plugin.onLoad({ filter: /\/(src|node_modules\/commander)\/.*\.[jt]s$/ }, ({ path }) => {
      const source = withBuiltins(readFileSync(path, 'utf8'), path);
      const there = (together.before.get(path) ?? []).map((file) => `import ${JSON.stringify(file)};\n`);
      const contents = [withoutNeedlessParts(source, path, together.needless), ...there].join('\n');
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  };
}

/** Takes at once what is asked for as if it had to be loaded. */
function withoutNeedlessParts(source: string, path: string, needless: ReadonlySet<string>): string {
  const taken: string[] = [];
  const contents = source.replace(/\bimport\('(\.[^']+)'\)(?!\.)/g, (asked, name) => {
    if (!needless.has(resolve(dirname(path), name))) return asked;
    taken.push(`import * as part${taken.length} from '${name}';`);
    return `Promise.resolve(part${taken.length - 1})`;
  });
  return [...taken, contents].join('\n');
}

/**
 * Node's own modules by getBuiltinModule: for an import statement Node reads every property of the module, which loads
 * much that nobody asked for.
 */
function withBuiltins(source: string, path: string): string {
  return source.replace(/^import (?!type\b)([^'"]*?) from '(node:[^']+)';$/gm, (_, clause, name) =>
    builtin(clause, name, path),
  );
}

function builtin(clause: string, name: string, importer: string): string {
  // Commander starts a process for commands that are programs of their own; perp has none.
  const isUnused = name === 'node:child_process' && importer.includes('commander');
  const module = isUnused ? '{}' : `globalThis.process.getBuiltinModule('${name}')`;
  if (!clause.startsWith('{')) return `const ${clause.replace(/^\* as /, '')} = ${module};`;
  const names = clause.replace(/\btype \w+,?/g, '').replace(/ as /g, ': ');
  if (!loadedWhenCalled.has(name)) return `const ${names} = ${module};`;
  const called = `${name.replace(/\W/g, '_')}_`;
  const functions = names
    .match(/\w+/g)!
    .map((one) => `const ${one} = (...given) => (${called} ??= ${module}).${one}(...given);`);
  return [`let ${called};`, ...functions].join(' ');
}

/** undici speaks HTTP/2 where it is allowed to; here it is not, and leaving it out saves its start. */
export function leaveOutHttp2(plugin: PluginBuild): void {
  plugin.onLoad({ filter: /undici\/lib\/dispatcher\/client-h2\.js$/ }, () => ({
    contents: "module.exports = () => { throw new Error('HTTP/2 is off'); };",
    loader: 'js',
  }));
}
