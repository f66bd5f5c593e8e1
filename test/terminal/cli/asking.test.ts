import assert from 'node:assert/strict';
import { kinds } from '../../../src/terminal/console/terminal/asking.ts';
import { test, trial } from '../../tiers.ts';
import { Desk } from './practice.ts';

test('without a terminal, all missing arguments and options are named in one error', async () => {
  using desk = new Desk();
  const order = await desk.perp(['order', 'place', 'BTC', '--json']);
  assert.deepEqual([order.exit, order.error.message], [2, 'SIDE and SIZE are missing.']);
  const ladder = await desk.perp(['scaled', 'place']);
  assert.match(ladder.err, /MARKET, SIDE, SIZE, --from PRICE, --to PRICE and --rungs N are missing\./);
  assert.match(ladder.err, /Usage: perp scaled place MARKET SIDE SIZE/);
});

trial('on a terminal, market, side, size and type are prompted for; the market is picked with its price', async () => {
  using desk = new Desk();
  const typed = ['binance:ETHUSDT', 'sell', '0.5', 'limit', '9000'];
  const run = await desk.perp(['order', 'place', '--cross-ok'], { terminal: true, typed, answer: true });
  assert.equal(run.exit, 0, run.err);
  assert.match(run.out, /^Resting {2}sell 0\.5 ETH\nlimit +9000/);
  const [market = '', side, size, type, price] = desk.questions;
  // What takes more than three seconds after the first price is left out.
  assert.match(market, /^Market: .*\bBTC +(?:[\d.]+ +)?(?:[+-]?[\d.]+% +)?binance:BTCUSDT/);
  assert.match(market, /[A-Z]{2,} +[\d.]+ +(?:[+-]?[\d.]+% +)?[a-z]+:/);
  assert.deepEqual([side, type], ['Side: buy | sell', type]);
  assert.match(size!, /^Size /);
  assert.match(type!, /^Type: market/);
  assert.match(price!, /^Limit price \(best ask [\d.]+\)/);
});

test('given values are not prompted for, and a wrong answer is refused', async () => {
  using desk = new Desk();
  const typed = ['buy', '0.01', 'market'];
  const run = await desk.perp(['order', 'place', 'BTC', '-y'], { terminal: true, typed });
  assert.equal(run.exit, 0, run.err);
  assert.deepEqual(
    desk.questions.map((question) => question.split(/[ :]/)[0]),
    ['Side', 'Size', 'Type'],
  );
  const wrong = await desk.perp(['order', 'place', 'BTC', 'buy'], { terminal: true, typed: ['a lot'] });
  assert.notEqual(wrong.exit, 0);
  assert.equal((await desk.json('fills')).length, 1);
});

test('the position to close is picked from the open ones', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  const run = await desk.perp(['positions', 'close'], { terminal: true, answer: true });
  assert.equal(run.exit, 0, run.err);
  assert.match(desk.questions[0]!, /^Position: BTC {2}long 0\.01 at /);
  assert.deepEqual(await desk.json('positions'), []);
});

test('a size by risk asks for the stop, and a given price decides the type', async () => {
  using desk = new Desk();
  const typed = ['buy', 'risk:200usd', 'market', '1%'];
  const run = await desk.perp(['order', 'place', 'BTC', '-y'], { terminal: true, typed });
  assert.equal(run.exit, 0, run.err);
  assert.match(desk.questions.at(-1)!, /^Stop-loss \(a price, or 1% from the entry\)/);
  const limited = ['order', 'place', 'ETH', 'buy', '--limit-price', '500', '-y'];
  const resting = await desk.perp(limited, { terminal: true, typed: ['0.1'] });
  assert.match(resting.out, /^Resting/, resting.err);
});

test('an unknown option is refused before anything is asked for', async () => {
  using desk = new Desk();
  const ladder = ['scaled', 'place', 'BTC', 'buy', '1', '--from', 'mark-1%', '--to', 'mark-2%'];
  const run = await desk.perp([...ladder, '--orders', '4'], { terminal: true });
  assert.match(run.err, /Unknown option '--orders'\.\nDid you mean --rungs\?/);
  assert.match((await desk.perp([...ladder, '--levrage', '4'])).err, /Did you mean --leverage\?/);
  assert.deepEqual(desk.questions, []);
});

test('a command that steers a position does not ask for one when none is open', async () => {
  using desk = new Desk();
  const run = await desk.perp(['stop'], { terminal: true });
  assert.equal(run.exit, 3);
  assert.match(run.err, /There is no open position\./);
});

test('a list takes the exact name first, then those that begin so, then those that contain it', () => {
  const choices = ['ANTHROPIC', 'BTC', 'OP', 'OPEN', 'ETH'].map((symbol) => ({
    value: `binance:${symbol}USDT`,
    name: `${symbol}  100.5  binance:${symbol}USDT`,
  }));
  const { answer } = kinds.choose({ kind: 'choose', message: 'Market', choices });
  assert.equal(answer('op'), 'binance:OPUSDT');
  assert.equal(answer('ope'), 'binance:OPENUSDT');
  assert.equal(answer('hrop'), 'binance:ANTHROPICUSDT');
  assert.equal(answer('b'), 'binance:BTCUSDT');
  assert.equal(answer('ethusdt'), 'binance:ETHUSDT');
});
