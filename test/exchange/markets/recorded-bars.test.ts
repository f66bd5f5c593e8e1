import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { type Bar, barIntervals, barStart } from '../../../src/exchange/markets/bars.ts';
import { openRecording, type Recording } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { test, trial } from '../../tiers.ts';
import { bookLine, marketLine, printLine, temporaryFile, temporaryFolder, xrp } from './recording-file.ts';

const start = Date.UTC(2024, 7, 8, 13, 59, 0);
const ever = Date.UTC(2100, 0, 1);

interface Print {
  time: number;
  price: number;
  size: number;
}

const anyPrints = fc.array(
  fc.record({
    time: fc.nat(5 * 60_000),
    price: fc.integer({ min: 19_000, max: 20_000 }),
    size: fc.integer({ min: 1, max: 900 }),
  }),
  { minLength: 1, maxLength: 60 },
);

trial('bars of a recording contain exactly its prints, for every interval, and none after `until`', async (t) => {
  await fc.assert(
    fc.asyncProperty(anyPrints, fc.constantFrom(...barIntervals), fc.nat(6 * 60_000), async (drawn, interval, late) => {
      const prints = drawn.map((print) => ({ ...print, time: start + print.time })).sort((a, b) => a.time - b.time);
      const { source, close } = await recordingOf(t, prints);
      const until = start + late;
      for (const bar of source.bars(xrp, interval, barStart(interval, start - 90_000), 7, until)) {
        const known = prints.filter(({ time }) => time < bar.endTime && time <= until);
        const inside = known.filter(({ time }) => time >= bar.openTime);
        assert.deepEqual(bar, expected(bar, inside, known.at(-1)?.price ?? null));
      }
      close();
    }),
    { numRuns: process.env.PERP_LONG ? 400 : 15 },
  );
});

test('a market without prints has empty bars', async (t) => {
  const { source } = await recordingOf(t, []);
  const [bar] = source.bars(xrp, '1m', start, 1, ever);
  assert.deepEqual([bar!.open, bar!.high, bar!.volume, bar!.count], [null, null, 0, 0]);
  assert.throws(() => source.bars('bybit|NOPE', '1m', start, 1, ever), RangeError);
});

test('bars are in the final price unit, and exact, if the price unit becomes finer during the recording', async (t) => {
  const lines = [
    marketLine(start, { tick: '0.1' }),
    bookLine(start, [['1.9', '5']], [['2', '5']]),
    printLine(start + 1, '1.9', '9007199254740.9', 'buy'),
    printLine(start + 2, '1.9531', '1000000000000.7', 'sell'),
    printLine(start + 90_000, '2', '0.1', 'buy'),
  ];
  const folder = temporaryFolder(t);
  const file = temporaryFile(t, lines.join('\n'));
  for (const opened of ['compiled now', 'found again']) {
    const { source, close } = await openRecording(file, { cacheDir: folder });
    const [first, second] = source.bars(xrp, '1m', start, 2, ever) as [Bar, Bar];
    assert.deepEqual([first.open, first.low, first.close, second.close], [19_000, 19_000, 19_531, 20_000], opened);
    assert.equal(first.quoteVolume, 19_000n * 90_071_992_547_409n + 19_531n * 10_000_000_000_007n, opened);
    assert.deepEqual([first.volume, second.count], [100_071_992_547_416, 1], opened);
    close();
  }
});

function expected({ openTime, endTime }: Bar, inside: readonly Print[], last: number | null): Bar {
  const prices = inside.map(({ price }) => price);
  return {
    openTime,
    endTime,
    open: prices[0] ?? last,
    high: prices.length === 0 ? last : Math.max(...prices),
    low: prices.length === 0 ? last : Math.min(...prices),
    close: last,
    volume: inside.reduce((sum, { size }) => sum + size, 0),
    quoteVolume: inside.reduce((sum, { price, size }) => sum + BigInt(price) * BigInt(size), 0n),
    count: inside.length,
  };
}

/** A recording of XRP with these prints, in price units and lots. */
async function recordingOf(t: TestContext, prints: readonly Print[]): Promise<Recording> {
  const lines = [marketLine(start), bookLine(start, [['1.9', '5']], [['2', '5']])];
  for (const { time, price, size } of prints)
    lines.push(printLine(time, String(price / 10_000), String(size / 10), 'buy'));
  const recording = await openRecording(temporaryFile(t, lines.join('\n')));
  t.after(() => recording.close());
  return recording;
}
