import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { finishedTape, recordKind, TapeReader, TapeWriter } from '../../../src/exchange/markets/recorded/tape-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'perp-tape-file-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A file of prints, 8 words each: the n-th has the price n. */
function printsOf(count: number): { fd: number; words: number } {
  const fd = openSync(join(folder, `${count}`), 'w+');
  after(() => closeSync(fd));
  const writer = new TapeWriter(fd);
  for (let price = 0; price < count; price += 1) {
    const { room, at } = writer.reserve(8);
    room.set([recordKind.print, 8, 0, 0, price, 1, 1, 0], at);
  }
  writer.flush();
  return { fd, words: writer.words };
}

function prices(reader: TapeReader, offsets: readonly number[]): number[] {
  return offsets.map((offset) => {
    assert.ok(reader.load(offset));
    return reader.words[reader.at + 4]!;
  });
}

describe('a finished tape', () => {
  it('is read once for all its readers if it is small', () => {
    const tape = finishedTape(printsOf(10_000));
    const readers = [new TapeReader(tape), new TapeReader(tape)];
    for (const reader of readers) assert.deepEqual(prices(reader, [0, 79_992, 8]), [0, 9_999, 1]);
    assert.equal(readers[0]!.words, readers[1]!.words);
    assert.equal(readers[0]!.load(80_000), false);
  });

  it('is read in parts if it is large', () => {
    const tape = finishedTape(printsOf(2 ** 18 + 1));
    const reader = new TapeReader(tape);
    assert.deepEqual(prices(reader, [0, 2 ** 21, 80]), [0, 2 ** 18, 10]);
    assert.ok(reader.words.length < tape.words);
  });
});
