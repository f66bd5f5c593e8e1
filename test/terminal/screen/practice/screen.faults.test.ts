import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { seed } from '../../../seed.ts';
import { Desk } from '../../cli/practice.ts';
import { Emulator } from '../emulator.ts';
import { type DrawnTape, numbers, writeDrawnTape } from './drawn-tape.ts';

const start = Date.UTC(2023, 4, 30, 14, 30);
const drawn: DrawnTape = { symbol: 'QXZ', start, decimals: 1, sizeDecimals: 3, seconds: 600, seed };

/** A practice on a screen, paused at its start. */
async function opened(desk: Desk, argv: readonly string[], size: [number, number] = [100, 30]) {
  const screen = new Emulator(...size);
  const run = desk.perp(['practice', ...argv], { terminal: true, screen, variables: { LANG: 'C.UTF-8' } });
  const end = async () => {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    void run.then(over, over);
    while (!isOver) {
      screen.press('escape', 'escape', 'q');
      await delay(20);
    }
    return run;
  };
  try {
    await screen.shows(/PRACTICE PAUSED[\s\S]*equity [\d,]+[\s\S]*\[\w+ \d/, 30_000);
  } catch (error) {
    await end();
    throw error;
  }
  return { screen, run, end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** Types a line after `:`, and waits for the question. */
async function order(screen: Emulator, line: string) {
  screen.press(':', ...line, 'return');
  await screen.shows(/\(y\/N\)/);
  screen.press('y');
  await screen.shows(/Any key goes back/);
  screen.press('return');
  await screen.shows(/q quit/);
}

test('space, a step, speed, a bookmark, going back and q: the clock obeys, and the report has it all', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', drawn);
  await using practice = await opened(desk, [tape]);
  const { screen, run } = practice;
  const timeOf = (text: string) => /PRACTICE \w+ ([\d:.]{12})/.exec(text)![1]!;
  const first = timeOf(await screen.shows(/PAUSED/));
  screen.press('.');
  const stepped = timeOf(await screen.shows(new RegExp(`PAUSED (?!${first})`)));
  assert.ok(stepped > first);
  screen.press('M');
  await screen.shows(/Bookmark b1 at/);
  await order(screen, 'order place QXZ buy 0.05 --stop-loss 2%');
  screen.press('+', '+', '+', ' ');
  await screen.shows(/GOING 14:3[1-9][\s\S]*10x|GOING[\s\S]* 10x[\s\S]*QXZ +long/);
  screen.press(' ');
  await screen.shows(/PAUSED/);
  screen.press('R');
  await screen.shows(/> perp back b1_/);
  screen.press('return');
  const back = await screen.shows(new RegExp(`PAUSED ${stepped.replace('.', '\\.')}[\\s\\S]*No open positions`));
  assert.match(back, / 10x/);
  screen.press('N');
  await screen.shows(/OVER[\s\S]*This is the end of the practice/);
  screen.press('q');
  const { exit, out } = await run;
  assert.equal(exit, 0);
  assert.match(out, /doing nothing[\s\S]*every position begins with a stop[\s\S]*QXZ \(binance\|QXZUSDT\)[\s\S]*again/);
  assert.ok(await screen.isRestored());
  assert.deepEqual(readdirSync(join(desk.folder, 'state', 'practice')), []);
});

test('a breach stops the clock at once; R goes back before it, and q reports it', async () => {
  using desk = new Desk();
  const tape = writeDrawnTape(desk.folder, 'day.jsonl', { ...drawn, drift: -100 });
  await using practice = await opened(desk, [tape, '--days', '1']);
  const { screen, run } = practice;
  await order(screen, 'order place QXZ buy 1 --force');
  screen.press('M', 'N');
  await screen.shows(/OVER[\s\S]*FAILED[\s\S]*drawdown[\s\S]*Next: Press q for the report, R to go back/);
  screen.press('R');
  await screen.shows(/> perp back b1_/);
  screen.press('return');
  await screen.shows(/PAUSED[\s\S]*QXZ +long/);
  screen.press('N');
  await screen.shows(/OVER[\s\S]*FAILED/);
  // Nothing goes on.
  screen.press(' ');
  await screen.shows(/The challenge has failed\. Press q/);
  screen.press('q');
  const { out, exit } = await run;
  assert.equal(exit, 0);
  assert.match(out, /The challenge has failed[\s\S]*drawdown +BROKEN/);
});

/** What may be pressed at random; a whole line is typed after `:`. */
const acts = [
  ...[
    '.',
    '.',
    ' ',
    '+',
    '-',
    'M',
    't',
    't',
    'b',
    's',
    'L',
    'A',
    '?',
    '[',
    ']',
    'a',
    'x',
    'c',
    'F',
    'e',
    'u',
    'R',
    'k',
  ],
  ...['escape', 'escape', 'return', 'y', 'n', 'up', 'down', 'tab', '=', 'g', 'i', 'o', 'm', 'K', '1', '3'],
];
const lines = [
  'markets',
  'markets show MKT',
  'quote MKT',
  'fills',
  'order place QXZ buy 1',
  'accounts show',
  'go 7s',
  'order list',
];

const sizes: [number, number][] = [
  [80, 24],
  [120, 40],
  [200, 60],
];

for (const [round, size] of sizes.entries()) {
  test(`blind, no byte of the screen tells market, date or price level, whatever is pressed (seed ${seed}, ${round})`, async () => {
    using desk = new Desk();
    const draw = numbers(seed * 31 + round);
    const decimals = 1 + draw(4);
    const tape = writeDrawnTape(desk.folder, 'QXZ-2023-05-30.jsonl', { ...drawn, decimals, seed: seed + round });
    await using practice = await opened(desk, [tape, '--blind'], size);
    const { screen, end } = practice;
    for (let at = 0; at < 80; at++) {
      if (draw(8) === 0) screen.press('escape', ':', ...lines[draw(lines.length)]!, 'return');
      else screen.press(acts[draw(acts.length)]!);
      await delay(draw(20));
    }
    const before = screen.written.join('');
    const { out, exit } = await end();
    assert.equal(exit, 0);
    assert.match(out, /QXZ \(binance\|QXZUSDT\)/);
    // The user has typed the name; nothing else says it.
    const own = before.replaceAll('order place QXZ buy 1', '').replaceAll(/"QXZ"|QXZ buy/g, '');
    const level = (835_947 / 10 ** decimals).toFixed(decimals).slice(0, decimals === 4 ? 4 : 3);
    const secrets = new RegExp(`QXZUSDT|2023|05-30|May|\\b${level.replace('.', '\\.')}\\d*\\.\\d`);
    const found = secrets.exec(own);
    assert.equal(
      found,
      null,
      `${found?.[0]} in ${JSON.stringify(own.slice(Math.max(0, (found?.index ?? 0) - 200), (found?.index ?? 0) + 60))}`,
    );
  });
}

test('paused at a time, two markets that are the same until then look the same', async () => {
  const screens: string[] = [];
  for (const otherFrom of [undefined, 40]) {
    using desk = new Desk();
    const own = { ...drawn, ...(otherFrom !== undefined && { otherFrom, seconds: 800 }) };
    await using practice = await opened(desk, [writeDrawnTape(desk.folder, 'day.jsonl', own), '--blind']);
    const { screen, run } = practice;
    screen.press('t');
    await screen.shows(/TRADING/);
    screen.press(':', ...'go 30s', 'return');
    await screen.shows(/Stands at 14:30:3\d/);
    screen.press('t');
    await screen.shows(/q quit/);
    for (let step = 0; step < 3; step++) screen.press('.');
    // Until it changes no more.
    let text = '';
    for (let same = 0; same < 30; ) {
      const now = (await screen.screen()).join('\n');
      same = now === text ? same + 1 : 0;
      text = now;
      await delay(20);
    }
    screens.push(text);
    screen.press('q');
    await run;
  }
  assert.equal(screens[1], screens[0]);
});
