import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { WebSocket } from 'ws';
import { serve } from '../../../src/service/serve.ts';
import { beginning } from '../../seed.ts';
import { type Conduct, StrangeStreams } from '../cli/hostile/strange-streams.ts';
import { Desk } from '../cli/practice.ts';
import { Emulator } from '../screen/emulator.ts';

/** A desk on a host whose REST works and whose streams are strange. */
async function beside(t: TestContext, conduct: Conduct) {
  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  const service = await serve({ stateDir: join(desk.folder, 'host'), beginning, port: 0, sandboxPort: 0, drainMs: 50 });
  t.after(() => service.stop());
  const streams = await StrangeStreams.open(t, conduct);
  const variables = {
    PERP_ENV: 'live',
    PERP_BASE_URL: service.baseUrl,
    PERP_API_KEY: service.key,
    PERP_MARKET_STREAM_URL: service.baseUrl.replace('http', 'ws'),
    PERP_ACCOUNT_STREAM_URL: streams.url,
  };
  const strangeMarket = { ...variables, PERP_MARKET_STREAM_URL: streams.url };
  return { desk, streams, variables, strangeMarket };
}

const say = (socket: WebSocket, ...frames: object[]) => {
  for (const frame of frames) socket.send(JSON.stringify(frame));
};
const silence = () => {};

describe('a stream that the host refuses', () => {
  for (const [status, exit] of [
    [401, 4],
    [403, 4],
    [404, 3],
    [410, 7],
    [426, 7],
  ] as const) {
    it(`ends perp stream with ${exit} for HTTP ${status}, at once`, async (t) => {
      const { desk, streams, variables } = await beside(t, status);
      const run = await desk.perp(['stream', 'account', '--for', '20s'], { variables });
      assert.equal(run.exit, exit, run.err);
      assert.match(run.err, new RegExp(`The account stream is not available: .*HTTP ${status}`));
      assert.ok(streams.connections <= 2, 'undici repeats a handshake that is refused with 401');
    });
  }

  it('ends perp candles and perp markets --prices at once', async (t) => {
    const { desk, streams, strangeMarket: variables } = await beside(t, 404);
    for (const words of ['candles BTC', 'markets --prices', 'stream ticks BTC']) {
      const run = await desk.perp(words.split(' '), { variables });
      assert.equal(run.exit, 3, run.err);
      assert.match(run.err, /market-data stream is not available: .*HTTP 404/);
    }
    assert.equal(streams.connections, 3);
  });

  it('is replaced by REST on the live screen, which names the status', async (t) => {
    const { desk, variables } = await beside(t, 404);
    await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--yes', '--new'], { variables });
    const screen = new Emulator(120, 24);
    const run = desk.perp(['watch'], { terminal: true, screen, variables: { LANG: 'C.UTF-8', ...variables } });
    await screen.shows(/^.*account stream refused \(HTTP 404\)[\s\S]*BTC +long +0\.05/);
    screen.press('q');
    assert.equal((await run).exit, 0);
  });

  it('is replaced by REST in a pipe; prices too', async (t) => {
    const { desk, strangeMarket: variables } = await beside(t, 503);
    const { exit, out, err } = await desk.perp(['watch', 'BTC', '--for', '2s', '-o', 'ndjson'], { variables });
    assert.equal(exit, 0, err);
    const [record] = out.split('\n').map((text) => JSON.parse(text || 'null'));
    assert.deepEqual([record.equity, record.positions], [100_000, []]);
    assert.ok(record.mids['binance|BTCUSDT'] > 0);
    assert.match(err, /HTTP 503/);
  });
});

describe('a stream that is never accepted', () => {
  it('is exit 7, not 0', async (t) => {
    const { desk, strangeMarket: variables } = await beside(t, silence);
    for (const words of ['stream account', 'stream ticks BTC', 'stream trades BTC ETH']) {
      const run = await desk.perp([...words.split(' '), '--for', '300ms', '--json'], { variables });
      assert.deepEqual([run.exit, run.error.code, run.out], [7, 'stream_not_accepted', ''], words);
    }
  });

  it('is exit 7 if only some subscriptions are confirmed', async (t) => {
    const { desk, strangeMarket: variables } = await beside(t, (socket) =>
      socket.on('message', (data) => {
        const { op, id, payload } = JSON.parse(String(data));
        if (op === 'req') say(socket, { op: 'res', id, result: 1 });
        else if (payload.providers[0] === 'binance')
          say(socket, { op: 'sub_ok', id, sub: 'a', snapshotBoundary: false });
      }),
    );
    const run = await desk.perp(['stream', 'ticks', 'BTC', 'hyperliquid|xyz:GOLD', '--for', '300ms'], { variables });
    assert.equal(run.exit, 7, run.err);
  });

  it('says nothing about positions on the live screen before an answer', async (t) => {
    const { desk, variables } = await beside(t, silence);
    const screen = new Emulator(120, 24);
    const run = desk.perp(['watch'], { terminal: true, screen, variables: { LANG: 'C.UTF-8', ...variables } });
    const early = await screen.shows(/Positions: not known yet/);
    assert.doesNotMatch(early, /No open positions|No working orders|No fills yet/);
    await screen.shows(/account stream connecting[\s\S]*No open positions/);
    screen.press('q');
    assert.equal((await run).exit, 0);
  });
});

const hello = { type: 'hello', stream_id: 'st_1', resumed: false };
const snapshot = { type: 'snapshot', account: { id: 'acc_1', balance: 1 }, positions: [], orders: [] };
const end = { type: 'snapshot_end' };

describe('a running account stream', () => {
  it('takes a snapshot without the optional account_id', async (t) => {
    const { desk, variables } = await beside(t, (socket) => say(socket, hello, snapshot, end));
    const run = await desk.perp(['stream', 'account', '--max-events', '1', '-o', 'ndjson'], { variables });
    assert.deepEqual([run.exit, JSON.parse(run.out).account_id], [0, 'acc_1'], run.err);
  });

  it('is closed with 4003 when the credential ends: exit 4', async (t) => {
    const { desk, variables } = await beside(t, (socket) => {
      say(socket, hello, snapshot, end);
      socket.close(4003, 'the credential was revoked');
    });
    const run = await desk.perp(['stream', 'account', '--json'], { variables });
    assert.deepEqual([run.exit, run.error.code], [4, 'stream_ended'], run.err);
    assert.match(run.error.message, /the credential was revoked/);
  });

  it('sends a frame that cannot be read: told once, and the connection is renewed', async (t) => {
    const { desk, streams, variables } = await beside(t, (socket) => {
      const isFirst = streams.connections === 1;
      say(socket, hello, isFirst ? { ...snapshot, positions: [null] } : snapshot, end);
    });
    const run = await desk.perp(['stream', 'account', '--max-events', '1', '-o', 'ndjson'], { variables });
    assert.deepEqual([run.exit, streams.connections], [0, 2], run.err);
    assert.equal(run.err.split('positions[0] must be an object').length - 1, 1, run.err);
  });
});
