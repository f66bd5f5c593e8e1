import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { withFigures } from '../../bench/readme.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

test('what npm run bench printed replaces what the README quoted before, and nothing else; a missed goal is said', () => {
  const time = new Date(Date.UTC(2026, 10, 17));
  const figure = { name: 'one of them', value: 1.5, unit: 'x', target: { atMost: 1.4 }, isQuoted: true } as const;
  const written = withFigures(readme, [figure, { name: 'another', value: 2, unit: 's' }], time);
  const [before, after] = ['## Measured', '## More'].map((heading) => readme.indexOf(heading)) as [number, number];
  assert.equal(written.slice(0, before), readme.slice(0, before));
  assert.equal(written.slice(written.indexOf('## More')), readme.slice(after));
  const section = written.slice(before, written.indexOf('## More'));
  assert.deepEqual(section.match(/^\|.*/gm), [
    '| what | figure | goal |',
    '|---|---|---|',
    '| one of them | 1.50 x | <= 1.4: missed |',
  ]);
  assert.match(section, /Printed on 2026-11-17 \(/);
  assert.equal(withFigures(written, [figure], time), written);
});
