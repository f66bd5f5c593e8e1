import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import { Frames, FullScreen } from '../../../src/terminal/console/terminal/full-screen.ts';
import { helpRows } from '../../../src/terminal/screen/help-page.ts';
import { Emulator } from './emulator.ts';

const padded = (lines: readonly string[], columns: number) =>
  lines.map((line) => line.padEnd(columns).slice(0, columns));

test('only changed lines are written, in one write', async () => {
  const terminal = new Emulator(10, 3);
  const screen = new FullScreen(terminal);
  screen.open();
  screen.show(padded(['one', 'two', 'three'], 10));
  terminal.written.length = 0;
  screen.show(padded(['one', 'two', 'three'], 10));
  assert.deepEqual(terminal.written, []);
  screen.show(padded(['one', '2', 'three'], 10));
  assert.deepEqual(terminal.written, ['\u001b[?2026h\u001b[2;1H2  \u001b[?2026l']);
  assert.deepEqual(await terminal.screen(), ['one', '2', 'three']);
});

test('after the process was stopped and continued from outside, everything is drawn again', async () => {
  const terminal = new Emulator(10, 2);
  const screen = new FullScreen(terminal);
  screen.open();
  screen.show(padded(['one', 'two'], 10));
  terminal.write('\u001b[1;1HStopped\u001b[?25h');
  screen.open();
  screen.show(padded(['one', 'two'], 10));
  assert.deepEqual(await terminal.screen(), ['one', 'two']);
  assert.match(terminal.written.join(''), /\[\?25l[\s\S]*\[\?25h[\s\S]*\[\?25l/);
});

test('whatever was drawn before, and however the terminal was resized, the screen shows the latest frame', async () => {
  const frame = fc.record({
    columns: fc.integer({ min: 1, max: 30 }),
    rows: fc.integer({ min: 1, max: 12 }),
    text: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 }), {
      minLength: 12,
      maxLength: 12,
    }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
      const terminal = new Emulator(20, 6);
      const screen = new FullScreen(terminal);
      screen.open();
      for (const { columns, rows, text } of frames) {
        terminal.resize(columns, rows);
        screen.show(padded(text.slice(0, rows), columns));
      }
      const { columns, rows, text } = frames.at(-1)!;
      const expected = padded(text.slice(0, rows), columns).map((line) => line.trimEnd());
      assert.deepEqual(await terminal.screen(), expected);
    }),
    { numRuns: 30 },
  );
});

test('closing it, or the end of the process, restores the previous screen', async () => {
  for (const ending of ['close', 'exit'] as const) {
    const terminal = new Emulator(20, 3);
    terminal.write('$ perp watch');
    const screen = new FullScreen(terminal);
    screen.open();
    screen.show(padded(['a', 'b', 'c'], 20));
    assert.equal((await terminal.screen())[0], 'a');
    if (ending === 'close') screen.close();
    else for (const restore of terminal.exits) restore();
    assert.equal((await terminal.screen())[0], '$ perp watch');
    assert.ok(await terminal.isRestored());
    if (ending === 'close') assert.equal(terminal.exits.size, 0);
  }
});

test('a thousand requests in a burst share frames, and no frame comes sooner than allowed', async () => {
  const drawnAt: number[] = [];
  const frames = new Frames(() => drawnAt.push(performance.now()), 30);
  const begun = performance.now();
  while (performance.now() - begun < 100 || drawnAt.length < 2) {
    for (let request = 0; request < 100; request++) frames.request();
    await new Promise((done) => setImmediate(done));
  }
  frames.close();
  frames.request();
  const gaps = drawnAt.slice(1).map((at, index) => at - drawnAt[index]!);
  assert.ok(drawnAt.length <= 2 + (performance.now() - begun) / 30, `${drawnAt.length} frames`);
  for (const gap of gaps) assert.ok(gap > 28, `${gap} ms`);
});

test('a frame that waits for a slow line comes at once when it need not wait any more', async () => {
  let [drawn, waitMs] = [0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  const frames = new Frames(
    () => {
      if (++drawn === 2) resolve();
    },
    () => waitMs,
  );
  frames.request();
  while (drawn === 0) await new Promise((done) => setImmediate(done));
  waitMs = 3_600_000;
  frames.request();
  waitMs = 0;
  frames.request();
  await promise;
  frames.close();
  assert.equal(drawn, 2);
});

test('the pages of keys fit, whatever the size and the own keys, and all of them are there', () => {
  const ownKeys = new Map(Array.from({ length: 9 }, (_, at) => [`${at + 1}`, `own ${at + 1} ${'x y '.repeat(25)}`]));
  for (const isTrading of [true, false])
    for (const [columns, rows] of [
      [80, 18],
      [50, 8],
      [200, 54],
    ] as const) {
      const size = { columns, rows };
      const pages = Array.from({ length: 12 }, (_, page) =>
        helpRows(glyphsFor({ LANG: 'C.UTF-8' }, true), { isTrading, ownKeys }, size, page).map((row) =>
          row.map(textOf).join(''),
        ),
      );
      for (const page of pages) {
        assert.ok(page.length <= rows, `${page.length} rows of ${rows}`);
        for (const row of page) assert.ok(row.length <= columns, row);
      }
      const text = pages.flat().join('\n');
      const words = isTrading ? ['buy, sell at market', 'own 1 ', 'own 9 '] : ['previous and next market', '95%'];
      for (const word of words) assert.ok(text.includes(word), `${word} at ${columns}x${rows}`);
      assert.match(pages[0]!.at(-1)!, /^(Any key closes this page|Page 1 of \d+; \? next)/);
    }
});

test('a key stands once, beside the first line of what it does', () => {
  const deckKeys = [['Z', 'many words '.repeat(20).trim()]] as const;
  const rows = helpRows(glyphsFor({ LANG: 'C' }, true), { isTrading: true, deckKeys }, { columns: 60, rows: 500 }, 0);
  const lines = rows.map((row) => row.map(textOf).join('')).filter((line) => line.includes('many words'));
  assert.ok(lines.length > 3);
  assert.deepEqual(
    lines.map((line) => line.slice(0, 16).trim()),
    ['Z', ...lines.slice(1).map(() => '')],
  );
});
