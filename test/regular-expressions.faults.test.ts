import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative, resolve } from 'node:path';
import { test } from 'node:test';
import { type CallExpression, type NewExpression, parseSync, Visitor } from 'oxc-parser';

/** The backend in plain JavaScript: it needs no worker, no Java and no binary. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

const source = resolve(import.meta.dirname, '../src');

interface Found {
  readonly where: string;
  readonly pattern: string;
  readonly flags: string;
}

/** Every regular expression literal in a file, and every other way to make one. */
function expressionsIn(file: string): { literals: Found[]; computed: string[] } {
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  assert.deepEqual(errors, [], file);
  const where = (start: number) => `${relative(source, file)}:${text.slice(0, start).split('\n').length}`;
  const literals: Found[] = [];
  const computed: string[] = [];
  const making = ({ callee, start }: NewExpression | CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') computed.push(where(start));
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) literals.push({ where: where(node.start), ...node.regex });
    },
    NewExpression: making,
    CallExpression: making,
  }).visit(program);
  return { literals, computed };
}

const found = globSync(`${source}/**/*.ts`).map(expressionsIn);

test('no regular expression takes more than linear time, whatever text it meets', () => {
  const literals = found.flatMap((file) => file.literals);
  assert.ok(literals.length > 100, `${literals.length} are too few to be all`);
  const checked = new Map<string, ReturnType<typeof checkSync>>();
  const slow = literals.flatMap(({ where, pattern, flags }) => {
    const name = `/${pattern}/${flags}`;
    const found = checked.get(name) ?? checkSync(pattern, flags, { timeout: null, randomSeed: 0 });
    checked.set(name, found);
    if (found.status === 'safe') return [];
    return [`${where}  ${name}: ${found.status === 'vulnerable' ? found.complexity.summary : 'unknown'}`];
  });
  assert.deepEqual(slow, []);
});

test('regular expressions are written out, so that they can be checked', () => {
  assert.deepEqual(
    found.flatMap((file) => file.computed),
    [],
  );
});
