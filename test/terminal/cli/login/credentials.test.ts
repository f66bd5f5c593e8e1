import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext } from 'node:test';
import { warningsOf } from '../../../../src/desk/credentials/credentials.ts';
import { masked } from '../../../../src/terminal/cli/commands/logins.ts';
import { issueKey, served } from '../../../service/serving.ts';
import { it, trial } from '../../../tiers.ts';
import { Gateway } from './gateway.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';

const day = 24 * 3_600_000;

async function desk(t: TestContext, options: Parameters<typeof served>[1] = {}) {
  const serving = await served(t, options);
  const gateway = await Gateway.open(t, serving.baseUrl);
  const machine = new Machine(t, gateway.url, { PERP_LOGIN_URL: `${serving.baseUrl}/cli/authorize` });
  const keyFile = join(machine.folder, 'key');
  const logIn = async () => {
    const running = machine.startHere(['login', '--insecure-storage', '--no-browser']);
    await new Person().approve(await running.address());
    assert.equal((await running.ended).exit, 0);
  };
  return { serving, gateway, machine, keyFile, logIn };
}

describe('the credential in use', { concurrency: 2 }, () => {
  trial('comes from --api-key-file, else from PERP_API_KEY, else from the login', async (t) => {
    const { serving, gateway, machine, keyFile, logIn } = await desk(t);
    await logIn();
    const [ofFile, ofVariable] = [issueKey(serving), issueKey(serving)];
    writeFileSync(keyFile, `${ofFile}\n`, { mode: 0o600 });
    const sources: [argv: string[], variables: Record<string, string>, source: string][] = [
      [['--api-key-file', keyFile], { PERP_API_KEY: ofVariable }, 'api_key_file'],
      [[], { PERP_API_KEY: ofVariable }, 'PERP_API_KEY'],
      [[], {}, 'file'],
    ];
    const sent = [];
    for (const [argv, variables, source] of sources) {
      const { exit, out, err } = await machine.perpHere(['whoami', '--json', ...argv], variables);
      assert.equal(exit, 0, err);
      assert.equal(JSON.parse(out).source, source);
      sent.push(gateway.requests.at(-1)!.authorization);
    }
    assert.equal(sent[0], `Bearer ${ofFile}`);
    assert.equal(sent[1], `Bearer ${ofVariable}`);
    assert.match(sent[2]!, /^Bearer sim_session_live_/);
  });

  const unusable: [key: string, says: RegExp][] = [
    ['', /is empty/],
    [' \n', /is empty/],
    ['sim_live_01234 56789abcd', /contains spaces, line breaks/],
    ['sim_live_0123456789abcd\u00e9', /non-ASCII characters/],
  ];
  for (const [key, says] of unusable) {
    it(`that is invalid (${JSON.stringify(key)}) is reported with its source and not sent: exit 4`, async (t) => {
      const { gateway, machine, keyFile } = await desk(t);
      writeFileSync(keyFile, key, { mode: 0o600 });
      const sources: [argv: string[], variables: Record<string, string>, from: string][] = [
        [['--api-key-file', keyFile], {}, keyFile],
        // An empty variable is treated as unset.
        ...(key === ''
          ? []
          : [[[], { PERP_API_KEY: key }, 'PERP_API_KEY'] as [string[], Record<string, string>, string]]),
      ];
      for (const [argv, variables, from] of sources) {
        const { exit, err } = await machine.perpHere(['accounts', ...argv], variables);
        assert.equal(exit, 4, err);
        assert.match(err, says);
        assert.ok(err.includes(`The API key from ${from} `), err);
        assert.doesNotMatch(err, /01234/);
      }
      assert.deepEqual(gateway.requests, []);
    });
  }

  const strays: [environment: string, key: string, belongsTo: string][] = [
    ['live', 'sim_test_0123456789', 'sandbox'],
    ['sandbox', 'sim_live_0123456789', 'live'],
    ['live', 'test_0123456789', 'sandbox'],
  ];
  for (const [environment, key, belongsTo] of strays) {
    it(`that belongs to ${belongsTo} is not sent to ${environment}: exit 4`, async (t) => {
      const { gateway, machine } = await desk(t);
      const variables = { PERP_ENV: environment, PERP_SANDBOX_URL: gateway.url, PERP_API_KEY: key };
      for (const argv of [['accounts'], ['whoami'], ['order', 'place', 'BTC', 'buy', '0.01', '--account', 'acc_1']]) {
        const { exit, err } = await machine.perpHere(argv, variables);
        assert.equal(exit, 4, err);
        assert.match(err, new RegExp(`is for ${belongsTo}, but`));
        assert.doesNotMatch(err, /0123456789/);
      }
      assert.deepEqual(
        gateway.requests.filter(({ authorization }) => authorization !== undefined),
        [],
      );
    });
  }

  trial('from the login is used only on live', async (t) => {
    const { gateway, machine, logIn } = await desk(t);
    await logIn();
    const { exit, err } = await machine.perpHere(['accounts'], { PERP_ENV: 'sandbox', PERP_SANDBOX_URL: gateway.url });
    assert.equal(exit, 4);
    assert.match(err, /No API key for sandbox/);
    assert.doesNotMatch(err, /perp login/);
  });

  it('from a file that other users can read is used with a warning', {
    skip: process.platform === 'win32' && 'no modes',
  }, async (t) => {
    const { serving, machine, keyFile } = await desk(t);
    writeFileSync(keyFile, issueKey(serving));
    chmodSync(keyFile, 0o644);
    const { exit, err } = await machine.perpHere(['accounts', '--api-key-file', keyFile]);
    assert.equal(exit, 0);
    assert.match(err, /Other users can read .*: chmod 600/);
  });

  trial('stored in a file causes a warning at login, and not afterward', async (t) => {
    const { machine, logIn } = await desk(t);
    await logIn();
    for (const argv of [['accounts'], ['fills'], ['whoami']]) {
      const { exit, err } = await machine.perpHere(argv);
      assert.equal(exit, 0);
      assert.doesNotMatch(err, /encrypted/);
    }
  });

  trial('that the host no longer accepts is an error that suggests a fix: exit 4', async (t) => {
    let now = Date.now();
    const { machine, logIn } = await desk(t, { wall: () => now });
    await logIn();
    now += 31 * day;
    const { exit, err } = await machine.perpHere(['accounts']);
    assert.equal(exit, 4);
    assert.match(err, /has expired/);
    assert.match(err, /perp login/);
  });
});

describe('the expiry of a login', () => {
  const now = Date.UTC(2026, 10, 20);
  const told: [expiresAt: number, says: RegExp | undefined][] = [
    [now + 30 * day, undefined],
    [now + 7 * day + 1, undefined],
    [now + 7 * day, /expires on 2026-11-27 .*in 7d\. Renew it with perp login\./],
    [now + 3_600_000, /in 1h/],
    [now, /expired on 2026-11-20/],
    [now - day, /expired on 2026-11-19/],
  ];
  for (const [expiresAt, says] of told) {
    it(`is ${says === undefined ? 'not ' : ''}warned of ${(expiresAt - now) / day} days ahead`, () => {
      const found = {
        text: 'x',
        source: 'keychain',
        from: 'the keychain',
        session: { name: 'desk', expiresAt },
      } as const;
      const [warning] = warningsOf(found, now);
      if (says === undefined) assert.equal(warning, undefined);
      else assert.match(warning ?? '', says);
    });
  }
});

describe('perp whoami', { concurrency: 2 }, () => {
  it('shows what the API reports about a key, which does not include its scope', async (t) => {
    const { serving, gateway, machine } = await desk(t);
    const { exit, out } = await machine.perpHere(['whoami', '--json'], { PERP_API_KEY: issueKey(serving) });
    assert.equal(exit, 0);
    const { api, ...told } = JSON.parse(out);
    assert.equal(api.environment, 'live');
    assert.deepEqual(told, {
      environment: 'live',
      host: gateway.url,
      proxy: null,
      source: 'PERP_API_KEY',
      credential: 'sim_live_...',
      accounts: 1,
      locks: [],
      verified: true,
    });
    const table = await machine.perpHere(['whoami'], { PERP_API_KEY: issueKey(serving) });
    assert.match(table.out, new RegExp(`^API +${api.name} ${api.version}$`, 'm'));
    assert.match(table.out, /^scopes +unknown \(the API does not report the scopes of keys\)$/m);
  });

  it('offline shows what is known locally, and that it is not verified: exit 7', async (t) => {
    const { serving, machine } = await desk(t);
    const key = issueKey(serving);
    const { exit, out } = await machine.perpHere(['whoami', '--json'], {
      PERP_API_KEY: key,
      PERP_BASE_URL: 'http://127.0.0.1:9',
    });
    assert.equal(exit, 7);
    assert.equal(JSON.parse(out).verified, false);
  });

  it('reports that nobody is logged in: exit 4', async (t) => {
    const { machine } = await desk(t);
    const { exit, err } = await machine.perpHere(['whoami']);
    assert.equal(exit, 4);
    assert.match(err, /perp login/);
  });

  it('in the simulation needs no credential', async (t) => {
    const { machine } = await desk(t);
    const { exit, out } = await machine.perpHere(['whoami', '--json', '--env', 'sim']);
    assert.equal(exit, 0);
    const { api, ...told } = JSON.parse(out);
    assert.equal(api.environment, 'live');
    assert.deepEqual(told, {
      environment: 'sim',
      state: 'default',
      credential: null,
      scopes: ['read', 'trade'],
      accounts: 1,
      locks: [],
      verified: true,
    });
  });

  const shown: [credential: string, shown: string][] = [
    ['sim_session_live_SECRET', 'sim_session_live_...'],
    ['sim_live_SECRET', 'sim_live_...'],
    ['test_SECRET', 'test_...'],
    ['acme_test_SECRET', 'acme_test_...'],
    ['SECRET', '...'],
    ['SECRETlive_SECRET', '...'],
    ['secretsecretsecret_live_SECRET', '...'],
  ];
  for (const [credential, expected] of shown) {
    it(`shows ${credential} as ${expected}`, () => assert.equal(masked(credential), expected));
  }
});
