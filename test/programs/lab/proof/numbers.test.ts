import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { embeddedPrices } from '../../../../src/programs/lab/proof/numbers.ts';
import { definition, type ScriptedEvent, ScriptedSource } from '../../../exchange/engine/scripted-source.ts';

const start = 1_000_000;
/** A print a second, up and down, no price twice. */
const units = Array.from({ length: 60 }, (_, at) => 1_000 + ((at * 41) % 101));
const prices = units.map((price) => price / 10);
const book: ScriptedEvent = { time: start, bids: [[990, 5]], asks: [[1_110, 5]] };
const printed = (series: readonly number[]) =>
  series.map((price, at): ScriptedEvent => ({ time: start + 1_000 * (at + 1), print: [price, 1], aggressor: 'buy' }));
const market = definition({ priceDecimals: 1 });
const tape = new ScriptedSource([book, ...printed(units)], [market]);
const spec = { from: start, to: start + 60_000 };

function found(values: readonly (number | string)[], source = tape, of = spec) {
  return embeddedPrices(source, of, [{ name: 'a.ts', text: `const known = [${values.join(', ')}];` }]);
}

/** How many numbers make the chain; null: nothing is told. */
function lengthOf(...args: Parameters<typeof found>): number | null {
  const told = found(...args)?.sentence;
  return told === undefined ? null : Number(/prices, (\d+) in a row/.exec(told)![1]);
}

/** Numbers in the range of the tape that it never shows. */
const strays = Array.from({ length: 40 }, (_, at) => 104.05 + at / 10);

describe('prices of a tape in the text of a strategy', () => {
  it('are ten in a row, in the order of the tape, with the time of the first', () => {
    assert.deepEqual(found(prices.slice(20, 30)), {
      sentence: 'a.ts contains its prices, 10 in a row from 1970-01-01 00:17:01.000Z on',
      at: start + 21_000,
    });
    assert.equal(lengthOf(prices.slice(20, 29)), null);
    assert.equal(lengthOf(prices), 60);
    assert.equal(lengthOf([]), null);
  });

  it('may be in another unit, and the last may come first', () => {
    for (const scale of [1e-8, 0.01, 100, 1e8])
      assert.equal(
        lengthOf(prices.slice(0, 12).map((price) => Number((price * scale).toPrecision(12)))),
        12,
        `${scale}`,
      );
    assert.equal(lengthOf(prices.slice(0, 12).reverse()), 12);
  });

  it('are not numbers in another order', () => {
    assert.equal(lengthOf(prices.toSorted((one, other) => one - other)), null);
    assert.equal(lengthOf([...prices.slice(30, 35), ...prices.slice(10, 18)]), null);
  });

  it('are not counted twice if a number is there twice', () => {
    const twice = (series: readonly number[]) => series.flatMap((price) => [price, price, price]);
    assert.equal(lengthOf(twice(prices.slice(0, 9))), null);
    assert.equal(lengthOf(twice(prices.slice(0, 10))), 10);
  });

  it('turn at least once in six: a grid only goes up', () => {
    const way = (turnAt: number) =>
      Array.from({ length: 18 }, (_, at) => 1_000 + (at < turnAt ? at : 4 * turnAt - 2 * at + 1));
    const grid = (series: readonly number[]) =>
      lengthOf(
        series.slice(0, 12).map((price) => price / 10),
        new ScriptedSource([book, ...printed(series)], [market]),
      );
    assert.equal(grid(way(18)), null);
    assert.equal(grid(way(6)), null, 'one turn is for six');
    const saw = [0, 1, 2, 3, 4, 3.5, 3, 2.5, 4.5, 5, 6, 7].map((step) => 1_000 + 2 * step);
    assert.equal(grid(saw), 12);
  });

  it('come soon after each other: within two seconds, or 3 % of the time', () => {
    const every = (step: number) => prices.filter((_, at) => at % step === 0);
    assert.equal(lengthOf(every(2)), 30);
    assert.equal(lengthOf(every(3)), null);
    assert.equal(lengthOf(every(3), tape, { from: start, to: start + 100_000 }), 20);
  });

  it('are nine of ten numbers, or in a chain of sixteen every second one', () => {
    const mixed = (length: number, others: number) => [
      ...prices.slice(0, 5),
      ...strays.slice(0, others),
      ...prices.slice(5, length),
    ];
    assert.equal(lengthOf(mixed(10, 1)), 10);
    assert.equal(lengthOf(mixed(10, 2)), null);
    assert.equal(lengthOf(mixed(14, 4)), null);
    const alternating = (length: number) =>
      prices.slice(0, length).flatMap((price, at) => (at === length - 1 ? [price] : [price, strays[at]!]));
    assert.equal(lengthOf(alternating(16)), 16);
    assert.equal(lengthOf(alternating(15)), null);
  });

  it('stand among any numbers that no price could be', () => {
    assert.equal(lengthOf(prices.slice(0, 10).flatMap((price) => [price, 7, 0, 5_000, 98.9, 111.1])), 10);
  });

  it('are those that the tape shows after the start of the trial, prints, bids, asks and midpoints', () => {
    assert.equal(lengthOf(prices.slice(0, 10), tape, { from: start + 5_000, to: start + 60_000 }), null);
    assert.equal(lengthOf(prices.slice(5, 15), tape, { from: start + 5_000, to: start + 60_000 }), 10);
    assert.equal(lengthOf(prices.slice(10, 20), tape, { from: start, to: start + 15_000 }), null);
    const books = units
      .slice(0, 20)
      .map((bid, at): ScriptedEvent => ({ time: start + 1_000 * (at + 1), bids: [[bid, 5]], asks: [[bid + 3, 5]] }));
    const quoted = new ScriptedSource([book, ...books], [market]);
    for (const away of [0, 0.3, 0.15])
      assert.equal(
        lengthOf(
          prices.slice(0, 12).map((bid) => Number((bid + away).toFixed(2))),
          quoted,
        ),
        12,
        `${away}`,
      );
  });
});
