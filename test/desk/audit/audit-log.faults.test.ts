import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { newestRecords } from '../../../src/desk/audit/chain.ts';
import { cannotFail, type DiskFault, FaultyDisk } from '../../faulty-disk/faulty-disk.ts';
import { seed } from '../../seed.ts';
import { anyDamage, damage } from './damages.ts';
import { fill, TriedLog } from './logs.ts';

const isLong = process.env.PERP_LONG === '1';

/** Starts a process that appends to a log; `lines` is what it has printed. */
function appending(
  { place }: TriedLog,
  {
    program = 'append.ts',
    count,
    variables = {},
  }: { program?: string; count?: number; variables?: Record<string, string> } = {},
) {
  const file = join(import.meta.dirname, 'programs', program);
  const words = [file, place.folder, place.headFile, ...(count === undefined ? [] : [String(count)])];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { child, lines: () => text.split('\n').slice(0, -1), ended: once(child, 'close') };
}

/** What was said to be on disk is there, once, and nothing is damaged. */
function assertKept(log: TriedLog, printed: readonly string[]): void {
  const check = log.check();
  assert.deepEqual(check.damages, []);
  const numbers = printed.filter((line) => /^\d+$/.test(line)).map(Number);
  assert.equal(new Set(numbers).size, numbers.length, 'each number is given once');
  const kept = new Map([...newestRecords(log.place)].map((record) => [record.seq, record.kind]));
  for (const number of numbers) assert.equal(kept.get(number), 'asked', `record ${number}`);
}

describe('an audit log of 100,000 records', () => {
  it('shows whatever is altered, removed, moved, added or cut', { timeout: 600_000 }, () => {
    using log = new TriedLog();
    const records = 100_000;
    const lines = fill(log, records);
    for (const drawn of fc.sample(anyDamage(records), { seed, numRuns: isLong ? 500 : 6 })) {
      damage(log, lines, drawn);
      assert.notDeepEqual(log.check().damages, [], `${JSON.stringify(drawn)}, seed ${seed}`);
    }
  });
});

describe('two processes that append to one audit log', () => {
  it('lose nothing when they are killed while they write', { timeout: 600_000 }, async () => {
    using log = new TriedLog();
    const printed: string[] = [];
    for (let round = 0; round < (isLong ? 100 : 4); round++) {
      const both = [appending(log), appending(log)];
      // Each has written for a moment; the second goes on after the first was killed.
      while (both.some(({ lines }) => lines().length < 20)) await new Promise((resolve) => setTimeout(resolve, 1));
      for (const { child, ended } of both) {
        child.kill('SIGKILL');
        await ended;
      }
      for (const { lines } of both) printed.push(...lines());
    }
    await log.append(1);
    assertKept(log, printed);
  });
});

describe('an audit log on a disk that fails', { skip: cannotFail }, () => {
  const kinds: Record<string, Partial<DiskFault>> = {
    'one call fails': {},
    'a write is incomplete, for lack of space': { isTorn: true, error: 'ENOSPC' },
    'a sync fails': { onlySyncs: true },
  };
  let disk: FaultyDisk;
  before(() => {
    disk = new FaultyDisk();
  });
  after(() => disk.remove());

  it('takes no more records once a sync has failed that nobody waited for, and tells its owner', {
    timeout: 600_000,
  }, async () => {
    using log = new TriedLog();
    await log.append(1);
    disk.arm({ at: 2, onlySyncs: true });
    const run = appending(log, { program: 'append-lazily.ts', variables: disk.variables(dirname(log.place.folder)) });
    await run.ended;
    const { code, message, notes } = JSON.parse(run.lines()[0]!) as { code: string; message: string; notes: string[] };
    assert.equal(code, 'not_logged');
    assert.match(message, /^The audit log in .* can't be synced .* No more writes are sent/);
    assert.deepEqual(notes, [message]);
    assert.deepEqual(log.check().damages, []);
  });

  for (const [kind, fault] of Object.entries(kinds)) {
    it(`says so, and goes on once it can: ${kind}`, { timeout: 600_000 }, async () => {
      for (const at of isLong ? Array.from({ length: 200 }, (_, number) => number + 1) : [2, 7, 13, 24]) {
        using log = new TriedLog();
        await log.append(1);
        disk.arm({ at, ...fault });
        const run = appending(log, { count: 10, variables: disk.variables(dirname(log.place.folder)) });
        await run.ended;
        assert.equal(run.child.exitCode, 0);
        const lines = run.lines();
        const { times, first } = disk.failed;
        if (times > 0 && /^(write|fsync|fdatasync) \/audit\/audit-/.test(first))
          assert.ok(lines.includes('failed not_logged'), `${first} at ${at}: ${lines.join(' ')}`);
        assertKept(log, lines);
      }
    });
  }
});
