import assert from 'node:assert/strict';
import fs, {
  appendFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Failure } from '../../../src/base/failure/failure.ts';
import { hideSecret } from '../../../src/base/text/plain-text.ts';
import { AuditHead } from '../../../src/desk/audit/head.ts';
import type { KeptRecord } from '../../../src/desk/audit/record.ts';
import { asked, secret, start, TriedLog } from './logs.ts';

const refused =
  (code: string, words = /./) =>
  (error: unknown) =>
    error instanceof Failure && error.facts.code === code && words.test(error.message);

describe('an audit log', () => {
  it('keeps records in the order of appending, each with the hash of the line before', async () => {
    using tried = new TriedLog();
    await tried.append(1, 2);
    await tried.append(3);
    const records = tried.lines().map((line) => JSON.parse(line) as KeptRecord);
    assert.deepEqual(
      records.map(({ seq }) => seq),
      [1, 2, 3],
    );
    const { prev, seq, ...own } = records[2]!;
    assert.deepEqual(own, asked(3));
    const check = tried.check();
    assert.deepEqual([check.records, check.unsigned, check.incomplete, check.damages], [3, 0, 0, []]);
    assert.deepEqual(check.head, check.last);
  });

  it('has a head of two slots, of which the damaged one is written next', async () => {
    using tried = new TriedLog();
    await tried.append(1);
    const head = readFileSync(tried.place.headFile);
    for (const from of [0, head.length / 2]) {
      const damaged = Buffer.from(head).fill(' ', from, from + head.length / 2);
      writeFileSync(tried.place.headFile, damaged);
      const kept = new AuditHead(tried.place.headFile, secret);
      const before = kept.read();
      assert.equal(kept.isWhole, false);
      kept.advance({ seq: 2, hash: '2'.repeat(64) });
      assert.equal(kept.isWhole, true, `slot at ${from}`);
      assert.deepEqual([typeof before, kept.read()], ['object', { seq: 2, hash: '2'.repeat(64) }]);
    }
  });

  it('has a head that is not taken for synced when the disk refuses', async (t) => {
    using tried = new TriedLog();
    await tried.append(1);
    const head = new AuditHead(tried.place.headFile, secret);
    await head.syncBeside();
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const refusing = t.mock.method(fs, 'fdatasync', (_: number, done: (error: Error) => void) => done(full));
    syncBuiltinESMExports();
    try {
      await assert.rejects(head.syncBeside(), full);
    } finally {
      refusing.mock.restore();
      syncBuiltinESMExports();
    }
  });

  it('is readable only by its owner, as is its head', async () => {
    using tried = new TriedLog();
    await tried.append(1);
    for (const file of [tried.file(), tried.place.headFile]) assert.equal(statSync(file).mode & 0o077, 0, file);
    for (const file of [tried.file(), tried.place.headFile])
      assert.equal(statSync(dirname(file)).mode & 0o077, 0, file);
  });

  it('contains no known secret', async () => {
    using tried = new TriedLog();
    hideSecret('top-secret-of-the-audit-test');
    {
      await using log = tried.open();
      log.append({ kind: 'event', time: start, event: 'started', says: 'with top-secret-of-the-audit-test' });
    }
    assert.equal((JSON.parse(tried.lines()[0]!) as { says: string }).says, 'with [hidden]');
    assert.deepEqual(tried.check().damages, []);
  });

  it('is signed as far as it is synced, with one sync for all who wait', async () => {
    using tried = new TriedLog();
    await using log = tried.open();
    for (const number of [1, 2, 3]) log.append(asked(number));
    assert.equal(tried.check().unsigned, 3);
    const both = Promise.all([log.synced(), log.synced()]);
    log.append(asked(4));
    await both;
    assert.equal(tried.check().unsigned, 1);
    await log.synced();
    assert.equal(tried.check().unsigned, 0);
  });

  it('writes what may follow with the next record, before it, or soon', { timeout: 60_000 }, async () => {
    using tried = new TriedLog();
    {
      await using log = tried.open();
      log.append(asked(1));
      log.follow(asked(2));
      assert.equal(tried.check().records, 1);
      assert.equal(log.append(asked(3)), 3);
      log.follow(asked(4));
      while (tried.check().records < 4) await new Promise((resolve) => setTimeout(resolve, 5));
      log.follow(asked(5));
    }
    const keys = tried.lines().map((line) => (JSON.parse(line) as ReturnType<typeof asked>).request.key);
    assert.deepEqual(keys, ['key-1', 'key-2', 'key-3', 'key-4', 'key-5']);
    assert.deepEqual([tried.check().unsigned, tried.check().damages], [0, []]);
  });

  it('is on disk soon without anyone waiting', { timeout: 60_000 }, async () => {
    using tried = new TriedLog();
    await using log = tried.open();
    log.append(asked(1));
    while (tried.check().unsigned > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('goes on in another file when one is long, in one chain', async () => {
    using tried = new TriedLog();
    {
      await using log = tried.open(1_000);
      for (let number = 1; number <= 10; number++) log.append(asked(number));
    }
    const { files, records, damages } = tried.check();
    assert.deepEqual([records, damages], [10, []]);
    assert.ok(files > 2, `${files} files`);
    await tried.append(11);
    assert.equal(tried.check().records, 11);
    const [, second] = readdirSync(tried.place.folder).filter((name) => name.startsWith('audit-'));
    rmSync(join(tried.place.folder, second!));
    assert.match(tried.check().damages[0]!.says, /^records? .* missing before record/);
  });

  it('of several processes is one chain, also when another one begins the next file', async () => {
    using tried = new TriedLog();
    {
      await using one = tried.open(2_000);
      await using other = tried.open(2_000);
      for (let number = 1; number <= 30; number++) {
        const log = number % 3 === 0 ? one : other;
        assert.equal(log.append(asked(number)), number);
        if (number % 7 === 0) await log.synced();
      }
    }
    const { records, files, unsigned, damages } = tried.check();
    assert.deepEqual([records, unsigned, damages], [30, 0, []]);
    assert.ok(files > 3, `${files} files`);
  });

  it('sets an incomplete last line aside, says so, and loses nothing else', async () => {
    using tried = new TriedLog();
    await tried.append(1, 2);
    appendFileSync(tried.file(), '{"prev":"0123');
    const { incomplete, damages } = tried.check();
    assert.deepEqual([incomplete, damages], [13, []]);
    await tried.append(3);
    assert.deepEqual([tried.check().records, tried.check().incomplete, tried.check().damages], [4, 0, []]);
    const recovered = JSON.parse(tried.lines()[2]!) as { event: string; facts: unknown };
    assert.equal(recovered.event, 'recovered');
    assert.deepEqual(recovered.facts, { incomplete: '{"prev":"0123' });
    assert.match(tried.notes[0]!, /13 bytes of an incomplete record were set aside/);
  });

  it('notices a line that another process left incomplete while both wrote', async () => {
    using tried = new TriedLog();
    await using log = tried.open();
    log.append(asked(1));
    appendFileSync(tried.file(), 'torn');
    assert.equal(log.append(asked(2)), 3);
    await log.synced();
    assert.deepEqual([tried.check().records, tried.check().damages], [3, []]);
  });

  it('takes over complete records that were not signed yet, and says how many', async () => {
    using tried = new TriedLog();
    const log = tried.open();
    log.append(asked(1));
    log.append(asked(2));
    await tried.append(3);
    const event = JSON.parse(tried.lines()[2]!) as { event: string; facts: unknown };
    assert.deepEqual([event.event, event.facts], ['unsigned', { records: 2 }]);
    assert.deepEqual([tried.check().records, tried.check().damages], [4, []]);
    await log[Symbol.asyncDispose]();
  });

  it('keeps order and counts when the clock is set back', async () => {
    using tried = new TriedLog();
    {
      await using log = tried.open();
      log.append(asked(1, start));
      log.append(asked(2, start - 3_600_000));
      log.append(asked(3, start - 3_600_000));
    }
    assert.deepEqual([tried.check().records, tried.check().clock_steps, tried.check().damages], [3, 1, []]);
  });

  it('is not opened when its tail is cut, its end rewritten, or its head is missing or forged', async () => {
    using tried = new TriedLog();
    await tried.append(1, 2, 3);
    const [one, two, three] = tried.lines() as [string, string, string];
    const damaged = refused('audit_damaged', /is damaged: /);
    tried.write(one, two);
    assert.throws(() => tried.open(), damaged);
    tried.write(one, two, three.replace('0.03', '0.04'));
    assert.throws(() => tried.open(), damaged);
    tried.write(one, two.replace('0.02', '0.03'), three);
    assert.throws(() => tried.open(), damaged);
    rmSync(tried.file());
    assert.throws(() => tried.open(), damaged);
    tried.write(one, two, three);
    const head = readFileSync(tried.place.headFile);
    rmSync(tried.place.headFile);
    assert.throws(() => tried.open(), damaged);
    writeFileSync(tried.place.headFile, head.toString().replaceAll('"mac":"', '"mac":"0'));
    assert.throws(() => tried.open(), damaged);
    writeFileSync(tried.place.headFile, head);
    await tried.append(4);
    assert.equal(tried.check().records, 4);
  });

  it('refuses to go on when it is cut, moved or removed meanwhile', async () => {
    using tried = new TriedLog();
    await using log = tried.open();
    log.append(asked(1));
    await log.synced();
    truncateSync(tried.file(), 10);
    assert.throws(() => log.append(asked(2)), refused('audit_damaged', /it was truncated/));
    renameSync(tried.file(), `${tried.file()}.moved`);
    assert.throws(() => log.append(asked(2)), refused('audit_damaged', /moved or removed/));
  });

  it('says so when it can’t be written', () => {
    using tried = new TriedLog();
    writeFileSync(tried.place.folder, 'a file in its place');
    assert.throws(() => tried.open(), refused('not_logged', /^Nothing was sent, because the audit log/));
  });
});
