import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../src/base/failure/failure.ts';
import { toUnits } from '../../../src/base/terms/decimal.ts';
import { onGrid } from '../../../src/desk/resolve/grid.ts';
import { parsePrice } from '../../../src/desk/values/prices.ts';
import { isOnGrid } from '../../../src/exchange/engine/book/price-grid.ts';
import type { MarketDefinition } from '../../../src/exchange/engine/model.ts';
import { Desk } from '../../terminal/cli/practice.ts';

/** A desk whose market does not move. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  return desk;
}

const up = (price: number, tick = 0.1) => Number((Math.ceil(Number((price / tick).toFixed(6))) * tick).toFixed(8));
const down = (price: number, tick = 0.1) => Number((Math.floor(Number((price / tick).toFixed(6))) * tick).toFixed(8));

test('a price is a number, a word, a move, or a word and a move', () => {
  const price = (text: string) => parsePrice(text, 'P', { unsigned: true });
  const move = (amount: number, unit: string, isUnsigned = false) => ({ amount, unit, isUnsigned });
  const table: [string, object | number][] = [
    ['61650.5', 61650.5],
    ['1e3', 1000],
    ['95000usd', { base: undefined, move: move(95000, 'usd', true), text: '95000usd' }],
    ['entry', { base: 'entry', text: 'entry' }],
    ['MARK-1%', { base: 'mark', move: move(-1, '%'), text: 'MARK-1%' }],
    ['bid+10bps', { base: 'bid', move: move(10, 'bps'), text: 'bid+10bps' }],
    ['ask - 150 usd', { base: 'ask', move: move(-150, 'usd'), text: 'ask - 150 usd' }],
    ['+150', { base: undefined, move: move(150, 'usd'), text: '+150' }],
    ['-0.5%', { base: undefined, move: move(-0.5, '%'), text: '-0.5%' }],
    ['1%', { base: undefined, move: move(1, '%', true), text: '1%' }],
    ['50bps', { base: undefined, move: move(50, 'bps', true), text: '50bps' }],
  ];
  for (const [text, expected] of table) assert.deepEqual(price(text), expected, text);
});

test('a mistyped price is rejected with a suggestion', () => {
  const table: [string, RegExp][] = [
    ['1%', /has no direction\. Write -1% or \+1%\./],
    ['10bps', /Write -10bps or \+10bps\./],
    ['entyr-1%', /Did you mean entry-1%\?/],
    ['mid+5', /Did you mean mark\+5\?/],
    ['breakeven', /Did you mean entry\?/],
    ['entry1%', /not a price/],
    ['entry--1%', /not a price/],
    ['entry+', /not a price/],
    ['entry*2', /not a price/],
    ['entry-1,000', /Write 1000 if .*, or 1 if/],
    ['bid+1e400', /between/],
    ['constructor', /not a price/],
    ['0', /above zero/],
    ['none', /not a price/],
  ];
  for (const [text, says] of table) {
    assert.throws(
      () => parsePrice(text, 'P', { unsigned: false }),
      (error) =>
        error instanceof Failure && error.facts.exit === 2 && says.test(`${error.message} ${error.facts.hint}`),
      text,
    );
  }
});

test('a relative price is on the grid, at most one step away, and never worse than requested', () => {
  const markets = [
    { provider: 'binance', sizeDecimals: 3, priceDecimals: 2, tick: 10 },
    { provider: 'bybit', sizeDecimals: 2, priceDecimals: 4, tick: 1 },
    { provider: 'lighter', sizeDecimals: 0, priceDecimals: 6, tick: 5 },
    { provider: 'hyperliquid', sizeDecimals: 2, priceDecimals: 6, tick: null },
    { provider: 'hyperliquid', sizeDecimals: 5, priceDecimals: 6, tick: null },
  ] as const;
  const prices = fc.double({ min: 0.02, max: 200_000, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...markets), prices, fc.constantFrom('buy', 'sell'), (market, price, side) => {
      const { provider, sizeDecimals, priceDecimals, tick } = market;
      const tick_size = tick === null ? 10 ** -Math.max(0, 6 - sizeDecimals) : tick / 10 ** priceDecimals;
      const about = { provider, symbol: 'X', size_decimals: sizeDecimals };
      const rounded = onGrid({ market: about, tick: tick_size, from: 'market' }, price, side);
      if (rounded === 0) return;
      const { units } = toUnits(rounded, priceDecimals);
      assert.ok(isOnGrid(market as unknown as MarketDefinition, units), `${rounded} is off the grid`);
      const better = side === 'sell' ? rounded - price : price - rounded;
      assert.ok(better >= -price * 1e-10 && better <= Math.max(tick_size, price / 9_000), `${price} became ${rounded}`);
      assert.ok(String(rounded).replace('.', '').length <= 15);
    }),
    { numRuns: 60 },
  );
});

test('a price on the grid is unchanged, whatever its binary rounding error', () => {
  const about = { provider: 'binance', symbol: 'BTC', size_decimals: 3 } as const;
  const market = { market: about, tick: 0.1, from: 'market' } as const;
  for (const side of ['buy', 'sell'] as const) {
    assert.equal(onGrid(market, 95727.10000000001, side), 95727.1);
    assert.equal(onGrid(market, 0.1 + 0.2, side), 0.3);
  }
});

test('limit and trigger prices are relative to the mark; a buy is rounded down, a sell up', async () => {
  using desk = await stillDesk();
  const { bid, ask, mid } = await desk.json('quote', 'BTC');
  const placed = async (...words: string[]) =>
    (await desk.json('order', 'place', 'BTC', ...words, '--dry-run')).body as Record<string, number>;
  assert.equal((await placed('buy', '0.05', '--limit-price', '-1%')).limit_price, down(mid * 0.99));
  assert.equal((await placed('sell', '0.05', '--limit-price=+1%')).limit_price, up(mid * 1.01));
  assert.equal((await placed('sell', '0.05', '--limit-price', 'ask+150')).limit_price, up(ask + 150));
  assert.equal((await placed('buy', '0.05', '--limit-price', 'bid')).limit_price, bid);
  const stop = await placed('sell', '0.05', '--type', 'stop_market', '--trigger-price', '-50bps');
  assert.equal(stop.trigger_price, up(mid * 0.995));
});

test('attached exits are relative to the limit, or else to the estimated fill; the direction of unsigned ones follows from the exit', async () => {
  using desk = await stillDesk();
  const { mid } = await desk.json('quote', 'BTC');
  const low = Math.floor(mid / 2);
  const exits = ['--stop-loss', '1%', '--take-profit', '2%', '--dry-run'];
  const { body: resting } = await desk.json(
    'order',
    'place',
    'BTC',
    'buy',
    '0.05',
    '--limit-price',
    `${low}`,
    ...exits,
  );
  assert.deepEqual([resting.stop_loss_price, resting.take_profit_price], [up(low * 0.99), up(low * 1.02)]);
  const { estimated_fill_price: fill } = await desk.json('quote', 'BTC', '--side', 'sell', '--size', '2');
  const { body: taken } = await desk.json('order', 'place', 'BTC', 'sell', '2', ...exits);
  assert.deepEqual([taken.stop_loss_price, taken.take_profit_price], [down(fill * 1.01), down(fill * 0.98)]);
  // A signed move is up or down, also for a short.
  const { body: signed } = await desk.json('order', 'place', 'BTC', 'sell', '2', '--stop-loss', '+1%', '--dry-run');
  assert.equal(signed.stop_loss_price, down(fill * 1.01));
});

test('the word entry is the entry price of the open position; without one it is refused', async () => {
  using desk = await stillDesk();
  const none = await desk.perp(['order', 'place', 'BTC', 'sell', '0.05', '--limit-price', 'entry+1%']);
  assert.equal(none.exit, 2);
  assert.match(none.err, /no open position in BTC/);
  await desk.json('order', 'place', 'BTC', 'buy', '0.5');
  const [{ entry_price: entry }] = await desk.json('positions');
  const { body: limit } = await desk.json(
    'order',
    'place',
    'BTC',
    'sell',
    '0.5',
    '--limit-price',
    'entry+1%',
    '--dry-run',
  );
  assert.equal(limit.limit_price, up(entry * 1.01));
  const { body: close } = await desk.json('positions', 'close', 'BTC', '--limit-price', 'entry+100', '--dry-run');
  assert.equal(close.limit_price, up(entry + 100));
});

test('resting entries, ladders and TWAP orders take relative prices', async () => {
  using desk = await stillDesk();
  const { mid, bid } = await desk.json('quote', 'BTC');
  const low = Math.floor(mid / 2);
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--limit-price', `${low}`, '--client-order-id', 'one');
  const legs = await desk.json('order', 'exits', 'one', '--stop-loss', '2%', '--take-profit', 'entry+500', '--dry-run');
  assert.deepEqual(legs.body, { stop_loss_price: up(low * 0.98), take_profit_price: low + 500 });
  assert.equal(
    (await desk.json('order', 'amend', 'one', '--price', 'bid-1%', '--dry-run')).body.price,
    down(bid * 0.99),
  );
  const ladder = ['scaled', 'place', 'BTC', 'buy', '0.5', '--from', '-1%', '--to', '-2%', '--rungs', '3', '--dry-run'];
  const { body: rungs } = await desk.json(...ladder);
  assert.deepEqual([rungs.start_price, rungs.end_price], [down(mid * 0.99), down(mid * 0.98)]);
  const twap = ['twap', 'place', 'BTC', 'buy', '0.5', '--duration', '10m', '--max-price', '+1%', '--min-price', '-1%'];
  const { body } = await desk.json(...twap, '--dry-run');
  assert.deepEqual([body.max_price, body.min_price], [down(mid * 1.01), up(mid * 0.99)]);
});

test('a price below zero, and a word without a price in this market, are refused by name', async () => {
  using desk = await stillDesk();
  const low = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--limit-price', 'mark-100%']);
  assert.equal(low.exit, 2);
  assert.match(low.err, /--limit-price mark-100% is 0, from the mark [\d.]+; it must be above zero/);
});

test('the same key with words that give another price is exit 6', async () => {
  using desk = await stillDesk();
  const order = ['order', 'place', 'BTC', 'buy', '0.05', '--limit-price', 'mark-5%', '--idempotency-key', 'k'];
  assert.equal((await desk.perp(order)).exit, 0);
  assert.equal((await desk.perp(order)).exit, 0);
  await desk.json('sim', 'advance', '10m');
  assert.equal((await desk.perp(order)).exit, 6);
});

test('perp accepts every number that it prints', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.17');
  await desk.json('order', 'place', 'BTC', 'buy', '0.29');
  const [{ entry_price: entry }] = await desk.json('positions');
  for (const printed of [String(entry), String(287181.4 / 3), '0.30000000000000004']) {
    assert.equal(parsePrice(printed, 'P', { unsigned: false }), Number(printed), printed);
  }
});
