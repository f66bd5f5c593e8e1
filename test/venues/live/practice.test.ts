import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blindSource, readBookmarks, setBookmark, timeOfDayOn } from '../../../src/venues/live/practice.ts';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { LiveScene } from './live-scene.ts';

test('a blind tape answers for the clock’s current time, whatever time is requested', async (t) => {
  const scene = await LiveScene.open('binance');
  await scene.run(20_000);
  await scene.stop();
  t.after(() => scene.remove());
  const tape = openTape(scene.tape);
  t.after(() => tape.close());
  const [marketId] = scene.marketIds as [string];
  let now = tape.firstTime + 5_000;
  const blind = blindSource(tape.source, () => now);
  const then = blind.book(marketId, now);
  assert.deepEqual(blind.book(marketId, tape.lastTime), then);
  assert.notDeepEqual(tape.source.book(marketId, tape.lastTime), then);
  const cursor = blind.open(tape.firstTime);
  cursor.watch(marketId, true);
  let last = 0;
  for (let event = cursor.next(tape.lastTime); event !== null; event = cursor.next(tape.lastTime)) last = event.time;
  assert.ok(last <= now && last > now - 1_000, `${last} is beyond ${now}`);
  assert.equal(cursor.peek(tape.lastTime), null);
  now += 5_000;
  assert.ok(cursor.next(tape.lastTime)!.time > last);
});

const noon = Date.UTC(2026, 10, 21, 12);

for (const [text, expected] of [
  ['14:00', noon + 2 * 3_600_000],
  ['12:00:30', noon + 30_000],
  // Before the start of the tape: the day after.
  ['03:00', noon + 15 * 3_600_000],
  ['11:00', null],
  ['25:00', null],
  ['noon', null],
] as const) {
  test(`${text} on a tape from 12:00 to 09:00 is ${expected === null ? 'no time' : new Date(expected).toISOString()}`, () => {
    assert.equal(timeOfDayOn({ firstTime: noon, lastTime: noon + 21 * 3_600_000 }, text), expected);
  });
}

test('bookmarks are kept beside the tape, by name', (t) => {
  const tape = join(temporaryFolder(t), 'day.jsonl.gz');
  assert.deepEqual(readBookmarks(tape), {});
  setBookmark(tape, 'the squeeze', noon);
  setBookmark(tape, 'open', noon + 1);
  assert.deepEqual(readBookmarks(tape), { 'the squeeze': noon, open: noon + 1 });
  assert.deepEqual(setBookmark(tape, 'open', null), { 'the squeeze': noon });
  for (const name of ['', '__proto__/x', '../up', 'a'.repeat(65), '\n']) {
    assert.throws(() => setBookmark(tape, name, noon), /is not a valid name/);
  }
  const file = join(tape, '..', 'day.bookmarks.json');
  assert.match(readFileSync(file, 'utf8'), /the squeeze/);
  writeFileSync(file, '{"a":"b"}');
  assert.throws(() => readBookmarks(tape), /is not a bookmarks file/);
});
