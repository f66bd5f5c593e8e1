import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFile, temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { errorOf, imported } from './importing.ts';

const start = Date.UTC(2025, 0, 1);

/** Files of events at these times, Unix ms: one event a message, none of which changes nothing. */
const files: Record<string, (times: readonly number[]) => string> = {
  'Tardis incremental books': (times) =>
    [
      'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
      ...times.map((time, at) => `bybit,XRPUSDT,${time}000,${start + at}000,${at === 0},bid,2.05,${at + 1}`),
    ].join('\n'),
  'the Bybit archive': (times) =>
    times
      .map((ts, at) => {
        const data = { s: 'XRPUSDT', b: [['2.05', `${at + 1}`]], a: [], u: at + 1, seq: at };
        return JSON.stringify({ topic: 'orderbook.500.XRPUSDT', type: at === 0 ? 'snapshot' : 'delta', ts, data });
      })
      .join('\n'),
  'Binance streams': (times) =>
    times
      .map((T, at) =>
        JSON.stringify(
          at === 0
            ? { lastUpdateId: 1, E: T, T, bids: [['60000', '1']], asks: [['60001', '1']] }
            : { e: 'depthUpdate', E: T, T, s: 'BTCUSDT', U: at, u: at + 1, pu: at, b: [['60000', `${at + 1}`]], a: [] },
        ),
      )
      .join('\n'),
  'Hyperliquid captures': (times) =>
    times
      .map((time, at) => {
        const levels = [[{ px: '93000', sz: `${at + 1}`, n: 1 }], [{ px: '93001', sz: '2', n: 1 }]];
        return JSON.stringify({ channel: 'l2Book', data: { coin: 'BTC', time, levels } });
      })
      .join('\n'),
  'OKX trades': (times) =>
    [
      'instrument_name,trade_id,side,price,size,created_time',
      ...times.map((time, at) => `BTC-USDT-SWAP,${at},buy,61838.9,${at + 1},${time}`),
    ].join('\n'),
};

const minutes = (count: number) => count * 60_000;
const wrong = [minutes(2), -minutes(2), minutes(27 * 24 * 60), -minutes(27 * 24 * 60), minutes(20), -minutes(20)];

for (const [what, fileOf] of Object.entries(files)) {
  test(`${what}: one wrong time follows its neighbors, and no other event is moved`, async (t) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 80, maxLength: 200 }),
        fc.nat(),
        fc.constantFrom(...wrong),
        async (steps, place, by) => {
          let time = start;
          const times = steps.map((step) => (time += step));
          const at = place % (times.length - 4);
          const planted = times.with(at, times[at]! + by);
          const { lines, report } = await imported(t, fileOf(planted));
          const got = lines.slice(1).map((line) => line.time);
          assert.deepEqual(got.toSpliced(at, 1), times.toSpliced(at, 1));
          assert.ok(got[at] >= (times[at - 1] ?? 0) && got[at] <= times[at + 1]!, `${got[at]}`);
          assert.equal(report.moved.events, 1);
          assert.ok(Math.abs(report.moved.mostMs - Math.abs(by)) <= 1_500);
        },
      ),
      { numRuns: process.env.PERP_LONG ? 300 : 6 },
    );
  });

  test(`${what}: a pause of any length is a gap of the file, not a wrong time`, async (t) => {
    for (const pause of [minutes(1), minutes(600), minutes(90 * 24 * 60)]) {
      const times = Array.from({ length: 100 }, (_, at) => start + 100 * at + (at < 60 ? 0 : pause));
      const { lines, report } = await imported(t, fileOf(times));
      assert.deepEqual(
        lines.slice(1).map(({ time }) => time),
        times,
      );
      assert.equal(report.moved.events, 0);
      assert.deepEqual([report.sheet.largest_gap_ms, report.sheet.largest_gap_at], [pause + 100, times[59]]);
    }
  });

  test(`${what}: events that are far apart are not moved`, async (t) => {
    const times = Array.from({ length: 70 }, (_, at) => start + minutes(60 * at));
    const { report } = await imported(t, fileOf(times));
    assert.equal(report.moved.events, 0);
  });

  test(`${what}: times that go back for good are refused, with the line`, async (t) => {
    const times = Array.from({ length: 300 }, (_, at) => start + 100 * at - (at < 150 ? 0 : minutes(60)));
    const error = await errorOf(temporaryFile(t, fileOf(times)), join(temporaryFolder(t), 'out'));
    assert.match(error.message, /from here on, times are 3600 s earlier than before: sort or split the file/);
    assert.ok(error.line! >= 150 && error.line! <= 220, `${error.line}`);
  });
}

test('several wrong times in a row, and wrong ones of prints among right ones of books, are found, too', async (t) => {
  const times = Array.from({ length: 200 }, (_, at) => start + 100 * at);
  const planted = times.map((time, at) => (at >= 100 && at < 120 ? time + minutes(2) : time));
  const { report, lines } = await imported(t, files['the Bybit archive']!(planted));
  assert.equal(report.moved.events, 20);
  assert.deepEqual(
    lines.slice(1).filter(({ time }) => time > times.at(-1)!),
    [],
  );
});
