import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyMs } from '../../../src/desk/ladder/price-ladder.ts';
import { Desk } from '../cli/practice.ts';
import { Armory, rested } from './armory.ts';

/** The whole ladder of a terminal of 120 columns. */
const paneColumns = 50;

/** A mouse on the ladder: it points at prices that are on the screen. */
class Mouse {
  readonly #trader: Armory;

  constructor(trader: Armory) {
    this.#trader = trader;
  }

  /** The prices on the screen, by row from 1. */
  async prices(): Promise<Map<number, number>> {
    const lines = await this.#trader.screen.screen();
    return new Map(
      lines.flatMap((line, at) => {
        const [, price] = /[\s[{](\d{4,}\.\d)[\s\]}]/.exec(`${line.slice(0, paneColumns)} `) ?? [];
        return price === undefined ? [] : [[at + 1, Number(price)] as const];
      }),
    );
  }

  /** Lets the rows stand long enough to be clicked. */
  wait(): void {
    this.#trader.clock.uptime += steadyMs;
  }

  /** The row of a price. */
  async rowOf(price: number): Promise<number> {
    const [row] = [...(await this.prices())].find(([, shown]) => shown === price) ?? [];
    assert.ok(row !== undefined, `${price} is not on the screen`);
    return row;
  }

  /** Button 0 left, 1 middle, 2 right, 32 left and moved, 64 and 65 the wheel. */
  act(button: number, column: number, row: number, isReleased = false): void {
    this.#trader.screen.send(`\u001b[<${button};${column};${row}${isReleased ? 'm' : 'M'}`);
  }
}

test('armed, a click places at its price, a drag moves the order, right cancels, and the wheel moves the rows', async () => {
  using desk = new Desk();
  await using trader = await Armory.opened(desk, { size: [120, 40] });
  const { screen } = trader;
  const mouse = new Mouse(trader);
  await trader.arm('arm 0.01 --position 3000 --loss 100 --for 15m');
  screen.send('\u001b[I');
  // Free and coarse: the rows keep their prices while the market moves.
  screen.press('f', 'g', 'g', 'g', 'g', 'g');
  await screen.shows(/50 ticks a row, free/);
  const shown = [...(await mouse.prices()).values()];
  const bid = shown.at(-3)!;
  mouse.wait();
  mouse.act(0, 8, await mouse.rowOf(bid));
  await screen.shows(/Resting: buy 0\.01 BTC at/);
  mouse.act(0, 8, await mouse.rowOf(bid), true);
  assert.deepEqual(
    (await rested(desk)).map(({ limit_price: at }) => at),
    [bid],
  );

  // The label is at the left of the bids: it is dragged, and nothing is placed.
  await screen.shows(/^B0\.01/m);
  const to = shown.at(-6)!;
  mouse.act(0, 2, await mouse.rowOf(bid));
  await screen.shows(/m moves B0\.01/);
  mouse.act(32, 2, await mouse.rowOf(to));
  await screen.shows(new RegExp(`\\{${to.toFixed(1)}\\}`));
  mouse.act(0, 2, await mouse.rowOf(to), true);
  await screen.shows(new RegExp(`B0\\.01[^\\n]*\\[${to.toFixed(1)}\\]`));
  assert.deepEqual(
    (await rested(desk)).map(({ limit_price: at }) => at),
    [to],
  );

  // Put down beside the ladder, it stays.
  mouse.act(0, 2, await mouse.rowOf(to));
  await screen.shows(/m moves B0\.01/);
  mouse.act(0, 110, 39, true);
  await screen.shows(/it stays where it is/);

  // Rows that have just moved take no click.
  const before = await mouse.prices();
  mouse.act(64, 8, 20);
  const until = performance.now();
  while ((await mouse.prices()).get(20) === before.get(20)) assert.ok(performance.now() - until < 60_000);
  mouse.act(0, 8, 20);
  await screen.shows(/The ladder has just moved/);
  mouse.act(65, 8, 20);
  while ((await mouse.prices()).get(20) !== before.get(20)) assert.ok(performance.now() - until < 60_000);
  mouse.wait();
  // Several presses in one read are not a person's.
  const row = await mouse.rowOf([...(await mouse.prices()).values()].at(-4)!);
  screen.send(`\u001b[<0;8;${row}M\u001b[<0;8;${row}M`);
  await screen.shows(/Several keys came at once/);
  assert.deepEqual(
    (await rested(desk)).map(({ limit_price: at }) => at),
    [to],
  );

  mouse.act(2, 8, await mouse.rowOf(to));
  await screen.shows(/Canceled/);
  assert.deepEqual(await rested(desk), []);
});

test('unarmed, a click types the order at its price, and sends nothing', async () => {
  using desk = new Desk();
  await using trader = await Armory.opened(desk, { size: [120, 40] });
  const { screen } = trader;
  const mouse = new Mouse(trader);
  screen.press('f');
  await screen.shows(/1 tick a row, free/);
  const price = [...(await mouse.prices()).values()].at(5)!;
  mouse.wait();
  mouse.act(0, 46, await mouse.rowOf(price));
  await screen.shows(new RegExp(`> perp order place BTC sell _ --limit-price\\s+${price}`));
  // A click does not answer what is asked.
  mouse.act(0, 46, 20);
  screen.press('escape');
  assert.deepEqual(await rested(desk), []);
});

test('an own order stays where it is if it is only clicked, or if the keys are turned off once it was picked up', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', 'bid-50.1', '--yes');
  const [{ limit_price: price }] = await rested(desk);
  await using trader = await Armory.opened(desk, { size: [120, 40] });
  const { screen } = trader;
  const mouse = new Mouse(trader);
  screen.press('f', 'g', 'g', 'g', 'g', 'g');
  const lines = (await screen.shows(/50 ticks a row, free[\s\S]*\nB0\.01/)).split('\n');
  const row = lines.findIndex((line) => line.startsWith('B0.01')) + 1;
  const isPickedUp = /m moves B0\.01/;
  const isLeft = /^(?![\s\S]*(?:m moves|\(y\/N\)))[\s\S]*TRADING/;
  mouse.wait();
  mouse.act(0, 2, row);
  await screen.shows(isPickedUp);
  mouse.act(0, 2, row, true);
  await screen.shows(isLeft);
  mouse.act(1, 8, row);
  await screen.shows(isPickedUp);
  screen.press('escape');
  await screen.shows(/t trade/);
  screen.press('t');
  await screen.shows(isLeft);
  assert.deepEqual(
    (await rested(desk)).map(({ limit_price: at }) => at),
    [price],
  );
});
