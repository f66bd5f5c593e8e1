import assert from 'node:assert/strict';
import { test, trial } from '../tiers.ts';
import { ask, raw, served } from './serving.ts';

/*
 * The boundary between requests: input that a proxy and the service could read differently is refused, and bytes after
 * a request do not prevent its answer.
 */

interface Served {
  url: string;
  /** A complete request that places an order; `more` adds header lines, `body` replaces the order. */
  place(name: string, options?: { more?: string[]; body?: string; framing?: string[] }): string;
  /** Number of orders with that client order id. */
  count(name: string): Promise<number>;
}

async function desk(t: Parameters<typeof served>[0]): Promise<Served> {
  const { baseUrl, key } = await served(t);
  const account = (await ask(`${baseUrl}/v1/accounts`, key)).body.data[0].id;
  const terms = { account_id: account, market_id: 'binance|BTCUSDT', side: 'buy', size: 0.01, leverage: 1 };
  return {
    url: baseUrl,
    place(name, { more = [], body, framing } = {}) {
      const text = body ?? JSON.stringify({ ...terms, margin_mode: 'cross', client_order_id: name });
      return [
        'POST /v1/orders HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        `Idempotency-Key: ${name}`,
        ...(framing ?? [`Content-Length: ${Buffer.byteLength(text)}`]),
        ...more,
        '',
        text,
      ].join('\r\n');
    },
    async count(name) {
      return (await ask(`${baseUrl}/v1/orders?client_order_id=${name}`, key)).body.data.length;
    },
  };
}

/** The statuses of the answers received, in order. */
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

trial('an order followed by garbage in one packet is answered, then the connection closes', async (t) => {
  const { url, place, count } = await desk(t);
  const garbage = ['garbage\r\n\r\n', '\0\0\0\0', 'GET', 'POST /v1/orders HTTP/9.9\r\n\r\n', 'X'.repeat(20_000)];
  for (const [index, behind] of garbage.entries()) {
    const name = `garbage-${index}`;
    // After the beginning of a request, the service waits for the rest.
    const text = await raw(url, place(name) + behind, behind === 'GET' ? 1 : 2);
    const [status, ...others] = statuses(text);
    assert.equal(status, 201, text);
    assert.ok(others.every((other) => other === 400) && others.length <= 1, text);
    assert.equal(await count(name), 1);
  }
});

test('two orders and garbage in one packet: both are answered, in order', async (t) => {
  const { url, place, count } = await desk(t);
  const text = await raw(url, `${place('one')}${place('two')}garbage\r\n\r\n`, 4);
  assert.deepEqual(statuses(text).slice(0, 2), [201, 201]);
  assert.ok(text.indexOf('"client_order_id":"one"') < text.indexOf('"client_order_id":"two"'));
  assert.match(text, /connection: close/i);
  assert.deepEqual([await count('one'), await count('two')], [1, 1]);
});

test('an order, then one whose body ends in garbage: the first is answered 201, the second 400 and not placed', async (t) => {
  const { url, place, count } = await desk(t);
  const broken = place('broken', { framing: ['Transfer-Encoding: chunked'], body: '5\r\n{"acc\r\nnonsense\r\n' });
  const text = await raw(url, place('whole') + broken, 3);
  assert.deepEqual(statuses(text), [201, 400], text);
  assert.deepEqual([await count('whole'), await count('broken')], [1, 0]);
});

test('an ambiguous request is refused, and has no effect', async (t) => {
  const { url, place, count } = await desk(t);
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const whole = (name: string) => place(name).split('\r\n\r\n')[1]!;
  const cases: Record<string, (name: string) => string> = {
    'two Hosts': (name) => place(name, { more: ['Host: evil.example'] }),
    'two Hosts that agree': (name) => place(name, { more: ['Host: localhost'] }),
    'two lengths': (name) => place(name, { more: ['Content-Length: 3'] }),
    'two lengths that agree': (name) => place(name, { more: [`Content-Length: ${whole(name).length}`] }),
    'a list of lengths': (name) => place(name, { framing: [`Content-Length: ${whole(name).length}, 3`] }),
    'a length and chunks': (name) =>
      place(name, { framing: ['Content-Length: 5', 'Transfer-Encoding: chunked'], body: chunked(whole(name)) }),
    'chunks, then chunked again': (name) =>
      place(name, { framing: ['Transfer-Encoding: chunked, chunked'], body: chunked(whole(name)) }),
    'a coding before the chunks': (name) =>
      place(name, { framing: ['Transfer-Encoding: gzip, chunked'], body: chunked(whole(name)) }),
    'a coding after the chunks': (name) =>
      place(name, { framing: ['Transfer-Encoding: chunked, identity'], body: chunked(whole(name)) }),
    'a signed length': (name) => place(name, { framing: [`Content-Length: +${whole(name).length}`] }),
    'a folded header': (name) => place(name, { more: ['X-Folded: one', ' two'] }),
    'a space before the colon': (name) => place(name, { framing: [`Content-Length : ${whole(name).length}`] }),
    'a chunk size that is signed': (name) =>
      place(name, { framing: ['Transfer-Encoding: chunked'], body: `+${chunked(whole(name))}` }),
    'two credentials': (name) => place(name, { more: ['Authorization: Bearer other'] }),
    'two keys': (name) => place(name, { more: ['Idempotency-Key: another'] }),
    'two content types': (name) => place(name, { more: ['Content-Type: text/plain'] }),
    'line ends without a return': (name) => place(name).replaceAll('\r\n', '\n'),
  };
  for (const [what, request] of Object.entries(cases)) {
    const name = what.replaceAll(/[^a-z]/g, '-');
    const text = await raw(url, request(name), 2);
    assert.deepEqual(statuses(text), [400], `${what}: ${text}`);
    assert.match(text, /"code":"invalid_request"/, what);
    assert.match(text, /connection: close/i, what);
    assert.equal(await count(name), 0, what);
  }
});

test('the trailer of a chunked body is ignored: it adds no header', async (t) => {
  const { url, place, count } = await desk(t);
  const body = place('trailed').split('\r\n\r\n')[1]!;
  const trailed = place('trailed', {
    framing: ['Transfer-Encoding: chunked', 'Trailer: Idempotency-Key'],
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\nIdempotency-Key: another\r\nHost: evil.example\r\n\r\n`,
  });
  assert.deepEqual(statuses(await raw(url, trailed)), [201]);
  assert.equal(await count('trailed'), 1);
});

test('a body of whitespace counts as no body, whatever its length', async (t) => {
  const { baseUrl, key } = await served(t);
  const body = `${' '.repeat(200_000)}{${'\n'.repeat(50_000)}}${'\t'.repeat(10_000)}`;
  const head = [
    'GET /v1/accounts HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  assert.deepEqual(statuses(await raw(baseUrl, `${head.join('\r\n')}\r\n\r\n${body}`)), [200]);
  const unclosed = `${' '.repeat(200_000)}{${' '.repeat(50_000)}`;
  head[4] = `Content-Length: ${unclosed.length}`;
  assert.deepEqual(statuses(await raw(baseUrl, `${head.join('\r\n')}\r\n\r\n${unclosed}`)), [400]);
});
