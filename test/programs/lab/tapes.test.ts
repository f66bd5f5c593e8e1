import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTapes } from '../../../src/programs/lab/tapes.ts';

test('tapes that can’t be used are named in the order in which they were given, each once, with what is wrong', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-tapes-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const names = ['b.jsonl', 'a.jsonl'].map((name) => join(folder, name));
  for (const name of names) writeFileSync(name, 'no event\n');
  const { tapes, broken, close } = await openTapes([...names, names[0]!], join(folder, 'state'));
  t.after(close);
  assert.deepEqual([tapes, broken.map(({ name }) => name)], [[], names]);
  for (const { problem } of broken) assert.match(problem, /\.jsonl/);
});
