import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { tunnels } from '../../../../src/terminal/cli/running/network.ts';
import { programVariables } from '../../../../src/terminal/cli/running/program-variables.ts';

type Context = { after(fn: () => void): void };

/** A host that says its name to whoever connects. */
async function saying(t: Context, name: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function proxyTo(t: Context, variables: Record<string, string> = {}, name = 'api.example.com') {
  const passed: string[] = [];
  const take = (socket: Socket) => void socket.end('the simulation');
  const { server, user } = tunnels({
    names: new Set([name]),
    take,
    variables,
    passed: (host, problem) => passed.push(problem === undefined ? host : `${host}: ${problem}`),
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const asks = async (target: string, credentials = user) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n`);
    socket.write(`Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n\r\n`);
    const text = (await socket.setEncoding('utf8').toArray()).join('');
    return `${text.split(' ')[1]} ${text.split('\r\n\r\n')[1]}`;
  };
  return { port, user, asks, passed };
}

test('a program’s proxy leads its hosts to the simulation, others to where they are, and strangers nowhere', async (t) => {
  const port = await saying(t, 'the other host');
  const { asks, passed } = await proxyTo(t);
  assert.equal(await asks('api.example.com:443'), '200 the simulation');
  assert.equal(await asks('API.EXAMPLE.COM:8443'), '200 the simulation');
  assert.equal(await asks(`127.0.0.1:${port}`), '200 the other host');
  assert.deepEqual(passed, ['127.0.0.1']);
  assert.equal(await asks('api.example.com:443', 'perp:guessed'), '407 ');
  assert.equal(await asks('nonsense'), '400 ');
  assert.equal(await asks('127.0.0.1:99999'), '400 ', 'there is no such port');
  assert.equal(await asks('127.0.0.1:1'), '502 ', 'nobody is there');
});

test('other hosts are reached through the proxy that was there before, but not those of NO_PROXY', async (t) => {
  const port = await saying(t, 'the other host');
  const before = await proxyTo(t, {}, 'other.example.com');
  const https_proxy = `http://${before.user}@127.0.0.1:${before.port}`;
  const { asks, passed } = await proxyTo(t, { https_proxy, NO_PROXY: 'near.invalid' });
  assert.equal(await asks('other.example.com:443'), '200 the simulation');
  assert.deepEqual(passed, ['other.example.com']);
  assert.equal(await asks(`127.0.0.1:${port}`), '200 the other host', 'this machine is never reached by a proxy');
  assert.equal(await asks('near.invalid:443'), '502 ', 'nobody has that name');
  assert.deepEqual(before.passed, []);
  const stranger = await proxyTo(t, { https_proxy: `http://100%:secret@127.0.0.1:${before.port}` });
  assert.equal(await stranger.asks('other.example.com:443'), '407 ', 'its answer is passed on');
});

test('a proxy that perp can’t use is not passed by in silence: other hosts are not reached', async (t) => {
  for (const text of ['socks5://user:secret@127.0.0.1:1', 'http://user:secret@']) {
    const { asks, passed } = await proxyTo(t, { ALL_PROXY: text });
    assert.equal(await asks('other.example.com:443'), '502 ');
    assert.match(passed.join(''), /^other\.example\.com: ALL_PROXY .*(socks5:|not the address of a proxy)/);
    assert.doesNotMatch(passed.join(''), /secret/);
    assert.equal(await asks('api.example.com:443'), '200 the simulation');
  }
});

test('a proxy that is reached over TLS is asked over TLS', async (t) => {
  const first: Promise<number> = new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        resolve(bytes[0]!);
        socket.destroy();
      });
    }).listen(0, '127.0.0.1');
    t.after(() => server.close());
    server.once('listening', async () => {
      const { port } = server.address() as AddressInfo;
      const { asks } = await proxyTo(t, { https_proxy: `https://127.0.0.1:${port}` });
      await asks('other.example.com:443');
    });
  });
  const handshake = 22;
  assert.equal(await first, handshake);
});

test('a program gets its key and addresses in variables, and keeps the others', () => {
  const facts = {
    key: 'sim_test_1',
    urls: { live: 'http://127.0.0.1:1', test: 'http://127.0.0.1:2' },
    environment: 'test' as const,
    keyVariables: ['BOT_KEY'],
    urlVariables: ['BOT_URL'],
    state: 'run',
    stateDir: '/tmp/run',
    nodeOptions: '--require /tmp/run/library.cjs',
    pythonPath: undefined,
    trust: undefined,
    proxy: undefined,
    direct: ['127.0.0.1'],
  };
  const plain = programVariables({ HOME: '/home/me', PERP_API_KEY: 'live_secret', NO_PROXY: 'intranet' }, facts);
  const { HOME, PERP_API_KEY, BOT_KEY, BOT_URL, PERP_ENV, HTTPS_PROXY, SSL_CERT_FILE } = plain;
  assert.deepEqual(
    [HOME, PERP_API_KEY, BOT_KEY, BOT_URL],
    ['/home/me', 'sim_test_1', 'sim_test_1', 'http://127.0.0.1:2'],
  );
  assert.deepEqual([PERP_ENV, HTTPS_PROXY, SSL_CERT_FILE], ['sim', undefined, undefined]);
  const proxied = programVariables(
    { NO_PROXY: 'intranet' },
    { ...facts, trust: '/tmp/run/all.pem', proxy: 'http://p' },
  );
  assert.deepEqual([proxied.NO_PROXY, proxied.https_proxy], ['intranet,127.0.0.1', 'http://p']);
  assert.equal(proxied.REQUESTS_CA_BUNDLE, '/tmp/run/all.pem');
  assert.match(proxied.JAVA_TOOL_OPTIONS!, /^"-Djavax\.net\.ssl\.trustStore=\/tmp\/run\/all\.jks" /);
  assert.equal(plain.JAVA_TOOL_OPTIONS, undefined);
});
