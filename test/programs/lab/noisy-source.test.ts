import assert from 'node:assert/strict';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { Book } from '../../../src/exchange/engine/book/book.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { compiledFile, compiledRecording } from '../../../src/exchange/markets/recorded/recorded-source.ts';
import { noisySource } from '../../../src/programs/lab/noisy-source.ts';
import { ScriptedSource } from '../../exchange/engine/scripted-source.ts';
import { it, trial } from '../../tiers.ts';

const fixture = join(import.meta.dirname, '../../fixtures/binance-usdm-btcusdt-345s.jsonl.gz');
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'perp-noise-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** At each of its book events: by how much the best bid is off, and whether the real one has moved. */
function played(source: MarketSource, firstTime: number, seed: number) {
  const to = firstTime + 60_000;
  const { marketId } = source.definitions[0]!;
  const noisy = noisySource(source, { from: firstTime, to, seed });
  const [real, noisyBook] = [new Book(), new Book()];
  const [tape, other] = [source.open(firstTime), noisy.open(firstTime)];
  for (const each of [tape, other]) each.watch(marketId, true);
  real.load(source.book(marketId, firstTime)!);
  noisyBook.load(noisy.book(marketId, firstTime)!);
  const seen: { off: number; hasMoved: boolean }[] = [];
  for (let event = tape.next(to); event !== null; event = tape.next(to)) {
    const same = other.next(to)!;
    assert.equal(same.time, event.time);
    const last = real.bids.best;
    for (const [book, one] of [[real, event] as const, [noisyBook, same] as const]) {
      if (one.kind === 'book') book.replace(one.time, one.sequence, one);
      if (one.kind === 'delta') book.update(one.time, one.sequence, one);
    }
    if (event.kind === 'print' || event.kind === 'gap' || event.kind === 'gap_end') continue;
    seen.push({ off: noisyBook.bids.best - real.bids.best, hasMoved: real.bids.best !== last });
    if (seen.length % 50 > 0) continue;
    const { bids, asks } = noisy.book(marketId, event.time)!;
    assert.deepEqual([noisyBook.snapshot().bids, noisyBook.snapshot().asks], [bids, asks]);
    assert.equal(bids.length, real.bids.count * 2);
  }
  return seen;
}

describe('a noisy source', () => {
  trial(
    'has another level, every price a few ticks off, by others from move to move and in between, and every size larger',
    async () => {
      const { source, firstTime } = compiledRecording(openSync(await compiledFile(fixture, folder), 'r'));
      const { tick, marketId } = source.definitions[0]!;
      const seen = played(source, firstTime, 1);
      const { bids: all } = source.book(marketId, firstTime)!;
      const level = seen.reduce((sum, { off }) => sum + off, 0) / seen.length;
      assert.ok(Math.abs(level) > 0.02 * all[0]!, 'no price comes again');
      const middle = Math.round(level / tick!);
      const ticks = new Set(seen.map(({ off }) => off / tick! - middle));
      assert.ok(ticks.size >= 4, [...ticks].join());
      for (const one of ticks) assert.ok(Math.abs(one) <= 10, [...ticks].join());
      const changes = seen.flatMap(({ off, hasMoved }, at) => (at > 0 && off !== seen[at - 1]!.off ? [hasMoved] : []));
      assert.ok(changes.includes(true) && changes.includes(false));
      assert.notDeepEqual(played(source, firstTime, 2), seen);
      const noise = { from: firstTime, to: firstTime + 60_000, seed: 1 };
      const { bids } = noisySource(source, noise).book(marketId, firstTime)!;
      const real = source.book(marketId, firstTime)!.bids;
      assert.ok(bids.every((size, at) => at % 2 === 0 || size > real[at]!));
    },
  );

  it('moves a market that mostly moves by a few ticks to another level only', () => {
    const mids = Array.from({ length: 200 }, (_, at) => 1_000 + [0, 1, 3, 2, 2, -1][at % 6]!);
    const source = new ScriptedSource(
      mids.map((mid, at) => ({ time: 100 * (at + 1), bids: [[mid - 1, 5]], asks: [[mid + 1, 5]] })),
    );
    const offs = new Set(played(source, 100, 1).map(({ off }) => off));
    assert.ok(offs.size === 1 && !offs.has(0), [...offs].join());
  });
});
