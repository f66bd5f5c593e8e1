import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { it, type TestContext } from 'node:test';
import { type Delivery, Gateway, type Passed } from './gateway.ts';
import { type Ended, Machine } from './running-perp.ts';

export const code = 'PLANTEDcode-0123456789abcdef';
export const credential = 'sim_session_live_PLANTEDcredential0123456789';
const apiKey = 'sim_live_PLANTEDapikey0123456789';

/** Repeats everything received, in every place that a client might show. */
function echo({ authorization = '', body }: Passed): Delivery {
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

/** What a host repeats, and where. */
type Echo =
  | 'a rejection'
  | 'a refusal of the credential'
  | 'fields of a request'
  | 'a redirect'
  | 'resources'
  | 'a broken answer';

const echoes: [what: Echo, delivery: (request: Passed) => Delivery][] = [
  ['a rejection', echo],
  ['a refusal of the credential', (request) => ({ ...(echo(request) as object), status: 401 }) as Delivery],
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

/** A machine whose host issues the planted credential and repeats everything that it receives. */
export async function planted(t: TestContext, variables: Record<string, string> = {}) {
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
    running.stdin.end(input);
    const ended = await running.ended;
    seen.push(ended.out, ended.err);
    return ended;
  };
  return { gateway, machine, secrets, seen, run };
}

export function assertAbsent(secrets: readonly string[], texts: readonly string[]): void {
  for (const text of texts) {
    for (const secret of secrets) assert.ok(!text.includes(secret), `${secret} occurs in: ${text}`);
  }
}

/** Every file in a folder, with its contents. */
export function filesBelow(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(folder, path), readFileSync(path, 'latin1')]));
}

/** Logs in and runs commands against a host that repeats the credential in these ways. */
export function echoTrials(kinds: readonly Echo[]): void {
  for (const [what, delivery] of echoes) {
    if (!kinds.includes(what)) continue;
    it(`do not appear anywhere when the host repeats them as ${what}`, async (t) => {
      const { gateway, machine, secrets, seen, run } = await planted(t);
      gateway.decide = delivery;
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
}
