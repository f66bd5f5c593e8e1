import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConnectProxy, proxyVariables } from '../base/sockets/connect-proxy.ts';
import { BuiltRun, bin, buildPerp, machine } from '../terminal/cli/built-perp.ts';
import { venueServer } from '../venues/live/live-scene.ts';
import { ListeningVenue } from '../venues/live/servers/listening.ts';

const root = resolve(import.meta.dirname, '../..');

test('every test of the network holds for the bundle: HTTP, TLS, bodies, redirects, proxies, WebSockets, venues', () => {
  buildPerp();
  const files = [
    'test/wire/client/http-transport.test.ts',
    'test/wire/client/tls.test.ts',
    'test/wire/client/proxies.test.ts',
    'test/venues/live/network.test.ts',
  ];
  const { NODE_TEST_CONTEXT: _, PERP_TEST_TIER: __, ...env } = process.env;
  const run = spawnSync(
    process.execPath,
    ['--import', './test/scripts/from-bundle.ts', '--test', '--test-reporter=tap', ...files],
    { cwd: root, encoding: 'utf8', timeout: 300_000, env: { ...env, PERP_BUNDLE: dirname(dirname(bin)) } },
  );
  assert.equal(run.status, 0, `${run.stdout.replace(/^[\s\S]*?(?=^ *not ok)/m, '').slice(0, 4_000)}${run.stderr}`);
  const [, passed] = /^# pass (\d+)$/m.exec(run.stdout) ?? [];
  assert.ok(Number(passed) > 60, `${passed} tests`);
});

test('by a proxy with user and password, perp records a venue, and whoami and doctor name the proxy', async (t) => {
  buildPerp();
  const { folder, variables, remove } = machine();
  t.after(remove);
  const venue = await ListeningVenue.open(venueServer('binance', Date.now), { secure: true });
  t.after(() => venue[Symbol.asyncDispose]());
  venue.move(50);
  const port = Number(new URL(venue.address.restUrl).port);
  const proxy = await ConnectProxy.open({ user: 'me:word', leads: { 'venue.example:443': port } });
  t.after(() => proxy[Symbol.asyncDispose]());
  const perp = (words: string[]) =>
    new BuiltRun(words, {
      ...variables,
      ...proxyVariables(proxy.url('me:word')),
      NODE_EXTRA_CA_CERTS: fileURLToPath(new URL('../fixtures/tls/example-cert.pem', import.meta.url)),
      PERP_VENUES_BINANCE_REST_URL: 'https://venue.example',
      PERP_VENUES_BINANCE_WS_URL: 'wss://venue.example',
      PERP_BASE_URL: 'https://api.example',
      PERP_API_KEY: 'perp_live_word_of_mine',
    }).ended;
  const recorded = await perp([
    'sim',
    'record',
    'BTC',
    '--venue',
    'binance',
    '--for',
    '2s',
    '--out',
    `${folder}/tape.jsonl`,
    '--json',
  ]);
  assert.equal(recorded.exit, 0, recorded.err);
  assert.deepEqual(new Set(proxy.asked), new Set(['venue.example:443']));
  const who = await perp(['whoami', '--env', 'live', '--json']);
  assert.deepEqual(JSON.parse(who.out).proxy, { address: proxy.url(), variable: 'HTTPS_PROXY' }, who.err);
  assert.ok(proxy.asked.includes('api.example:443'));
  const doctor = await perp(['doctor', '--env', 'live', '--json']);
  assert.match(doctor.out, new RegExp(`"${proxy.url()} \\(HTTPS_PROXY\\) leads to api\\.example, .*venue\\.example`));
  const placed = await perp(['order', 'place', 'BTC', 'buy', '0.1', '--env', 'live', '--account', 'acc_1', '--yes']);
  assert.match(
    placed.err,
    /through the proxy http:\/\/localhost:\d+ \(HTTPS_PROXY\): it did not open the connection \(status 502\)/,
  );
  for (const { out, err } of [recorded, who, doctor, placed]) assert.doesNotMatch(out + err, /me:word/);
});
