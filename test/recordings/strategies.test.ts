import assert from 'node:assert/strict';
import { trial } from '../tiers.ts';
import { ByHand, firstTime, sizeOf } from './by-hand.ts';
import { counted, RecordedSimulation, told } from './recorded-simulation.ts';

const slices = 10;
const sliceMs = 30_000;

/** One slice each 30 s: the lots planned so far minus those filled, at the current book. */
function slicesByHand(planned: readonly number[]) {
  const hand = new ByHand();
  return planned.map((until, slice) => {
    const time = firstTime + slice * sliceMs;
    return counted(hand.to(time).take('buy', until - (planned[slice - 1] ?? 0)), time);
  });
}

const strategy = { size: 7.777, expected_price: 61_800, duration_minutes: 5 };

trial('a 5-minute TWAP trades ten equal slices, each at the current book', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const { id } = await desk.place(strategy, '/v1/twap-orders');
  await desk.after(310_000);
  const planned = Array.from({ length: slices }, (_, slice) => Math.floor((7_777 * (slice + 1)) / slices));
  const fills = await desk.fills();
  assert.deepEqual(fills.map(told), slicesByHand(planned));
  assert.ok(fills.every(({ twap_order_id }) => twap_order_id === id));
  const { status, completion_reason, filled_size } = await desk.get(`/v1/twap-orders/${id}`);
  assert.deepEqual([status, completion_reason, filled_size], ['completed', 'filled', 7.777]);
});

trial('a VWAP on the first day of a recording trades even slices: it knows nothing of the future', async (t) => {
  const desk = await RecordedSimulation.open(t);
  await desk.after(20_000);
  const { id } = await desk.place({ ...strategy, strategy: 'vwap' }, '/v1/twap-orders');
  await desk.after(330_000);
  const hand = new ByHand();
  const even = Array.from({ length: slices }, (_, slice) => {
    const time = firstTime + 20_000 + slice * sliceMs;
    const lots = Math.floor((7_777 * (slice + 1)) / slices) - Math.floor((7_777 * slice) / slices);
    return counted(hand.to(time).take('buy', lots), time);
  });
  assert.deepEqual((await desk.fills()).map(told), even);
  assert.equal((await desk.get(`/v1/twap-orders/${id}`)).completion_reason, 'filled');
});

trial('advancing in one step, in many and in uneven ones gives the same slices', async (t) => {
  const outcomes = [];
  for (const stepMs of [310_000, 7_001, 30_000]) {
    const desk = await RecordedSimulation.open(t);
    await desk.place({ ...strategy, randomize: true }, '/v1/twap-orders');
    for (let ms = 0; ms < 310_000; ms += stepMs) await desk.after(Math.min(ms + stepMs, 310_000));
    outcomes.push((await desk.fills()).map(told));
  }
  assert.deepEqual(outcomes[1], outcomes[0]);
  assert.deepEqual(outcomes[2], outcomes[0]);
  const lots = outcomes[0]!.map(({ size }) => Math.round(size * 1_000));
  assert.deepEqual([lots.length, lots.reduce((sum, one) => sum + one)], [slices, 7_777]);
});

trial('two followers mirror what their lead fills, each at its own ratio and against its own book', async (t) => {
  const desk = await RecordedSimulation.open(t);
  const [lead, half, more] = desk.accounts as [string, string, string];
  const saved = await desk.api.post('/v1/copy-trading', {
    groups: [
      {
        enabled: true,
        source_account_id: lead,
        targets: [
          { account_id: half, multiplier_bps: 5_000 },
          { account_id: more, multiplier_bps: 12_345 },
        ],
      },
    ],
    deleted_config_ids: [],
  });
  assert.equal(saved.status, 200);

  // When, which side and how many lots the lead trades, and the resulting lots of the followers.
  const script = [
    // floor(1001 x 0.5), floor(1001 x 1.2345)
    [1_000, 'buy', 1_001, 500, 1_235],
    // floor(1334 x 0.5) - 500, floor(1334 x 1.2345) - 1235
    [20_000, 'buy', 333, 167, 411],
    // floor(667 x 700 / 1334), floor(1646 x 700 / 1334)
    [60_000, 'sell', 700, 350, 863],
    // A close of 634 and a short of 366: all of 317 and 783, then floor(366 x 0.5), floor(366 x 1.2345)
    [120_000, 'sell', 1_000, 500, 1_234],
    [240_000, 'buy', 366, 183, 451],
  ] as const;
  const hands = [new ByHand(), new ByHand(), new ByHand()];
  const expected: [size: number, notional: number][] = [0, 0, 0].map(() => [0, 0]);
  for (const [ms, side, ...sizes] of script) {
    await desk.after(ms);
    await desk.place({ type: 'market', side, size: sizes[0] / 1_000 });
    for (const [at, size] of sizes.entries()) {
      const taken = hands[at]!.to(firstTime + ms).take(side, size);
      assert.equal(sizeOf(taken), size);
      const fills = (await desk.fills(desk.accounts[at])).filter(({ settled_at }) => settled_at === firstTime + ms);
      const { notional } = counted(taken, 0);
      const total = fills.reduce(
        ([lots, sum], fill) => [lots + Math.round(fill.size * 1e3), sum + fill.notional],
        expected[at]!.map(() => 0),
      );
      assert.equal(total[0], size, `account ${at} at ${ms} ms`);
      assert.ok(Math.abs(total[1]! - notional) < 1e-6, `account ${at} at ${ms} ms: ${total[1]} for ${notional}`);
    }
  }
  for (const account of desk.accounts)
    assert.deepEqual(await desk.get(`/v1/positions?account_id=${account}&status=open`), []);
});
