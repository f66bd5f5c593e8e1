import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { openRecording } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { LiveBook } from '../../../src/venues/tape/live-book.ts';
import { partFile, TapeError } from '../../../src/venues/tape/parts.ts';
import type { Trade } from '../../../src/venues/tape/tape-lines.ts';
import { TapeLines } from '../../../src/venues/tape/tape-lines.ts';
import { openTape } from '../../../src/venues/tape/tape-source.ts';
import { type TapeOptions, TapeWriter } from '../../../src/venues/tape/tape-writer.ts';
import { temporaryFolder } from '../../exchange/markets/recording-file.ts';
import { LiveScene, startMs } from '../live/live-scene.ts';

const definition: MarketDefinition = {
  marketId: 'binance|BTCUSDT',
  symbol: 'BTC',
  coin: 'BTCUSDT',
  provider: 'binance',
  priceDecimals: 1,
  sizeDecimals: 3,
  tick: 1,
  maxLeverage: 10,
  category: 'crypto',
};

/** A market that writes books to a tape by hand, with its own clock. */
class Hand {
  time = startMs;
  readonly lines = new TapeLines(definition);
  readonly book = new LiveBook(definition);
  readonly tape: string;
  writer!: TapeWriter;

  constructor(t: TestContext, name = 'day.jsonl.gz') {
    this.tape = join(temporaryFolder(t), name);
  }

  open(options: Partial<TapeOptions> = {}): this {
    this.writer = TapeWriter.open(this.tape, {
      now: () => this.time,
      standing: () => ({ time: this.time, book: this.lines.book('book', this.book.full()) }),
      ...options,
    });
    return this;
  }

  begin(): void {
    const change = this.book.take('book', { bids: '[["100.0","1.000"]]', asks: '[["100.2","1.000"]]' })!;
    this.writer.append([this.lines.market(), this.lines.book('book', change)]);
  }

  /** Changes the best bid after a number of milliseconds; returns whether the tape accepted it. */
  change(lots: number, afterMs = 100): boolean {
    this.time += afterMs;
    const change = this.book.take('delta', { bids: `[["100.0","${(lots / 1000).toFixed(3)}"]]`, asks: '[]' })!;
    return this.writer.append([this.lines.book('delta', change)]) !== null;
  }

  print(id: string): void {
    const trade: Trade = {
      id,
      number: null,
      time: this.time,
      price: '100.2',
      size: '0.100',
      side: 'buy',
      isOffBook: false,
    };
    this.writer.append([this.lines.print({ trade, madeAt: this.time, receivedUs: 1_000 * this.time }, false)]);
  }

  files(): string[] {
    return readdirSync(join(this.tape, '..')).sort();
  }

  text(number: number, isGzip: boolean): string {
    const bytes = readFileSync(partFile(this.tape, number, isGzip));
    return (isGzip ? gunzipSync(bytes) : bytes).toString('utf8');
  }
}

test('a tape starts a part with each hour; each part is a valid recording, compressed when it is finished', async (t) => {
  const hand = new Hand(t).open();
  hand.begin();
  hand.change(2_000, 60_000);
  hand.change(3_000, 3_600_000);
  hand.change(4_000, 60_000);
  await hand.writer.close();
  assert.deepEqual(hand.files(), ['day.jsonl.gz', 'day.lock', 'day.part2.jsonl.gz', 'day.summary.json']);
  for (const [number, first, last] of [
    [1, 1_000, 2_000],
    [2, 3_000, 4_000],
  ] as const) {
    const recording = await openRecording(partFile(hand.tape, number, true));
    const bestBid = (time: number) => recording.source.book(definition.marketId, time)?.bids[1];
    assert.deepEqual([bestBid(recording.firstTime), bestBid(recording.lastTime)], [first, last]);
    recording.close();
  }
});

test('a tape starts a part when the open one reaches the given size', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open({ partBytes: 2_000 });
  hand.begin();
  for (let lots = 1; lots <= 100; lots += 1) hand.change(lots);
  await hand.writer.close();
  const parts = hand.files().filter((name) => name.endsWith('.jsonl'));
  assert.ok(parts.length > 3, parts.join(' '));
  for (const name of parts) assert.ok(readFileSync(join(hand.tape, '..', name)).length < 2_500);
  const whole = openTape(hand.tape);
  assert.equal(whole.source.book(definition.marketId, whole.lastTime)?.bids[1], 100);
  whole.close();
});

test('a continued tape loses its incomplete last line, and its markets are in a gap from then on', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open();
  hand.begin();
  hand.change(2_000);
  await hand.writer.close();
  const whole = hand.text(1, false);
  appendFileSync(hand.tape, '{"time":17952624');
  hand.time += 5_000;
  hand.open();
  await hand.writer.close();
  const text = hand.text(1, false);
  assert.ok(text.startsWith(whole));
  assert.match(
    text.slice(whole.length),
    /^\{"time":\d+,"market_id":"binance\|BTCUSDT","gap":\{"reason":"restart","since":1795262400100\}\}\n\{"time":\d+,"tape":\{"sha256":"\w+"\}\}\n$/,
  );
  const tape = openTape(hand.tape);
  assert.notEqual(tape.source.book(definition.marketId, tape.lastTime)?.gap, undefined);
  tape.close();
});

test('wherever the last write is cut off, the tape continues with every complete line', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open();
  hand.begin();
  for (let lots = 1; lots <= 3; lots += 1) hand.change(lots);
  await hand.writer.close();
  const bytes = readFileSync(hand.tape);
  for (let length = bytes.length; length > 0; length -= 7) {
    writeFileSync(hand.tape, bytes.subarray(0, length));
    hand.time += 1_000;
    hand.open();
    const kept = bytes.subarray(0, length).toString('utf8').split('\n').length - 1;
    assert.ok(hand.text(1, false).split('\n').length - 1 >= kept);
    await hand.writer.close();
    for (const line of hand.text(1, false).trimEnd().split('\n')) JSON.parse(line);
    truncateSync(hand.tape, 0);
  }
});

test('a full disk is reported; nothing is partly written; what was missed is a gap once the tape is writable again', async (t) => {
  let isFull = false;
  const hand = new Hand(t, 'day.jsonl').open({
    write(fd, bytes, offset) {
      if (!isFull) return writeSync(fd, bytes, offset);
      if (offset === 0) return writeSync(fd, bytes, 0, Math.min(10, bytes.length));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  });
  hand.begin();
  isFull = true;
  assert.equal(hand.change(2_000), false);
  assert.equal(hand.writer.status.problem, 'the disk is full');
  for (const line of hand.text(1, false).trimEnd().split('\n')) JSON.parse(line);
  hand.writer.tick();
  assert.equal(hand.writer.status.problem, 'the disk is full');
  isFull = false;
  let repaired = 0;
  hand.writer.listener = {
    part() {},
    lines() {},
    repaired() {
      repaired += 1;
    },
  };
  hand.time += 1_000;
  hand.writer.tick();
  assert.equal(hand.writer.status.problem, null);
  assert.equal(repaired, 1);
  await hand.writer.close();
  assert.match(hand.text(1, false), /"tape":\{"failed_since":\d+,"problem":"the disk is full"\}/);
});

test('live markets whose tape can’t be written fill nothing in the meantime, and say so', async (t) => {
  let isFull = false;
  const scene = await LiveScene.open('binance', {
    write(fd, bytes, offset) {
      if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      return writeSync(fd, bytes, offset);
    },
  });
  t.after(() => scene.close());
  isFull = true;
  await scene.run(3_000);
  assert.equal(scene.live.status().tape.problem, 'the disk is full');
  isFull = false;
  await scene.run(5_000);
  await scene.world.pass(400);
  assert.equal(scene.live.status().tape.problem, null);
  assert.equal(scene.gaps()[0], 'tape');
  scene.checkHealed();
});

test('written lines are on disk within 30 s', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open();
  hand.begin();
  assert.equal(hand.writer.status.syncedAt, null);
  for (let second = 0; second < 40; second += 1) {
    hand.change(1 + second, 1_000);
    hand.writer.tick();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(hand.time - (hand.writer.status.syncedAt ?? 0) <= 31_000);
  await hand.writer.close();
});

test('a closed tape takes nothing more: its place in the system belongs to the next file that is opened', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open({ partBytes: 1_000 });
  hand.begin();
  await hand.writer.close();
  const closed = hand.writer;
  const next = hand.open({ partBytes: 1_000 }).writer;
  const written = hand.files().map((name) => readFileSync(join(hand.tape, '..', name), 'utf8'));
  hand.time += 3_600_000;
  const change = hand.book.take('delta', { bids: '[["100.0","7.000"]]', asks: '[]' })!;
  assert.equal(closed.append([hand.lines.book('delta', change)]), null);
  closed.noteJump(5);
  closed.tick();
  assert.deepEqual(
    hand.files().map((name) => readFileSync(join(hand.tape, '..', name), 'utf8')),
    written,
  );
  await next.close();
});

test('a part that something else has written is never removed or overwritten', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open({ partBytes: 1_000 });
  hand.begin();
  writeFileSync(partFile(hand.tape, 2, false), 'of somebody else');
  for (let lots = 1; lots <= 20; lots += 1) hand.change(lots);
  assert.equal(hand.text(2, false), 'of somebody else');
  assert.match(hand.writer.status.problem!, /EEXIST/);
  await hand.writer.close();
});

test('only one process can write a tape at a time', async (t) => {
  const hand = new Hand(t).open();
  assert.throws(() => TapeWriter.open(hand.tape, { now: () => hand.time, standing: () => null }), {
    name: 'TapeError',
    problem: 'another process is recording to it',
  });
  await hand.writer.close();
  hand.open();
  await hand.writer.close();
});

test('a file that is not a tape is left alone', (t) => {
  const hand = new Hand(t, 'notes.jsonl');
  writeFileSync(hand.tape, 'my notes\n');
  assert.throws(() => hand.open(), TapeError);
  assert.equal(readFileSync(hand.tape, 'utf8'), 'my notes\n');
});

test('a tape with a missing part is refused, with the number of that part', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open({ partBytes: 500 });
  hand.begin();
  for (let lots = 1; lots <= 30; lots += 1) hand.change(lots);
  await hand.writer.close();
  writeFileSync(join(hand.tape, '..', 'day.part99.jsonl'), '');
  assert.throws(() => hand.open(), /part \d+ is missing/);
});

test('interrupted compression is repeated, and nothing is lost', async (t) => {
  const hand = new Hand(t).open();
  hand.begin();
  hand.change(2_000);
  hand.print('a');
  await hand.writer.close();
  const text = hand.text(1, true);
  // As after a kill: the plain part is complete, the compressed one is not.
  writeFileSync(partFile(hand.tape, 1, false), text);
  writeFileSync(`${partFile(hand.tape, 1, true)}.new`, 'half');
  hand.time += 1_000;
  hand.open();
  await hand.writer.close();
  assert.ok(!existsSync(`${partFile(hand.tape, 1, true)}.new`));
  assert.ok(!existsSync(partFile(hand.tape, 1, false)));
  assert.equal(hand.text(1, true), text);
  assert.deepEqual(hand.writer.resumed.printIds.get(definition.marketId), ['a']);
});

test('nothing is added at or before a time that was already requested', async (t) => {
  const hand = new Hand(t, 'day.jsonl').open();
  hand.begin();
  hand.writer.seal(hand.time + 500);
  hand.change(2_000, 0);
  const times = hand.text(1, false).trimEnd().split('\n');
  assert.equal(JSON.parse(times.at(-1)!).time, startMs + 501);
  await hand.writer.close();
});
