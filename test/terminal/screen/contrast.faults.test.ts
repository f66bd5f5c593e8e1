import { test } from 'node:test';
import { Desk } from '../cli/practice.ts';
import { Emulator } from './emulator.ts';
import {
  assertReadable,
  dark,
  few,
  type Look,
  ladderViews,
  light,
  many,
  rgb,
  tradeForScreen,
  views,
} from './readable.ts';

test('each theme that is set can be read with 256 colors and with 16, also when the terminal tells nothing', async () => {
  using desk = new Desk();
  await tradeForScreen(desk);
  const rows: [Look, string][] = [
    [{ ...light, variables: { ...many, COLORFGBG: '0;15' } }, 'auto'],
    [{ ...dark, variables: many }, 'auto'],
    [{ ...light, variables: many }, 'auto'],
    [{ ...light, variables: few }, 'auto'],
    [{ ...light, variables: many }, 'light'],
    [{ ...dark, variables: many }, 'dark'],
    [{ ...light, variables: many }, 'contrast'],
    [{ ...light, variables: few }, 'light'],
    [{ ...dark, variables: few }, 'dark'],
    [{ ...light, variables: few }, 'contrast'],
  ];
  for (const [look, theme] of rows) {
    await desk.perp(['config', 'set', 'theme', theme]);
    const screen = new Emulator(120, 40);
    const run = desk.perp(['watch'], { terminal: true, screen, variables: { LANG: 'C.UTF-8', ...look.variables } });
    try {
      for (const [key, shown] of views) {
        screen.press(key);
        await screen.shows(shown);
        await assertReadable(screen, look, theme);
      }
    } finally {
      screen.press('escape', 'q');
      await run;
    }
  }
});

/** Backgrounds and the text that such terminals have; each has another theme than the one before. */
const terminals = [
  ['000000', 'd0d0d0'],
  ['ffffff', '000000'],
  ['282c34', 'abb2bf'],
  ['fdf6e3', '073642'],
  ['808080', 'ffffff'],
] as const;

test('on light, dark and gray backgrounds, every character of every view has a contrast of at least 4.5', async () => {
  using desk = new Desk();
  await tradeForScreen(desk);
  const screen = new Emulator(120, 40);
  const run = desk.perp(['watch'], { terminal: true, screen, variables: { LANG: 'C.UTF-8', ...many } });
  try {
    await screen.shows(views[0]![1]);
    for (const [background, text] of terminals) {
      const look = { background: rgb(background), text: rgb(text), variables: many };
      screen.written.length = 0;
      screen.send(`\u001b]11;rgb:${background.match(/../g)!.join('/')}\u0007`);
      // The whole screen is drawn in the other colors.
      while (!screen.written.some((frame) => frame.split('\u001b[').length > 60))
        await new Promise((done) => setTimeout(done, 5));
      for (const [key, shown] of [...views.slice(0, 2), ...ladderViews, ...views.slice(2)]) {
        screen.press(key);
        await screen.shows(shown);
        await assertReadable(screen, look, 'auto');
      }
      screen.press('escape');
    }
  } finally {
    screen.press('escape', 'q');
    await run;
  }
});
