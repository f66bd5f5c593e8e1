import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hintFor } from '../../../src/base/failure/hints.ts';

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
