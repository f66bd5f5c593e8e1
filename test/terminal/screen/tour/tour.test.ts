import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { trial } from '../../../tiers.ts';
import { Desk } from '../../cli/practice.ts';
import { Emulator } from '../emulator.ts';

/** Begins the tour on a terminal, and leaves it at the first prompt, which may be on its screen or a line. */
async function begun(columns: number, rows: number, ...flags: string[]) {
  using desk = new Desk();
  const screen = new Emulator(columns, rows);
  const input = new PassThrough();
  let isLine = false;
  const run = desk.perp(['tour', ...flags], {
    ...{ terminal: true, screen, input },
    variables: { LANG: 'C.UTF-8' },
    printed: (text) => {
      if (!/^(Press|Type): /m.test(text)) return;
      isLine = true;
      input.write('q\n');
    },
  });
  let isOver = false;
  void run.finally(() => (isOver = true));
  while (!isLine && !isOver && screen.written.length === 0) await new Promise(setImmediate);
  if (screen.written.length > 0) {
    await screen.shows(/\b(Press|Type): \S+/);
    screen.press('q');
  }
  const { exit, out, err } = await run;
  assert.equal(exit, 0, err);
  assert.match(out, /Left at step 1 of /);
  return { isLine, isScreen: screen.written.length > 0 };
}

trial('the tour is on the screen of a terminal that has 80 columns and 24 rows, and else in lines', async () => {
  assert.deepEqual(await begun(80, 24), { isLine: false, isScreen: true });
  assert.deepEqual(await begun(79, 24), { isLine: true, isScreen: false });
  assert.deepEqual(await begun(80, 23), { isLine: true, isScreen: false });
  assert.deepEqual(await begun(80, 24, '--plain'), { isLine: true, isScreen: false });
});
