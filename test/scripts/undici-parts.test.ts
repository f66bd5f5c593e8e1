import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

/*
 * The bundle takes parts out of undici, which carries all requests and WebSockets (scripts/bundled-source.ts).
 * So the version is pinned, and an upgrade must pass these tests first.
 */
const require = createRequire(import.meta.url);
const advice = 'this upgrade of undici moved a part that scripts/bundled-source.ts relies on';

test('undici is pinned to the version whose internals are known', () => {
  const { devDependencies } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'));
  const { version } = require('undici/package.json');
  assert.equal(devDependencies.undici, version, 'package.json names one version of undici, without ^ or ~');
});

test('the parts of undici are at the expected paths', () => {
  const { fetch, Agent, buildConnector, Client, Pool, ProxyAgent, WebSocket } = require('undici');
  assert.equal(part('undici/lib/dispatcher/agent.js'), Agent, advice);
  assert.equal(part('undici/lib/core/connect.js'), buildConnector, advice);
  assert.equal(part('undici/lib/dispatcher/client.js'), Client, advice);
  assert.equal(part('undici/lib/dispatcher/pool.js'), Pool, advice);
  assert.equal(part('undici/lib/dispatcher/proxy-agent.js'), ProxyAgent, advice);
  assert.equal(part('undici/lib/api/api-connect.js'), Pool.prototype.connect, advice);
  assert.equal((part('undici/lib/web/websocket/websocket.js') as { WebSocket: unknown }).WebSocket, WebSocket, advice);
  assert.equal(
    (part('undici/lib/web/websocket/websocket.js') as { ping: unknown }).ping,
    require('undici').ping,
    advice,
  );
  assert.equal(typeof (part('undici/lib/web/fetch/index.js') as { fetch: unknown }).fetch, typeof fetch, advice);
});

test('the bundle has every part of undici that the source takes', () => {
  const taken = new Set<string>();
  const folder = resolve(import.meta.dirname, '../../src');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    const all = [
      ...text.matchAll(/\bundici\.(\w+)/g),
      ...text.matchAll(/const \{ ([\w, ]+) \} = \(await import\('undici'\)\)/g),
      ...text.matchAll(/default: \{ ([\w, ]+) \}/g),
    ];
    if (text.includes("'undici'")) for (const [, names] of all) for (const name of names!.split(', ')) taken.add(name);
  }
  const bundled = readFileSync(resolve(import.meta.dirname, '../../scripts/bundled-source.ts'), 'utf8');
  const parts = [...bundled.matchAll(/^ {2}get (\w+)\(\)/gm)].map(([, name]) => name);
  assert.ok(taken.size > 5);
  assert.deepEqual([...taken].sort(), parts.sort());
});

test('the parts that the bundle excludes or changes are used where they were', () => {
  const folder = join(dirname(require.resolve('undici/package.json')), 'lib/dispatcher');
  assert.match(readFileSync(join(folder, 'client.js'), 'utf8'), /require\('\.\/client-h2\.js'\)/, advice);
  assert.equal(typeof part('undici/lib/dispatcher/client-h2.js'), 'function', advice);
  assert.match(readFileSync(join(folder, 'proxy-agent.js'), 'utf8'), /require\('\.\/socks5-proxy-agent'\)/, advice);
  assert.match(readFileSync(join(folder, 'client-h1.js'), 'utf8'), /mod = new WebAssembly\.Module\(/, advice);
});

function part(name: string): unknown {
  try {
    return require(name);
  } catch (error) {
    return assert.fail(`${advice}: ${(error as Error).message}`);
  }
}
