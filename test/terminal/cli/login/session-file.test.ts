import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  readSessionFile,
  removeFromSessionFile,
  sessionFile,
  writeSessionFile,
} from '../../../../src/desk/credentials/session-file.ts';

const host = 'https://api.example.com';
const session = { apiKey: 'sim_session_live_0123456789', name: 'laptop', expiresAt: 1_797_807_182_218 };

function place(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'perp-session-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const variables = { PERP_STATE_DIR: join(folder, 'state') };
  return { folder, variables, file: sessionFile(variables) };
}

describe('the file of --insecure-storage', () => {
  it('stores one session per host', (t) => {
    const { variables } = place(t);
    const other = { ...session, name: 'other' };
    writeSessionFile(variables, host, session);
    writeSessionFile(variables, 'https://other.example.com', other);
    assert.deepEqual(readSessionFile(variables, host), session);
    assert.deepEqual(readSessionFile(variables, 'https://other.example.com'), other);
    assert.equal(readSessionFile(variables, 'https://evil.example.com'), undefined);
  });

  it('is private to its owner, as is its folder, and leaves no other files', (t) => {
    const { variables, file } = place(t);
    writeSessionFile(variables, host, session);
    writeSessionFile(variables, host, session);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
    assert.deepEqual(readdirSync(join(file, '..')), ['credentials.json', 'credentials.json.lock']);
  });

  it('is removed with its last session', (t) => {
    const { variables, file } = place(t);
    writeSessionFile(variables, host, session);
    writeSessionFile(variables, 'https://other.example.com', session);
    removeFromSessionFile(variables, 'https://other.example.com');
    assert.equal(existsSync(file), true);
    removeFromSessionFile(variables, host);
    assert.equal(existsSync(file), false);
    removeFromSessionFile(variables, host);
  });

  const untrusted: [what: string, make: (file: string, folder: string) => void][] = [
    ['is readable by others', (file) => chmodSync(file, 0o644)],
    ['is writable by its group', (file) => chmodSync(file, 0o620)],
    [
      'is a link to a valid file',
      (file, folder) => {
        const real = join(folder, 'real.json');
        writeFileSync(real, readFileSync(file), { mode: 0o600 });
        rmSync(file);
        symlinkSync(real, file);
      },
    ],
    [
      'is a link to nowhere',
      (file) => {
        rmSync(file);
        symlinkSync('/nowhere/at/all', file);
      },
    ],
    [
      'is a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
    ],
    ['is cut off', (file) => writeFileSync(file, '{"https://api')],
    ['has other contents', (file) => writeFileSync(file, '{"a": {"b": 1}}')],
  ];
  for (const [what, make] of untrusted) {
    it(`is refused, for reading and for writing, when it ${what}`, {
      skip: process.platform === 'win32' && 'no modes on Windows',
    }, (t) => {
      const { variables, file, folder } = place(t);
      writeSessionFile(variables, host, session);
      make(file, folder);
      const refusal = (error: Error & { facts?: { code: string; exit: number; hint?: string } }) => {
        assert.equal(error.facts?.code, 'insecure_storage');
        assert.equal(error.facts.exit, 4);
        assert.ok(error.facts.hint);
        assert.doesNotMatch(error.message, /sim_session/);
        return true;
      };
      assert.throws(() => readSessionFile(variables, host), refusal);
      assert.throws(() => writeSessionFile(variables, host, session), refusal);
      assert.throws(() => removeFromSessionFile(variables, host), refusal);
    });
  }

  it('of another user is rejected', { skip: process.platform === 'win32' && 'no owners on Windows' }, (t) => {
    const { variables, file } = place(t);
    writeSessionFile(variables, host, session);
    // Only root can change a file's owner; others act as another user for a moment.
    if (process.getuid!() === 0) chownSync(file, 12345, 12345);
    else {
      const { getuid } = process;
      t.after(() => Object.assign(process, { getuid }));
      process.getuid = () => 12345;
    }
    assert.throws(() => readSessionFile(variables, host), /belongs to another user/);
  });
});
