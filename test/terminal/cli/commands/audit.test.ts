import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { ownerSecret } from '../../../../src/base/files/owner-secret.ts';
import { AuditLog } from '../../../../src/desk/audit/audit-log.ts';
import { auditPlace, logFileOf } from '../../../../src/desk/audit/chain.ts';
import { asked, start } from '../../../desk/audit/logs.ts';
import { Desk } from '../practice.ts';

/** A machine with a log of some records. */
async function logged(): Promise<{ desk: Desk; file: string } & Disposable> {
  const desk = new Desk();
  const place = auditPlace(desk.variables);
  {
    await using log = AuditLog.open(place, { secret: ownerSecret(desk.variables) });
    log.append({ kind: 'event', time: start, event: 'started', says: 'The gate starts.' });
    log.append(asked(1));
    const write = asked(1).write;
    log.append({
      kind: 'outcome',
      time: start + 20,
      bot: 'alpha',
      write,
      outcome: 'done',
      status: 200,
      ids: ['ord_00000003a'],
    });
    log.append({ ...asked(2), bot: 'beta', decision: 'refused', term: 'sides', why: 'Only buys.\u001b[2J' });
  }
  return { desk, file: logFileOf(place.folder, 1), [Symbol.dispose]: () => desk[Symbol.dispose]() };
}

describe('perp audit show', () => {
  it('lists records newest first, with the words of each request', async () => {
    using machine = await logged();
    const { out } = await machine.desk.perp(['audit', 'show']);
    const lines = out.trim().split('\n');
    assert.deepEqual(lines.length, 5);
    assert.match(lines[1]!, /beta +refused +place market buy 0.02 BTC \(sides\): Only buys.\\u001b\[2J/);
    assert.match(lines[2]!, /alpha +done +200 ord_00000003a/);
    assert.match(lines[4]!, /started +The gate starts/);
  });

  it('takes a bot, a time, a text and a number of records', async () => {
    using machine = await logged();
    const numbers = async (...options: string[]) =>
      (await machine.desk.json('audit', 'show', ...options)).map(({ seq }: { seq: number }) => seq);
    assert.deepEqual(await numbers('--bot', 'alpha'), [3, 2]);
    assert.deepEqual(await numbers('--since', new Date(start + 15).toISOString()), [4, 3]);
    assert.deepEqual(await numbers('--find', 'ord_00000003a'), [3]);
    assert.deepEqual(await numbers('--limit', '1'), [4]);
  });

  it('without a log shows none', async () => {
    using desk = new Desk();
    assert.match((await desk.perp(['audit', 'show'])).out, /^No records/);
  });
});

describe('perp audit verify', () => {
  it('says that every record is as it was written, and prints a head to keep', async () => {
    using machine = await logged();
    const { exit, out } = await machine.desk.perp(['audit', 'verify']);
    assert.equal(exit, 0);
    assert.match(out, /^Every record is intact/);
    const [, head] = /--head (4:[0-9a-f]{64})/.exec(out)!;
    assert.equal((await machine.desk.json('audit', 'verify', '--head', head!)).is_sound, true);
    const other = await machine.desk.perp(['audit', 'verify', '--head', `3:${'0'.repeat(64)}`]);
    assert.equal(other.exit, 7);
    assert.equal((await machine.desk.perp(['audit', 'verify', '--head', '4'])).exit, 2);
  });

  it('exits 7 and names the place if a record was altered', async () => {
    using machine = await logged();
    writeFileSync(
      machine.file,
      readFileSync(machine.file, 'utf8')
        .replace('"size":0.01', '"size":0.09')
        .replace('\\"size\\":0.01', '\\"size\\":0.09'),
    );
    const { exit, out } = await machine.desk.perp(['audit', 'verify']);
    assert.equal(exit, 7);
    assert.match(out, /has been altered/);
    assert.match(out, /audit-000000000001.ndjson +3 +record 2 or the beginning of record 3 was altered/);
  });

  it('exits 7 if the head is missing, and is content without a log', async () => {
    using machine = await logged();
    rmSync(auditPlace(machine.desk.variables).headFile);
    assert.equal((await machine.desk.perp(['audit', 'verify'])).exit, 7);
    using fresh = new Desk();
    assert.match((await fresh.perp(['audit', 'verify'])).out, /^The audit log is empty/);
  });
});
