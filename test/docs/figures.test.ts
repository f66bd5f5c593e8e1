import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { withFigures } from '../../bench/performance.ts';

const read = (page: string) => readFileSync(resolve(import.meta.dirname, '../..', page), 'utf8');
const time = new Date(Date.UTC(2026, 10, 17));
const figure = { name: 'one of them', value: 1.5, unit: 'x', target: { atMost: 1.4 }, isQuoted: true } as const;

test('what npm run bench printed replaces the table of docs/performance.md, and nothing else; a missed goal is said', () => {
  const page = read('docs/performance.md');
  const written = withFigures(page, [figure, { name: 'another', value: 2, unit: 's' }], time);
  const before = page.indexOf('-->');
  assert.equal(written.slice(0, before), page.slice(0, before));
  assert.deepEqual(written.match(/^\|.*/gm), [
    '| what | figure | goal |',
    '|---|---|---|',
    '| one of them | 1.50 x | <= 1.4: missed |',
  ]);
  assert.match(written, /Printed on 2026-11-17 \(/);
  assert.equal(withFigures(written, [figure], time), written);
});

test('the README shows six of these figures, and gets only new values of them', () => {
  const rows = (page: string) => page.match(/^\| .* \| .* \| .* \|$/gm)!.slice(1);
  const [few, all] = [rows(read('README.md')), rows(read('docs/performance.md'))];
  assert.equal(few.length, 6);
  for (const row of few) assert.ok(all.includes(row), row);
  const name = few[0]!.split(' | ')[0]!.slice(2);
  const written = withFigures(read('README.md'), [figure, { ...figure, name }], time, true);
  assert.deepEqual(rows(written), [`| ${name} | 1.50 x | <= 1.4: missed |`]);
});
