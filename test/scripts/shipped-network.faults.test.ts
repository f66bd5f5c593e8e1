import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { test } from 'node:test';
import { bin, buildPerp } from '../terminal/cli/built-perp.ts';

const root = resolve(import.meta.dirname, '../..');

test('every test of the network holds for the bundle: HTTP, TLS, bodies, redirects, proxies, WebSockets, venues', () => {
  buildPerp();
  const files = [
    'test/wire/client/http-transport.test.ts',
    'test/wire/client/tls.test.ts',
    'test/wire/client/proxies.test.ts',
    'test/venues/live/network.test.ts',
  ];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const run = spawnSync(
    process.execPath,
    ['--import', './test/scripts/from-bundle.ts', '--test', '--test-reporter=tap', ...files],
    { cwd: root, encoding: 'utf8', env: { ...env, PERP_BUNDLE: dirname(dirname(bin)) } },
  );
  assert.equal(run.status, 0, `${run.stdout.replace(/^[\s\S]*?(?=^ *not ok)/m, '').slice(0, 4_000)}${run.stderr}`);
  const [, passed] = /^# pass (\d+)$/m.exec(run.stdout) ?? [];
  assert.ok(Number(passed) > 60, `${passed} tests`);
});
