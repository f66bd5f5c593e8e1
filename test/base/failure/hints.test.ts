import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hintFor } from '../../../src/base/failure/hints.ts';
import { hintInFields } from '../../../src/base/failure/report.ts';

const engine = join(import.meta.dirname, '../../../src/exchange/engine');

/** Every rule id with which the engine's source can refuse; composed ids are expanded. */
function ruleIds(): string[] {
  const files = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const source = files.map((file) => readFileSync(join(engine, file), 'utf8')).join('\n');
  const plain = [...source.matchAll(/(?:\b(?:violation|rule)\(\s*|\bruleId: )'([a-z-]+)'/g)].map(([, id]) => id!);
  const composed = [...source.matchAll(/\bviolation\(\s*`([^`$]*)/g)].map(([, id]) => id!);
  assert.deepEqual(composed, ['trades-per-']);
  const windows = [...source.matchAll(/\btooManyTrades\('([a-z]+)'/g)].map(([, window]) => `trades-per-${window}`);
  return [...new Set([...plain, ...windows])].sort();
}

test('every rule has a hint', () => {
  const ids = ruleIds();
  assert.ok(ids.length >= 35, `only ${ids.length} rules found: the search is broken`);
  assert.deepEqual(
    ids.filter((id) => hintFor('rule_violation', id) === undefined),
    [],
  );
});

test('a program gets the part of a hint that names no command, with fields in place of options', () => {
  const said = new Map(ruleIds().map((id) => [id, hintInFields(hintFor('rule_violation', id)!)]));
  for (const [id, hint = ''] of said) {
    assert.doesNotMatch(hint, /\bperp [a-z]|--|PERP_|\b(?!UTC)[A-Z]{3,}\b/, id);
    assert.match(hint, /^(?:[A-Z].*\.)?$/, id);
  }
  const missing = [...said].filter(([, hint]) => hint === undefined).map(([id]) => id);
  assert.deepEqual(missing, []);
  assert.equal(said.get('max-open-positions'), 'Close a position first.');
  assert.equal(hintInFields('Wait; perp guard status shows it. Or omit --force.'), 'Wait.');
});
