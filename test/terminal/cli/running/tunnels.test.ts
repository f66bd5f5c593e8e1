import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { onwardProxy, programVariables } from '../../../../src/terminal/cli/running/program-variables.ts';
import { tunnels } from '../../../../src/terminal/cli/running/tunnels.ts';

type Context = { after(fn: () => void): void };

/** A host that says its name to whoever connects. */
async function saying(t: Context, name: string): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {}).end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function proxyTo(t: Context, onward?: ReturnType<typeof onwardProxy>) {
  const passed: string[] = [];
  const names = new Set(['api.example.com']);
  const take = (socket: Socket) => void socket.end('the simulation');
  const { server, user } = tunnels({ names, take, onward, passed: (host) => passed.push(host) });
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

test('other hosts are reached through the proxy that was there before', async (t) => {
  const port = await saying(t, 'the other host');
  const before = await proxyTo(t);
  const onward = onwardProxy({ https_proxy: `http://${before.user}@127.0.0.1:${before.port}` });
  const { asks } = await proxyTo(t, onward);
  assert.equal(await asks(`127.0.0.1:${port}`), '200 the other host');
  assert.deepEqual(before.passed, ['127.0.0.1']);
  const percent = onwardProxy({ https_proxy: `http://100%:secret@127.0.0.1:${before.port}` });
  assert.equal(await (await proxyTo(t, percent)).asks(`127.0.0.1:${port}`), '407 ', 'its answer is passed on');
  for (const text of ['', undefined]) assert.equal(onwardProxy({ https_proxy: text }), undefined);
});

test('a proxy that perp can’t use is not passed by in silence: other hosts are not reached', async (t) => {
  const port = await saying(t, 'the other host');
  for (const text of ['socks5://user:secret@127.0.0.1:1', 'nonsense']) {
    const onward = onwardProxy({ ALL_PROXY: text });
    assert.ok(onward !== undefined && 'problem' in onward);
    assert.match(onward.problem, /proxy .*(socks5:|address)/);
    assert.doesNotMatch(onward.problem, /secret/);
    const { asks } = await proxyTo(t, onward);
    assert.equal(await asks(`127.0.0.1:${port}`), '502 ');
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
      const { asks } = await proxyTo(t, onwardProxy({ https_proxy: `https://127.0.0.1:${port}` }));
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
