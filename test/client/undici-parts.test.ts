import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

/*
 * The HTTP transport uses internal parts of undici: loading all of undici makes a POST take 3.8 times as long as `node
 * -e 0`, these parts 2.2 times. So the version is pinned, and an upgrade must pass these tests first.
 */
const require = createRequire(import.meta.url);
const advice = 'this upgrade of undici moved a part that src/client/http-connections.ts or scripts/ rely on';

test('undici is pinned to the version whose internals are known', () => {
  const { devDependencies } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
  const { version } = require('undici/package.json');
  assert.equal(devDependencies.undici, version, 'package.json names one version of undici, without ^ or ~');
});

test('the parts of undici are at the expected paths and have the expected shape', () => {
  const client = part('undici/lib/dispatcher/client.js');
  assert.equal(typeof client, 'function', advice);
  for (const method of ['dispatch', 'close', 'destroy', 'on'])
    assert.equal(typeof (client as { prototype: Record<string, unknown> }).prototype[method], 'function', advice);
  const buildConnector = part('undici/lib/core/connect.js') as (options: object) => unknown;
  assert.equal(typeof buildConnector, 'function', advice);
  assert.equal(typeof buildConnector({ timeout: 1_000, allowH2: false }), 'function', advice);
  // The bundle excludes this one.
  assert.equal(typeof part('undici/lib/dispatcher/client-h2.js'), 'function', advice);
});

test('the part that the bundle excludes is used only by the client', () => {
  const folder = join(dirname(require.resolve('undici/package.json')), 'lib/dispatcher');
  assert.match(readFileSync(join(folder, 'client.js'), 'utf8'), /require\('\.\/client-h2\.js'\)/, advice);
});

function part(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    return assert.fail(`${advice}: ${(error as Error).message}`);
  }
}
