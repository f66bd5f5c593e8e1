import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Fate, Gateway, type Passed } from './gateway.ts';
import { KeychainSession, noKeychain } from './keychain-session.ts';
import { type Ended, Machine } from './running-perp.ts';

const code = 'PLANTEDcode-0123456789abcdef';
const credential = 'sim_session_live_PLANTEDcredential0123456789';
const apiKey = 'sim_live_PLANTEDapikey0123456789';

/** Says back everything that it was told, in every place that a client might show. */
function echo({ authorization = '', body }: Passed): Fate {
  const told = `${authorization} ${body}`;
  return {
    status: 422,
    headers: { 'x-request-id': told.replaceAll(/[^\x20-\x7e]/g, ' ') },
    body: {
      error: {
        code: told,
        message: `you said ${told}`,
        rule_id: told,
        request_id: told,
        details: { told, list: [told], [told]: told },
      },
    },
  };
}

const echoes: [what: string, fate: (request: Passed) => Fate][] = [
  ['a rejection', echo],
  ['a refusal of the credential', (request) => ({ ...(echo(request) as object), status: 401 }) as Fate],
  [
    'fields of a request',
    ({ authorization }) => ({
      status: 400,
      body: {
        error: { code: 'invalid_request', message: 'no', details: [{ field: authorization, issue: authorization }] },
      },
    }),
  ],
  [
    'a redirect',
    ({ authorization }) => ({
      status: 302,
      headers: { location: `https://evil.example/${encodeURIComponent(authorization ?? '')}` },
      body: {},
    }),
  ],
  [
    'resources',
    ({ authorization }) => ({
      status: 200,
      body: { data: [{ id: authorization, name: authorization, status: authorization }] },
    }),
  ],
  [
    'a broken answer',
    ({ authorization }) => ({
      status: 200,
      headers: { 'content-type': `text/${authorization?.slice(7)}` },
      body: authorization,
    }),
  ],
];

/** A machine whose host hands out the planted credential and repeats what it hears. */
async function planted(t: TestContext, variables: Record<string, string> = {}) {
  const gateway = await Gateway.open(t, 'http://127.0.0.1:9');
  const machine = new Machine(t, gateway.url, variables);
  const secrets = [code, credential, apiKey];
  gateway.decide = (request) => {
    if (request.path !== '/v1/auth/cli/token') return echo(request);
    secrets.push(JSON.parse(request.body).code_verifier);
    const expires_at = Date.now() + 3_600_000;
    return { status: 200, body: { data: { api_key: credential, token_type: 'Bearer', expires_at, name: 'desk' } } };
  };
  const seen: string[] = [];
  const run = async (argv: readonly string[], input = '', more: Record<string, string> = {}): Promise<Ended> => {
    const running = machine.start([...argv, '--debug'], more);
    running.process.stdin.end(input);
    const ended = await running.ended;
    seen.push(ended.out, ended.err);
    return ended;
  };
  return { gateway, machine, secrets, seen, run };
}

function assertAbsent(secrets: readonly string[], texts: readonly string[]): void {
  for (const text of texts) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} occurs in: ${text}`);
  }
}

/** Every file below a folder and what is in it. */
function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]));
}

describe('a planted code and credential', { concurrency: 2 }, () => {
  it('appear in no output and no file except the requested one', async (t) => {
    const { machine, secrets, seen, run } = await planted(t);
    const login = await run(['login', '--insecure-storage', '--no-browser'], `${code}\n`);
    assert.equal(login.exit, 0, login.err);
    assert.equal(secrets.length, 4);
    const commands = [
      ['whoami'],
      ['whoami', '--json'],
      ['accounts'],
      ['order', 'place', 'binance:BTCUSDT', 'buy', '0.01', '--account', 'acc', '--json'],
      ['cancel-all', '--account', 'acc', '--yes'],
      ['logout'],
      ['logout', '--json'],
      ['pending', 'list', '--json'],
      ['config', 'list'],
    ];
    for (const argv of commands) await run(argv);
    assertAbsent(secrets, seen);
    const files = filesBelow(machine.folder);
    const holders = [...files]
      .filter(([, text]) => secrets.some((secret) => text.includes(secret)))
      .map(([name]) => name);
    assert.deepEqual(holders, [join('state', 'credentials.json')]);
    assertAbsent([code, secrets[3]!], [...files.values()]);
    // After a logout that forgets, it is in no file at all.
    await run(['logout', '--force']);
    assertAbsent(secrets, [...filesBelow(machine.folder).values(), ...seen]);
  });

  for (const [what, fate] of echoes) {
    it(`do not appear anywhere when the host repeats them as ${what}`, async (t) => {
      const { gateway, machine, secrets, seen, run } = await planted(t);
      gateway.decide = fate;
      const keyFile = join(machine.folder, 'key');
      writeFileSync(keyFile, apiKey, { mode: 0o600 });
      const ofFile = ['--api-key-file', keyFile, '--timeout', '1'];
      await run(['accounts', '--timeout', '1'], '', { PERP_API_KEY: apiKey });
      await run(['whoami', '--json', ...ofFile]);
      await run(['order', 'place', 'binance:BTCUSDT', 'buy', '0.01', '--account', 'acc', ...ofFile]);
      const login = await run(['login', '--insecure-storage', '--no-browser'], `${code}\n`);
      assert.notEqual(login.exit, 0);
      const files = filesBelow(machine.folder);
      files.delete('key');
      assertAbsent(secrets, [...seen, ...files.values()]);
    });
  }

  it('appear in no argument list and no environment, even while a keychain hangs', {
    skip: noKeychain,
  }, async (t) => {
    const session = await KeychainSession.start(t);
    const { gateway, machine, secrets, seen } = await planted(t, session.variables);
    const decide = gateway.decide;
    let scanned = 0;
    gateway.decide = (request, attempt) => {
      // From now on the process that hands the credential over waits, and can be looked at.
      if (request.path === '/v1/auth/cli/token') session.hang();
      return decide(request, attempt);
    };
    const running = machine.start(['login', '--no-browser', '--debug']);
    await running.address();
    running.process.stdin.end(`${code}\n`);
    const isOver = running.ended.then(() => true);
    while (!(await Promise.race([isOver, delay(50, false)]))) {
      const lists = processesBelow(running.process.pid!);
      assertAbsent(secrets, lists);
      scanned = Math.max(scanned, lists.length);
    }
    const { exit, out, err } = await running.ended;
    assert.equal(exit, 7, err);
    assertAbsent(secrets, [out, err, ...seen, ...filesBelow(machine.folder).values()]);
    // The command itself and the keychain's process, the arguments and the environment of each.
    assert.ok(scanned >= 4, `${scanned} lists were seen`);
    // The credential that could not be kept was not left behind either.
    assert.ok(
      gateway.requests.some(
        ({ path, authorization }) => path === '/v1/auth/cli/revoke' && authorization === `Bearer ${credential}`,
      ),
    );
  });
});

/** Arguments and environment of a process and of all that it started, as others on the machine may read them. */
function processesBelow(pid: number): string[] {
  try {
    const lists = ['cmdline', 'environ'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'latin1'));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    return [...lists, ...children.flatMap(processesBelow)];
  } catch {
    return [];
  }
}
