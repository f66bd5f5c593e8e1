/**
 * Turns each file of the bundle from a module into a script, a function of what it imports. A script can be given the
 * code that earlier runs of it compiled, all of it, and asks Node's loader of modules nothing (bin/start.js). Nothing
 * of a file moves, so its source map stays true: everything that is added is on the first line, which the bundler left
 * empty, or at the end, and what is removed leaves spaces.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** The first line of each bundled file, for what the scripts add. */
export const emptyLine = '//';

/**
 * Rewrites all files in this folder. Threads begin with a file of their own beside the one that asks for its
 * `import.meta.url`.
 */
export function makeScripts(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const imports = new Map<string, string[]>();
  for (const name of names) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { script, imported } = scriptOf(name, text);
    imports.set(name, imported);
    writeFileSync(join(folder, name), script);
    if (text.includes('import.meta.url'))
      writeFileSync(join(folder, name.replace(/js$/, 'cjs')), `require('../bin/start.js').use('${name}');\n`);
  }
  const complete = new Set<string>();
  for (const name of names) refuseCircle(name, imports, complete, []);
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

function scriptOf(name: string, text: string): { script: string; imported: string[] } {
  const { program, module, errors } = parseSync(name, text, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]!.message}`);
  // Copied once, when the importing file begins.
  const copies: string[] = [];
  const exported: string[] = [];
  const locals = new Set<string>();
  const imported: string[] = [];
  const edits: Edit[] = [];
  for (const node of program.body) {
    const isImport = node.type === 'ImportDeclaration';
    if (isImport) {
      copies.push(copied(node.source.value, node.specifiers));
      imported.push(node.source.value);
    } else if (node.type === 'ExportNamedDeclaration' && node.declaration === null) {
      const from = node.source === null ? '' : `${used(node.source.value)}.`;
      if (node.source !== null) imported.push(node.source.value);
      for (const { exported: outside, local } of node.specifiers) {
        exported.push(`${nameOf(outside)}:${from}${nameOf(local)}`);
        if (node.source === null) locals.add(nameOf(local));
      }
    } else if (node.type === 'ExportDefaultDeclaration') {
      exported.push('default:exported');
      edits.push({ start: node.start, end: node.declaration.start, text: 'const exported=' });
      continue;
    } else if (node.type.startsWith('Export')) throw new Error(`${name}: ${node.type} can't be made part of a script`);
    else continue;
    edits.push({ start: node.start, end: node.end, text: '' });
  }
  refuseChanges(name, program.body, locals);
  for (const { start, moduleRequest } of module.dynamicImports) {
    if (!/^["']/.test(text.slice(moduleRequest.start))) throw new Error(`${name} imports what only a run knows`);
    edits.push({ start, end: start + 'import'.length, text: 'load' });
  }
  for (const { start, end } of module.importMetas) edits.push({ start, end, text: 'meta' });
  // What leads to Node's modules is the script's own: a worker of the lab takes it from the process.
  for (const { index } of text.matchAll(/\bprocess\.getBuiltinModule(?=\()/g))
    edits.push({ start: index, end: index + 'process.getBuiltinModule'.length, text: 'require' });
  const head = `(function(use,load,meta,require){"use strict";${copies.join('')}`;
  const body = edited(name, text, edits).slice(emptyLine.length);
  return { script: `${head}${body}\nreturn{${exported.join(',')}}})`, imported };
}

type Specifiers = Extract<ReturnType<typeof parseSync>['program']['body'][number], { type: 'ImportDeclaration' }>;

/** An import statement as the beginning of a function. */
function copied(source: string, specifiers: Specifiers['specifiers']): string {
  const from = used(source);
  const isOurs = source.startsWith('./');
  const parts: string[] = [];
  const named: string[] = [];
  for (const one of specifiers) {
    if (one.type === 'ImportSpecifier') named.push(`${nameOf(one.imported)}:${one.local.name}`);
    else if (one.type === 'ImportDefaultSpecifier' && isOurs) named.push(`default:${one.local.name}`);
    else parts.push(`${one.local.name}=${from}`);
  }
  if (named.length > 0) parts.push(`{${named.join(',')}}=${from}`);
  return parts.length === 0 ? `${from};` : `const ${parts.join(',')};`;
}

function used(source: string): string {
  return source.startsWith('./') ? `use(${JSON.stringify(source.slice(2))})` : `require(${JSON.stringify(source)})`;
}

function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.name ?? JSON.stringify(node.value);
}

/** The text with these parts replaced and padded to the same length, newlines kept. */
function edited(name: string, text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: replacement } of [...edits].sort((one, other) => one.start - other.start)) {
    if (start < at || replacement.length > end - start) throw new Error(`${name}: no room for ${replacement}`);
    const rest = text.slice(start + replacement.length, end).replace(/[^\n]/g, ' ');
    result += text.slice(at, start) + replacement + rest;
    at = end;
  }
  return result + text.slice(at);
}

/** An imported file has run completely before its importer begins: its exports are copied then. */
function refuseCircle(
  name: string,
  imports: ReadonlyMap<string, readonly string[]>,
  complete: Set<string>,
  above: readonly string[],
): void {
  if (complete.has(name)) return;
  if (above.includes(name)) throw new Error(`the bundle imports in a circle: ${[...above, name].join(' -> ')}`);
  for (const source of imports.get(name) ?? [])
    if (source.startsWith('./')) refuseCircle(source.slice(2), imports, complete, [...above, name]);
  complete.add(name);
}

/** What is copied must not change later: no function may assign to an export. */
function refuseChanges(name: string, node: unknown, exported: ReadonlySet<string>, isInFunction = false): void {
  if (Array.isArray(node)) {
    for (const one of node) refuseChanges(name, one, exported, isInFunction);
    return;
  }
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const { type, left, argument } = node as Record<string, { type?: string; name?: string } | undefined> & {
    type: string;
  };
  const target = type === 'AssignmentExpression' ? left : type === 'UpdateExpression' ? argument : undefined;
  if (isInFunction && target?.type === 'Identifier' && exported.has(target.name!))
    throw new Error(`${name}: a function assigns to ${target.name}, which another file of the bundle has copied`);
  const inner = isInFunction || /Function|StaticBlock/.test(type);
  for (const part of Object.values(node)) refuseChanges(name, part, exported, inner);
}
