import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { type Bar, barIntervals, barStart } from '../../src/markets/bars.ts';
import { openRecording, type Recording } from '../../src/markets/recorded.ts';
import { bookLine, marketLine, printLine, temporaryFile, xrp } from './recording-file.ts';

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

test('bars of a recording are made of its prints, whatever the interval, and of none after `until`', async (t) => {
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
    { numRuns: 40 },
  );
});

test('a market without prints has empty bars', async (t) => {
  const { source } = await recordingOf(t, []);
  const [bar] = source.bars(xrp, '1m', start, 1, ever);
  assert.deepEqual([bar!.open, bar!.high, bar!.volume, bar!.count], [null, null, 0, 0]);
  assert.throws(() => source.bars('bybit|NOPE', '1m', start, 1, ever), RangeError);
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
