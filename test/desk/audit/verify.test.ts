import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { existingOwnerSecret } from '../../../src/base/files/owner-secret.ts';
import { verifyAudit } from '../../../src/desk/audit/verify.ts';
import { anyDamage, damage } from './damages.ts';
import { fill, TriedLog } from './logs.ts';

const records = 60;

describe('verifying an audit log', () => {
  it('finds whatever is altered, removed, moved, added or cut, also if the chain is rewritten', () => {
    using log = new TriedLog();
    const lines = fill(log, records);
    assert.deepEqual(log.check().damages, []);
    fc.assert(
      fc.property(anyDamage(records), (drawn) => {
        damage(log, lines, drawn);
        assert.notDeepEqual(log.check().damages, []);
      }),
      { numRuns: 150 },
    );
  });

  it('names the place', () => {
    using log = new TriedLog();
    const lines = fill(log, records);
    const [file] = [log.file().split('/').at(-1)!];
    const cases = [
      ['removes a record', 4, { file, line: 5, says: 'record 5 is missing before record 6' }],
      ['alters a byte', 4, { file, line: 6, says: 'record 5 or the beginning of record 6 was altered' }],
      ['cuts the tail', 50, { file: null, line: null, says: 'the last 10 of its 60 records are missing' }],
    ] as const;
    for (const [way, at, wanted] of cases) {
      // The last byte of the record's text.
      damage(log, lines, { way, at, other: lines[at]!.length - 3 });
      assert.deepEqual(log.check().damages, [wanted], way);
    }
  });

  it('finds a log that was replaced, head and all, by a hash that was written down', () => {
    using log = new TriedLog();
    const [before] = [fill(log, records), log.check().last];
    const { last } = log.check();
    assert.deepEqual(log.check(last).damages, []);
    fill(log, records - 1);
    assert.deepEqual(log.check().damages, []);
    assert.match(log.check(last).damages[0]!.says, /^record 60 is not the one with the hash/);
    assert.equal(before.length, records);
  });

  it('finds a head whose newer copy was damaged, so that the tail after the older one could be cut', () => {
    using log = new TriedLog();
    fill(log, 3);
    const head = readFileSync(log.place.headFile, 'latin1');
    assert.deepEqual(log.check().damages, []);
    writeFileSync(log.place.headFile, head.replace('"records":3', '"records":4'));
    log.write(...log.lines().slice(0, 2));
    assert.match(log.check().damages[0]!.says, /^one of the two copies of its head is not signed/);
  });

  it('takes no head for signed without the secret', () => {
    using log = new TriedLog();
    fill(log, 3);
    const check = verifyAudit(log.place, existingOwnerSecret({ PERP_STATE_DIR: log.place.folder }));
    assert.equal(check.head, null);
    assert.notDeepEqual(check.damages, []);
  });
});
