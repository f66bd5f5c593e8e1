import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { hostOf, KeptSessions } from '../../../../src/desk/credentials/kept-sessions.ts';
import { served } from '../../../service/serving.ts';
import { it, trial } from '../../../tiers.ts';
import { Sessions } from '../../../wire/client/sessions.ts';
import { Gateway } from './gateway.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';
import { sessionsOf } from './sessions.ts';

const revoke = '/v1/auth/cli/revoke';

/** A machine with a session in its file, behind a gateway that can fail; `by` says how it logged in. */
async function loggedIn(t: TestContext, by: 'login' | 'planting' = 'planting') {
  const serving = await served(t);
  const gateway = await Gateway.open(t, serving.baseUrl);
  const machine = new Machine(t, gateway.url, { PERP_LOGIN_URL: `${serving.baseUrl}/cli/authorize` });
  if (by === 'login') {
    const running = machine.startHere(['login', '--insecure-storage', '--no-browser', '--name', 'desk']);
    await new Person().approve(await running.address());
    const { exit, err } = await running.ended;
    assert.equal(exit, 0, err);
  } else {
    const apiKey = new Sessions(serving.simulation.store).issue('desk');
    const sessions = new KeptSessions({ host: hostOf(gateway.url), profile: undefined }, machine.variables);
    const session = { apiKey, name: 'desk', expiresAt: Date.now() + 86_400_000, place: 'file' } as const;
    await sessions.keep(session, 'file');
    sessions.remember(session);
  }
  const isKept = () => existsSync(join(machine.folder, 'state/credentials.json'));
  const isLive = () => sessionsOf(serving)[0]!.isLive;
  return { serving, gateway, machine, isKept, isLive };
}

describe('perp logout', { concurrency: 2 }, () => {
  trial('revokes the session and removes it', async (t) => {
    const { machine, isKept, isLive } = await loggedIn(t, 'login');
    const { exit, out } = await machine.perpHere(['logout', '--json']);
    assert.equal(exit, 0);
    assert.deepEqual(JSON.parse(out).sessions, [{ name: 'desk', kept: 'file', outcome: 'revoked' }]);
    assert.deepEqual([isKept(), isLive()], [false, false]);
    assert.equal(existsSync(join(machine.folder, 'state/logins.json')), false);
  });

  const refusals: [what: string, fate: Parameters<typeof failing>[1], exit: number][] = [
    ['still accepts the session, but drops each connection', 'cut', 7],
    ['is replaced by a page in front of it', { status: 401, body: '<html>sign in to the wireless</html>' }, 7],
    [
      'is overloaded',
      { status: 503, body: { error: { code: 'unavailable', message: 'later' } }, headers: { 'retry-after': '120' } },
      7,
    ],
  ];
  for (const [what, fate, expected] of refusals) {
    it(`keeps a session that it can't revoke because the host ${what}: exit ${expected}`, async (t) => {
      const { machine, gateway, isKept, isLive } = await loggedIn(t);
      failing(gateway, fate);
      const { exit, err } = await machine.perpHere(['logout']);
      assert.equal(exit, expected, err);
      assert.match(err, /session desk could not be revoked, so it is kept/);
      assert.match(err, /perp logout --force removes it here; it then stays valid until 20/);
      assert.deepEqual([isKept(), isLive()], [true, true]);
      gateway.decide = () => 'pass';
      assert.equal((await machine.perpHere(['logout'])).exit, 0);
      assert.deepEqual([isKept(), isLive()], [false, false]);
    });
  }

  trial('offline keeps the session: exit 7', async (t) => {
    const { machine, serving, isKept } = await loggedIn(t);
    const offline = { PERP_BASE_URL: serving.baseUrl };
    const running = machine.startHere(['login', '--insecure-storage', '--no-browser'], offline);
    await new Person().approve(await running.address());
    await running.ended;
    await serving.stop();
    const { exit, err } = await machine.perpHere(['logout'], offline);
    assert.equal(exit, 7, err);
    assert.match(err, /so it is kept/);
    assert.equal(isKept(), true);
  });

  trial("with --force removes a session that it can't revoke, and says that it stays valid", async (t) => {
    const { machine, gateway, isKept, isLive } = await loggedIn(t);
    failing(gateway, 'cut');
    const { exit, out } = await machine.perpHere(['logout', '--force']);
    assert.equal(exit, 0);
    assert.match(out, /Removed desk without revoking it; the session stays valid/);
    assert.deepEqual([isKept(), isLive()], [false, true]);
  });

  it('checks again when the answer is lost, and finds that the session is revoked', async (t) => {
    const { machine, gateway, isKept, isLive } = await loggedIn(t);
    gateway.decide = ({ path }, attempt) => (path === revoke && attempt === 1 ? 'lose answer' : 'pass');
    const { exit, out } = await machine.perpHere(['logout', '--json']);
    assert.equal(exit, 0);
    assert.equal(JSON.parse(out).sessions[0].outcome, 'revoked');
    assert.deepEqual([isKept(), isLive()], [false, false]);
  });

  trial('does not claim that nothing happened when the answer is lost and the host is down: exit 8', async (t) => {
    const { machine, gateway, isKept, isLive } = await loggedIn(t);
    const overloaded = {
      status: 503,
      body: { error: { code: 'unavailable', message: 'later' } },
      headers: { 'retry-after': '120' },
    };
    gateway.decide = ({ path }, attempt) => (path === revoke && attempt === 1 ? 'lose answer' : overloaded);
    const { exit, err } = await machine.perpHere(['logout']);
    assert.equal(exit, 8, err);
    assert.match(err, /It is unknown whether [\s\S]*, so it is kept[\s\S]*Run perp logout again/);
    assert.doesNotMatch(err, /perp pending/);
    assert.deepEqual([isKept(), isLive()], [true, false]);
    gateway.decide = () => 'pass';
    assert.equal((await machine.perpHere(['logout'])).exit, 0);
    assert.equal(isKept(), false);
  });

  trial('removes a session that was revoked elsewhere', async (t) => {
    const { machine, serving, isKept } = await loggedIn(t);
    const { credentials } = serving.simulation.store;
    for (const { hash } of credentials.keys()) credentials.revokeKey(hash, Date.now());
    const { exit, out } = await machine.perpHere(['logout', '--json']);
    assert.equal(exit, 0);
    assert.equal(JSON.parse(out).sessions[0].outcome, 'was_invalid');
    assert.equal(isKept(), false);
  });

  trial('says that PERP_API_KEY is still used', async (t) => {
    const { machine } = await loggedIn(t);
    assert.match((await machine.perpHere(['logout'], { PERP_API_KEY: 'sim_live_x' })).err, /PERP_API_KEY is still set/);
  });

  it('with --dry-run shows the request and sends nothing', async (t) => {
    const { machine, gateway, isKept } = await loggedIn(t);
    const before = gateway.requests.length;
    const { exit, out } = await machine.perpHere(['logout', '--dry-run', '--json']);
    assert.equal(exit, 0);
    assert.deepEqual(JSON.parse(out), { method: 'POST', path: revoke });
    assert.deepEqual([gateway.requests.length, isKept()], [before, true]);
  });

  it('leaves no open write behind: there is nothing to resume', async (t) => {
    const { machine } = await loggedIn(t);
    await machine.perpHere(['logout']);
    const { out } = await machine.perpHere(['pending', 'list', '--json']);
    assert.deepEqual(out === '' ? [] : JSON.parse(out), []);
  });
});

describe('a login whose code exchange fails', { concurrency: 2 }, () => {
  const exchange = '/v1/auth/cli/token';
  const cases: [what: string, decide: Gateway['decide'], exit: number, live: number, says: RegExp][] = [
    [
      'is cut before it arrives, once',
      ({ path }, attempt) => (path === exchange && attempt === 1 ? 'cut' : 'pass'),
      0,
      1,
      /^/,
    ],
    [
      'loses its answer',
      // A second request uses the code twice, which ends the session that nobody holds.
      ({ path }, attempt) => (path === exchange && attempt === 1 ? 'lose answer' : 'pass'),
      8,
      0,
      /nobody has its credential/,
    ],
    ['is cut each time', ({ path }) => (path === exchange ? 'cut' : 'pass'), 8, 0, /its answer was lost/],
    [
      'is answered without a session',
      ({ path }) => (path === exchange ? { status: 200, body: { data: { name: 'x' } } } : 'pass'),
      7,
      0,
      /contains no session/,
    ],
    ['meets a page', ({ path }) => (path === exchange ? { status: 404, body: 'Not here' } : 'pass'), 7, 0, /404/],
  ];
  for (const [what, decide, expected, live, says] of cases) {
    it(`${what}: exit ${expected}`, async (t) => {
      const serving = await served(t);
      const gateway = await Gateway.open(t, serving.baseUrl);
      gateway.decide = decide;
      const machine = new Machine(t, gateway.url, { PERP_LOGIN_URL: `${serving.baseUrl}/cli/authorize` });
      const running = machine.startHere(['login', '--insecure-storage', '--no-browser']);
      const page = await new Person().approve(await running.address());
      const { exit, err } = await running.ended;
      assert.equal(exit, expected, err);
      assert.match(err, says);
      assert.match(page, expected === 0 ? /You are logged in/ : /You are not logged in/);
      assert.equal(sessionsOf(serving).filter(({ isLive }) => isLive).length, live);
      assert.equal(existsSync(join(machine.folder, 'state/credentials.json')), expected === 0);
    });
  }
});

function failing(gateway: Gateway, fate: ReturnType<Gateway['decide']>): void {
  gateway.decide = ({ path }) => (path === revoke ? fate : 'pass');
}

it('the record of a login contains no credential', async (t) => {
  const { machine } = await loggedIn(t, 'login');
  const record = JSON.parse(readFileSync(join(machine.folder, 'state/logins.json'), 'utf8'));
  const [login] = Object.values(record) as Record<string, unknown>[];
  assert.deepEqual(Object.keys(login!).sort(), ['expires_at', 'kept', 'name']);
});
