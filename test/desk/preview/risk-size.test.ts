import assert from 'node:assert/strict';
import { parseOrderSize } from '../../../src/desk/values/sizes.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A desk whose market does not move. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  return desk;
}

/** The loss of a filled order when its stop fills at its trigger price: the move, plus both fees. */
function lossOf(order: { side: string; size: number; fill_price: number; fee: number }, stop: number, feeBps: number) {
  const move = (order.fill_price - stop) * (order.side === 'buy' ? 1 : -1);
  return order.size * move + order.fee + (order.size * stop * feeBps) / 1e4;
}

test('a risk is an amount in USD, a share of the equity, or a share of the room', () => {
  const table: [string, object][] = [
    ['risk:200usd', { unit: 'risk', amount: 200, of: 'usd', text: 'risk:200usd' }],
    ['risk:0.5%', { unit: 'risk', amount: 0.5, of: 'equity', text: 'risk:0.5%' }],
    ['RISK:10%ROOM', { unit: 'risk', amount: 10, of: 'room', text: 'RISK:10%ROOM' }],
    ['max', { unit: 'max', text: 'max' }],
    ['50%', { unit: 'percent', amount: 50, text: '50%' }],
  ];
  for (const [text, size] of table) assert.deepEqual(parseOrderSize(text, 'SIZE'), size);
  for (const text of ['risk', 'risk:', 'risk:200', 'risk:-5usd', 'risk:0%', 'risk:101%', 'risk:1btc', 'risk:1%rooms'])
    assert.throws(() => parseOrderSize(text, 'SIZE'), /not a risk|above zero|maximum is 100%/, text);
});

test('an order sized by its risk loses at most that at its stop, with the walk of its exit; one more lot would lose more', async () => {
  using desk = await stillDesk();
  await desk.perp(['config', 'set', 'trade.gap_allowance', '0']);
  const { fee_bps: feeBps } = await desk.json('quote', 'BTC', '--side', 'buy', '--size', '1');
  for (const [side, risk, stop] of [
    ['buy', 200, '1%'],
    ['sell', 150, '25bps'],
  ] as const) {
    const order = await desk.json('order', 'place', 'BTC', side, `risk:${risk}usd`, '--stop-loss', stop);
    const loss = lossOf(order, order.attached_stop_loss_price, feeBps);
    assert.ok(loss <= risk && loss > risk - 2 * (loss / order.size / 1000), `${side}: ${loss}`);
    await desk.json('positions', 'close', 'BTC');
  }
});

test('percentages are of the equity, or of the nearest room', async () => {
  using desk = await stillDesk();
  const { risk } = await desk.json('accounts', 'show');
  const said = async (size: string) => {
    const { err } = await desk.perp(['order', 'place', 'BTC', 'buy', size, '--stop-loss', '1%', '--dry-run']);
    return Number(/ of ([\d,.]+) USD/.exec(err)?.[1]?.replaceAll(',', ''));
  };
  assert.equal(await said('risk:0.5%'), risk.equity * 0.005);
  assert.equal(await said('risk:10%room'), risk.daily_loss_room * 0.1);
});

trial('a position that the order adds to counts toward the risk', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.1');
  const { mid } = await desk.json('quote', 'BTC');
  const stop = Math.floor(mid * 0.99);
  const order = ['order', 'place', 'BTC', 'buy', 'risk:200usd', '--stop-loss', String(stop), '--dry-run'];
  const { json, err } = await desk.perp([...order, '--json']);
  const { size } = json.body;
  const loss = Number(/it loses ([\d.]+) of 200\.00 USD/.exec(err)?.[1]);
  // The position of 0.1 BTC uses 1% of its value, and more for a gap.
  assert.ok(loss > 198 && loss <= 200 && size * mid * 0.01 < 200 - 0.1 * mid * 0.01, `${size}: ${err}`);
  const tight = await desk.perp(order.with(4, 'risk:50usd'));
  assert.equal(tight.exit, 2);
  assert.match(tight.err, /less than what one more lot and the open position lose at this stop/);
});

trial('a risk without a possible size is refused with the reason', async () => {
  using desk = await stillDesk();
  const place = (...words: string[]) => desk.perp(['order', 'place', 'BTC', 'buy', ...words]);
  const table: [string[], number, RegExp][] = [
    [['risk:200usd'], 2, /needs a stop/],
    [['risk:200usd', '--reduce-only', '--stop-loss', '1%'], 2, /opens a position, not one that reduces/],
    [['risk:200usd', '--stop-loss', '+1%'], 5, /must be below it.*rule: exit-side/s],
    [['risk:0.5usd', '--stop-loss', '1%'], 2, /less than what one lot of 0\.001 BTC loses at this stop: [\d.]+ USD/],
    [
      ['risk:900000000usd', '--stop-loss', '0.01%', '--dry-run'],
      0,
      /one more lot would exceed the (available|room|maximum)/,
    ],
  ];
  for (const [words, exit, says] of table) {
    const run = await place(...words);
    assert.equal(run.exit, exit, words.join(' '));
    assert.match(run.err, says);
  }
  for (const command of [
    ['quote', 'BTC', '--side', 'buy', '--size', 'risk:200usd'],
    ['twap', 'place', 'BTC', 'buy', 'risk:1%', '--duration', '5m'],
  ])
    assert.match((await desk.perp(command)).err, /which only perp order place accepts/);
  await desk.json('order', 'place', 'BTC', 'sell', '0.1');
  assert.match((await place('risk:200usd', '--stop-loss', '1%')).err, /but BTC is short 0\.1/);
});

test('a percentage of the room needs an account with a floor and room above it', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('sim', 'reset', '--plan', 'none', '--yes');
  const order = ['order', 'place', 'BTC', 'buy', 'risk:10%room', '--stop-loss', '1%'];
  const run = await desk.perp(order);
  assert.equal(run.exit, 2);
  assert.match(run.err, /no floor with a known room.*risk:200usd/s);
});

test('the same key with a risk that gives another size is exit 6', async () => {
  using desk = await stillDesk();
  const order = ['order', 'place', 'BTC', 'buy', 'risk:10%room', '--stop-loss', '1%', '--idempotency-key', 'k'];
  assert.equal((await desk.perp(order)).exit, 0);
  assert.equal((await desk.perp(order)).exit, 6);
});
