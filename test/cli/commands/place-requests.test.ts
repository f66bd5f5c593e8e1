import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../practice.ts';

/** The requests of a command, without ids: `GET positions`. */
async function requestsOf(desk: Desk, ...argv: string[]): Promise<string[]> {
  const { exit, err } = await desk.perp([...argv, '--json', '--debug', '--yes']);
  assert.equal(exit, 0, err);
  return [...err.matchAll(/^debug: (GET|POST) \/v1\/(\S+)/gm)].map(
    ([, method, path]) => `${method} ${path!.replace(/[?].*side=.*/, ' sized').replace(/[?].*/, '')}`,
  );
}

const before = [
  'GET accounts',
  'GET markets',
  'GET markets/binance%7CBTCUSDT/quote',
  'GET orders',
  'GET positions',
  'GET twap-orders',
];

test('an order reads beside each other what it needs, nothing twice, and afterwards only what its answer does not tell', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--leverage', '2');
  const eth = 'GET markets/binance%7CETHUSDT/quote';
  const plain = await requestsOf(desk, 'order', 'place', 'BTC', 'buy', '0.01');
  assert.equal(plain.at(-1), 'POST orders');
  assert.deepEqual(plain.slice(0, -1).sort(), [...before, eth].sort());
  const resting = await requestsOf(desk, 'order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  assert.deepEqual(resting.slice(0, -1).sort(), [...before, eth].sort());
  const stopped = await requestsOf(desk, 'order', 'place', 'BTC', 'buy', '0.01', '--stop-loss', '5%');
  const sent = stopped.indexOf('POST orders');
  // What it fills at, and what closing it would get.
  const sized = 'GET markets/binance%7CBTCUSDT/quote sized';
  assert.deepEqual(stopped.slice(0, sent).sort(), [...before, eth, sized, sized].sort());
  // The ids of the exits that it has placed, and what they would get.
  assert.deepEqual(stopped.slice(sent + 1).sort(), [sized, 'GET orders', 'GET positions'].sort());
});
