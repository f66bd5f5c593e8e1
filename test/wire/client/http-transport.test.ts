import assert from 'node:assert/strict';
import { getEventListeners, once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { ConnectionError, NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import { httpTransport } from '../../../src/wire/client/http-transport.ts';
import type { WireRequest } from '../../../src/wire/contract/wire.ts';
import { httpAnswer, type RawServer, rawServer } from './raw-server.ts';

const post: WireRequest = {
  method: 'POST',
  target: '/v1/orders',
  headers: { 'content-type': 'application/json', authorization: 'Bearer sim_live_secret' },
  body: '{"size":1}',
};
const get: WireRequest = { method: 'GET', target: '/v1/markets', headers: {} };
const good = httpAnswer(200, '{"data":{"id":"a"}}');

async function withServer(
  answer: Parameters<typeof rawServer>[0],
  run: (server: RawServer) => Promise<void>,
): Promise<void> {
  const server = await rawServer(answer);
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

/** The resulting error; checks that nothing printable in it shows the credential. */
async function failure(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => assert.fail('expected a failure'),
    (reason: Error) => reason,
  );
  assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /secret/);
  return error;
}

test('an answer carries status, lower-case headers and the parsed body', async () => {
  const text = httpAnswer(201, '{"data":{"id":"ord_1"}}', { 'X-Request-Id': 'r1', 'Retry-After': '2' });
  await withServer(
    (socket) => socket.write(text),
    async (server) => {
      const transport = httpTransport(server.url);
      const answer = await transport(post, { timeoutMs: 30_000 });
      await transport.close();
      assert.equal(answer.status, 201);
      assert.deepEqual(answer.body, { data: { id: 'ord_1' } });
      assert.equal(answer.headers['x-request-id'], 'r1');
      assert.equal(answer.headers['retry-after'], '2');
      assert.match(server.requests[0]!, /^POST \/v1\/orders HTTP\/1\.1\r\n/);
      assert.match(server.requests[0]!, /\r\n\r\n\{"size":1\}$/);
    },
  );
});

test('a request says how long its body is, also if it should have one and has none, and which host it is for', async () => {
  const sent: [WireRequest, RegExp][] = [
    [post, /^content-length: 10\r$/m],
    [{ ...post, body: '{"name":"\u00fc"}' }, /^content-length: 13\r$/m],
    [{ method: 'POST', target: '/v1/x', headers: {} }, /^content-length: 0\r$/m],
    // RFC 9110 8.6: a method that means nothing by a body needs no length for none.
    [{ method: 'DELETE', target: '/v1/x', headers: {} }, /^DELETE (?!.*content-length)/s],
  ];
  await withServer(
    (socket) => socket.write(good),
    async (server) => {
      const transport = httpTransport(server.url);
      for (const [request, length] of sent) {
        assert.equal((await transport(request, { timeoutMs: 30_000 })).status, 200);
        assert.match(server.requests.at(-1)!, length);
      }
      await transport(get, { timeoutMs: 30_000 });
      await transport.close();
      assert.equal(server.requests.length, sent.length + 1);
      for (const text of server.requests) {
        assert.match(text, new RegExp(`^host: 127\\.0\\.0\\.1:${server.port}\\r$`, 'm'));
        assert.doesNotMatch(text, /transfer-encoding/i);
      }
      assert.doesNotMatch(server.requests.at(-1)!, /content-length/);
    },
  );
});

test('a header that can not be written: nothing was sent, and retrying does not help', async () => {
  await withServer(
    (socket) => socket.write(good),
    async (server) => {
      const transport = httpTransport(server.url);
      const error = await failure(transport({ ...post, headers: { 'x-a': 'b\r\nc: d' } }, { timeoutMs: 30_000 }));
      await transport.close();
      assert.ok(error instanceof ConnectionError && !error.retryable, error.message);
      assert.equal(server.requests.length, 0);
    },
  );
});

test('a closed transport leaves no request open: not sent if it waited, without an answer if it was sent', async () => {
  await withServer(
    () => {},
    async (server) => {
      const transport = httpTransport(server.url, { connections: 1 });
      const [first, second] = [get, post].map((request) => failure(transport(request, { timeoutMs: 20_000 })));
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await transport.close();
      assert.ok((await first) instanceof NoAnswerError);
      const waited = await second;
      assert.ok(waited instanceof ConnectionError && !waited.retryable, waited?.message);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('after renewing, a connection in use is not used again', async () => {
  await withServer(
    (socket) => setTimeout(() => socket.write(good), 20),
    async (server) => {
      const transport = httpTransport(server.url);
      const slow = transport(get, { timeoutMs: 30_000 });
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      transport.renew();
      assert.equal((await slow).status, 200);
      await transport(get, { timeoutMs: 30_000 });
      assert.equal(server.connections(), 2);
      await transport.close();
    },
  );
});

test('a path in the base URL is put in front of every target', async () => {
  await withServer(
    (socket) => socket.write(good),
    async (server) => {
      const transport = httpTransport(`${server.url}/trading/`);
      await transport(get, { timeoutMs: 30_000 });
      await transport.close();
      assert.match(server.requests[0]!, /^GET \/trading\/v1\/markets /);
    },
  );
});

test('sequential requests share a connection; parallel ones don’t wait for each other', async () => {
  await withServer(
    (socket, index) => setTimeout(() => socket.write(good), index < 2 ? 0 : 50),
    async (server) => {
      const transport = httpTransport(server.url);
      await transport(post, { timeoutMs: 30_000 });
      await transport(post, { timeoutMs: 30_000 });
      assert.equal(server.connections(), 1);
      await Promise.all([1, 2, 3].map(() => transport(get, { timeoutMs: 30_000 })));
      assert.ok(server.connections() > 1);
      await transport.close();
    },
  );
});

test('requests beside each other use at most 16 connections, or as many as asked for; the others wait', async () => {
  for (const [options, most] of [
    [{}, 16],
    [{ connections: 3 }, 3],
  ] as const) {
    const held: (() => void)[] = [];
    let isHolding = true;
    await withServer(
      (socket) => {
        const answer = () => void socket.write(good);
        if (!isHolding) return answer();
        held.push(answer);
        if (held.length < most) return;
        // Had one of the others a connection, it would have opened with these.
        isHolding = false;
        for (const one of held) one();
      },
      async (server) => {
        const transport = httpTransport(server.url, options);
        await Promise.all(Array.from({ length: 2 * most }, () => transport(get, { timeoutMs: 30_000 })));
        assert.deepEqual([server.connections(), server.requests.length], [most, 2 * most]);
        await transport.close();
      },
    );
  }
});

test('a body that is not JSON of the API is discarded', async () => {
  const bodies: [string, string, Record<string, string>][] = [
    ['an HTML page', '<h1>Bad gateway</h1>', { 'content-type': 'text/html' }],
    ['broken JSON', '{"data":', {}],
    ['JSON with a text content type', '{"data":1}', { 'content-type': 'text/plain' }],
    ['an empty body', '', {}],
  ];
  for (const [name, body, headers] of bodies) {
    await withServer(
      (socket) => socket.write(httpAnswer(502, body, headers)),
      async (server) => {
        const transport = httpTransport(server.url);
        const answer = await transport(post, { timeoutMs: 30_000 });
        await transport.close();
        assert.deepEqual([answer.status, answer.body], [502, undefined], name);
      },
    );
  }
});

test('JSON with charset, with a suffix or without a content type is read', async () => {
  for (const type of ['application/json; charset=utf-8', 'application/problem+json', 'Application/JSON']) {
    await withServer(
      (socket) => socket.write(httpAnswer(200, '{"data":1}', { 'content-type': type })),
      async (server) => {
        const transport = httpTransport(server.url);
        assert.deepEqual((await transport(get, { timeoutMs: 30_000 })).body, { data: 1 }, type);
        await transport.close();
      },
    );
  }
});

test('a redirect is an answer, and is not followed', async () => {
  await withServer(
    (socket, _index, _request) => socket.write(httpAnswer(307, '', { location: 'http://127.0.0.1:1/v1/orders' })),
    async (server) => {
      const transport = httpTransport(server.url);
      const answer = await transport(post, { timeoutMs: 30_000 });
      await transport.close();
      assert.equal(answer.status, 307);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('informational answers (103) are skipped', async () => {
  await withServer(
    (socket) => socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${good}`),
    async (server) => {
      const transport = httpTransport(server.url);
      assert.equal((await transport(post, { timeoutMs: 30_000 })).status, 200);
      await transport.close();
    },
  );
});

test('a port where nothing listens: nothing was sent', async () => {
  const server = await rawServer(() => {});
  await server.close();
  const transport = httpTransport(server.url);
  const error = await failure(transport(post, { timeoutMs: 30_000 }));
  await transport.close();
  assert.ok(error instanceof ConnectionError);
  assert.equal(error.code, 'ECONNREFUSED');
  assert.equal(error.retryable, true);
  assert.match(error.message, /: nothing is listening there \(ECONNREFUSED\)$/);
});

test('a host that does not exist: nothing was sent, and retrying does not help', async () => {
  const transport = httpTransport('https://no-such-host.invalid');
  const error = await failure(transport(post, { timeoutMs: 30_000 }));
  await transport.close();
  assert.ok(error instanceof ConnectionError);
  assert.ok(error.code === 'ENOTFOUND' ? !error.retryable : error.code === 'EAI_AGAIN');
});

test('a closed transport: nothing was sent, and retrying does not help', async () => {
  await withServer(
    (socket) => void socket.write(good),
    async (server) => {
      const transport = httpTransport(server.url);
      await transport(get, { timeoutMs: 30_000 });
      await transport.close();
      const error = await failure(transport(get, { timeoutMs: 30_000 }));
      assert.ok(error instanceof ConnectionError && !error.retryable, error.message);
      assert.match(error.message, /it was closed/);
      assert.equal(server.requests.length, 1);
    },
  );
});

test('a server that does not use TLS: nothing was sent', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const transport = httpTransport(`https://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
  const error = await failure(transport(post, { timeoutMs: 30_000 }));
  await transport.close();
  server.close();
  assert.ok(error instanceof ConnectionError, error.message);
});

const cutOff: [name: string, bytes: string][] = [
  ['before the first byte of the answer', ''],
  ['inside the status line', 'HTTP/1.1 20'],
  ['inside the headers', good.slice(0, 40)],
  ['between headers and body', good.slice(0, good.indexOf('\r\n\r\n') + 4)],
  ['inside the body', good.slice(0, -5)],
  [
    'inside a chunked body',
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"dat',
  ],
];
for (const how of ['end', 'resetAndDestroy'] as const) {
  for (const [where, bytes] of cutOff) {
    test(`a connection that breaks (${how}) ${where}: sent once, no answer`, async () => {
      await withServer(
        (socket) => socket.write(bytes, () => socket[how]()),
        async (server) => {
          const transport = httpTransport(server.url);
          const error = await failure(transport(post, { timeoutMs: 30_000 }));
          await transport.close();
          assert.ok(error instanceof NoAnswerError, error.stack);
          assert.equal(server.requests.length, 1);
        },
      );
    });
  }
}

test('the transport does not retry a failed read either', async () => {
  await withServer(
    (socket) => socket.destroy(),
    async (server) => {
      const transport = httpTransport(server.url);
      assert.ok((await failure(transport(get, { timeoutMs: 30_000 }))) instanceof NoAnswerError);
      await transport.close();
      assert.equal(server.requests.length, 1);
    },
  );
});

test('a kept-alive connection that the server closed is replaced before anything is written to it', async () => {
  const closed = Promise.withResolvers<void>();
  await withServer(
    (socket, index) => {
      if (index === 0) socket.once('close', () => closed.resolve());
      socket.write(good, () => index === 0 && socket.end());
    },
    async (server) => {
      const transport = httpTransport(server.url);
      await transport(post, { timeoutMs: 30_000 });
      await closed.promise;
      await transport(post, { timeoutMs: 30_000 });
      await transport.close();
      assert.equal(server.requests.length, 2);
      assert.equal(server.connections(), 2);
    },
  );
});

test('a kept-alive connection that is reset during the next request: sent at most once, no answer', async () => {
  await withServer(
    (socket, index) => (index === 0 ? socket.write(good) : socket.resetAndDestroy()),
    async (server) => {
      const transport = httpTransport(server.url);
      await transport(post, { timeoutMs: 30_000 });
      assert.ok((await failure(transport(post, { timeoutMs: 30_000 }))) instanceof NoAnswerError);
      await transport.close();
      assert.equal(server.requests.length, 2);
    },
  );
});

test('no answer in time: sent, no answer, and the connection is not used again', async () => {
  await withServer(
    (socket, index) => index !== 1 && socket.write(good),
    async (server) => {
      const transport = httpTransport(server.url);
      // Over an open connection, a request is sent before any time passes.
      await transport(get, { timeoutMs: 30_000 });
      const error = await failure(transport(post, { timeoutMs: 60 }));
      assert.ok(error instanceof NoAnswerError);
      assert.match(error.message, /was sent, but no complete answer within 60 ms$/);
      assert.equal((await transport(post, { timeoutMs: 30_000 })).status, 200);
      assert.equal(server.connections(), 2);
      await transport.close();
    },
  );
});

test('an answer that arrives slowly is cut off by the same timeout', async () => {
  await withServer(
    (socket, index) => {
      if (index === 0) return void socket.write(good);
      socket.write(good.slice(0, -8));
      const timer = setInterval(() => socket.write(' '), 10);
      socket.on('close', () => clearInterval(timer));
    },
    async (server) => {
      const transport = httpTransport(server.url);
      await transport(get, { timeoutMs: 30_000 });
      const error = await failure(transport(post, { timeoutMs: 80 }));
      await transport.close();
      assert.ok(error instanceof NoAnswerError);
    },
  );
});

test('a TLS handshake that is not answered in time: nothing was sent', async () => {
  const server = net.createServer((socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const transport = httpTransport(`https://127.0.0.1:${port}`);
  const error = await failure(transport(post, { timeoutMs: 60 }));
  await transport.close();
  server.close();
  assert.ok(error instanceof ConnectionError);
  assert.equal(error.code, 'ETIMEDOUT');
});

test('the timeout includes waiting for a free connection, and then nothing is written', async () => {
  await withServer(
    (socket, index) => setTimeout(() => socket.write(good), index === 0 ? 150 : 0),
    async (server) => {
      const transport = httpTransport(server.url, { connections: 1 });
      const first = transport(get, { timeoutMs: 30_000 });
      const error = await failure(transport(post, { timeoutMs: 50 }));
      assert.ok(error instanceof ConnectionError);
      await first;
      assert.equal((await transport(get, { timeoutMs: 30_000 })).status, 200);
      await transport.close();
      assert.deepEqual(
        server.requests.map((request) => request.slice(0, 4)),
        ['GET ', 'GET '],
      );
    },
  );
});

test('requests beside each other have their own limits and signals, and a closed transport listens to no signal', async () => {
  await withServer(
    () => {},
    async (server) => {
      const transport = httpTransport(server.url);
      const [one, other] = [new AbortController(), new AbortController()];
      const send = (timeoutMs: number, { signal }: AbortController) => failure(transport(get, { timeoutMs, signal }));
      const [stopped, longer, short, open] = [send(60_000, one), send(90, other), send(30, other), send(60_000, other)];
      assert.match((await short).message, /within 30 ms/);
      assert.match((await longer).message, /within 90 ms/);
      assert.equal(getEventListeners(other.signal, 'abort').length, 1, 'that of the one still open');
      one.abort();
      assert.match((await stopped).message, /before it was stopped/);
      await transport.close();
      assert.match((await open).message, /before it was closed/);
      assert.equal(getEventListeners(other.signal, 'abort').length, 0);
    },
  );
});

test('stopped by its signal before sending: nothing was sent; afterward: the outcome is open', async () => {
  await withServer(
    () => {},
    async (server) => {
      const transport = httpTransport(server.url);
      const early = await failure(transport(post, { timeoutMs: 30_000, signal: AbortSignal.abort() }));
      assert.ok(early instanceof ConnectionError && !early.retryable);
      const controller = new AbortController();
      const pending = failure(transport(post, { timeoutMs: 30_000, signal: controller.signal }));
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort();
      assert.ok((await pending) instanceof NoAnswerError);
      await transport.close();
    },
  );
});

test('an answer that is too large is not read to its end', async () => {
  await withServer(
    (socket) => socket.write(httpAnswer(200, JSON.stringify({ data: 'x'.repeat(5_000) }))),
    async (server) => {
      const transport = httpTransport(server.url, { maxAnswerBytes: 1_000 });
      const error = await failure(transport(get, { timeoutMs: 30_000 }));
      await transport.close();
      assert.match(error.message, /longer than 1000 bytes/);
    },
  );
});

test('an answer delivered twice is never taken for the answer to the next request', async () => {
  const first = httpAnswer(201, '{"data":{"id":"first"}}', { 'x-request-id': 'r1' });
  const second = httpAnswer(201, '{"data":{"id":"second"}}', { 'x-request-id': 'r2' });
  for (const delayMs of [0, 20]) {
    await withServer(
      (socket, index) => {
        if (index > 0) return void socket.write(`${first}${second}`);
        socket.write(first);
        if (delayMs === 0) socket.write(first);
      },
      async (server) => {
        const transport = httpTransport(server.url);
        const one = await transport(post, { timeoutMs: 30_000 });
        assert.deepEqual(one.body, { data: { id: 'first' } });
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        const error = await failure(transport(post, { timeoutMs: 30_000 }));
        await transport.close();
        assert.ok(error instanceof NoAnswerError);
        assert.match(error.message, /an earlier answer was repeated/);
      },
    );
  }
});

test('invalid addresses are refused before anything else', () => {
  const refused: [string, RegExp][] = [
    ['perp.example', /not a valid address/],
    ['ftp://perp.example', /https:\/\//],
    ['https://me:pass@perp.example', /user or password/],
    ['https://perp.example/?a=1', /query/],
    ['http://perp.example', /unencrypted/],
    ['http://10.0.0.1', /unencrypted/],
  ];
  for (const [address, why] of refused) assert.throws(() => httpTransport(address), why, address);
  for (const address of [
    'http://127.0.0.1:7400',
    'http://localhost:7400',
    'http://localhost.:7400',
    'http://[::1]:7400',
    'https://perp.example/api',
  ]) {
    assert.doesNotThrow(() => httpTransport(address), address);
  }
});

test('IPv6 addresses work', async (context) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(good));
  });
  server.listen(0, '::1');
  const listens = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]);
  if (!listens) return context.diagnostic('this machine has no IPv6 loopback');
  const transport = httpTransport(`http://[::1]:${(server.address() as net.AddressInfo).port}`);
  assert.equal((await transport(get, { timeoutMs: 30_000 })).status, 200);
  await transport.close();
  server.close();
});

test('an answer that nests deeper than 64 levels is not read; brackets in strings do not count', async () => {
  const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;
  const table: [body: string, isRead: boolean][] = [
    [nested(64), true],
    [nested(66), false],
    [nested(30_000), false],
    [JSON.stringify({ data: '[{'.repeat(200) }), true],
    [JSON.stringify({ data: `\\"${'[{'.repeat(200)}\\` }), true],
    [JSON.stringify({ data: Array.from({ length: 500 }, (_, id) => ({ id, list: [] })) }), true],
  ];
  for (const [body, isRead] of table) {
    await withServer(
      (socket) => socket.write(httpAnswer(200, body)),
      async (server) => {
        const transport = httpTransport(server.url);
        const answer = await transport(get, { timeoutMs: 30_000 });
        assert.deepEqual(answer.body, isRead ? JSON.parse(body) : undefined, body.slice(0, 40));
        await transport.close();
      },
    );
  }
});
