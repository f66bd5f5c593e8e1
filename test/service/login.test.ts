import assert from 'node:assert/strict';
import { hash, randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Approvals } from '../../src/service/approval-page.ts';
import type { Serving } from '../../src/service/serve.ts';
import type { Simulation } from '../../src/service/simulation/simulation.ts';
import { ask, issueKey, served } from './serving.ts';

/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const state = 'a state of the client';
const redirectUri = 'http://127.0.0.1:9999/callback';

const query = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state,
    device_name: 'My laptop',
    ...changes,
  });

const show = (serving: Serving, changes: Record<string, string> = {}) =>
  fetch(`${serving.baseUrl}/cli/authorize?${query(changes)}`);

interface Page {
  token: string;
  cookie: string;
}

async function open(serving: Serving, changes: Record<string, string> = {}): Promise<Page> {
  const answer = await show(serving, changes);
  assert.equal(answer.status, 200);
  const token = /name="token" value="([^"]+)"/.exec(await answer.text())![1]!;
  return { token, cookie: answer.headers.get('set-cookie')!.split(';', 1)[0]! };
}

const decide = (
  serving: Serving,
  { token, cookie }: Page,
  decision = 'approve',
  headers: Record<string, string> = {},
) =>
  fetch(`${serving.baseUrl}/cli/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: serving.baseUrl, cookie, ...headers },
    body: new URLSearchParams({ token, decision }),
  });

async function approvedCode(serving: Serving, changes: Record<string, string> = {}): Promise<string> {
  const answer = await decide(serving, await open(serving, { state: randomUUID(), ...changes }));
  assert.equal(answer.status, 303);
  return new URL(answer.headers.get('location')!).searchParams.get('code')!;
}

const exchange = (serving: Serving, body: unknown, url = serving.baseUrl) =>
  ask(`${url}/v1/auth/cli/token`, null, { method: 'POST', json: body });

test('an approved login gives a session that trades, is listed, and ends when it is revoked', async (t) => {
  const serving = await served(t);
  const answer = await decide(serving, await open(serving));
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const location = new URL(answer.headers.get('location')!);
  assert.equal(location.origin + location.pathname, redirectUri);
  assert.equal(location.searchParams.get('state'), state);

  const { status, body } = await exchange(serving, {
    code: location.searchParams.get('code'),
    code_verifier: verifier,
  });
  assert.equal(status, 200);
  assert.deepEqual([body.data.token_type, body.data.name], ['Bearer', 'My laptop']);
  const days = (body.data.expires_at - Date.now()) / 86_400_000;
  assert.ok(days > 29.9 && days <= 30);

  const key = body.data.api_key;
  assert.equal((await ask(`${serving.baseUrl}/v1/accounts`, key)).status, 200);
  const keys = (await ask(`${serving.baseUrl}/sim/keys`, serving.key)).body.data;
  assert.deepEqual(
    keys.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
    [['session', 'My laptop']],
  );

  const revoke = () => ask(`${serving.baseUrl}/v1/auth/cli/revoke`, key, { method: 'POST' });
  assert.deepEqual((await revoke()).body, { data: { revoked: true } });
  assert.equal((await revoke()).status, 401);
  assert.equal((await ask(`${serving.baseUrl}/v1/accounts`, key)).status, 401);
});

test('a code is valid once, with its verifier, for five minutes, on the live host', async (t) => {
  let wall = Date.now();
  const serving = await served(t, { wall: () => wall });
  const refused = async (body: unknown) => {
    const answer = await exchange(serving, body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error, undefined, 'the bare error, without its wrapper');
    assert.equal(answer.body.request_id, answer.headers.get('x-request-id'));
    return answer.body.code;
  };
  const code = await approvedCode(serving);
  assert.equal(await refused({ code, code_verifier: randomBytes(32).toString('base64url') }), 'invalid_grant');
  assert.equal(await refused({ code, code_verifier: challenge }), 'invalid_grant');
  assert.equal(await refused({ code: 'invented', code_verifier: verifier }), 'invalid_grant');
  assert.equal(await refused({ code }), 'invalid_request');
  assert.equal((await exchange(serving, { code, code_verifier: verifier, more: 'is tolerated' })).status, 200);
  assert.equal(await refused({ code, code_verifier: verifier }), 'invalid_grant');

  const late = await approvedCode(serving);
  wall += 5 * 60_000;
  assert.equal(await refused({ code: late, code_verifier: verifier }), 'invalid_grant');
});

test('a session expires by wall time, whatever the exchange time', async (t) => {
  let wall = Date.now();
  const serving = await served(t, { wall: () => wall });
  const { body } = await exchange(serving, { code: await approvedCode(serving), code_verifier: verifier });
  const accounts = async () => (await ask(`${serving.baseUrl}/v1/accounts`, body.data.api_key)).status;
  await ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { duration_ms: 40 * 86_400_000 } });
  assert.equal(await accounts(), 200);
  wall += 30 * 86_400_000;
  assert.equal(await accounts(), 401);
});

test('a session can revoke only itself, and an API key nothing', async (t) => {
  const serving = await served(t);
  const revoke = (key: string) => ask(`${serving.baseUrl}/v1/auth/cli/revoke`, key, { method: 'POST' });
  for (const key of [issueKey(serving), issueKey(serving, { scope: 'read' }), serving.key]) {
    const { status, headers } = await revoke(key);
    assert.equal(status, 401);
    assert.match(headers.get('www-authenticate')!, /^Bearer /);
  }
});

test('sessions exist only on the live host: the sandbox refuses with statuses of the contract, and names the live host', async (t) => {
  const serving = await served(t);
  const code = await approvedCode(serving);
  const exchanged = await exchange(serving, { code, code_verifier: verifier }, serving.sandboxUrl);
  assert.deepEqual([exchanged.status, exchanged.body.code], [400, 'invalid_grant']);
  assert.ok(exchanged.body.message.includes(serving.baseUrl));
  const { body } = await exchange(serving, { code, code_verifier: verifier });
  assert.ok(body.data.api_key, 'the attempt did not use up the code');

  const revoke = (key: string) => ask(`${serving.sandboxUrl}/v1/auth/cli/revoke`, key, { method: 'POST' });
  const withSession = await revoke(body.data.api_key);
  assert.deepEqual([withSession.status, withSession.body.error.code], [401, 'wrong_environment']);
  for (const key of [issueKey(serving, { environment: 'test' }), serving.key]) {
    const { status, body, headers } = await revoke(key);
    assert.deepEqual([status, body.error.code], [401, 'unauthorized']);
    assert.match(headers.get('www-authenticate')!, /^Bearer /);
  }
  assert.equal(
    (await ask(`${serving.baseUrl}/v1/accounts`, body.data.api_key)).status,
    200,
    'the session is still valid',
  );
});

test('a denial is reported to the client, and there is no code', async (t) => {
  const serving = await served(t);
  const answer = await decide(serving, await open(serving), 'deny');
  const { searchParams } = new URL(answer.headers.get('location')!);
  assert.deepEqual(Object.fromEntries(searchParams), { error: 'access_denied', state });
});

test('the page shows the device and its permissions as plain text, and cannot be framed or cached', async (t) => {
  const serving = await served(t);
  const answer = await show(serving, { device_name: '<img src=x onerror=alert(1)>\u202e"\u0007' });
  const html = await answer.text();
  assert.ok(html.includes('&lt;img src=x onerror=alert(1)&gt;&quot;'));
  assert.ok(!html.includes('<img') && !html.includes('\u202e') && !html.includes('\u0007'));
  assert.match(html, /see and trade every account/);
  const policy = answer.headers.get('content-security-policy')!;
  for (const part of [
    "default-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action 'self' http://127.0.0.1:9999`,
  ])
    assert.ok(policy.includes(part), part);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)![1]!;
  assert.ok(policy.includes(`'sha256-${hash('sha256', style, 'base64')}'`), 'its only style is allowed by its hash');
  assert.equal(answer.headers.get('x-frame-options'), 'DENY');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(answer.headers.get('set-cookie')!, /HttpOnly; SameSite=Strict/);
});

test('another page, another browser or a second click approves nothing', async (t) => {
  const serving = await served(t);
  const page = await open(serving);
  const [stranger, secondTab] = [await open(serving, { state: 'another login' }), await open(serving)];
  const forgeries: [string, Promise<Response>][] = [
    ['another origin', decide(serving, page, 'approve', { origin: 'https://evil.example' })],
    ['a sandboxed frame', decide(serving, page, 'approve', { origin: 'null' })],
    ['another port of this machine', decide(serving, page, 'approve', { origin: 'http://127.0.0.1:9999' })],
    ['another site, according to the browser', decide(serving, page, 'approve', { 'sec-fetch-site': 'cross-site' })],
    ['no cookie', decide(serving, { ...page, cookie: '' })],
    ['another page’s cookie', decide(serving, { ...page, cookie: stranger.cookie })],
    ['an invented token', decide(serving, { ...page, token: randomBytes(32).toString('base64url') })],
  ];
  for (const [what, answer] of forgeries) assert.equal((await answer).status, 403, what);
  const used = await decide(serving, page);
  assert.deepEqual([used.status, await used.text()], [303, ''], 'none of them used up the page');
  assert.equal((await decide(serving, page)).status, 403, 'the page is used up now');
  assert.equal((await decide(serving, secondTab)).status, 403, 'and so is the same login in a second tab');
  const back = await show(serving);
  assert.deepEqual([back.status, /already answered/.test(await back.text())], [410, true], 'Back offers nothing');
  assert.equal((await decide(serving, stranger)).status, 303, 'the page of another login is still valid');
});

test('an expired page approves nothing', async (t) => {
  let wall = Date.now();
  const serving = await served(t, { wall: () => wall });
  const page = await open(serving);
  wall += 10 * 60_000;
  assert.equal((await decide(serving, page)).status, 403);
});

test('a request that no command line would send is not shown for approval or redirected', async (t) => {
  const serving = await served(t);
  const cases: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: 'http://127.0.0.1:80@evil.example/' },
    { redirect_uri: 'http://127.0.0.1.evil.example:80/' },
    { redirect_uri: 'http://localhost:80@evil.example/' },
    { redirect_uri: 'http://localhost.evil.example:80/' },
    { redirect_uri: 'http://evil.localhost:9999/callback' },
    { redirect_uri: 'http://localhost/callback' },
    { redirect_uri: 'https://localhost:9999/callback' },
    { redirect_uri: 'http://localhost:99999/callback' },
    { redirect_uri: 'http://localhost:9999/callback?x=1' },
    { redirect_uri: 'http://127.0.0.1:99999/callback' },
    { redirect_uri: 'http://127.0.0.1:9999/callback?x=1' },
    { redirect_uri: 'http://127.0.0.1:9999/\r\nSet-Cookie: a=b' },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: '' },
    { code_challenge_method: 'plain' },
    { code_challenge: verifier.slice(1) },
    { response_type: 'token' },
    { state: '' },
    { state: 'x'.repeat(513) },
  ];
  for (const changes of cases) {
    const answer = await show(serving, changes);
    assert.equal(answer.status, 400, JSON.stringify(changes));
    assert.equal(answer.headers.get('location'), null);
    assert.match(await answer.text(), /This login can't continue/);
  }
  assert.equal(
    (await fetch(`${serving.sandboxUrl}/cli/authorize?${query()}`)).status,
    404,
    'sessions exist on live only',
  );
});

test('a state of any length is returned, to whichever name of this machine the client listens on', async (t) => {
  const serving = await served(t);
  for (const host of ['127.0.0.1', '[::1]', 'localhost'])
    for (const state of ['x', 'xyz', 'ä &=#%', 'x'.repeat(512)]) {
      const redirect_uri = `http://${host}:9999/callback`;
      const page = await show(serving, { redirect_uri, state });
      assert.equal(page.status, 200, redirect_uri);
      const answer = await decide(serving, await open(serving, { redirect_uri, state }));
      const location = new URL(answer.headers.get('location')!);
      assert.equal(location.origin + location.pathname, redirect_uri);
      assert.equal(location.searchParams.get('state'), state);
    }
});

test('the page has its own rate limit, so guessing there does not lock out commands', async (t) => {
  const guess = (serving: Serving) => decide(serving, { token: 'x', cookie: 'perp_approval_x=x' });
  const limited = await served(t, { rateLimit: 5 });
  for (let number = 0; number < 5; number++) assert.equal((await guess(limited)).status, 403);
  const refused = await guess(limited);
  assert.equal(refused.status, 429);
  assert.match(refused.headers.get('retry-after')!, /^\d+$/);
  assert.equal((await show(limited)).status, 429);
  assert.equal((await ask(`${limited.baseUrl}/v1/accounts`, limited.key)).status, 200);

  const unlimited = await served(t);
  for (let number = 0; number < 70; number++) assert.equal((await guess(unlimited)).status, 403);
});

test('a code used twice ends its session', async (t) => {
  const serving = await served(t);
  const works = async (key: string) => (await ask(`${serving.baseUrl}/v1/accounts`, key)).status;
  const code = await approvedCode(serving);
  const { body } = await exchange(serving, { code, code_verifier: verifier });
  const other = await exchange(serving, { code: await approvedCode(serving), code_verifier: verifier });
  const wrong = await exchange(serving, { code, code_verifier: challenge });
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'invalid_grant']);
  assert.equal(await works(body.data.api_key), 200, 'without the verifier, nothing ends');

  const again = await exchange(serving, { code, code_verifier: verifier });
  assert.deepEqual([again.status, again.body.code], [400, 'invalid_grant']);
  assert.match(again.body.message, /session/);
  assert.equal(await works(body.data.api_key), 401);
  assert.equal(await works(other.body.data.api_key), 200, 'another login is unaffected');
});

test('a hundred logins may wait for approval; the oldest gives way to one more', () => {
  const approvals = new Approvals({ wallTime: () => 0 } as Simulation);
  const pages = Array.from({ length: 101 }, (_, at) =>
    approvals.ask({ challenge, redirectUri, state: String(at), deviceName: '' }),
  );
  const taken = [0, 1, 100].map((at) => approvals.take(pages[at]!.token, pages[at]!.cookie)?.state);
  assert.deepEqual(taken, [undefined, '1', '100']);
});
