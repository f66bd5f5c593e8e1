import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KeychainError } from '../../../../src/desk/credentials/keychain.ts';
import { served } from '../../../service/serving.ts';
import { KeychainSession, noKeychain } from './keychain-session.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';
import { sessionsOf } from './sessions.ts';

const person = new Person();

describe('the keychain of the system', { skip: noKeychain }, () => {
  it('that hangs is an error after three seconds and lets the process end', async (t) => {
    const session = await KeychainSession.start(t);
    session.hang();
    const begun = performance.now();
    await assert.rejects(session.keychain.read('live https://a.example'), (error: KeychainError) => {
      assert.equal(error.problem, 'silent');
      return true;
    });
    const tookMs = performance.now() - begun;
    assert.ok(tookMs > 2_900, `${tookMs} ms`);
  });

  it('that is locked stores nothing', async (t) => {
    const { keychain } = await KeychainSession.start(t, { unlocked: false });
    await assert.rejects(keychain.check(), KeychainError);
  });
});

describe('a login in the keychain', { skip: noKeychain }, () => {
  it('is used by the next command, only for its own host, and is gone after logout', async (t) => {
    const [serving, other] = [await served(t), await served(t)];
    const session = await KeychainSession.start(t);
    const machine = new Machine(t, serving.baseUrl, session.variables);
    const running = machine.start(['login', '--no-browser', '--name', 'desk', '--json']);
    await person.approve(await running.address());
    const login = await running.ended;
    assert.equal(login.exit, 0, login.err);
    assert.equal(JSON.parse(login.out).kept, 'keychain');

    const used = await machine.perp(['whoami', '--json']);
    assert.equal(used.exit, 0, used.err);
    const { source, name, scopes, verified, credential, expires_at } = JSON.parse(used.out);
    assert.deepEqual(
      { source, name, scopes, verified, credential, expires_at },
      {
        source: 'keychain',
        name: 'desk',
        scopes: ['read', 'trade'],
        verified: true,
        credential: 'sim_session_live_...',
        expires_at: JSON.parse(login.out).expires_at,
      },
    );
    assert.match(used.err, /^\*\*\* LIVE 127\.0\.0\.1:\d+ \(a simulation, synthetic\) \*\*\*\n$/);

    const elsewhere = await machine.perp(['accounts'], { PERP_BASE_URL: other.baseUrl });
    assert.equal(elsewhere.exit, 4, elsewhere.err);
    assert.match(elsewhere.err, /No login and no API key/);

    const logout = await machine.perp(['logout']);
    assert.equal(logout.exit, 0, logout.err);
    assert.deepEqual(sessionsOf(serving), [{ name: 'desk', isLive: false }]);
    assert.equal((await machine.perp(['accounts'])).exit, 4);
    assert.match((await machine.perp(['logout'])).out, /Not logged in to/);
  });

  it('moves to the file and back, revoking the earlier session each time', async (t) => {
    const serving = await served(t);
    const session = await KeychainSession.start(t);
    const machine = new Machine(t, serving.baseUrl, session.variables);
    for (const flags of [[], ['--insecure-storage'], []]) {
      const running = machine.start(['login', '--no-browser', ...flags]);
      await person.approve(await running.address());
      const { exit, err } = await running.ended;
      assert.equal(exit, 0, err);
      assert.equal(sessionsOf(serving).filter(({ isLive }) => isLive).length, 1);
      const { source } = JSON.parse((await machine.perp(['whoami', '--json'])).out);
      assert.equal(source, flags.length === 0 ? 'keychain' : 'file');
    }
  });

  it('is an error that suggests a fix when the keychain hangs, for every command that needs it', async (t) => {
    const serving = await served(t);
    const session = await KeychainSession.start(t);
    const machine = new Machine(t, serving.baseUrl, session.variables);
    const running = machine.start(['login', '--no-browser']);
    await person.approve(await running.address());
    assert.equal((await running.ended).exit, 0);
    session.hang();
    const runs = await Promise.all([['accounts'], ['whoami']].map((argv) => machine.perp(argv)));
    runs.push(await machine.perp(['logout']), await machine.perp(['login']));
    for (const { exit, err } of runs) {
      assert.equal(exit, 7, err);
      assert.match(err, /did not answer within 3 seconds/);
      assert.match(err, /PERP_API_KEY, --api-key-file FILE, or perp login --insecure-storage/);
    }
    // A command with a key does not need the keychain.
    const keyed = await machine.perp(['accounts'], { PERP_API_KEY: serving.key });
    assert.equal(keyed.exit, 0, keyed.err);
    assert.equal(sessionsOf(serving).filter(({ isLive }) => isLive).length, 1);
  });

  it('that is missing from the keychain is reported as missing', async (t) => {
    const serving = await served(t);
    const session = await KeychainSession.start(t);
    const machine = new Machine(t, serving.baseUrl, session.variables);
    const running = machine.start(['login', '--no-browser', '--name', 'desk']);
    await person.approve(await running.address());
    assert.equal((await running.ended).exit, 0);
    await session.keychain.remove(`live ${serving.baseUrl}`);
    const used = await machine.perp(['accounts']);
    assert.equal(used.exit, 4);
    assert.match(used.err, /The login desk is not in the keychain/);
    const logout = await machine.perp(['logout']);
    assert.equal(logout.exit, 7);
    assert.match(logout.err, /session desk was stored in the keychain, but is not there now/);
    assert.equal((await machine.perp(['logout', '--force'])).exit, 0);
    assert.match((await machine.perp(['accounts'])).err, /No login and no API key/);
  });
});
