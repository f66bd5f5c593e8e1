import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { KeptSessions } from '../../../../src/desk/credentials/kept-sessions.ts';
import { served } from '../../../service/serving.ts';
import { Sessions } from '../../../wire/client/sessions.ts';
import { Gateway } from './gateway.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';
import { sessionsOf } from './sessions.ts';

/** A machine with the profiles prop and own at one host, and three logins there: without a profile, and one of each. */
async function threeLogins(t: TestContext) {
  const serving = await served(t);
  const gateway = await Gateway.open(t, serving.baseUrl);
  const machine = new Machine(t, gateway.url);
  const sessions = new Sessions(serving.simulation.store);
  for (const profile of [undefined, 'prop', 'own']) {
    const name = profile ?? 'plain';
    if (profile !== undefined) await machine.perpHere(['profile', 'add', profile, '--env', 'live']);
    const session = { apiKey: sessions.issue(name), name, expiresAt: Date.now() + 1e9, place: 'file' } as const;
    const kept = new KeptSessions({ host: gateway.url, profile }, machine.variables);
    await kept.keep(session, 'file');
    kept.remember(session);
  }
  const live = () => sessionsOf(serving).flatMap(({ name, isLive }) => (isLive ? [name] : []));
  const json = async (...argv: string[]) => {
    const { exit, out, err } = await machine.perpHere([...argv, '--json']);
    assert.equal(exit, 0, err);
    return JSON.parse(out);
  };
  return { gateway, machine, live, json, serving };
}

describe('several logins at one host', () => {
  it('are each used by their own profile, which every result names', async (t) => {
    const { machine, json } = await threeLogins(t);
    for (const [words, name, profile] of [
      [[], 'plain', undefined],
      [['--profile', 'prop'], 'prop', 'prop'],
      [['--profile', 'own'], 'own', 'own'],
    ] as const) {
      const who = await json('whoami', ...words);
      assert.deepEqual([who.name, who.profile, who.environment], [name, profile, 'live']);
    }
    const place = ['order', 'place', 'BTC', 'buy', '0.01', '--yes', '--profile', 'prop'];
    assert.match((await json(...place)).computed.destination, /^LIVE 127\.0\.0\.1:\d+ acc_\w+, profile prop$/);
    const { out } = await machine.perpHere(place);
    assert.match(out, /on \*\*\* LIVE .*, profile prop .*\*\*\*\n$/);
    const refused = await machine.perpHere(['order', 'place', 'BTC', 'buy', '5000', '--force', '--json'], {
      PERP_PROFILE: 'own',
    });
    assert.match(JSON.parse(refused.err.trim().split('\n').at(-1)!).error.destination, /, profile own/);
  });

  it('are replaced one by one: a new login of a profile revokes its earlier one and no other', async (t) => {
    const { machine, live, json, serving } = await threeLogins(t);
    const page = { PERP_LOGIN_URL: `${serving.baseUrl}/cli/authorize` };
    const login = ['login', '--profile', 'prop', '--insecure-storage', '--no-browser', '--name', 'anew', '--json'];
    const running = machine.startHere(login, page);
    await new Person().approve(await running.address());
    const { exit, out, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.deepEqual([JSON.parse(out).profile, JSON.parse(out).name], ['prop', 'anew']);
    assert.deepEqual(live().sort(), ['anew', 'own', 'plain']);
    const rows: { name: string; login: { name: string } }[] = await json('profile');
    assert.deepEqual(
      rows.map(({ name, login: of }) => [name, of.name]),
      [
        ['own', 'own'],
        ['prop', 'anew'],
      ],
    );
  });

  it('end one by one: perp logout revokes only that of its profile, and the hint logs in to the same', async (t) => {
    const { machine, live, json } = await threeLogins(t);
    assert.deepEqual((await json('logout', '--profile', 'prop')).sessions, [
      { name: 'prop', kept: 'file', outcome: 'revoked' },
    ]);
    assert.deepEqual(live().sort(), ['own', 'plain']);
    // Only a machine without a keychain fails here.
    const { exit, err } = await machine.perpHere(['accounts', '--profile', 'prop']);
    assert.equal(exit, 4, err);
    assert.match(err, /No (?:login and no )?API key for/);
    await json('logout');
    assert.deepEqual(live(), ['own']);
  });

  it('are not removed with their profile: one in use, logged in, or with an open write is kept', async (t) => {
    const { machine, json, gateway } = await threeLogins(t);
    const remove = async () => {
      const { exit, err } = await machine.perpHere(['profile', 'rm', 'prop']);
      return [exit, err.split('\n')[0]!.replace(/http\S+/, 'HOST')];
    };
    await json('profile', 'use', 'prop');
    assert.deepEqual(await remove(), [6, 'Error: The profile prop is in use. It was not removed.']);
    await json('profile', 'use', 'none');
    gateway.decide = ({ method }) => (method === 'POST' ? 'cut' : 'pass');
    const bid = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--yes', '--timeout', '4'];
    assert.equal((await machine.perpHere([...bid, '--profile', 'prop'])).exit, 8);
    const [open] = await json('pending', 'list');
    assert.deepEqual([open.environment, open.profile], ['live', 'prop']);
    // Another owner's credential finds nothing, which does not mean that there is nothing.
    gateway.decide = ({ path }) =>
      path === `/v1/accounts/${open.account_id}`
        ? { status: 404, body: { error: { code: 'not_found', message: 'No such account.' } } }
        : 'pass';
    const other = await machine.perpHere(['pending', 'resume', '--yes', '--json']);
    assert.equal(other.exit, 8, other.err);
    assert.match(JSON.parse(other.out)[0].reason, /has no account acc_\w+, so a different credential sent this/);
    assert.equal((await json('pending', 'list')).length, 1);
    gateway.decide = () => 'pass';
    // A person has edited the file.
    const file = join(machine.variables.PERP_CONFIG_DIR!, 'config.json');
    const config = readFileSync(file, 'utf8');
    writeFileSync(file, '{}');
    const gone = await machine.perpHere(['pending', 'resume', '--yes', '--json']);
    const { reason } = JSON.parse(gone.out)[0];
    assert.match(
      reason,
      /^The profile prop, which sent it, is gone\. Add it again, .*perp profile add prop --env live/,
    );
    writeFileSync(file, config);
    assert.deepEqual(await remove(), [6, 'Error: The profile prop is logged in at HOST (prop). It was not removed.']);
    const as = gateway.requests.length;
    const [settled] = await json('pending', 'resume', '--yes');
    assert.notEqual(settled.outcome, 'unknown', settled.reason);
    const used = new Set(gateway.requests.slice(as).map(({ authorization }) => authorization));
    await json('whoami', '--profile', 'prop');
    assert.deepEqual([...used], [gateway.requests.at(-1)!.authorization], 'settled with the login that sent it');
    await json('logout', '--profile', 'prop');
    assert.deepEqual(await remove(), [0, '']);
    assert.equal((await machine.perpHere(['accounts', '--profile', 'prop'])).exit, 2);
  });

  it('lend no account to each other: what one has listed is not asked for, or named, as another', async (t) => {
    const { machine, json, gateway } = await threeLogins(t);
    const [{ id }] = await json('accounts', '--profile', 'own');
    gateway.decide = () => ({ status: 401, body: { error: { code: 'unauthorized', message: 'Unknown.' } } });
    const as = gateway.requests.length;
    const { exit, err } = await machine.perpHere(['order', 'place', 'BTC', 'buy', '0.01', '--profile', 'prop']);
    assert.equal(exit, 4, err);
    assert.doesNotMatch(err, new RegExp(id));
    const asked = gateway.requests.slice(as).map(({ path }) => path);
    assert.deepEqual(
      asked.filter((path) => path.includes(id)),
      [],
    );
  });

  it('come after a key in a variable, and that is said', async (t) => {
    const { machine } = await threeLogins(t);
    const { err } = await machine.perpHere(['accounts', '--profile', 'prop'], { PERP_API_KEY: 'sim_live_other' });
    assert.match(err, /PERP_API_KEY is set and overrides the credential of profile prop/);
  });
});
