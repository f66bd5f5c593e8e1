import assert from 'node:assert/strict';
import { test, trial } from '../tiers.ts';
import { ask, issueKey, served, startTime } from './serving.ts';

const terms = { market_id: 'binance|BTCUSDT', leverage: 2, margin_mode: 'cross' };

/** Longest turn of the event loop while `work` goes on, and how many turns there were. */
async function loopDuring<T>(work: Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  return { result: await done, turns };
}

trial('a long advance passes in pieces: others are answered meanwhile, at a time in between', async (t) => {
  const serving = await served(t);
  const key = issueKey(serving);
  const [{ id: account_id }] = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data;
  const place = (json: object) =>
    ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json: { account_id, ...terms, ...json } });
  const { body: quote } = await ask(`${serving.baseUrl}/v1/markets/binance|BTCUSDT/quote`, key);
  // A chase follows every book, so nothing can be skipped.
  await place({ side: 'buy', size: 0.01, type: 'chase', chase_offset: quote.data.mid / 2 });
  const length = 6 * 3_600_000;
  const advance = ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { duration_ms: length } });
  const later = ask(`${serving.baseUrl}/sim/advance`, serving.key, { method: 'POST', json: { duration_ms: 1_000 } });
  const between = await place({ side: 'buy', size: 0.01 });
  assert.equal(between.status, 201);
  const { requested_at: at } = between.body.data;
  assert.ok(at > startTime - 1 && at < startTime + length, String(at - startTime));
  const { result } = await loopDuring(advance);
  assert.deepEqual(result.body.data, { from: startTime, to: startTime + length });
  assert.deepEqual((await later).body.data, { from: startTime + length, to: startTime + length + 1_000 });
  const status = await ask(`${serving.baseUrl}/sim/status`, serving.key);
  const { time, clock, speed } = status.body.data;
  assert.deepEqual([time, clock, speed], [startTime + length + 1_000, 'manual', 0]);
});

test('a service that fell far behind its clock catches up in pieces before it answers', async (t) => {
  let wall = startTime;
  const serving = await served(t, { clock: 'real', startTime: undefined, wall: () => wall });
  const key = issueKey(serving);
  const [{ id: account_id }] = (await ask(`${serving.baseUrl}/v1/accounts`, key)).body.data;
  const json = { account_id, ...terms, side: 'buy', size: 0.01 };
  assert.equal((await ask(`${serving.baseUrl}/v1/orders`, key, { method: 'POST', json })).status, 201);
  wall += 3 * 24 * 3_600_000;
  const asked = Promise.all(Array.from({ length: 5 }, () => ask(`${serving.baseUrl}/sim/status`, serving.key)));
  const { result } = await loopDuring(asked);
  for (const { body } of result) assert.equal(body.data.time, wall);
});

test('a bug that time meets is reported as one, not as trouble with the disk', async (t) => {
  const bug = Promise.withResolvers<[unknown, string]>();
  let isBroken = false;
  const wall = () => {
    if (isBroken) throw new TypeError('no time');
    return startTime;
  };
  const onTrouble = () => bug.reject(new Error('it counts as trouble'));
  const onBug = (error: unknown, during: string) => bug.resolve([error, during]);
  const serving = await served(t, { clock: 'real', startTime: undefined, wall, onBug, onTrouble });
  isBroken = true;
  const [error, during] = await bug.promise;
  isBroken = false;
  assert.ok(error instanceof TypeError && during === 'the clock');
  assert.equal((await ask(`${serving.baseUrl}/sim/status`, serving.key)).status, 200, 'and time goes on');
});
