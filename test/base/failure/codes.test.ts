import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { test } from 'node:test';
import { exitCodes, Failure, ownCodeOf, ownCodes } from '../../../src/base/failure/failure.ts';
import { factsOf } from '../../../src/base/failure/report.ts';
import { ApiError, ConnectionError, NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { sentIn, sentIssue } from '../../../src/wire/contract/errors.ts';

test("a code of perp's own says whether the request was sent, and with which status perp ends", () => {
  const { facts } = new Failure({ code: 'guard_lock', message: 'The account is locked.' });
  assert.deepEqual([facts.sent, facts.exit], ['no', exitCodes.rejected]);
  for (const [code, [sent, exit]] of Object.entries(ownCodes))
    assert.equal(sent === 'unknown', exit === exitCodes.outcomeUnknown || exit === exitCodes.bug, code);
});

test("each of perp's own codes is in use", async () => {
  let sources = '';
  for await (const file of glob('src/**/*.ts'))
    if (!file.endsWith('failure/failure.ts')) sources += readFileSync(file, 'utf8');
  const composed = /^(?:keychain|store)_/;
  const inFailure = new Set(['terminated', 'interrupted']);
  const unused = Object.keys(ownCodes).filter(
    (code) => !composed.test(code) && !inFailure.has(code) && !sources.includes(`'${code}'`),
  );
  assert.deepEqual(unused, []);
});

test('a code is compared only with codes that exist, and a word of a host with none of perp', () => {
  const error = new ApiError({ status: 422, headers: {}, body: { error: { code: 'guard_lock', message: 'No.' } } });
  assert.equal(ownCodeOf(error), undefined, 'a host that says guard_lock has no lock of perp');
  assert.equal(factsOf(error).code, 'guard_lock');
  const own = ownCodeOf(new Failure({ code: 'usage', message: 'No.' }));
  // @ts-expect-error There is no such code.
  assert.ok(own !== 'locked');
  // @ts-expect-error Neither the API nor perp has this code.
  assert.ok(error.code !== 'locked');
  // @ts-expect-error A failure has one of perp's codes.
  assert.throws(() => new Failure({ code: 'locked', message: 'No.' }));
});

test('what was sent is said by whoever knows: the door, the connection, a gate', () => {
  assert.equal(factsOf(new ConnectionError('nothing is listening')).sent, 'no');
  assert.equal(factsOf(new NoAnswerError('no answer came')).sent, 'yes');
  const refused = (details: unknown) =>
    factsOf(
      new ApiError({ status: 503, headers: {}, body: { error: { code: 'unavailable', message: 'No.', details } } }),
    );
  assert.equal(refused(undefined).sent, 'yes');
  assert.equal(refused([sentIssue('no')]).sent, 'no');
  assert.equal(refused({ sent: 'no', allowed: 'nothing' }).sent, 'no');
  assert.equal(sentIn([{ field: 'sent', issue: 'perhaps' }]), undefined);
});
