import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const src = new URL('../../../src/', import.meta.url);

/** Who may read account frames, and why; everything else reads the state that they add up to. */
const readers: Readonly<Record<string, string>> = {
  'wire/contract/streams.ts': 'the wire',
  'wire/client/streams/account-follower.ts': 'hands them on',
  'programs/sdk/client/streams.ts': 'hands them on',
  'terminal/cli/commands/stream.ts': 'prints them',
  'terminal/console/views/stream-view.ts': 'prints them',
  'desk/account/account-state.ts': 'the fold',
  'desk/reading/follow.ts': 'feeds the fold',
  'desk/reading/account-changes.ts': 'wakes who waits for a change',
  'desk/guard/guard-streams.ts': 'wakes the guard',
  'desk/watch/live-model.ts': 'remembers which orders the stream has reported',
  'desk/watch/model-reader.ts': 'reads what a frame hints at',
  'bots/gate/cache/both-streams.ts': 'hands them on',
  'bots/gate/cache/account-cache.ts': 'hands them on to bots',
  'bots/gate/cache/cached-account.ts': 'counts double until positions show a trade',
  'bots/gate/streams/bot-streams.ts': 'hands them on to bots',
};

test('only the fold adds up account frames; whoever else reads them is listed with the reason', () => {
  const found = globSync('**/*.ts', { cwd: src }).filter((file) =>
    /\b(AccountFrame|AccountChange|SnapshotFrame)\b/.test(readFileSync(new URL(file, src), 'utf8')),
  );
  assert.deepEqual(found.sort(), Object.keys(readers).sort());
});
