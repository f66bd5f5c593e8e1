import assert from 'node:assert/strict';
import { test, trial } from '../../tiers.ts';
import { ask, issueKey, served } from '../serving.ts';
import { type Frame, refusedUpgrade, StreamClient, waitFor } from './stream-client.ts';

const btc = { symbols: ['BTCUSDT'], providers: ['binance'] };

trial('an invalid frame is refused with the reason, and the others are still served', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  await client.subscribe('ticks', btc);
  const cases: [frame: unknown, op: string, code: string, message: RegExp][] = [
    ['{', 'err', 'invalid_frame', /one JSON object/],
    ['[]', 'err', 'invalid_frame', /one JSON object/],
    ['null', 'err', 'invalid_frame', /one JSON object/],
    [{ op: 'sub', channel: 'ticks', payload: btc }, 'err', 'invalid_frame', /id must be a whole number/],
    [{ op: 'sub', id: 1.5, channel: 'ticks', payload: btc }, 'err', 'invalid_frame', /id must be a whole number/],
    [{ op: 'sub', id: '7', channel: 'ticks', payload: btc }, 'err', 'invalid_frame', /id must be a whole number/],
    [{ op: 'login', id: 70 }, 'err', 'unknown_op', /sub, unsub or req/],
    [{ op: 'sub', id: 71, channel: 'orders', payload: btc }, 'sub_err', 'unknown_channel', /ticks, books/],
    [{ op: 'sub', id: 72, channel: 'ticks' }, 'sub_err', 'invalid_payload', /payload must be an object/],
    [{ op: 'sub', id: 73, channel: 'ticks', payload: { symbols: [] } }, 'sub_err', 'invalid_payload', /symbols/],
    [
      { op: 'sub', id: 74, channel: 'ticks', payload: { symbols: Array(33).fill('BTCUSDT') } },
      'sub_err',
      'invalid_payload',
      /symbols.*32/,
    ],
    [{ op: 'sub', id: 75, channel: 'ticks', payload: { symbols: [7] } }, 'sub_err', 'invalid_payload', /symbols\[0\]/],
    [
      { op: 'sub', id: 76, channel: 'candles', payload: { ...btc, intervals: ['6h'] } },
      'sub_err',
      'invalid_payload',
      /intervals\[0\].*1s/,
    ],
    [
      { op: 'sub', id: 77, channel: 'candles', payload: { ...btc, intervals: ['1m'], historyLimit: -1 } },
      'sub_err',
      'invalid_payload',
      /historyLimit/,
    ],
    [
      { op: 'sub', id: 78, channel: 'ticks', payload: { symbols: ['__proto__'] } },
      'sub_err',
      'unknown_market',
      /^unknown market$/,
    ],
    [
      { op: 'sub', id: 83, channel: 'status', payload: { providers: ['nowhere'] } },
      'sub_err',
      'unknown_provider',
      /^unknown provider$/,
    ],
    [{ op: 'sub', id: 1, channel: 'ticks', payload: btc }, 'sub_err', 'id_in_use', /still in use/],
    [{ op: 'req', id: 1, method: 'ping' }, 'err', 'id_in_use', /still in use/],
    [{ op: 'req', id: 79, method: 'toString' }, 'err', 'unknown_method', /ping, candles.history/],
    [{ op: 'req', id: 80, method: 'candles.history' }, 'err', 'invalid_payload', /payload/],
    [
      { op: 'req', id: 81, method: 'candles.history', payload: { provider: 'binance', symbol: 'X', interval: '1m' } },
      'err',
      'unknown_market',
      /^unknown market$/,
    ],
    [
      {
        op: 'req',
        id: 82,
        method: 'candles.history',
        payload: { provider: 'binance', symbol: 'BTCUSDT', interval: '1m', limit: 0 },
      },
      'err',
      'invalid_payload',
      /limit/,
    ],
  ];
  for (const [frame, op, code, message] of cases) {
    const before = client.frames.length;
    client.send(frame as Frame);
    await waitFor(() => client.frames.length > before, `an answer to ${JSON.stringify(frame)}`);
    const answer = client.frames.slice(before).find((one) => one.op === op);
    assert.ok(answer !== undefined, `${JSON.stringify(frame)} → ${JSON.stringify(client.frames.at(-1))}`);
    assert.deepEqual([answer.error.code, message.test(answer.error.message)], [code, true], JSON.stringify(answer));
    const { id } = frame as { id?: unknown };
    assert.equal(answer.id, Number.isSafeInteger(id) ? id : undefined);
  }
  client.send({ op: 'unsub', id: 12345 });
  assert.equal((await client.request('ping')).op, 'res');
});

test('a client that sends only garbage is disconnected, with the reason', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const other = await StreamClient.market(t, serving.baseUrl);
  for (let count = 0; count <= 100; count++) client.send('garbage');
  assert.deepEqual(await client.untilClosed(), { code: 1008, reason: 'more than 100 frames were invalid' });
  assert.equal((await other.request('ping')).op, 'res');
});

test('garbage closes the account stream; a JSON object is ignored', async (t) => {
  const serving = await served(t);
  const headers = { authorization: `Bearer ${issueKey(serving)}` };
  const client = await StreamClient.open(t, `${serving.baseUrl}/v1/stream`, { headers });
  await client.until(({ type }) => type === 'snapshot_end');
  client.send({ op: 'ping' });
  client.send('garbage');
  assert.deepEqual(await client.untilClosed(), { code: 1008, reason: "clients can't send on this stream" });
});

trial('unfinished fragments are bounded in sum: who holds most is ended, the others go on', async (t) => {
  const serving = await served(t);
  const other = await StreamClient.market(t, serving.baseUrl);
  const holders = await Promise.all(Array.from({ length: 6 }, () => StreamClient.market(t, serving.baseUrl)));
  const piece = Buffer.alloc(3 * 1024 * 1024, 'x');
  for (const { socket } of holders) socket.send(piece, { fin: false, binary: false });
  await Promise.any(holders.map((holder) => holder.untilClosed()));
  assert.equal((await other.request('ping')).op, 'res');
  assert.ok(holders.some(({ socket }) => socket.readyState === socket.OPEN));
});

test('a fragmented frame is read, between pings', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  client.socket.send('{"op":"req","id":9,', { fin: false });
  client.socket.ping('between');
  client.socket.send('', { fin: false });
  client.socket.send('"method":"ping"}', { fin: true });
  await client.until((frame) => frame.id === 9 && frame.op === 'res');
});

test('binary frames and frames of a megabyte close the connection with a code and a reason', async (t) => {
  const serving = await served(t);
  const other = await StreamClient.market(t, serving.baseUrl);
  const cases: [frame: string | Buffer, code: number, reason: RegExp][] = [
    [Buffer.from('{"op":"req","id":1,"method":"ping"}'), 1003, /JSON text/],
    [JSON.stringify({ op: 'req', id: 1, method: 'ping', payload: 'x'.repeat(1024 * 1024) }), 1009, /65536 bytes/],
    ['x'.repeat(5 * 1024 * 1024), 1009, /^/],
  ];
  for (const [frame, code, reason] of cases) {
    const client = await StreamClient.market(t, serving.baseUrl);
    client.socket.send(frame);
    const closed = await client.untilClosed();
    assert.deepEqual([closed.code, reason.test(closed.reason)], [code, true], closed.reason);
  }
  assert.equal((await other.request('ping')).op, 'res');
});

trial('10,000 subscriptions on a socket: 1,024 are served, the rest are refused one by one', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  for (let id = 1; id <= 10_000; id++) client.send({ op: 'sub', id, channel: 'ticks', payload: btc });
  await client.until((frame) => frame.id === 10_000);
  const count = (op: string) => client.frames.filter((frame) => frame.op === op).length;
  assert.deepEqual([count('sub_ok'), count('sub_err')], [1024, 8976]);
  assert.equal(client.frames.find(({ op }) => op === 'sub_err').error.code, 'too_many_subscriptions');
  client.send({ op: 'unsub', id: 1 });
  client.send({ op: 'sub', id: 10_001, channel: 'ticks', payload: btc });
  await client.until((frame) => frame.op === 'sub_ok' && frame.id === 10_001);
});

test('a fifth history in flight is refused, and answered when repeated', async (t) => {
  const serving = await served(t);
  const client = await StreamClient.market(t, serving.baseUrl);
  const payload = { provider: 'binance', symbol: 'BTCUSDT', interval: '1m', limit: 5 };
  const answers = await Promise.all(Array.from({ length: 5 }, () => client.request('candles.history', payload)));
  assert.deepEqual(
    answers.map(({ op }) => op),
    ['res', 'res', 'res', 'res', 'err'],
  );
  assert.deepEqual(answers[4].error, {
    code: 'too_many_requests',
    message: 'too many history requests in flight',
    reason: 'a connection may have 4 unanswered',
  });
  assert.equal((await client.request('candles.history', payload)).result.length, 5);
});

test('a page from another machine can’t connect, one from this machine can', async (t) => {
  const serving = await served(t);
  const url = `${serving.baseUrl}/v1/market-data`;
  for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://']) {
    const { status, body } = await refusedUpgrade(url, { origin });
    assert.deepEqual([status, body.error.code], [403, 'forbidden'], origin);
  }
  for (const origin of ['http://127.0.0.1:3000', 'http://localhost', 'https://[::1]:8443'])
    await StreamClient.open(t, url, { headers: { origin } });
  const { status } = await refusedUpgrade(url, { host: 'evil.example' });
  assert.equal(status, 403);
});

test('a key on the market stream is ignored, and not logged', async (t) => {
  const lines: string[] = [];
  const serving = await served(t, { log: (line) => lines.push(JSON.stringify(line)) });
  const headers = { authorization: 'Bearer sim_live_secret' };
  const client = await StreamClient.open(t, `${serving.baseUrl}/v1/market-data?key=secret`, { headers });
  assert.equal((await client.request('ping')).op, 'res');
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /"path":"\/v1\/market-data","status":101/);
  assert.doesNotMatch(lines[0]!, /secret/);
});

test('the account stream refuses before the upgrade: no key, an unknown one, or one of the other environment', async (t) => {
  const serving = await served(t);
  const keys = { live: issueKey(serving), test: issueKey(serving, { environment: 'test' }) };
  const revoked = issueKey(serving, { revokedAt: 1 });
  const cases: [path: string, key: string | null, code: string][] = [
    ['/v1/stream', null, 'unauthorized'],
    ['/v1/stream', 'sim_live_unknown', 'unauthorized'],
    ['/v1/stream', revoked, 'unauthorized'],
    ['/v1/stream', keys.test, 'wrong_environment'],
    ['/v1/sandbox/stream', keys.live, 'wrong_environment'],
  ];
  for (const [path, key, code] of cases) {
    const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
    const answer = await refusedUpgrade(serving.baseUrl + path, headers);
    assert.deepEqual([answer.status, answer.body.error.code], [401, code], path);
    assert.match(answer.headers['www-authenticate'], /^Bearer/);
    assert.equal(typeof answer.body.error.request_id, 'string');
  }
  for (const url of [serving.baseUrl, serving.sandboxUrl]) {
    await StreamClient.open(t, `${url}/v1/stream`, { headers: { authorization: `Bearer ${keys.live}` } });
    await StreamClient.open(t, `${url}/v1/sandbox/stream`, { headers: { authorization: `Bearer ${keys.test}` } });
  }
});

test('a stream requested without a WebSocket gets an explanation; other paths work as usual', async (t) => {
  const serving = await served(t);
  for (const path of ['/v1/market-data', '/v1/stream', '/v1/sandbox/stream']) {
    const { status, body, headers } = await ask(serving.baseUrl + path, null);
    assert.deepEqual([status, body.error.code, headers.get('upgrade')], [426, 'invalid_request', 'websocket']);
  }
  const { status } = await refusedUpgrade(`${serving.baseUrl}/v1/nowhere`);
  assert.equal(status, 404);
});
