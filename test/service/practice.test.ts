import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Exchange, emptyState } from '../../src/exchange/engine/exchange.ts';
import { Practice, type PracticeEnd, PracticeMarkets, practiceFolder } from '../../src/service/practice.ts';
import type { WireRequest } from '../../src/wire/contract/wire.ts';
import { temporaryFolder } from '../exchange/markets/recording-file.ts';
import { seed } from '../seed.ts';
import { numbers, writeDrawnTape } from '../terminal/screen/practice/drawn-tape.ts';
import { test, trial } from '../tiers.ts';

const start = Date.UTC(2023, 4, 30, 14, 30);
const marketId = 'binance|QXZUSDT';

interface Opened {
  practice: Practice;
  markets: PracticeMarkets;
  /** Places a market order of so many lots. */
  place(key: string, side: 'buy' | 'sell', size: number): Promise<unknown>;
}

async function opened(t: TestContext, drawing: { drift?: number } = {}): Promise<Opened> {
  const folder = temporaryFolder(t);
  const tape = { symbol: 'QXZ', start, decimals: 1, sizeDecimals: 3, seconds: 120, seed, ...drawing };
  const markets = await PracticeMarkets.open(folder, { tape: writeDrawnTape(folder, 'day.jsonl', tape) });
  const own = practiceFolder(folder);
  const practice = await Practice.start(markets, {
    folder: own.folder,
    marketId,
    from: start + 1_000,
    until: start + 110_000,
  });
  t.after(() => {
    practice.close();
    markets.close();
    own.remove();
  });
  const send = (request: WireRequest) => practice.api.transport(request, { timeoutMs: 60_000 });
  const place: Opened['place'] = async (key, side, size) => {
    const { body } = await send({ method: 'GET', target: '/v1/accounts', headers: {} });
    const [account] = (body as { data: { id: string }[] }).data;
    const order = {
      account_id: account!.id,
      market_id: marketId,
      side,
      size,
      type: 'market',
      leverage: 1,
      margin_mode: 'cross',
    };
    const answer = await send({
      method: 'POST',
      target: '/v1/orders',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(order),
    });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  return { practice, markets, place };
}

trial(
  'its command log replays to the same state, and the same orders at the same times have the same answers',
  async (t) => {
    const answers: string[] = [];
    for (const pace of [1_000, 137]) {
      const { practice, markets, place } = await opened(t);
      const draw = numbers(seed);
      const said: unknown[] = [];
      for (let at = 1; at <= 12; at++) {
        // However the clock gets there.
        while (practice.time < start + at * 8_000) practice.advance(Math.min(start + at * 8_000, practice.time + pace));
        said.push(await place(`key-${at}`, draw(2) === 0 ? 'buy' : 'sell', (1 + draw(50)) / 1_000));
      }
      answers.push(JSON.stringify(said).replaceAll(/"[a-z0-9-]{36}"|req_\w+/g, ''));
      const { simulation } = practice.api;
      simulation.read(({ exchange, store }) => {
        const first = Number(store.setting('initial_time'));
        const again = new Exchange(markets.source, emptyState(markets.seed, first));
        for (const { time, command } of store.commands(0, 1_000)) {
          again.advance(time);
          again.execute(command);
        }
        again.advance(exchange.time);
        assert.deepEqual(again.openState(), exchange.openState());
      });
    }
    assert.equal(answers[1], answers[0]);
  },
);

test('it ends at its end, nothing ahead of its time can be read, and the next event is that of its market', async (t) => {
  const { practice } = await opened(t);
  const { source } = practice.api.simulation.facts;
  const next = practice.nextEventAt(marketId)!;
  assert.deepEqual(source.book(marketId, practice.until), source.book(marketId, practice.time));
  assert.equal(practice.advance(next), null);
  assert.equal(practice.time, next);
  assert.equal(source.book(marketId, practice.until)!.time, next);
  assert.ok(practice.nextEventAt(marketId)! > next);
  const end: PracticeEnd | null = practice.advance(Number.MAX_SAFE_INTEGER);
  assert.equal(end, 'end');
  assert.equal(practice.time, practice.until);
  assert.equal(practice.nextEventAt(marketId), null);
});

test('with anything open, a breach stops the clock within a second of it', async (t) => {
  const { practice, place } = await opened(t, { drift: -600 });
  await place('long', 'buy', 1);
  assert.equal(practice.advance(practice.until), 'failed');
  const ended = practice.api.simulation.read(({ exchange }) => exchange.endedAccounts('live')[0]!.endedAt!);
  assert.ok(practice.time >= ended && practice.time - ended <= 1_000, `${practice.time - ended} ms later`);
  const stopped = practice.time;
  assert.equal(practice.advance(practice.until), 'failed');
  assert.equal(practice.time, stopped);
});
