import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Keychain, KeychainError } from '../../../../src/desk/credentials/keychain.ts';
import { it, trial } from '../../../tiers.ts';
import { KeychainSession, noKeychain } from './keychain-session.ts';

describe('the keychain', () => {
  trial('returns what was stored, and nothing once it is removed', { skip: noKeychain }, async (t) => {
    const { keychain } = await KeychainSession.start(t);
    assert.equal(await keychain.read('live https://a.example'), undefined);
    await keychain.write('live https://a.example', 'first');
    await keychain.write('live https://a.example', 'sécond "with" \\ everything\n');
    await keychain.write('live https://b.example', 'other');
    assert.equal(await keychain.read('live https://a.example'), 'sécond "with" \\ everything\n');
    await keychain.remove('live https://a.example');
    await keychain.remove('live https://a.example');
    assert.equal(await keychain.read('live https://a.example'), undefined);
    assert.equal(await keychain.read('live https://b.example'), 'other');
  });

  it('that does not exist is an immediate error', async () => {
    await assert.rejects(
      new Keychain({ PATH: process.env.PATH }).read('live https://a.example'),
      (error: KeychainError) => error instanceof KeychainError && error.problem !== 'silent',
    );
  });
});
