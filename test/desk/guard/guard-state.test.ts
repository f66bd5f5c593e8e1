import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshState, type GuardState, peekState, readState, writeState } from '../../../src/desk/guard/guard-state.ts';

test('the steps of an earlier version, which closed, canceled and closed, are one step; a trailing close stays', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-state-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.state');
  const steps = (...kinds: string[]) => kinds.map((kind, nth) => ({ nth, kind }));
  const task = { rule: 'price', time: 1, says: '', facts: {} };
  const tasks = [
    { ...task, key: 'price@1', steps: steps('lock', 'close', 'cancel', 'close', 'exec') },
    { ...task, key: 'trail@pos_1', steps: steps('close') },
  ];
  writeState(file, { ...freshState, tasks } as GuardState);
  const kinds = (peekState(file) as GuardState).tasks.map((one) => one.steps.map(({ kind }) => kind));
  assert.deepEqual(kinds, [['flatten', 'lock', 'exec'], ['close']]);
});

test('a state that can’t be read is damaged, and one that can’t be moved aside is named as it is', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-state-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'a.state');
  mkdirSync(join(file, 'x'), { recursive: true });
  assert.equal(peekState(file), 'damaged');
  mkdirSync(join(`${file}.damaged`, 'x'), { recursive: true });
  let aside = '';
  assert.deepEqual(
    readState(file, (name) => (aside = name)),
    freshState,
  );
  assert.equal(aside, file);
});
