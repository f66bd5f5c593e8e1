import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON, isBuiltin } from 'node:module';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Failure, usageFailure } from '../../../base/failure/failure.ts';
import { otherImports, type StrategyModule, type StrategyModules, strategyImport } from '../realm/realm.ts';

/** Parses a module: its code without types, and its imports. */
type Parse = (module: {
  name: string;
  text: string;
  isTyped: boolean;
}) => Promise<{ text: string; imports: readonly string[] }>;

const largestBytes = 16 * 2 ** 20;

/** A strategy's file with everything that it imports, read once. */
export async function modulesOf(file: string, parse: Parse): Promise<StrategyModules> {
  const first = existing(resolve(file), file);
  const folder = dirname(first);
  const nameOf = (path: string) => relative(folder, path).split(sep).join('/');
  const found = new Map<string, StrategyModule>();
  const read = async (path: string): Promise<void> => {
    const name = nameOf(path);
    if (found.has(name)) return;
    const text = textOf(path, name);
    if (extname(path) === '.json') {
      found.set(name, { name, kind: 'json', text, links: {} });
      return;
    }
    refuseCommonJs(path, name);
    const parsed = await parse({ name, text, isTyped: /\.m?ts$/.test(path) });
    const targets = parsed.imports.map((specifier) => [specifier, targetOf(specifier, path, name)] as const);
    const links = Object.fromEntries(
      targets.map(([specifier, target]) => [specifier, target.path === null ? specifier : nameOf(target.path)]),
    );
    found.set(name, { name, kind: 'script', text: parsed.text, links });
    for (const [, { path: next }] of targets) if (next !== null) await read(next);
  };
  await read(first);
  return [...found.values()];
}

/** A hash of the texts of a strategy, wherever its folder is. */
export function hashOfModules(modules: StrategyModules): string {
  const hash = createHash('sha256');
  const sorted = [...modules].sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, text } of sorted) hash.update(JSON.stringify([name, text]));
  return hash.digest('hex');
}

function existing(path: string, shown: string): string {
  try {
    if (statSync(path).isFile()) return realpathSync(path);
  } catch {}
  throw usageFailure(`There is no file ${shown}.`);
}

function textOf(path: string, name: string): string {
  try {
    if (statSync(path).size > largestBytes) throw new Error('it is larger than 16 MiB');
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw usageFailure(`${name} can't be read: ${(error as Error).message}.`);
  }
}

/** The target of an import; `path` null: a module of Node or of the library. */
function targetOf(specifier: string, from: string, name: string): { path: string | null } {
  if (specifier === strategyImport || otherImports.has(specifier) || isBuiltin(specifier)) return { path: null };
  try {
    if (/^(\.{0,2}\/|file:)/.test(specifier)) {
      const path = fileURLToPath(new URL(specifier, pathToFileURL(from)));
      return { path: existing(path, `${specifier}, which ${name} imports`) };
    }
    return { path: packageFile(specifier, from) };
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw usageFailure(`${name} imports ${specifier}, which can't be found.`);
  }
}

/** The file of a package's ES module, by its `exports`, `module` or `main`. */
function packageFile(specifier: string, from: string): string {
  const [, packageName = specifier, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const description = findPackageJSON(packageName, pathToFileURL(from));
  if (description === undefined) throw new Error('no package');
  const facts = JSON.parse(readFileSync(description, 'utf8')) as Record<string, unknown>;
  const wanted = `.${rest}`;
  const exported = facts.exports === undefined ? undefined : exportOf(facts.exports, wanted);
  const usual = rest === '' ? `./${String(facts.module ?? facts.main ?? 'index.js')}` : wanted;
  const target = facts.exports === undefined ? usual : exported;
  if (typeof target !== 'string') throw new Error('not exported');
  return existing(join(dirname(description), target), `${specifier}: ${target}`);
}

/** The target of a subpath in `exports`, under the conditions of an import. */
function exportOf(exports: unknown, wanted: string): unknown {
  if (typeof exports === 'string' || Array.isArray(exports)) return wanted === '.' ? conditioned(exports) : undefined;
  const entries = exports as Record<string, unknown>;
  if (!Object.keys(entries).some((key) => key.startsWith('.')))
    return wanted === '.' ? conditioned(entries) : undefined;
  if (wanted in entries) return conditioned(entries[wanted]);
  for (const [key, target] of Object.entries(entries)) {
    const [before, after] = key.split('*');
    if (after === undefined || !wanted.startsWith(before!) || !wanted.endsWith(after)) continue;
    const found = conditioned(target);
    const middle = wanted.slice(before!.length, wanted.length - after.length);
    return typeof found === 'string' ? found.replaceAll('*', middle) : undefined;
  }
  return undefined;
}

function conditioned(target: unknown): unknown {
  if (typeof target === 'string') return target;
  if (Array.isArray(target)) return target.map(conditioned).find((one) => one !== undefined);
  if (typeof target !== 'object' || target === null) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    if (!['import', 'module-sync', 'node', 'default'].includes(condition)) continue;
    const found = conditioned(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The `type` of the package.json that a file belongs to; undefined if there is none, or it can't be read. */
function typeOfPackage(path: string): unknown {
  try {
    const description = findPackageJSON(pathToFileURL(path));
    if (description === undefined) return undefined;
    return (JSON.parse(readFileSync(description, 'utf8')) as { type?: unknown }).type;
  } catch {
    return undefined;
  }
}

/** A trial loads ES modules only. */
function refuseCommonJs(path: string, name: string): void {
  const isModule = path.endsWith('.js') && typeOfPackage(path) === 'module';
  const isOfPackage = path.includes(`${sep}node_modules${sep}`);
  if (/\.c[jt]s$/.test(path) || (path.endsWith('.js') && !isModule && isOfPackage))
    throw usageFailure(
      `${name} is CommonJS. Trials load only ES modules: bundle it into the strategy, for example with esbuild --format=esm.`,
    );
}
