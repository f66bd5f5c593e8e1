import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountFollower } from '../../../../src/wire/client/streams/account-follower.ts';
import { MarketFollower } from '../../../../src/wire/client/streams/market-follower.ts';
import type { StreamState } from '../../../../src/wire/client/streams/stream-state.ts';
import { webSocketTransport } from '../../../../src/wire/client/streams/web-socket.ts';
import { streamPaths } from '../../../../src/wire/contract/streams.ts';
import { ask, issueKey, served } from '../../../service/serving.ts';
import { waitFor } from '../../../service/streams/stream-client.ts';
import { CuttingProxy } from './cutting-proxy.ts';

const firstRetryMs = 20;

test('a refused account stream gives the reason: a REST request finds it, and its error ends the stream', async (t) => {
  const serving = await served(t);
  const ended = new Promise<Error>((resolve) => {
    const follower = new AccountFollower({
      transport: webSocketTransport(serving.baseUrl.replace('http', 'ws'), {
        credential: async () => 'sim_live_wrong',
      }),
      path: streamPaths.live,
      firstRetryMs,
      onFrame: () => assert.fail('a frame'),
      onEnd: resolve,
      probe: async () => {
        const { status } = await ask(`${serving.baseUrl}/v1/accounts`, 'sim_live_wrong');
        if (status === 401) throw new Error('unauthorized');
      },
    });
    t.after(() => follower.close());
  });
  assert.equal((await ended).message, 'unauthorized');
});

test('a stream that does not answer is retried, and this is reported', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const proxy = await CuttingProxy.open(t, serving.baseUrl);
  proxy.isCut = true;
  const states: StreamState[] = [];
  const follower = new AccountFollower({
    transport: webSocketTransport(proxy.url, { credential: async () => key }),
    path: streamPaths.live,
    firstRetryMs,
    onFrame() {},
    onState: (state) => states.push(state),
    onEnd: (error) => assert.fail(error),
    probe: async () => {},
  });
  t.after(() => follower.close());
  await waitFor(() => states.length >= 3, 'three attempts');
  assert.ok(states.every(({ kind }) => kind === 'reconnecting'));
  proxy.isCut = false;
  await waitFor(() => states.at(-1)!.kind === 'live', 'the stream');
});

test('the credential is sent only to the account stream', async (t) => {
  const seen: [path: string, authorization: string | undefined][] = [];
  const { createServer } = await import('node:http');
  const server = createServer();
  server.on('upgrade', ({ url, headers }, socket) => {
    seen.push([url!, headers.authorization]);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => server.close());
  const url = `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
  const market = new MarketFollower({ transport: webSocketTransport(url) });
  const account = new AccountFollower({
    transport: webSocketTransport(url, { credential: async () => 'secret' }),
    path: streamPaths.test,
    onFrame() {},
    onEnd() {},
  });
  t.after(() => market.close());
  t.after(() => account.close());
  await waitFor(() => seen.length >= 2, 'both');
  // A follower that waits long tries again.
  assert.deepEqual(
    [...new Map(seen.sort())],
    [
      ['/v1/market-data', undefined],
      ['/v1/sandbox/stream', 'Bearer secret'],
    ],
  );
});

test('addresses are origins: wss, or ws on this machine', () => {
  for (const address of [
    'wss://stream.example.com',
    'wss://stream.example.com:8443/',
    'ws://127.0.0.1:7400',
    'ws://localhost',
    'ws://[::1]:7',
  ])
    webSocketTransport(address);
  const cases: [address: string, message: RegExp][] = [
    ['stream.example.com', /not a valid address/],
    ['https://stream.example.com', /wss:\/\/ or ws:\/\//],
    ['ws://stream.example.com', /is not encrypted/],
    ['ws://127.0.0.1.example.com', /is not encrypted/],
    ['wss://user:secret@stream.example.com', /user or password/],
    ['wss://stream.example.com/v1/market-data', /origin/],
    ['wss://stream.example.com/?key=1', /origin/],
  ];
  for (const [address, message] of cases)
    assert.throws(
      () => webSocketTransport(address),
      (error) => error instanceof TypeError && message.test(error.message),
      address,
    );
});
