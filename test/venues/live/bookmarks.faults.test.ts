import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readBookmarks, setBookmark } from '../../../src/venues/live/practice.ts';

const each = 40;

test('bookmarks that several programs add at once are all kept', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bookmarks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const tape = join(folder, 'day.jsonl');
  const module = join(import.meta.dirname, '../../../src/venues/live/practice.ts');
  const program = `import { setBookmark } from ${JSON.stringify(module)};
    for (let at = 0; at < ${each}; at++) setBookmark(${JSON.stringify(tape)}, process.argv[1] + at, at);`;
  const exits = ['a', 'b', 'c'].map(async (name) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, name], { stdio: 'inherit' });
    return (await once(child, 'exit'))[0];
  });
  assert.deepEqual(await Promise.all(exits), [0, 0, 0]);
  assert.equal(Object.keys(readBookmarks(tape)).length, 3 * each);
  assert.deepEqual(readdirSync(folder), ['day.bookmarks.json', 'day.bookmarks.json.lock']);
});

test('what a killed program has left behind keeps nobody from adding one', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-bookmarks-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const tape = join(folder, 'day.jsonl');
  const left = join(folder, 'day.bookmarks.json.new');
  writeFileSync(left, '{');
  assert.deepEqual(setBookmark(tape, 'here', 5), { here: 5 });
  assert.deepEqual(readBookmarks(tape), { here: 5 });
});
