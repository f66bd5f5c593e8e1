import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { served } from '../../../service/serving.ts';
import { it, trial } from '../../../tiers.ts';
import { Person } from './person.ts';
import { Machine } from './running-perp.ts';
import { sessionsOf } from './sessions.ts';

const person = new Person();
const login = ['login', '--insecure-storage', '--no-browser'];

describe('perp login', { concurrency: 2 }, () => {
  trial('ends with a session that the next command uses', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const running = machine.start([...login, '--name', 'my laptop', '--json']);
    const page = await person.approve(await running.address());
    const { exit, out, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.match(page, /You are logged in/);
    const { host, name, expires_at, kept, environment } = JSON.parse(out);
    assert.deepEqual(
      { host, name, kept, environment },
      { host: serving.baseUrl, name: 'my laptop', kept: 'file', environment: 'live' },
    );
    assert.ok(expires_at > Date.now() + 29 * 24 * 3_600_000);
    const accounts = await machine.perpHere(['accounts', 'list', '--json']);
    assert.equal(accounts.exit, 0, accounts.err);
    assert.equal(JSON.parse(accounts.out).length, 1);
    assert.match(err, /anyone who can read your files can trade with it/);
    assert.match(
      accounts.err,
      /^\*\*\* LIVE 127\.0\.0\.1:\d+ \(a simulation, synthetic\) \*\*\*\n$/,
      'the warning is given once',
    );
  });

  trial('sends the page the query that the standard defines', async (t) => {
    const serving = await served(t);
    const running = new Machine(t, serving.baseUrl).startHere([...login, '--name', 'a & b']);
    const address = new URL(await running.address());
    assert.equal(`${address.origin}${address.pathname}`, `${serving.baseUrl}/cli/authorize`);
    const query = Object.fromEntries(address.searchParams);
    assert.equal(query.response_type, 'code');
    assert.equal(query.code_challenge_method, 'S256');
    assert.match(query.code_challenge!, /^[A-Za-z0-9_-]{43}$/);
    assert.match(query.state!, /^[A-Za-z0-9_-]{43}$/);
    assert.match(query.redirect_uri!, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    assert.equal(query.device_name, 'a & b');
    assert.equal(query.code_verifier, undefined);
    await person.deny(address.href);
    await running.ended;
  });

  trial(
    'opens the browser and prints the address',
    {
      skip: process.platform !== 'linux' && 'of Linux',
    },
    async (t) => {
      const serving = await served(t);
      const machine = new Machine(t, serving.baseUrl);
      const log = join(machine.folder, 'browser.log');
      const browser = join(machine.folder, 'browser');
      const program = join(import.meta.dirname, 'programs/approving-browser.ts');
      writeFileSync(browser, `#!/bin/sh\nexec ${process.execPath} ${program} "$1"\n`, { mode: 0o755 });
      const { exit, err } = await machine.perp(['login', '--insecure-storage'], {
        DISPLAY: ':99',
        BROWSER: browser,
        // A machine without a desktop browser.
        XDG_DATA_DIRS: machine.folder,
        BROWSER_LOG: log,
      });
      assert.equal(exit, 0, err);
      const [address] = JSON.parse(readFileSync(log, 'utf8'));
      assert.ok(err.includes(address));
      assert.match(err, /in the browser\. If no window opened/);
    },
  );

  it('continues with the printed address if no browser starts', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const running = machine.startHere(['login', '--insecure-storage'], {
      SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22',
    });
    await person.approve(await running.address());
    const { exit, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.match(err, /Open this address in a browser/);
  });

  const pastes: [what: string, to: 'start' | 'startHere', of: (location: string) => string][] = [
    ['the whole address', 'start', (location) => location],
    ['the code alone', 'startHere', (location) => new URL(location).searchParams.get('code')!],
    [
      'the code after two invalid inputs',
      'startHere',
      (location) => `\nno idea\n${new URL(location).searchParams.get('code')}`,
    ],
  ];
  for (const [what, to, of] of pastes) {
    it(`accepts ${what} as soon as it is pasted, without end of input`, async (t) => {
      const serving = await served(t);
      const running = new Machine(t, serving.baseUrl)[to](login);
      const address = await running.address();
      running.stdin.write(`${of(await person.decide(await person.open(address), 'approve'))}\n`);
      const { exit, err } = await running.ended;
      assert.equal(exit, 0, err);
      assert.equal(sessionsOf(serving).filter(({ isLive }) => isLive).length, 1);
    });
  }

  trial('revokes the session that it replaces', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    for (const name of ['first', 'second']) {
      const running = machine.startHere([...login, '--name', name]);
      await person.approve(await running.address());
      assert.equal((await running.ended).exit, 0);
    }
    assert.deepEqual(
      sessionsOf(serving)
        .filter(({ isLive }) => isLive)
        .map(({ name }) => name),
      ['second'],
    );
  });

  trial("revokes a session that it can't store", async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const running = machine.startHere(login);
    const address = await running.address();
    const state = join(machine.folder, 'state');
    renameSync(state, `${state}-gone`);
    writeFileSync(state, '');
    const page = await person.approve(address);
    const { exit, err } = await running.ended;
    assert.equal(exit, 7, err);
    assert.match(err, /could not be stored, so it was revoked/);
    assert.match(page, /You are not logged in/);
    assert.deepEqual(
      sessionsOf(serving).map(({ isLive }) => isLive),
      [false],
    );
  });

  trial('says that PERP_API_KEY takes precedence, and which environment commands use', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const running = machine.startHere(login, { PERP_API_KEY: 'sim_live_something', PERP_ENV: 'sim' });
    await person.approve(await running.address());
    const { exit, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.match(err, /PERP_API_KEY is set and takes precedence/);
    assert.match(err, /The default environment is sim/);
  });

  it('with --dry-run opens, sends and stores nothing', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const { exit, out } = await machine.perpHere([...login, '--dry-run', '--json']);
    assert.equal(exit, 0);
    assert.match(JSON.parse(out).login_url, /\/cli\/authorize\?/);
    assert.equal(existsSync(join(machine.folder, 'state')), false);
  });
});

describe('a failed login', { concurrency: 2 }, () => {
  it('is denied in the browser: exit 4, no access granted', async (t) => {
    const serving = await served(t);
    const running = new Machine(t, serving.baseUrl).startHere(login);
    const page = await person.deny(await running.address());
    const { exit, out, err } = await running.ended;
    assert.equal(exit, 4);
    assert.match(err, /denied in the browser/);
    assert.match(page, /You are not logged in/);
    assert.equal(out, '');
    assert.deepEqual(sessionsOf(serving), []);
  });

  trial('ignores a forged answer and its code, and waits for its own', async (t) => {
    const serving = await served(t);
    const running = new Machine(t, serving.baseUrl).startHere([...login, '--json']);
    const location = new URL(await person.decide(await person.open(await running.address()), 'approve'));
    for (const [name, value] of [
      ['state', 'x'.repeat(43)],
      ['error', 'access_denied'],
    ] as const) {
      const forged = new URL(location);
      forged.searchParams.set('state', 'x'.repeat(43));
      forged.searchParams.set(name, value);
      assert.match(await person.follow(forged.href), /still waiting for its own answer/);
    }
    assert.match(await person.follow(location.href), /You are logged in/);
    const { exit, err } = await running.ended;
    assert.equal(exit, 0, err);
    assert.match(err, /Ignored an answer to another login; still waiting/);
    assert.equal(sessionsOf(serving).length, 1);
  });

  trial(
    'gets the pasted code of another login, which the host refuses: asks again, and exits 4 without more input',
    async (t) => {
      const serving = await served(t);
      const machine = new Machine(t, serving.baseUrl);
      const other = new Machine(t, serving.baseUrl);
      const [mine, theirs] = [machine.startHere([...login, '--json']), other.startHere(login)];
      const location = new URL(await person.decide(await person.open(await theirs.address()), 'approve'));
      await mine.address();
      mine.stdin.end(`${location.searchParams.get('code')}\n`);
      const { exit, err } = await mine.ended;
      assert.match(err, /does not accept that code\. Paste/);
      assert.equal(exit, 4, err);
      assert.equal(JSON.parse(err.trim().split('\n').at(-1)!).error.code, 'invalid_grant');
      // The code is still valid for its own login.
      await person.follow(location.href);
      assert.equal((await theirs.ended).exit, 0);
    },
  );

  trial('gets an expired code: exit 4', async (t) => {
    let now = Date.now();
    const serving = await served(t, { wall: () => now });
    const running = new Machine(t, serving.baseUrl).startHere([...login, '--json']);
    const location = await person.decide(await person.open(await running.address()), 'approve');
    now += 5 * 60_000 + 1;
    await person.follow(location);
    const { exit, err } = await running.ended;
    assert.equal(exit, 4, err);
    assert.equal(JSON.parse(err.trim().split('\n').at(-1)!).error.code, 'invalid_grant');
    assert.deepEqual(sessionsOf(serving), []);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`is interrupted by ${signal}: exit 130`, async (t) => {
      const serving = await served(t);
      const running = new Machine(t, serving.baseUrl).start(login);
      await running.address();
      running.process.kill(signal);
      const { exit, err } = await running.ended;
      assert.equal(exit, 130);
      assert.match(err, /The login was interrupted\. Nothing was stored\./);
    });
  }

  trial('starts while another one waits: exit 6, and the first continues', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const first = machine.start(login);
    const address = await first.address();
    for (const argv of [login, ['logout']]) {
      const { exit, err } = await machine.perpHere(argv);
      assert.equal(exit, 6, err);
      assert.match(err, /Another perp login or logout is running/);
    }
    await person.approve(address);
    assert.equal((await first.ended).exit, 0);
  });

  trial('was killed: the next one is not blocked', async (t) => {
    const serving = await served(t);
    const machine = new Machine(t, serving.baseUrl);
    const first = machine.start(login);
    await first.address();
    first.process.kill('SIGKILL');
    await first.ended;
    const second = machine.startHere(login);
    await person.approve(await second.address());
    assert.equal((await second.ended).exit, 0);
  });

  const usage: [what: string, argv: string[], variables: Record<string, string>, says: RegExp][] = [
    ['no live host is set', login, { PERP_BASE_URL: '' }, /address of the live API is not set/],
    [
      'no approval page is set',
      login,
      { PERP_BASE_URL: 'https://api.example.com' },
      /address of the approval page is not set/,
    ],
    [
      'the page is not an https address',
      login,
      { PERP_LOGIN_URL: 'http://login.example.com' },
      /PERP_LOGIN_URL .* not an https address/,
    ],
    ['the environment is the sandbox', login, { PERP_ENV: 'sandbox' }, /sandbox has no sessions/],
    ['a logout is on the sandbox', ['logout'], { PERP_ENV: 'sandbox' }, /sandbox has no sessions/],
    ['the name is invisible', [...login, '--name', '\u202e'], {}, /--name/],
    ['the name is too long', [...login, '--name', 'n'.repeat(65)], {}, /--name/],
  ];
  for (const [what, argv, variables, says] of usage) {
    it(`does not start if ${what}: exit 2`, async (t) => {
      const { exit, err } = await new Machine(t, 'http://127.0.0.1:9').perpHere(argv, variables);
      assert.equal(exit, 2, err);
      assert.match(err, says);
    });
  }

  it('does not start without a keychain: exit 7, with alternatives', async (t) => {
    const { exit, err } = await new Machine(t, 'http://127.0.0.1:9').perpHere(['login']);
    assert.equal(exit, 7, err);
    assert.match(err, /The keychain can't store the login/);
    assert.match(err, /PERP_API_KEY, --api-key-file FILE, or perp login --insecure-storage/);
  });
});
