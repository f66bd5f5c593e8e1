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

/**
 * Whether an expression is linear by its form: it repeats nothing without a bound, or is anchored at the start and
 * repeats one character or class. Most are; to prove it of each takes minutes.
 */
function isLinearByForm({ pattern, flags }: Found): boolean {
  if (/\\[1-9k]/.test(pattern)) return false;
  const form = pattern.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  const repeats = form.match(/.(?:[*+]|\{\d+,\}|\{\d*,?\d{2,}\})/g) ?? [];
  if (repeats.length === 0) return true;
  return repeats.length === 1 && !repeats[0]!.startsWith(')') && /^\^[^|]*$/.test(form) && !flags.includes('m');
}

const found = globSync(`${source}/**/*.ts`).map(expressionsIn);

test('no regular expression takes more than linear time, whatever text it meets', () => {
  const literals = found.flatMap((file) => file.literals);
  assert.ok(literals.length > 100, `${literals.length} are too few to be all`);
  const checked = new Map<string, ReturnType<typeof checkSync>>();
  const slow = literals.flatMap((literal) => {
    if (isLinearByForm(literal)) return [];
    const { where, pattern, flags } = literal;
    const name = `/${pattern}/${flags}`;
    const found = checked.get(name) ?? checkSync(pattern, flags, { timeout: null, randomSeed: 0 });
    checked.set(name, found);
    if (found.status === 'safe') return [];
    return [`${where}  ${name}: ${found.status === 'vulnerable' ? found.complexity.summary : 'unknown'}`];
  });
  assert.deepEqual(slow, []);
});

test("only what can't take more is linear by its form", () => {
  const isLinear = (pattern: string, flags = '') => isLinearByForm({ where: '', pattern, flags });
  for (const pattern of ['a?b', '^a+b', '^[a-z]*$', '^(?:a|b)$', String.raw`\d{1,9}`])
    assert.ok(isLinear(pattern), pattern);
  for (const pattern of ['a+b', '^(?:a|a)*$', '^a+b+$', 'x{1,64}y', String.raw`(a)\1`, '^a|b+$'])
    assert.ok(!isLinear(pattern), pattern);
  assert.ok(!isLinear('^a+b', 'm'));
});

test('regular expressions are written out, so that they can be checked', () => {
  assert.deepEqual(
    found.flatMap((file) => file.computed),
    [],
  );
});
