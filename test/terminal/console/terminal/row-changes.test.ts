import assert from 'node:assert/strict';
import { test } from 'node:test';
import xterm from '@xterm/headless';
import fc from 'fast-check';
import { cellsOf, Pace, rowChanges } from '../../../../src/terminal/console/terminal/full-screen.ts';

const width = 24;
const style = fc.constantFrom('', '\u001b[38;5;39m', '\u001b[1m', '\u001b[38;5;231;48;5;16m');
const piece = fc.tuple(style, fc.string({ unit: fc.constantFrom('a', '7', ' ', '┃', '█', '·'), maxLength: 9 }));
const row = fc.array(piece, { maxLength: 5 }).map((pieces) => {
  let left = width;
  const parts = pieces.map(([own, text]) => {
    const cut = text.slice(0, left);
    left -= cut.length;
    return own === '' || cut === '' ? cut : `${own}${cut}\u001b[0m`;
  });
  return parts.join('') + ' '.repeat(left);
});

/** What a terminal shows: every character with its colors. */
async function shown(terminal: xterm.Terminal): Promise<string[]> {
  await new Promise<void>((done) => terminal.write('', done));
  const line = terminal.buffer.active.getLine(0)!;
  return Array.from({ length: width }, (_, at) => {
    const cell = line.getCell(at)!;
    return [cell.getChars() || ' ', cell.getFgColor(), cell.getBgColor(), cell.isBold()].join();
  });
}

const terminalOf = (text: string) => {
  const terminal = new xterm.Terminal({ cols: width, rows: 2, allowProposedApi: true });
  terminal.write(text);
  return terminal;
};

test('whatever a row was, its changes make it what the whole new row would be', async () => {
  await fc.assert(
    fc.asyncProperty(row, row, async (before, after) => {
      const changes = rowChanges(1, cellsOf(before)!, cellsOf(after)!);
      const changed = terminalOf(`\u001b[1;1H${before}${changes}`);
      assert.deepEqual(await shown(changed), await shown(terminalOf(`\u001b[1;1H${after}`)));
    }),
    { numRuns: 60 },
  );
});

test('an equal row writes nothing, and one changed figure only itself', () => {
  assert.equal(rowChanges(3, cellsOf('mark 100.5 usd')!, cellsOf('mark 100.5 usd')!), '');
  assert.equal(rowChanges(3, cellsOf('mark 100.5 usd')!, cellsOf('mark 100.7 usd')!), '\u001b[3;10H7');
});

test('characters of another width are not taken apart', () => {
  assert.equal(cellsOf('比特币'), undefined);
  assert.equal(cellsOf('e\u0301'), undefined);
});

test('a pace allows its reserve at once, then so many bytes a second, and a key is not held up', () => {
  const pace = new Pace(10_000, 20_000);
  pace.wrote(20_000, 0);
  assert.equal(pace.waitMs, 0);
  pace.wrote(5_000, 0);
  assert.equal(pace.waitMs, 500);
  pace.wrote(1_000, 500);
  assert.equal(pace.waitMs, 100);
  pace.forgive();
  assert.equal(pace.waitMs, 0);
});

test('frames that each wait as long as the pace says write at most its bytes a second', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 12_000 }), { minLength: 50, maxLength: 80 }), (frames) => {
      const pace = new Pace(10_000, 20_000);
      let now = 0;
      let written = 0;
      for (const bytes of frames) {
        now += Math.max(200, pace.waitMs);
        pace.wrote(bytes, now);
        written += bytes;
      }
      assert.ok(written <= 20_000 + 12_000 + (now / 1_000) * 10_000, `${written} in ${now} ms`);
    }),
  );
});
