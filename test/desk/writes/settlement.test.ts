import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Settler } from '../../../src/desk/writes/settlement.ts';
import { noteOf, orderIntent } from '../intents/writes.ts';

test('a write that can’t be claimed for this process is not settled, and nothing is sent', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'perp-settlement-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const sent: string[] = [];
  const ways = {
    connect: async () => assert.fail(`${sent.push('anything')} request`),
    ask: async () => {},
    isUnattended: true,
  };
  const session = { signal: new AbortController().signal, machine: { now: Date.now } };
  const settler = new Settler(session, ways);
  const note = noteOf(orderIntent('a'));
  const there = { note, file: join(folder, 'intents', 'x.journal') };
  await assert.rejects(settler.settle(there), { code: 'ENOENT' });
  assert.deepEqual(sent, []);
  mkdirSync(join(folder, 'intents'));
  assert.equal((await settler.settle(there)).outcome, 'unknown', 'claimed, and then not connected');
});
