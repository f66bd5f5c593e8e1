/**
 * Draws the pictures of the docs from the running program. docs/pictures/watch.svg and others: perp runs on a real
 * terminal (made by script(1)) against its own simulation, an emulator reads what it wrote, and each character becomes
 * text or, if it is a piece of a candle or a bar, a shape. docs/pictures/report.png: the page of `perp report` after a
 * week of trading, in Chromium (CHROMIUM is its path).
 *
 *   npm run build && node tools/pictures.ts
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import xterm from '@xterm/headless';
import { chromium } from 'playwright-core';

const root = resolve(import.meta.dirname, '..');
const bin = join(root, 'bin/perp.js');
const folder = mkdtempSync(join(tmpdir(), 'perp-pictures-'));
const env = { ...process.env, HOME: folder, PERP_STATE_DIR: folder, PERP_CONFIG_DIR: folder, SHELL: '/bin/sh' };
const look = {
  ...{ TERM: 'xterm-256color', COLORTERM: 'truecolor', COLORFGBG: '15;0', LANG: 'C.UTF-8' },
  TZ: 'America/New_York',
};

const cell = { width: 8.4, height: 17 };
const margin = 12;
const colors = { background: '#101418', text: '#d5d9de', faint: '#7d8590' };
/** The colors of the dark theme, as terminals with 256 colors show them, and those of ordinary output. */
const palette: Readonly<Record<number, string>> = {
  39: '#00afff',
  208: '#ff8700',
  213: '#ff87ff',
  248: '#a8a8a8',
  2: '#3fb950',
  1: '#f85149',
  3: '#d29922',
  16: '#000000',
  214: '#ffaf00',
};

/** The account on the screen: two positions with exits, and a working order. */
function trade(): void {
  const price = (market: string) => (JSON.parse(perp('quote', market, '--json')) as { mid: number }).mid;
  const near = (market: string, share: number) => String(Number((price(market) * share).toPrecision(5)));
  const exits = (market: string, stop: number, target: number) => [
    ...['--stop-loss', near(market, stop)],
    ...['--take-profit', near(market, target)],
  ];
  perp('order', 'place', 'BTC', 'buy', '0.2', '--yes', ...exits('BTC', 0.997, 1.004));
  perp('order', 'place', 'ETH', 'sell', '3', '--yes', ...exits('ETH', 1.01, 0.98));
  perp('order', 'place', 'BTC', 'buy', '0.1', '--limit-price', near('BTC', 0.9985), '--yes');
}

function perp(...argv: string[]): string {
  const run = spawnSync(process.execPath, [bin, ...argv], { env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`perp ${argv.join(' ')} ended with ${run.status}: ${run.stderr}`);
  return run.stdout;
}

/** A picture: the size of its terminal, what is typed once the screen is there, and the keys that end it. */
interface Scene {
  readonly columns: number;
  readonly rows: number;
  readonly typed?: readonly string[];
  readonly last?: readonly string[];
}

/** Runs perp on a terminal for a while, and draws what it shows. */
async function draw(name: string, argv: string[], { columns, rows, typed = [], last = [] }: Scene): Promise<void> {
  const command = `stty cols ${columns} rows ${rows}; exec '${process.execPath}' '${bin}' ${argv.join(' ')}`;
  const running = spawn('script', ['-qec', command, '/dev/null'], { env: { ...env, ...look } });
  const ended = new Promise((done) => running.on('close', done));
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  running.stdout.on('data', (part: Buffer) => terminal.write(part));
  const type = async (texts: readonly string[]) => {
    for (const text of texts) {
      running.stdin.write(text);
      await delay(800);
    }
  };
  await Promise.race([ended, delay(8_000)]);
  await type(typed);
  await Promise.race([ended, delay(typed.length > 0 ? 2_000 : 0)]);
  await new Promise<void>((done) => terminal.write('', done));
  writeFileSync(join(root, `docs/pictures/${name}.svg`), svgOf(terminal, `perp ${argv[0]}`));
  await type(last);
  await ended;
}

function svgOf({ buffer: { active }, cols, rows }: xterm.Terminal, title: string): string {
  const parts: string[] = [];
  for (let row = 0; row < rows; row++) {
    const line = active.getLine(active.viewportY + row)!;
    let column = 0;
    while (column < cols) {
      const first = line.getCell(column)!;
      const style = styleOf(first);
      const shape = shapesOf(first.getChars());
      if (shape !== undefined) {
        parts.push(...shape.map((one) => rectangle(one, column, row, style.color)));
        column++;
        continue;
      }
      let text = '';
      const start = column;
      for (; column < cols; column++) {
        const next = line.getCell(column)!;
        const chars = next.getChars() || ' ';
        if (shapesOf(chars) !== undefined || styleOf(next).key !== style.key) break;
        text += chars;
      }
      if (style.behind !== undefined)
        parts.push(
          ...Array.from({ length: column - start }, (_, at) => rectangle([0, 0, 1, 1], start + at, row, style.behind!)),
        );
      if (text.trim() !== '') parts.push(textOf(text, start, row, style));
    }
  }
  const width = Math.ceil(cols * cell.width + 2 * margin);
  const height = Math.ceil(rows * cell.height + 2 * margin);
  const font =
    'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14"';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ${font} role="img"><title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>
${parts.join('\n')}
</svg>
`;
}

/** A week of trading on a manual clock, as `perp report` shows it. */
async function drawReport(): Promise<void> {
  const week = ['--state', 'week'];
  perp('sim', 'reset', '--clock', 'manual', '--yes', ...week);
  for (let trade = 0; trade < 16; trade++) {
    const [market, size] = trade % 3 === 2 ? ['ETH', '4'] : ['BTC', '0.2'];
    perp('order', 'place', market, trade % 4 === 1 ? 'sell' : 'buy', size, '--yes', ...week);
    perp('sim', 'advance', `${3 + (trade % 5)}h`, ...week);
    perp('positions', 'close', market, '--yes', ...week);
    perp('sim', 'advance', '4h', ...week);
  }
  const page = join(folder, 'report.html');
  perp('report', '-o', page, ...week);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-sync', '--disable-component-update'],
  });
  try {
    const tab = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    await tab.goto(pathToFileURL(page).href);
    await tab.waitForLoadState('networkidle');
    await tab.screenshot({ path: join(root, 'docs/pictures/report.png') });
  } finally {
    await browser.close();
  }
}

/** Trading by hand: a ticket beside the market, and armed keys on the ladder. */
async function drawHands(): Promise<void> {
  const [ticket, ladder] = ['ticket', 'ladder'].map((state) => ['--state', state]);
  perp('order', 'place', 'ETH', 'sell', '3', '--stop-loss', '1%', '--take-profit', '2%', '--yes', ...ticket!);
  const order = 'order place BTC buy 0.1 --stop-loss 0.5% --take-profit 2R';
  const isTyped = { typed: ['t', ':', order], last: ['\u001b', 'q'] };
  await draw('cockpit', ['watch', 'BTC', 'ETH', ...ticket!], { columns: 120, rows: 36, ...isTyped });
  perp('order', 'place', 'BTC', 'buy', '0.2', '--stop-loss', '0.07%', '--take-profit', '0.07%', '--yes', ...ladder!);
  perp('order', 'place', 'BTC', 'buy', '0.1', '--limit-price', 'mark-0.04%', '--yes', ...ladder!);
  const terms = 'arm 0.05 --position 40000 --loss 1500 --for 15m';
  const isArmed = ['\u001b[I', 'A', '\u007f'.repeat(150), terms, '\r', 'y', ...'gggf', '\u001b[B', '\u001b[B'];
  const armed = { columns: 120, rows: 36, typed: isArmed, last: ['\u001b', 'q'] };
  await draw('ladder', ['ladder', 'BTC', ...ladder!], armed);
}

interface Style {
  color: string;
  isBold: boolean;
  /** Its own background. */
  behind: string | undefined;
  key: string;
}

function styleOf(one: xterm.IBufferCell): Style {
  const isBold = one.isBold() !== 0;
  const named = one.isFgPalette() ? palette[one.getFgColor()] : undefined;
  const color = named ?? (one.isDim() !== 0 ? colors.faint : colors.text);
  const behind = one.isBgPalette() ? palette[one.getBgColor()] : undefined;
  return { color, isBold, behind, key: `${color} ${isBold} ${behind}` };
}

function textOf(text: string, column: number, row: number, { color, isBold }: Style): string {
  const kept = text.trimEnd();
  const indent = kept.length - kept.trimStart().length;
  const word = kept.trimStart().replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const x = (margin + (column + indent) * cell.width).toFixed(1);
  const y = (margin + row * cell.height + 13).toFixed(1);
  const length = ((kept.length - indent) * cell.width).toFixed(1);
  const weight = isBold ? ' font-weight="bold"' : '';
  return `<text x="${x}" y="${y}" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${color}"${weight} xml:space="preserve">${word}</text>`;
}

/** Parts of a character cell: left, top, width, height, as shares of it. */
type Shape = readonly [left: number, top: number, width: number, height: number];

const wick = (top: number, height: number): Shape => [0.44, top, 0.12, height];
const body = (top: number, height: number): Shape => [0.3, top, 0.4, height];
const shapes: Readonly<Record<string, readonly Shape[]>> = {
  '│': [wick(0, 1)],
  '╵': [wick(0, 0.5)],
  '╷': [wick(0.5, 0.5)],
  '┃': [body(0, 1)],
  '╹': [body(0, 0.5)],
  '╻': [body(0.5, 0.5)],
  '╽': [wick(0, 0.5), body(0.5, 0.5)],
  '╿': [body(0, 0.5), wick(0.5, 0.5)],
  '┈': [[0.1, 0.48, 0.45, 0.06]],
};
const bars = '▏▎▍▌▋▊▉█';

function shapesOf(character: string): readonly Shape[] | undefined {
  if (character === '') return undefined;
  const eighths = bars.indexOf(character) + 1;
  return eighths > 0 ? [[0, 0.15, eighths / 8, 0.7]] : shapes[character];
}

function rectangle([left, top, width, height]: Shape, column: number, row: number, color: string): string {
  const x = (margin + (column + left) * cell.width).toFixed(1);
  const y = (margin + (row + top) * cell.height).toFixed(1);
  const size = `width="${(width * cell.width).toFixed(1)}" height="${(height * cell.height).toFixed(1)}"`;
  return `<rect x="${x}" y="${y}" ${size} fill="${color}"/>`;
}

try {
  await drawReport();
  trade();
  await draw('watch', ['watch', 'BTC', 'ETH', 'SOL', '--interval', '1m'], { columns: 110, rows: 36, last: ['q'] });
  await draw('chart', ['chart', 'BTC', '--interval', '5m', '--height', '18'], { columns: 100, rows: 20 });
  await drawHands();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
