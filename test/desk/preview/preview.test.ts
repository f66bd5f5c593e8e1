import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';

/** A desk whose market does not move. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  return desk;
}

/** The preview's value of one field. */
async function shown(desk: Desk, argv: string[]): Promise<(field: string) => string | undefined> {
  const { exit, err } = await desk.perp(argv, { terminal: true, answer: false });
  assert.equal(exit, 130, err);
  return (field) => new RegExp(`^ *${field} {2,}(.*)$`, 'm').exec(err)?.[1];
}
const usdOf = (text: string | undefined) => Number(/[\d,.]+/.exec(text ?? '')?.[0].replaceAll(',', ''));

test('a limit that crosses shows its fill price in notional, fee and position', async () => {
  using desk = await stillDesk();
  const { estimated_fill_price: price, estimated_notional: notional } = await desk.json(
    'quote',
    'BTC',
    '--side',
    'sell',
    '--size',
    '0.05',
  );
  const order = ['order', 'place', 'BTC', 'sell', '0.05', '--limit-price', '1', '--cross-ok'];
  const field = await shown(desk, order);
  assert.ok(Math.abs(usdOf(field('notional')) - notional) < 0.02, field('notional'));
  assert.ok(field('fills at')?.startsWith(String(price)), field('fills at'));
  assert.match(field('new position') ?? '', new RegExp(`short 0\\.05 BTC at ${price}`));
  const resting = await shown(desk, ['order', 'place', 'BTC', 'buy', '0.05', '--limit-price', '20000']);
  assert.equal(usdOf(resting('notional')), 1000);
  assert.equal(resting('fills at'), undefined);
});

test('a preview says what margin an order takes of the available balance, and when that is not enough', async () => {
  using desk = await stillDesk();
  const fits = await shown(desk, [
    'order',
    'place',
    'BTC',
    'buy',
    '50000usd',
    '--leverage',
    '2',
    '--limit-price',
    '20000',
  ]);
  assert.match(fits('margin') ?? '', /^25,000\.00 of 100,000\.00 USD available$/);
  const tooMuch = await shown(desk, ['order', 'place', 'BTC', 'buy', '100000usd', '--limit-price', '20000']);
  assert.match(tooMuch('margin') ?? '', /^100,000\.00 of 100,000\.00 USD available: not enough$/);
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  const reduce = await shown(desk, ['order', 'place', 'BTC', 'sell', '0.05']);
  assert.equal(reduce('margin'), undefined);
});

test('a reducing order is shown no larger than the position, and never as a flip', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  const close = await shown(desk, ['positions', 'close', 'BTC', '--size', '0.5']);
  assert.equal(close('new position'), 'flat');
  assert.match(desk.questions.at(-1) ?? '', /Close 0\.05 BTC/);
  const whole = await shown(desk, ['positions', 'close', 'BTC']);
  assert.equal(close('notional'), whole('notional'));
  const reduce = await shown(desk, ['order', 'place', 'BTC', 'sell', '0.5', '--reduce-only']);
  assert.equal(reduce('new position'), 'flat');
  assert.equal(reduce('notional'), whole('notional'));
});

test('a resting close shows its fee at its limit', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  const { fee_bps: bps } = await desk.json('quote', 'BTC', '--side', 'sell', '--size', '0.025');
  const field = await shown(desk, ['positions', 'close', 'BTC', '--size', '50%', '--limit-price', '200000']);
  assert.equal(usdOf(field('notional')), 5000);
  assert.equal(usdOf(field('fee')), (5000 * bps) / 1e4);
});

test('a liquidation that is 100% of the mark away, or more, is none', async () => {
  using desk = await stillDesk();
  for (const side of ['buy', 'sell'])
    for (const margin of ['cross', 'isolated']) {
      const field = await shown(desk, ['order', 'place', 'BTC', side, '0.01', '--margin', margin]);
      if (side === 'sell' && margin === 'cross') {
        // The floor is reached at several times the mark, as positions then say.
        assert.match(field('breach') ?? '', /^\d+(\.\d+)? \(\+\d+(\.\d)?%\), maximum drawdown$/);
      } else if (side === 'buy') {
        assert.equal(field('liquidation'), 'none within 100% of the mark', `${side} ${margin}`);
        assert.equal(field('worst case'), undefined);
      } else assert.match(field('liquidation') ?? '', /about/);
    }
});

test('an amendment that enlarges an order shows a preview; any other only asks', async () => {
  using desk = await stillDesk();
  const place = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000', '--client-order-id', 'bid'];
  await desk.json(...place);
  const amend = ['order', 'amend', 'bid', '--price', '21000'];
  const larger = await shown(desk, [...amend, '--size', '0.1']);
  assert.equal(usdOf(larger('notional')), 2100);
  assert.equal(larger('new position'), 'long 0.1 BTC at 21000');
  const moved = await shown(desk, amend);
  assert.equal(moved('notional'), undefined);
});

test("a ladder's preview uses the prices its rungs trade at, weighted by size", async () => {
  using desk = await stillDesk();
  const { bid } = await desk.json('quote', 'BTC');
  const ladder = [
    'scaled',
    'place',
    'BTC',
    'sell',
    '0.3',
    '--from',
    '1',
    '--to',
    '300000',
    '--rungs',
    '2',
    '--cross-ok',
  ];
  const field = await shown(desk, [...ladder, '--distribution', 'ascending']);
  assert.ok(Math.abs(usdOf(field('notional')) - (0.1 * bid + 0.2 * 300_000)) < 0.02, field('notional'));
});

test('the preview of a bracket shows each leg with its gain or loss and R multiple, fees included', async () => {
  using desk = await stillDesk();
  await desk.perp(['config', 'set', 'trade.gap_allowance', '0']);
  const order = ['order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%', '--take-profit', '3%'];
  const { err } = await desk.perp(order, { terminal: true, answer: false });
  const leg = (name: string) =>
    new RegExp(`^${name} +0\\.05 +[\\d.]+ +(\\S+)% +(\\S+) +(\\S+)R$`, 'm').exec(err)?.slice(1);
  const [stopAt, loss, risk] = leg('stop-loss') ?? [];
  const [targetAt, gain, reward] = leg('take-profit') ?? [];
  assert.deepEqual([stopAt, risk, targetAt], ['-1.00', '-1.00', '+3.00']);
  const worst = usdOf(/worst case +([\d.,]+) USD/.exec(err)?.[1]);
  // The legs are at their prices; the worst case walks the book, too.
  assert.ok(worst >= -Number(loss) - 0.02 && worst < -Number(loss) + 0.05, `${loss} of ${worst}`);
  assert.match(err, /gap allowance +0 bps, set by trade\.gap_allowance/);
  assert.ok(Math.abs(Number(reward) - Number(gain) / -Number(loss)) < 0.01, `${reward} of ${gain} and ${loss}`);
});

test('the result of a bracket names the orders of its legs', async () => {
  using desk = await stillDesk();
  const { out } = await desk.perp(['order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%', '--take-profit', '3%']);
  const exits = await desk.json('positions', 'exits', 'BTC');
  assert.equal(exits.length, 2);
  for (const { id } of exits) assert.ok(out.includes(id), out);
});

test('on a terminal, existing exits of the position are listed before the question', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '1%');
  const [{ id }] = await desk.json('positions', 'exits', 'BTC');
  const more = ['order', 'place', 'BTC', 'buy', '0.05', '--stop-loss', '2%'];
  const refused = await desk.perp(more, { terminal: true });
  assert.equal(refused.exit, 5);
  assert.match(refused.err, new RegExp(`already has ${id} \\(stop-loss at [\\d.]+\\)[^]*--replace-exits`));
  const target = await desk.perp(more.with(5, '--take-profit').with(6, '3%'), { terminal: true, answer: false });
  assert.equal(target.exit, 130, target.err);
  assert.equal((await desk.perp([...more, '--replace-exits'], { terminal: true, answer: true })).exit, 0);
});

test('previews of TWAPs and ladders show fee, destination and the room above the floors', async () => {
  using desk = await stillDesk();
  const table = [
    ['twap', 'place', 'BTC', 'buy', '0.5', '--duration', '10m'],
    ['scaled', 'place', 'BTC', 'sell', '0.5', '--from', '+1%', '--to', '+2%', '--rungs', '5'],
  ];
  for (const words of table) {
    const field = await shown(desk, words);
    assert.match(field('on') ?? '', /^SIM default, synthetic, account/);
    assert.match(field('fee') ?? '', /^about [\d.]+ USD/);
    assert.match(field('breach') ?? '', /%\), (daily loss|maximum drawdown)/);
    assert.match(field('drawdown room') ?? '', /after the fee/);
  }
});

test('without a stop and with the liquidation out of reach, the worst case is all of the room', async () => {
  using desk = await stillDesk();
  for (const argv of [
    ['order', 'place', 'BTC', 'buy', '0.2'],
    ['twap', 'place', 'BTC', 'sell', '0.2', '--duration', '10m'],
  ]) {
    const field = await shown(desk, argv);
    assert.equal(field('worst case'), '3,000.00 USD, all of the room: it has no stop', argv.join(' '));
  }
});
