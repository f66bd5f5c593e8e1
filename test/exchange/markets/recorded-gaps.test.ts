import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { MarketEvent } from '../../../src/exchange/engine/source.ts';
import { openRecording, RecordingError } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { test, trial } from '../../tiers.ts';
import { bookLine, deltaLine, marketLine, temporaryFile, xrp } from './recording-file.ts';

const gapLine = (time: number, reason = 'sequence') => JSON.stringify({ time, market_id: xrp, gap: { reason } });
const gapEndLine = (time: number, prints = 0, history = 'whole') =>
  JSON.stringify({ time, market_id: xrp, gap: { ended: true, prints, history } });
const lateLine = (time: number, traded_at: number) =>
  JSON.stringify({
    time,
    market_id: xrp,
    trade: { price: '1.9531', size: '40', side: 'sell', id: 'a-1', traded_at, history: true },
  });
const book = (time: number, size = '10') => bookLine(time, [['1.9531', size]], [['1.9533', '812']]);

async function opened(t: TestContext, lines: readonly string[]) {
  const recording = await openRecording(temporaryFile(t, `${lines.join('\n')}\n`));
  t.after(() => recording.close());
  return recording;
}

/** All events of the market, one word each. */
function eventsOf(source: Awaited<ReturnType<typeof opened>>['source']): unknown[] {
  const tape = source.open(0);
  tape.watch(xrp, true);
  const events: unknown[] = [];
  for (let event: MarketEvent | null = tape.next(9e12); event !== null; event = tape.next(9e12)) {
    const { kind, time } = event;
    if (event.kind === 'gap') events.push([kind, time, event.reason]);
    else if (event.kind === 'gap_end') events.push([kind, time, event.prints, event.history]);
    else if (event.kind === 'print') events.push([kind, time, event.tradedAt]);
    else events.push([kind, time]);
  }
  return events;
}

test('a recording with a gap plays the start of the gap, its late prints, its end and the book after it', async (t) => {
  const lines = [marketLine(1), book(1), gapLine(5), lateLine(9, 6), gapEndLine(9, 1), book(9), deltaLine(10, [], [])];
  const { source } = await opened(t, lines);
  assert.deepEqual(eventsOf(source), [
    ['book', 1],
    ['gap', 5, 'sequence'],
    ['print', 9, 6],
    ['gap_end', 9, 1, 'whole'],
    ['book', 9],
    ['delta', 10],
  ]);
});

test('there is no book in a gap, and the snapshot says since when and why', async (t) => {
  const { source } = await opened(t, [marketLine(1), book(1), gapLine(5, 'connection'), book(9, '20')]);
  assert.equal(source.book(xrp, 4)!.gap, undefined);
  const { gap, bids, asks } = source.book(xrp, 7)!;
  assert.deepEqual([gap, bids, asks], [{ since: 5, reason: 'connection' }, [], []]);
  assert.deepEqual(source.book(xrp, 9)!.bids, [19531, 200]);
});

trial('a gap across many checkpoints is found wherever reading starts', async (t) => {
  const other = 'bybit|OTHER';
  const lines = [marketLine(1), marketLine(1, { market_id: other, coin: 'OTHER' }), book(1), gapLine(2)];
  const levels = Array.from({ length: 400 }, (_, at): [string, string] => [(2 - at / 1000).toFixed(4), '1']);
  for (let time = 3; time < 600; time += 1) lines.push(bookLine(time, levels, [], other));
  lines.push(book(600));
  const { source } = await opened(t, lines);
  for (const time of [599, 300, 2, 450]) assert.equal(source.book(xrp, time)!.gap?.since, 2, String(time));
  assert.equal(source.book(xrp, 600)!.gap, undefined);
});

const wrong: [what: string, lines: string[], problem: RegExp][] = [
  ['a delta in a gap', [gapLine(5), deltaLine(6, [], [])], /a delta .* before any full book/],
  ['an unknown reason', [gapLine(5, 'weather')], /reason must be one of connection, /],
  ['a gap with an extra field', [gapLine(5).replace('"reason"', '"x":1,"reason"')], /gap has an unknown field "x"/],
  ['an end that is false', [gapEndLine(5).replace('true', 'false')], /gap\.ended can only be true/],
  ['half a print', [gapEndLine(5, 0.5)], /prints must be a whole number/],
  ['an unknown history', [gapEndLine(5, 0, 'all')], /history must be one of whole, part, none/],
  ['a print from the future', [lateLine(5, 6)], /traded_at must be a whole number from 0 to 5/],
  ['a history that is not true', [lateLine(5, 4).replace('true', '1')], /trade\.history can only be true/],
  ['an id that is not text', [lateLine(5, 4).replace('"a-1"', '1')], /id must be a string/],
  ['a gap of an unknown market', [gapLine(5).replace(xrp, 'bybit|X')], /no market line/],
  ['a part without a number', ['{"time":5,"tape":{"part":0}}'], /part must be a whole number/],
  [
    'more price decimals than can be',
    [marketLine(5, { market_id: 'bybit|X', coin: 'X', price_decimals: 16 })],
    /price_decimals must be a whole number from 0 to 15/,
  ],
];

for (const [what, lines, problem] of wrong) {
  test(`${what} is an error that names the file and line`, async (t) => {
    const file = temporaryFile(t, `${[marketLine(1), book(1), ...lines].join('\n')}\n`);
    await assert.rejects(openRecording(file), (error: unknown) => {
      assert.ok(error instanceof RecordingError, String(error));
      assert.match(error.problem, problem);
      assert.equal(error.line, 2 + lines.length);
      return true;
    });
  });
}

test('marks of a tape are not events; price decimals beyond the tick make the price unit finer from the start', async (t) => {
  const market = marketLine(1, { price_decimals: 6 });
  const { source, definitions } = await opened(t, ['{"time":1,"tape":{"part":1}}', market, book(1)]);
  assert.deepEqual([definitions[0]!.priceDecimals, definitions[0]!.tick], [6, 100]);
  assert.deepEqual(source.book(xrp, 1)!.bids, [1953100, 100]);
});
