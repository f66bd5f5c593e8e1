import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Screen } from '../../../../src/terminal/cli/reading/watch-reading.ts';
import { renderTable, type Widths } from '../../../../src/terminal/console/output/table.ts';
import { plainPalette } from '../../../../src/terminal/console/output/themes.ts';
import type { Io } from '../../../../src/terminal/console/terminal/io.ts';
import { test, trial } from '../../../tiers.ts';
import { beginWorld, bin, buildPerp, machine } from '../built-perp.ts';

/** A terminal that shows what a real one would: cursor up, carriage return, erasing to the end of line and screen. */
class Terminal {
  readonly columns: number;
  readonly rows: number;
  lines = [''];
  written = 0;
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  out = (text: string) => {
    this.written++;
    for (const [piece, count, code] of text.matchAll(/\u001b\[(\d*)([AJK])|[^\u001b]/g)) this.#act(piece, count, code);
  };

  #act(piece: string, count: string | undefined, code: string | undefined): void {
    if (code === 'A') this.#row = Math.max(this.#top, this.#row - Number(count));
    else if (code === 'K') this.#line = this.#line.slice(0, this.#column);
    else if (code === 'J') this.lines = [...this.lines.slice(0, this.#row), this.#line.slice(0, this.#column)];
    else if (piece === '\r') this.#column = 0;
    else if (piece === '\n') this.#next();
    else {
      if (this.#column === this.columns) this.#next();
      this.#line = this.#line.slice(0, this.#column).padEnd(this.#column) + piece + this.#line.slice(this.#column + 1);
      this.#column++;
    }
  }

  #next(): void {
    this.#row++;
    this.#column = 0;
    while (this.lines.length <= this.#row) this.lines.push('');
  }

  /** The first row that has not scrolled off the screen. */
  get #top(): number {
    return Math.max(0, this.lines.length - this.rows);
  }

  get #line(): string {
    return this.lines[this.#row]!;
  }

  set #line(text: string) {
    this.lines[this.#row] = text;
  }
}

const on = (terminal: Terminal) => new Screen(terminal as unknown as Io);

test('each update replaces the one before, longer or shorter', () => {
  const terminal = new Terminal(20, 10);
  const screen = on(terminal);
  terminal.out('$ perp positions\n');
  for (const text of ['BTC  1\nETH  2\nSOL  3\n', 'BTC  100\n', 'BTC  1\nETH  2\n']) screen.show(text, 'Ctrl-C ends.');
  assert.deepEqual(terminal.lines, ['$ perp positions', 'BTC  1', 'ETH  2', 'Ctrl-C ends.', '']);
});

test('unchanged output is not written again', () => {
  const terminal = new Terminal(20, 10);
  const screen = on(terminal);
  screen.show('BTC  1\n', 'Ctrl-C ends.');
  screen.show('BTC  1\n', 'Ctrl-C ends.');
  assert.equal(terminal.written, 1);
});

test('lines wrapped by the terminal are overwritten completely', () => {
  const terminal = new Terminal(10, 10);
  const screen = on(terminal);
  for (const price of ['1', '2']) screen.show(`notional of it all ${price}\n`, 'Ctrl-C.');
  assert.deepEqual(terminal.lines, ['notional o', 'f it all 2', 'Ctrl-C.', '']);
});

test('lines that don’t fit are counted, and nothing is left above', () => {
  const terminal = new Terminal(60, 5);
  const screen = on(terminal);
  const rows = (mark: string) => Array.from({ length: 12 }, (_, at) => `row ${at}${mark}\n`).join('');
  for (const mark of ['', ' again']) screen.show(rows(mark), 'Ctrl-C ends.');
  assert.deepEqual(terminal.lines, [
    'row 0 again',
    'row 1 again',
    'row 2 again',
    "Ctrl-C ends. 9 more lines don't fit.",
    '',
  ]);
});

test('the last output stays at the end', () => {
  const terminal = new Terminal(20, 10);
  const screen = on(terminal);
  screen.show('BTC  1\n', 'Ctrl-C ends.');
  terminal.out('^C');
  screen.end();
  assert.deepEqual(terminal.lines, ['BTC  1', '']);
});

interface Row {
  name: string;
  size: string;
  id: string;
}
const columns = [
  { header: 'NAME', cell: ({ name }: Row) => name },
  { header: 'SIZE', cell: ({ size }: Row) => size, align: 'right' as const },
  { header: 'ID', cell: ({ id }: Row) => id },
];

test('columns of a redrawn table never shrink', () => {
  const widths: Widths = new Map();
  const table = (row: Row) => renderTable(columns as never, [row], 80, plainPalette, widths).split('\n');
  table({ name: 'BITCOIN', size: '12345.678', id: 'a' });
  assert.deepEqual(table({ name: 'ETH', size: '1', id: 'b' }), ['NAME          SIZE  ID', 'ETH              1  b']);
});

const noScript = (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0) && 'needs script(1)';

trial(
  'on a real terminal, Ctrl-C ends a watch with exit 130, and the last output stays',
  {
    skip: noScript,
  },
  async (t) => {
    buildPerp();
    const here = machine();
    t.after(() => here.remove());
    await beginWorld(here.variables);
    const command = `stty cols 80 rows 24; exec '${process.execPath}' '${bin}' quote BTC ETH --watch --columns market,mid`;
    const env = { ...here.variables, TERM: 'xterm', SHELL: '/bin/sh' };
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, timeout: 240_000 });
    let shown = '';
    let hasTyped = false;
    terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      // The cursor goes up to draw the second quote over the first.
      if (hasTyped || !/\u001b\[\d+A/.test(shown)) return;
      hasTyped = true;
      terminal.stdin.write('\u0003');
    });
    const [exit] = await once(terminal, 'close');
    assert.equal(exit, 130, shown);
    assert.ok(hasTyped, shown);
    assert.match(shown, /MARKET[^\n]*MID/);
    assert.doesNotMatch(shown, /BID|SPREAD/);
    assert.match(shown, /Press Ctrl-C to stop\./);
    assert.ok(shown.endsWith('\u001b[1A\r\u001b[J'), JSON.stringify(shown.slice(-60)));
    assert.doesNotMatch(shown, /Interrupted|Error/);
  },
);
