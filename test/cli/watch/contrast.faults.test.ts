import { test } from 'node:test';
import { Desk } from '../practice.ts';
import { Emulator } from './emulator.ts';
import { assertReadable, dark, few, type Look, light, many, tradeForScreen, views } from './readable.ts';

test('each theme that is set can be read with 256 colors and with 16, also when the terminal tells nothing', async () => {
  using desk = new Desk();
  await tradeForScreen(desk);
  const rows: [Look, string][] = [
    [{ ...light, variables: { ...many, COLORFGBG: '0;15' } }, 'auto'],
    [{ ...dark, variables: many }, 'auto'],
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
