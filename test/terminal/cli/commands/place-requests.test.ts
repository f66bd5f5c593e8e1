import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { test, trial } from '../../../tiers.ts';
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
  // What it fills at, what closing it would get, and how far its stop may fill from its trigger.
  const sized = 'GET markets/binance%7CBTCUSDT/quote sized';
  const policy = 'GET accounts/acc_000000001/trading-policy';
  assert.deepEqual(stopped.slice(0, sent).sort(), [...before, eth, policy, sized, sized].sort());
  // The ids of the exits that it has placed, and what they would get.
  assert.deepEqual(stopped.slice(sent + 1).sort(), [sized, 'GET orders', 'GET positions'].sort());
});

const writes = [
  'order place BTC buy 500usd',
  'order place BTC buy 500usd --limit-price mark-1% --stop-loss 1% --take-profit 2R',
  'order place ETH sell 50% --reduce-only',
  'order place SOL buy risk:50usd --stop-loss 2% --take-profit 3R',
  'order place SOL buy max --margin isolated --leverage 3',
  'order place BTC buy 5 --stop-loss 30%',
  'order place SOL buy 1 --type conditional --trigger-market BTC --trigger-price mark-1% --trigger-direction below',
  'positions close ETH --size 500usd --limit-price entry-1%',
  'reverse ETH --stop-loss 1% --take-profit 2R',
  'scaled place BTC sell 5000usd --from mark+1% --to mark+2% --rungs 4',
  'twap place BTC buy 500usd --duration 30m --max-price mark+1%',
  'stop ETH none',
  'target ETH 3R',
];

trial('whatever is typed, nothing is read twice before it is sent', async () => {
  using desk = new Desk();
  await desk.json('order', 'place', 'ETH', 'buy', '2', '--stop-loss', '5%', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  for (const words of writes)
    for (const [output, terminal] of [
      ['table', true],
      ['json', false],
    ] as const) {
      const argv = [...words.split(' '), '--debug', '--output', output];
      const { err } = await desk.perp(argv, { terminal, answer: false });
      const sent = [...err.matchAll(/^debug: (\S+ \S+)/gm)].map(([, request]) => request!);
      const first = sent.findIndex((request) => !request.startsWith('GET'));
      const reads = first < 0 ? sent : sent.slice(0, first);
      const twice = reads.filter((request, at) => reads.indexOf(request) !== at);
      assert.deepEqual(twice, [], argv.join(' '));
      assert.ok(reads.length > 2, err);
    }
});

/**
 * What `perp order place BTC buy 0.05 --yes` runs in a new simulation, from the command line to the disk and back: our
 * files of which a named function runs, and those functions, each once. Functions without a name, the top level of a
 * file and packages are not counted. The clock stands still, so that every run is the same.
 */
const most = { files: 180, functions: 1_240 };

trial('an order goes through few rooms: what its run enters is counted', async () => {
  using desk = new Desk();
  const program = join(import.meta.dirname, 'programs/count-functions.ts');
  const words = ['order place', 'BTC', 'buy', '0.05', '--yes', '--clock', 'manual'];
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env: desk.variables });
  const { exit, files, functions } = JSON.parse(stdout);
  assert.equal(exit, 0);
  assert.ok(files > 100 && files <= most.files, `${files} files run`);
  assert.ok(functions > 500 && functions <= most.functions, `${functions} functions run`);
});

test('a batch counts what its orders have just filled before it decides that liquidation is out of reach', async () => {
  using desk = new Desk();
  const { ask } = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '1');
  const line = `order place BTC buy ${(30_000 / ask).toFixed(3)} --leverage 2 --margin cross`;
  const file = join(desk.folder, 'lines');
  for (const [count, isRead] of [
    [1, false],
    [2, true],
  ] as const) {
    await desk.json('sim', 'reset', '--clock', 'manual', '--yes');
    writeFileSync(file, `${line}\n`.repeat(count));
    const { exit, err } = await desk.perp(['batch', file, '--debug']);
    assert.equal(exit, 0, err);
    assert.equal(err.includes('/trading-policy'), isRead, err);
  }
});
