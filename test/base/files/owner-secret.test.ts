import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Failure } from '../../../src/base/failure/failure.ts';
import { existingOwnerSecret, ownerSecret, ownerSecretFile } from '../../../src/base/files/owner-secret.ts';

let folder = '';
const variables = () => ({ PERP_STATE_DIR: folder });
const refused = (code: string) => (error: unknown) => error instanceof Failure && error.facts.code === code;

describe("the owner's secret", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'perp-secret-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is made at first use, private, and then stays', () => {
    assert.equal(existingOwnerSecret(variables()), undefined);
    const made = ownerSecret(variables());
    const { mode, size } = statSync(ownerSecretFile(variables()));
    assert.equal(size, 32);
    assert.equal(mode & 0o777, 0o600);
    assert.equal(existingOwnerSecret(variables())!.sign('mandate', 'x'), made.sign('mandate', 'x'));
    assert.deepEqual(readdirSync(dirname(ownerSecretFile(variables()))), ['secret']);
  });

  it('signs one text for one purpose', () => {
    const secret = ownerSecret(variables());
    const signature = secret.sign('approval', 'a');
    assert.match(signature, /^[0-9a-f]{64}$/);
    assert.ok(secret.isSigned('approval', 'a', signature));
    assert.ok(!secret.isSigned('approval', 'b', signature));
    assert.ok(!secret.isSigned('mandate', 'a', signature));
    for (const other of [undefined, '', signature.slice(1), `${signature}0`, signature.toUpperCase(), 7])
      assert.ok(!secret.isSigned('approval', 'a', other), String(other));
  });

  it('is refused if others can read it', () => {
    ownerSecret(variables());
    for (const mode of [0o640, 0o604, 0o660, 0o622]) {
      chmodSync(ownerSecretFile(variables()), mode);
      assert.throws(() => ownerSecret(variables()), refused('secret_exposed'));
    }
  });

  it('is refused, and not replaced, if it is cut, long, a folder or a link', () => {
    const file = ownerSecretFile(variables());
    ownerSecret(variables());
    for (const size of [0, 31, 33, 5_000]) {
      writeFileSync(file, Buffer.alloc(size));
      assert.throws(() => ownerSecret(variables()), refused('secret_unusable'));
      assert.equal(statSync(file).size, size);
    }
    rmSync(file);
    symlinkSync(join(folder, 'elsewhere'), file);
    assert.throws(() => ownerSecret(variables()), refused('secret_unusable'));
  });
});
