import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { beforeEach } from 'node:test';
import fc from 'fast-check';
import { IntentFile } from '../../../src/desk/intents/intent-file.ts';
import { readIntentFile, settleKeptWrite, unsettledWrites } from '../../../src/desk/intents/intent-files.ts';
import { eventOf, lineOf } from '../../../src/desk/intents/note.ts';
import { test, trial } from '../../tiers.ts';
import { abandon, cancelIntent, deadPid, noteOf, orderIntent } from './writes.ts';

let folder: string;
beforeEach((t) => {
  folder = join(mkdtempSync(join(tmpdir(), 'perp-intents-')), 'state', 'intents');
  (t as unknown as { after(fn: () => void): void }).after(() =>
    rmSync(join(folder, '../..'), { recursive: true, force: true }),
  );
});

const keys = () => unsettledWrites(folder).writes.map(({ note }) => note.intent.idempotencyKey);

test('a write can be read by other processes of its owner once it is kept, and is removed once settled', () => {
  const intents = new IntentFile(folder);
  const note = noteOf(orderIntent('a'));
  intents.open(note);
  assert.deepEqual(
    unsettledWrites(folder).writes.map((kept) => kept.note),
    [note],
  );
  assert.equal(statSync(intents.file!).mode & 0o777, 0o600);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  intents.close(note.id);
  intents.flush();
  assert.deepEqual(unsettledWrites(folder), { writes: [], damages: [] });
  intents.end();
  assert.deepEqual(readdirSync(folder), []);
});

test('a file made ready has room for its first writes, tells nothing, and is removed if nothing was written', () => {
  const intents = new IntentFile(folder);
  intents.makeReady();
  const { size } = statSync(intents.file!);
  assert.ok(size > 200_000, `${size} bytes`);
  assert.deepEqual(unsettledWrites(folder), { writes: [], damages: [] });
  for (const key of ['a', 'b']) intents.open(noteOf(orderIntent(key)));
  intents.makeReady();
  assert.equal(statSync(intents.file!).size, size, 'nothing was allocated for them');
  assert.deepEqual(keys().toSorted(), ['a', 'b']);
  for (const key of ['a', 'b']) intents.close(noteOf(orderIntent(key)).id);
  intents.end();
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(join(folder, '../file'), '');
  new IntentFile(join(folder, '../file')).makeReady();
});

test('a file made ready that is nearly full gets more room before the next write needs it', () => {
  const intents = new IntentFile(folder);
  intents.makeReady();
  const { size } = statSync(intents.file!);
  intents.open(noteOf(orderIntent('a'), { before: 'x'.repeat(size - 10_000) }));
  assert.equal(statSync(intents.file!).size, size);
  intents.makeReady();
  assert.ok(statSync(intents.file!).size > size + 200_000);
  assert.deepEqual(keys(), ['a']);
  intents.end();
});

test('the next process finds what an ended process left unsettled', () => {
  const intents = new IntentFile(folder);
  for (const key of ['a', 'b', 'c']) intents.open(noteOf(orderIntent(key), { time: key.charCodeAt(0) }));
  intents.close(noteOf(orderIntent('b')).id);
  intents.end();
  assert.deepEqual(keys(), ['a', 'c']);
});

test('a write is not settled if its process died before showing the answer; it is if the process is still running', () => {
  for (const [pid, expected] of [
    [deadPid, ['a']],
    [process.pid, []],
  ] as const) {
    const intents = new IntentFile(folder);
    intents.open(noteOf(orderIntent('a'), { pid }));
    intents.answer(noteOf(orderIntent('a')).id);
    intents.flush();
    assert.deepEqual(keys(), expected);
    rmSync(intents.file!);
  }
});

test('a write kept in advance counts once its turn has come, or if the whole machine crashed', async () => {
  const startOfMachine = Date.now() - uptime() * 1_000;
  const cases: [time: number, isReleased: boolean, isAlive: boolean, expected: string[]][] = [
    [startOfMachine + 3_600_000, false, false, []],
    [startOfMachine + 3_600_000, true, false, ['a']],
    [startOfMachine - 3_600_000, false, false, ['a']],
    [startOfMachine - 3_600_000, false, true, []],
    [startOfMachine + 3_600_000, true, true, ['a']],
  ];
  for (const [time, isReleased, isAlive, expected] of cases) {
    const intents = new IntentFile(folder);
    const note = noteOf(orderIntent('a'), { time, ahead: true, pid: isAlive ? process.pid : deadPid });
    intents.openAhead(note);
    await intents.syncFor(note.id);
    if (isReleased) intents.release(note.id);
    assert.deepEqual(keys(), expected, JSON.stringify({ time, isReleased, isAlive }));
    rmSync(intents.file!);
  }
});

test('unsettled writes of several processes come by time', () => {
  for (const [key, time] of [
    ['b', 2],
    ['d', 4],
    ['a', 1],
    ['c', 3],
  ] as const)
    abandon(folder, noteOf(orderIntent(key), { time }));
  assert.deepEqual(keys(), ['a', 'b', 'c', 'd']);
});

test("settling in another process's file closes only that write; closing the last one removes the file", () => {
  const file = renamed(abandon(folder, noteOf(orderIntent('a')), noteOf(orderIntent('b'))));
  const [first, second] = unsettledWrites(folder).writes;
  settleKeptWrite(first!);
  assert.deepEqual(keys(), ['b']);
  settleKeptWrite(first!);
  settleKeptWrite(second!);
  assert.deepEqual(readdirSync(folder), []);
  settleKeptWrite({ ...second!, file });
  assert.deepEqual(readdirSync(folder), [], 'a deleted file is not recreated');
});

trial('a long series of writes keeps the file small and loses none', () => {
  const intents = new IntentFile(folder);
  intents.open(noteOf(orderIntent('unanswered')));
  for (let count = 0; count < 600; count++) {
    const note = noteOf(orderIntent(`k${count}`));
    intents.open(note);
    if (count % 100 === 0) settleOwnCopy('elsewhere');
    intents.close(note.id);
  }
  intents.flush();
  assert.deepEqual(keys(), ['unanswered']);
  intents.close(noteOf(orderIntent('unanswered')).id);
  for (let count = 0; count < 2_500; count++) {
    const note = noteOf(orderIntent(`m${count}`));
    intents.open(note);
    intents.close(note.id);
  }
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
  assert.ok(sizes.length <= 1 && sizes.every((size) => size < 2 << 20), sizes.join());
  intents.end();
});

/** In the meantime, another process opens and settles its own writes. */
function settleOwnCopy(key: string): void {
  const file = renamed(abandon(folder, noteOf(orderIntent(key))));
  for (const kept of unsettledWrites(folder).writes) if (kept.file === file) settleKeptWrite(kept);
}

trial('with writes always open, as in an endless batch, the file is replaced by one that contains them', async () => {
  const intents = new IntentFile(folder);
  const note = (count: number) => noteOf(orderIntent(`k${count}`), { ahead: true, time: count, pid: deadPid });
  for (let count = 0; count < 3_000; count++) {
    intents.openAhead(note(count));
    if (count >= 1) {
      await intents.syncFor(note(count - 1).id);
      intents.release(note(count - 1).id);
    }
    if (count >= 2) intents.close(note(count - 2).id);
  }
  assert.equal(readdirSync(folder).length, 1);
  assert.ok(statSync(intents.file!).size < 3 << 19);
  intents.flush();
  assert.deepEqual(keys(), ['k2998', 'k2999'], 'released, and from before this machine started');
});

test('a settled write is recorded within a second, even without another write', (t) => {
  // Reset at once: a test file that loads while it is mocked would keep the mock.
  using timers = t.mock.timers;
  timers.enable({ apis: ['setTimeout'] });
  const intents = new IntentFile(folder);
  const note = noteOf(orderIntent('a'));
  intents.open(note);
  intents.close(note.id);
  timers.tick(1_000);
  assert.deepEqual(keys(), []);
});

test('an intent file that is removed while in use, as by another container, is recreated', () => {
  const intents = new IntentFile(folder);
  intents.open(noteOf(orderIntent('a')));
  rmSync(intents.file!);
  intents.open(noteOf(orderIntent('b')));
  assert.deepEqual(keys().sort(), ['a', 'b']);
});

test('an intent file truncated at any byte yields every complete event before the cut, reports the rest, and hides no other file', () => {
  const whole = renamed(abandon(folder, noteOf(orderIntent('a')), noteOf(orderIntent('b'))));
  const bytes = readFileSync(whole);
  const first = bytes.indexOf('\n') + 1;
  const second = bytes.indexOf('\n', first + 1) + 1;
  abandon(folder, noteOf(orderIntent('other')));
  for (const length of [
    ...Array(60).keys(),
    first - 1,
    first,
    first + 1,
    first + 300,
    second - 1,
    second,
    bytes.length - 1,
  ]) {
    writeFileSync(whole, bytes.subarray(0, length));
    const { writes, damages } = unsettledWrites(folder);
    const expected = ['other', ...(length >= first - 1 ? ['a'] : []), ...(length >= second - 1 ? ['b'] : [])];
    assert.deepEqual(writes.map(({ note }) => note.intent.idempotencyKey).sort(), expected.sort(), `${length} bytes`);
    const isWhole = length === 0 || length >= second - 1 || (length >= first - 1 && length <= first + 1);
    assert.equal(damages.length, isWhole ? 0 : 1, `${length} bytes: ${JSON.stringify(damages)}`);
  }
  truncateSync(whole);
});

test('a note that its process has not finished writing is not damage; once the process has ended, it is cut off', () => {
  const intents = new IntentFile(folder);
  for (const key of ['a', 'b']) intents.open(noteOf(orderIntent(key)));
  const own = intents.file!;
  const bytes = readFileSync(own);
  const end = bytes.lastIndexOf('}') + 1;
  assert.ok(bytes.length > end + 4_096, 'there is room for more notes');
  bytes.fill(' ', end - 100, end + 1);
  writeFileSync(own, bytes);
  const seen = () => {
    const { writes, damages } = unsettledWrites(folder);
    return [writes.map(({ note }) => note.intent.idempotencyKey), damages.map(({ reason }) => reason)];
  };
  assert.deepEqual(seen(), [['a'], []]);
  renamed(own);
  assert.match(String(seen()), /^a,it ends in the middle of an entry/);
});

test('a line that is cut off before others is damage, also while its process runs', () => {
  const intents = new IntentFile(folder);
  for (const key of ['a', 'b', 'c']) intents.open(noteOf(orderIntent(key)));
  const own = intents.file!;
  const bytes = readFileSync(own);
  const end = bytes.indexOf('}\n') + 1;
  bytes.fill(' ', end - 100, end);
  writeFileSync(own, bytes);
  const { writes, damages } = unsettledWrites(folder);
  assert.deepEqual(
    [writes.map(({ note }) => note.intent.idempotencyKey), damages.map(({ reason }) => reason)],
    [['b', 'c'], ['line 1 is damaged']],
  );
});

test('after a note that was written only in part, or not at all, the next notes are complete', (t) => {
  const { writeSync } = fs;
  for (const taken of [0, 1, 100]) {
    const intents = new IntentFile(folder);
    for (const key of ['a', 'b']) intents.open(noteOf(orderIntent(key)));
    const broken = t.mock.method(fs, 'writeSync', (file: number, bytes: Buffer, at: number, _: number, to: number) => {
      writeSync(file, bytes, at, taken, to);
      throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    });
    syncBuiltinESMExports();
    assert.throws(() => intents.open(noteOf(orderIntent('c'))), /i\/o error/);
    assert.deepEqual(
      [...intents.openNotes].map(({ intent }) => intent.idempotencyKey),
      ['a', 'b'],
    );
    broken.mock.restore();
    syncBuiltinESMExports();
    for (const key of ['d', 'e']) intents.open(noteOf(orderIntent(key)));
    intents.flush();
    assert.deepEqual(
      readIntentFile(intents.file!).writes.map(({ note }) => note.intent.idempotencyKey),
      ['a', 'b', 'd', 'e'],
      `${taken} bytes`,
    );
  }
});

test('a note that can’t be synced is kept nowhere, so that its write is not sent and nobody looks for it', (t) => {
  const intents = new IntentFile(folder);
  intents.open(noteOf(orderIntent('a')));
  const broken = t.mock.method(fs, 'fdatasyncSync', () => {
    throw Object.assign(new Error('i/o error'), { code: 'EIO' });
  });
  syncBuiltinESMExports();
  assert.throws(() => intents.open(noteOf(orderIntent('b'))), /i\/o error/);
  broken.mock.restore();
  syncBuiltinESMExports();
  intents.flush();
  assert.deepEqual(keys(), ['a']);
  intents.open(noteOf(orderIntent('c')));
  assert.deepEqual(keys().toSorted(), ['a', 'c']);
  intents.end();
});

test('what the disk refuses about settled writes ends nothing, and is written with the next write', (t) => {
  const intents = new IntentFile(folder);
  const [settled, open] = [noteOf(orderIntent('a')), noteOf(orderIntent('b'))];
  for (const note of [settled, open]) intents.open(note);
  const full = t.mock.method(fs, 'writeSync', () => {
    throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  {
    // Only where no exports are set, which would keep the mock.
    using timers = t.mock.timers;
    timers.enable({ apis: ['setTimeout'] });
    intents.close(settled.id);
    timers.tick(1_000);
  }
  assert.throws(() => intents.open(noteOf(orderIntent('c'))), /no space left/);
  full.mock.restore();
  syncBuiltinESMExports();
  assert.deepEqual(keys(), ['a', 'b']);
  intents.open(noteOf(orderIntent('d')));
  assert.deepEqual(keys(), ['b', 'd']);
});

test('any damage to a line is detected; it is never read as another write', () => {
  const line = lineOf({ kind: 'opened', note: noteOf(orderIntent('a')) }).trimEnd();
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.string({ minLength: 1, maxLength: 3 }), (at, text) => {
      const damaged = line.slice(0, at) + text + line.slice(at + text.length);
      assert.equal(damaged === line ? undefined : eventOf(damaged), undefined);
    }),
  );
});

test('other files, folders, unreadable bytes and entries of a later format are reported and not trusted', () => {
  abandon(folder, noteOf(orderIntent('a')));
  writeFileSync(join(folder, `x-${deadPid}-1.journal`), Buffer.from([0, 255, 10, 13, 10, 200]));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const later = { ...noteOf(orderIntent('b')), format: 2 } as never;
  writeFileSync(join(folder, `y-${deadPid}-2.journal`), lineOf({ kind: 'opened', note: later }));
  const tampered = noteOf({ ...orderIntent('c'), body: orderIntent('c').body!.replace('0.01', '9') });
  writeFileSync(join(folder, `z-${deadPid}-3.journal`), lineOf({ kind: 'opened', note: tampered }));
  const { writes, damages } = unsettledWrites(folder);
  assert.deepEqual(
    writes.map(({ note }) => note.intent.idempotencyKey),
    ['a'],
  );
  assert.deepEqual(new Set(damages.map(({ file }) => file.at(-9))), new Set(['1', '2', '3']));
  assert.match(damages[0]!.reason, /line 1 is damaged/);
});

test('intent files without open writes are removed once their process has ended, and not before', () => {
  const intents = new IntentFile(folder);
  const note = noteOf(orderIntent('a'));
  intents.open(note);
  intents.close(note.id);
  intents.flush();
  const own = intents.file!;
  utimesSync(own, 0, 0);
  unsettledWrites(folder);
  assert.equal(readdirSync(folder).length, 1, 'this process is running');
  const left = renamed(own);
  unsettledWrites(folder);
  assert.deepEqual(readdirSync(folder), [], left);
});

trial('processes killed while keeping and settling writes leave readable files', async () => {
  const program = join(import.meta.dirname, 'programs/keep-writes.ts');
  const writers = [0, 1].map(() =>
    spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await Promise.all(writers.map((writer) => once(writer.stdout!, 'data')));
  const reading = setInterval(() => assert.deepEqual(unsettledWrites(folder).damages, []), 1);
  await new Promise((resolve) => setTimeout(resolve, 40));
  clearInterval(reading);
  for (const writer of writers) {
    writer.kill('SIGKILL');
    await once(writer, 'close');
  }
  const { writes, damages } = unsettledWrites(folder);
  // A process may be killed while it is writing a note, of which it then sends nothing.
  assert.deepEqual(
    damages.filter(({ reason }) => !reason.startsWith('it ends in the middle of an entry')),
    [],
  );
  assert.ok(writes.length <= 2, `${writes.length}`);
  for (const file of new Set(unsettledWrites(folder).writes.map(({ file }) => file))) {
    assert.equal(readIntentFile(file).writes.length, 1);
  }
});

test('writes without a key are kept', () => {
  abandon(folder, noteOf(cancelIntent('ord_1')));
  assert.equal(unsettledWrites(folder).writes[0]!.note.intent.path.order_id, 'ord_1');
});

/** Makes an intent file of this running process look like that of an ended one. */
function renamed(file: string): string {
  const other = file.replace(`-${process.pid}-`, `-${deadPid}-`);
  renameSync(file, other);
  return other;
}
