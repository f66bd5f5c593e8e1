import assert from 'node:assert/strict';
import { describe } from 'node:test';
import fc from 'fast-check';
import { type LadderMarket, PriceLadder, steadyMs } from '../../../src/desk/ladder/price-ladder.ts';
import { glyphsFor } from '../../../src/terminal/console/charts/glyphs.ts';
import { textOf } from '../../../src/terminal/console/output/result.ts';
import type { MousePress } from '../../../src/terminal/console/terminal/input-reader.ts';
import { ladderPane, paneTop } from '../../../src/terminal/screen/ladder-pane.ts';
import type { Bench } from '../../../src/terminal/screen/trading-keys.ts';
import { mouseAct } from '../../../src/terminal/screen/trading-keys.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import { it, test, trial } from '../../tiers.ts';

const acts = process.env.PERP_LONG === '1' ? 10_000 : 300;
const marketId = 'binance|BTCUSDT';
const place = { top: 3, left: 5, width: 50, height: 22 };
const glyphs = glyphsFor({ LANG: 'C.UTF-8' }, true);
const lineUp: readonly Order[] = [
  { id: 'ord_1', side: 'buy', limit_price: 99.5 },
  { id: 'ord_2', side: 'sell', limit_price: 100.4 },
].map((order) => ({ market_id: marketId, size: 1, ...order }) as Order);

function market(mid: number): LadderMarket {
  const level = (price: number) => ({ px: price.toFixed(1), sz: '2' });
  const of = [1, 2, 3];
  const book = {
    ...{ type: 'book' as const, provider: 'binance', symbol: 'BTCUSDT', time: 0 },
    bids: of.map((at) => level(mid - at / 10)),
    asks: of.map((at) => level(mid + at / 10)),
  };
  return { marketId, tick: 0.1, book, orders: lineUp, ahead: new Map(), lines: [], prints: [] };
}

const happening = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('market' as const), by: fc.integer({ min: -30, max: 30 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('draw' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mouse' as const),
      button: fc.constantFrom<MousePress['button'][]>('left', 'left', 'middle', 'right', 'drag', 'release', 'up'),
      column: fc.integer({ min: 1, max: 60 }),
      row: fc.integer({ min: 1, max: 28 }),
    }),
  },
);

trial(
  `${acts} acts of the mouse: each has the price that its row has shown for half a second, or there is none`,
  () => {
    let acted = 0;
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 40, maxLength: 40 }),
        fc.infiniteStream(fc.nat(700)),
        (script, waits) => {
          const ladder = new PriceLadder();
          const orders = new Map(lineUp.map((order) => [order.id, order]));
          const model = { grid: { tick: 0.1 }, ahead: new Map(), account: { orders } };
          const bench = { ladder, model } as unknown as Bench;
          const screens: { at: number; lines: string[] }[] = [];
          let [mid, now] = [100, 0];
          for (const one of script) {
            now += waits.next().value!;
            if (one.kind === 'market') mid = Math.max(5, Number((mid + one.by / 10).toFixed(1)));
            else if (one.kind === 'draw') {
              const rows = ladderPane(ladder, market(mid), { ...place, symbol: 'BTC', glyphs, now });
              screens.push({ at: now, lines: rows.map((row) => row.map(textOf).join('')) });
            } else {
              const act = mouseAct({ ...one, isInBurst: false }, place, bench, now);
              const sent =
                act?.kind === 'enter' ? act.limit : act?.kind === 'command' ? priceOf(act.line, ladder) : undefined;
              if (sent === undefined) continue;
              acted++;
              const seen = screens.filter((_, at) => (screens[at + 1]?.at ?? now) > now - steadyMs);
              for (const { lines } of seen) assert.match(lines[one.row - 1 - place.top]!, shownAs(sent));
              assert.ok(one.row - 1 - place.top >= paneTop);
            }
          }
        },
      ),
      { numRuns: acts },
    );
    assert.ok(acted >= acts, `${acted} acts`);
  },
);

test('an own order that is clicked in a row of several ticks stays, and so does one that is let go beside the ladder', () => {
  const ladder = new PriceLadder();
  ladderPane(ladder, market(100), { ...place, symbol: 'BTC', glyphs, now: 0 });
  ladder.regroup(1);
  ladder.regroup(1);
  const order = { ...lineUp[0]!, limit_price: 98.7 };
  const at = { ...market(100), orders: [order] };
  const lines = ladderPane(ladder, at, { ...place, symbol: 'BTC', glyphs, now: 0 }).map((row) =>
    row.map(textOf).join(''),
  );
  const row = lines.findIndex((line) => line.startsWith('B1'));
  assert.match(lines[row]!, / 98\.5 /);
  const bench = {
    ladder,
    model: { grid: { tick: 0.1 }, ahead: new Map(), account: { orders: new Map([[order.id, order]]) } },
  };
  const act = (button: MousePress['button'], inRow: number) =>
    mouseAct(
      { button, column: place.left + 1, row: place.top + inRow + 1, isInBurst: false },
      place,
      bench as unknown as Bench,
      steadyMs,
    );
  assert.equal(act('left', row)!.kind, 'moved');
  assert.deepEqual(act('release', row), { kind: 'moved' });
  act('left', row);
  assert.deepEqual(act('release', row + 1), { kind: 'command', line: `order amend ${order.id} --price 98` });
  act('left', row);
  assert.equal(act('release', 99)!.kind, 'says');
  assert.equal(ladder.moving, undefined);
});

test('a stop is dragged by its name, also to a price that was off the screen; over the prices, the wheel zooms', () => {
  const ladder = new PriceLadder();
  const stop = {
    ...lineUp[0]!,
    id: 'ord_stop',
    side: 'sell' as const,
    limit_price: undefined,
    trigger_price: 99.5,
  } as never;
  const at = { ...market(100), orders: [stop], lines: [{ name: 'stop', price: 99.5 }] };
  const draw = () =>
    ladderPane(ladder, at, { ...place, symbol: 'BTC', glyphs, now: 0 }).map((row) => row.map(textOf).join(''));
  const lines = draw();
  const row = lines.findIndex((line) => / stop *$/.test(line));
  const bench = {
    ladder,
    model: { grid: { tick: 0.1 }, ahead: new Map(), account: { orders: new Map([['ord_stop', stop]]) } },
  } as unknown as Bench;
  const act = (button: MousePress['button'], inRow: number, column = place.width) =>
    mouseAct(
      { button, column: place.left + column, row: place.top + inRow + 1, isInBurst: false },
      place,
      bench,
      steadyMs,
    );
  act('left', row);
  assert.equal(ladder.moving, 'ord_stop');
  const lowest = ladder.drawn!.rows.at(-1)!.price;
  for (let moves = 0; moves < 5; moves++) {
    act('drag', place.height - 1);
    draw();
  }
  assert.ok(ladder.drawn!.rows.at(-1)!.price < lowest);
  const last = ladder.drawn!.rows.at(-1)!.price;
  const put = mouseAct(
    { button: 'release', column: place.left + 3, row: place.top + ladder.drawn!.rows.length + 1, isInBurst: false },
    place,
    bench,
    10 * steadyMs,
  );
  assert.deepEqual(put, { kind: 'command', line: `order amend ord_stop --price ${last}` });
  const before = ladder.grouping;
  act('down', 3, Math.floor(place.width / 2));
  assert.ok(ladder.grouping > before);
});

/** The price of a command: where it moves an order to, or where those are that it cancels. */
function priceOf(line: string, ladder: PriceLadder): number | undefined {
  const moved = /--price (\S+)$/.exec(line)?.[1];
  if (moved !== undefined) return Number(moved);
  const [, id] = /^order cancel (\S+)/.exec(line)!;
  return ladder.drawn!.rows.find(({ own }) => own.some((order) => order.id === id))?.price;
}

function shownAs(price: number): RegExp {
  return new RegExp(`[ [{]${price.toFixed(1).replace('.', '\\.')}[\\]} ]`);
}

describe('on a ladder that stands still', () => {
  /** A ladder with both own orders, and what a press in the row of a price does, at a column of the pane. */
  function still(ahead: ReadonlyMap<string, number> = new Map()) {
    const ladder = new PriceLadder();
    const drawn = ladderPane(ladder, { ...market(100), ahead }, { ...place, symbol: 'BTC', glyphs, now: 0 });
    const lines = drawn.map((row) => row.map(textOf).join(''));
    const orders = new Map(lineUp.map((order) => [order.id, order]));
    const bench = { ladder, model: { grid: { tick: 0.1 }, ahead, account: { orders } } } as unknown as Bench;
    const rowOf = (price: string) => lines.findIndex((line) => line.includes(`${price}`));
    const press = (button: MousePress['button'], price: string, column: number) => {
      const at = { column: place.left + column + 1, row: place.top + rowOf(price) + 1, isInBurst: false };
      return mouseAct({ button, ...at }, place, bench, steadyMs);
    };
    return { ladder, press, lineOf: (price: string) => lines[rowOf(price)]! };
  }

  it('a button that is let go, or moved while down, does nothing unless it holds an order', () => {
    const { press } = still();
    assert.equal(press('release', '99.8', 1), undefined);
    assert.equal(press('drag', '99.8', 1), undefined);
    assert.deepEqual(press('left', '99.8', 1), { kind: 'enter', side: 'buy', limit: 99.8 });
    assert.deepEqual(press('left', '99.8', place.width - 1), { kind: 'enter', side: 'sell', limit: 99.8 });
  });

  it('a click on a price puts the cursor there, and enters nothing', () => {
    const { ladder, press, lineOf } = still();
    assert.deepEqual(press('left', '99.8', lineOf('99.8').indexOf('99.8')), { kind: 'moved' });
    assert.equal(ladder.cursor, 99.8);
  });

  it('the middle button picks up the order of a level, and puts it down at another', () => {
    const { ladder, press } = still();
    press('middle', '99.5', 1);
    assert.equal(ladder.moving, 'ord_1');
    assert.deepEqual(press('middle', '99.7', 1), { kind: 'command', line: 'order amend ord_1 --price 99.7' });
  });

  it('an own order is where it is written, on either side, with what is ahead of it in few characters', () => {
    for (const [ahead, text] of [
      [12_345, '<12.3k'],
      [1_234_567, '<1.23M'],
      [9_999, '<9999'],
    ] as const) {
      const { ladder, press, lineOf } = still(new Map([['ord_2', ahead]]));
      const line = lineOf('100.4');
      assert.ok(line.includes(`S1${text}`), line);
      press('left', '100.4', line.indexOf('S1'));
      assert.equal(ladder.moving, 'ord_2', line);
      press('release', '100.4', line.indexOf('S1'));
    }
  });
});
