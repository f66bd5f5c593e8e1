import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Desk } from '../../cli/practice.ts';
import { assertReadable, light, many } from '../readable.ts';
import { inTour, Tourist } from './tourist.ts';

/** The account of the tour has a position, with a stop and a target that close all of it. */
async function assertBracketed(desk: Desk): Promise<void> {
  const [position, ...others] = await inTour(desk, 'positions');
  assert.deepEqual(others, []);
  const { side, size, computed } = position;
  assert.deepEqual([side, size, computed.covered_size, computed.uncovered_size], ['long', 0.05, 0.05, 0]);
  assert.ok(computed.stop_price < position.entry_price && computed.target_price > position.entry_price);
  const exits: { target_position_id: string }[] = await inTour(desk, 'order', 'list');
  assert.deepEqual(
    exits.map(({ target_position_id: id }) => id),
    [position.id, position.id],
  );
}

test('who does only what the tour shows ends with a bracketed trade, and nothing of the user is touched', async () => {
  using desk = new Desk();
  const tourist = new Tourist(desk, [80, 24], { PERP_ENV: 'live', PERP_BASE_URL: 'http://127.0.0.1:1' });
  const end = await tourist.until(/Tour, done/);
  assert.match(end, /Press: q[\s\S]*BTC +long +0\.05/);
  tourist.screen.press('q');
  const { exit, out, err } = await tourist.run;
  assert.deepEqual([exit, err], [0, '']);
  assert.match(out, /The tour is done/);
  await assertBracketed(desk);
  assert.deepEqual(readdirSync(desk.variables.PERP_STATE_DIR!), ['tour']);
  // Its market stands still until the user is back.
  assert.equal((await inTour(desk, 'sim', 'status')).clock, 'manual');
});

test('the tour answers wrong keys and lines, is left and taken up again, and goes back when its work is undone', async () => {
  using desk = new Desk();
  const white = { ...many, COLORFGBG: '0;15' };
  let tourist = new Tourist(desk, [120, 40], white);
  await tourist.until(/: Trading keys\n/);
  tourist.screen.press('b');
  await tourist.screen.shows(/b does nothing here\. Not now: the tour waits for t\./);
  await assertReadable(tourist.screen, { ...light, variables: white }, 'auto');
  await tourist.until(/: An order\n/);
  tourist.screen.press('s');
  await tourist.screen.shows(/s: buy, sell at market\. Not now: the tour waits for b\./);
  tourist.screen.press('b', ...'7');
  await tourist.screen.shows(/Type: 0\.05 +In place of 7/);
  tourist.screen.press('escape');
  await tourist.until(/: R, and a target\n/);
  tourist.screen.press('q');
  assert.match((await tourist.run).out, /Left at step 6 of 9, R, and a target/);

  await inTour(desk, 'order', 'cancel', (await inTour(desk, 'order', 'list'))[0].id, '--yes');
  tourist = new Tourist(desk, [200, 60]);
  await tourist.screen.shows(/: A stop\nNo stop closes the whole position any more: place one\.\n/);
  for (const [columns, rows] of [
    [200, 60],
    [80, 24],
  ] as const) {
    tourist.screen.resize(columns, rows);
    const shown = await tourist.screen.shows(/Press: t +The trading keys are off[\s\S]*BTC +long +0\.05[\s\S]*q quit/);
    assert.equal(shown.split('\n').length, rows);
  }
  await tourist.until(/Tour, done/);
  tourist.screen.press('q');
  await tourist.run;
  await assertBracketed(desk);
});

test('in lines, for pipes and screen readers, the same is done with commands', async () => {
  using desk = new Desk();
  const input = new PassThrough();
  const told: string[] = [];
  const run = desk.perp(['tour', '--plain'], { input, printed: (text) => told.push(text) });
  const wrong = ['order place BTC sel 0.05', 'sim reset'];
  let seen = 0;
  for (let isOver = false; !isOver; ) {
    await new Promise((wait) => setTimeout(wait, 5));
    isOver = told.some((text) => text.includes('Tour, done'));
    const asked = told.findIndex((text, at) => at >= seen && /^(Type|Press): /.test(text.split('\n').at(-2) ?? ''));
    if (asked < 0) continue;
    seen = asked + 1;
    const [, line = ''] = /^Type: (.*?)(?: {3}.*)?\n$/m.exec(`${told[asked]!.split('\n').at(-2)}\n`) ?? [];
    input.write(`${(line.startsWith('order') ? wrong.shift() : undefined) ?? line}\n`);
  }
  input.end();
  const { exit, out } = await run;
  assert.equal(exit, 0);
  assert.match(out, /SIDE is "sel"[\s\S]*perp sim can't be used in the tour/);
  await assertBracketed(desk);
});
