import assert from 'node:assert/strict';
import { test } from 'node:test';
import { originOf } from '../../src/wire/hosting/origins.ts';
import { issueKey, served } from './serving.ts';
import { refusedUpgrade, StreamClient } from './streams/stream-client.ts';

const origin = 'https://app.example.com';

test('a page of an allowed origin reads the API and follows streams; any other page does neither', async (t) => {
  const serving = await served(t, { allowedOrigins: [origin] });
  const url = `${serving.baseUrl}/v1/accounts`;
  const authorization = `Bearer ${issueKey(serving)}`;
  const asked = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' },
  });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers.get('access-control-allow-origin'), origin);
  assert.match(asked.headers.get('access-control-allow-headers')!, /authorization.*idempotency-key/);
  assert.equal(asked.headers.get('access-control-allow-private-network'), 'true');
  const answer = await fetch(url, { headers: { origin, authorization } });
  assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, origin]);
  assert.equal((await fetch(url, { headers: { origin } })).headers.get('access-control-allow-origin'), origin, '401');
  await StreamClient.open(t, `${serving.baseUrl}/v1/market-data`, { headers: { origin } });

  const other = 'https://other.example.com';
  const foreign = await fetch(url, { headers: { origin: other, authorization } });
  assert.equal(foreign.headers.get('access-control-allow-origin'), null);
  const { status, body } = await refusedUpgrade(`${serving.baseUrl}/v1/market-data`, { origin: other });
  assert.equal(status, 403);
  assert.match(JSON.stringify(body), /--allow-origin/);
});

test('the simulation’s own operations and the approval page are shared with no page', async (t) => {
  const serving = await served(t, { allowedOrigins: [origin] });
  for (const path of ['/sim/status', '/cli/authorize'])
    for (const method of ['GET', 'OPTIONS']) {
      const headers = { origin, 'access-control-request-method': 'GET' };
      const answer = await fetch(serving.baseUrl + path, { method, headers });
      assert.equal(answer.headers.get('access-control-allow-origin'), null, `${method} ${path}`);
    }
});

test('without allowed origins, no answer has headers for pages', async (t) => {
  const serving = await served(t);
  const { headers } = await fetch(`${serving.baseUrl}/v1/markets`, { headers: { origin } });
  assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('vary')], [null, null]);
  const { body } = await refusedUpgrade(`${serving.baseUrl}/v1/market-data`, { origin });
  assert.doesNotMatch(JSON.stringify(body), /--allow-origin/, 'no option that its command does not have');
});

test('an origin is a scheme and a host, as a browser sends it', () => {
  const cases: [text: string, origin: string | null][] = [
    ['https://App.Example.com', 'https://app.example.com'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['*', null],
    ['null', null],
    ['app.example.com', null],
    ['https://app.example.com/path', null],
    ['https://user@app.example.com', null],
    ['file:///tmp', null],
    ['https://', null],
  ];
  for (const [text, expected] of cases) assert.equal(originOf(text), expected, text);
});
