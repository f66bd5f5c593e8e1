import assert from 'node:assert/strict';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A desk whose market does not move. */
async function stillDesk(): Promise<Desk> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  return desk;
}

const maxOf = (desk: Desk, words: string[]) => desk.perp(['order', 'place', ...words, '--dry-run', '--json']);

/** Checks that `max` is accepted, says what limits it, and that one more lot is refused. */
async function assertLargest(
  desk: Desk,
  words: string[],
  reason: RegExp,
  lot: number,
  terminal = false,
): Promise<void> {
  const { err, json } = await maxOf(desk, words);
  assert.match(err, reason, words.join(' '));
  const more = words.with(words.indexOf('max'), String(Number((json.body.size + lot).toFixed(6))));
  const refused = await desk.perp(['order', 'place', ...more], terminal ? { terminal: true } : {});
  assert.equal(refused.exit, 5, `${more.join(' ')}: ${refused.err}`);
  const placed = await desk.perp(['order', 'place', ...words], terminal ? { terminal: true, answer: true } : {});
  assert.equal(placed.exit, 0, placed.err);
}

test('max is what the available balance allows, after the reservations of working orders', async () => {
  using desk = await stillDesk();
  const { mid } = await desk.json('quote', 'BTC');
  const low = String(Math.floor(mid * 0.9));
  await desk.json('order', 'place', 'BTC', 'buy', '0.3', '--limit-price', low);
  const reason = /would exceed the available balance of [\d,.]+ USD, with [\d,.]+ USD reserved by orders/;
  await assertLargest(desk, ['BTC', 'buy', 'max', '--force'], reason, 0.001);
});

trial(
  'max of a sale is paid at the prices of the book, which are below the mark; with a delay, at the mark',
  async () => {
    using desk = await stillDesk();
    const words = ['DOGE', 'sell', 'max', '--leverage', '5', '--stop-loss', '0.2%'];
    const reason = /would exceed the available balance/;
    await desk.json('sim', 'policy', '{"limits": {"execution_delay_min_ms": 500, "execution_delay_max_ms": 500}}');
    const { json: delayed } = await maxOf(desk, words);
    await desk.json('sim', 'policy', '{"limits": {"execution_delay_min_ms": 0, "execution_delay_max_ms": 0}}');
    const { json: atOnce } = await maxOf(desk, words);
    assert.ok(delayed.body.size < atOnce.body.size, `${delayed.body.size}, ${atOnce.body.size}`);
    await assertLargest(desk, words, reason, 1);
  },
);

trial('max with a stop is what the floors allow', async () => {
  using desk = await stillDesk();
  const words = ['BTC', 'sell', 'max', '--leverage', '10', '--stop-loss', '1%'];
  await assertLargest(desk, words, /exceed the room of 3,000\.00 USD above the maximum drawdown floor/, 0.001);
});

trial('max with a stop is accepted beside an entry that its stop would close, too', async () => {
  using desk = await stillDesk();
  const terms = ['--leverage', '5', '--margin', 'isolated'];
  await desk.json('order', 'place', 'HYPE', 'buy', '14000usd', '--force', '--limit-price', 'mark-0.9%', ...terms);
  const words = ['HYPE', 'buy', 'max', '--limit-price', 'bid', '--stop-loss', '3.64%', ...terms];
  await assertLargest(desk, words, /above the maximum drawdown floor in the worst case/, 0.01);
});

test('max without a stop is judged at its liquidation, so its own preview does not refuse it', async () => {
  using desk = await stillDesk();
  const isolated = ['BTC', 'buy', 'max', '--leverage', '10', '--margin', 'isolated'];
  await assertLargest(desk, isolated, /above the maximum drawdown floor in the worst case/, 0.001, true);
});

test('max is limited by the maximum value of a position, and of all positions together', async () => {
  using desk = await stillDesk();
  await desk.json(
    'sim',
    'policy',
    '{"limits": {"max_position_value_usd": 20000}, "maximum_total_notional_usd": 30000}',
  );
  await assertLargest(desk, ['BTC', 'buy', 'max', '--force'], /maximum value of a position, 20,000\.00 USD/, 0.001);
  await assertLargest(desk, ['ETH', 'buy', 'max', '--force'], /maximum value of all positions, 30,000\.00 USD/, 0.01);
});

test('max is what the visible book can fill within the tolerance', async () => {
  using desk = await stillDesk();
  await desk.json('sim', 'policy', '{"limits": {"max_position_value_usd": 1000000000000}}');
  const words = ['SOL', 'buy', 'max', '--leverage', '5', '--slippage', '1', '--force'];
  const { json } = await maxOf(desk, words);
  const fills = async (size: number) => {
    const size2 = String(Number(size.toFixed(2)));
    const quote = await desk.json('quote', 'SOL', '--side', 'buy', '--size', size2);
    return quote.fillable && ((quote.worst_price - quote.mid) / quote.mid) * 1e4 <= 1;
  };
  assert.ok(await fills(json.body.size));
});

test('max is refused where no size fits, with the reason', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', '0.1');
  assert.match((await maxOf(desk, ['BTC', 'sell', 'max'])).err, /but BTC is long 0\.1/);
  assert.match((await maxOf(desk, ['BTC', 'sell', 'max', '--reduce-only'])).err, /not one that reduces/);
  await desk.json('sim', 'policy', '{"maximum_total_notional_usd": 1}');
  const none = await maxOf(desk, ['BTC', 'buy', 'max', '--force']);
  assert.equal(none.exit, 5);
  assert.match(none.err, /max is zero: one lot of BTC would exceed the maximum value of all positions/);
});

test('max without a stop on cross says that the floors leave no largest size', async () => {
  using desk = await stillDesk();
  const refused = await maxOf(desk, ['BTC', 'buy', 'max', '--leverage', '5']);
  assert.equal(refused.exit, 2);
  assert.match(refused.err, /max needs a stop: a cross position without one can lose all of the 3,000\.00 USD above/);
  const forced = await maxOf(desk, ['BTC', 'buy', 'max', '--leverage', '5', '--force']);
  const { mid } = await desk.json('quote', 'BTC');
  assert.ok(Math.abs(forced.json.body.size * mid - 500_000) < 5_000, 'all of the margin at 5x');
});

trial('max is at most the size whose stop, at its distance from the average price, is beyond the mark', async () => {
  using desk = await stillDesk();
  await desk.json('sim', 'policy', '{"limits": {"max_position_value_usd": 1000000000000}}');
  const words = ['DOGE', 'buy', 'max', '--leverage', '5', '--margin', 'isolated', '--stop-loss', '0.01%', '--force'];
  await assertLargest(desk, words, /would exceed the size whose stop, .*, is beyond the mark/, 1);
});

trial('no size is suggested where margin leaves none, and margin is the reason', async () => {
  using desk = await stillDesk();
  await desk.json('order', 'place', 'BTC', 'buy', 'max', '--force');
  await desk.json('order', 'place', 'SOL', 'buy', 'max', '--force');
  const run = await desk.perp(['order', 'place', 'BNB', 'buy', '500000usd', '--stop-loss', '1%', '--json']);
  assert.equal(run.error.code, 'worst_case_breach');
  assert.match(
    run.error.message,
    /No size fits: (one lot of BNB|an order of the minimum, 10\.00 USD,) would exceed the available balance of/,
  );
});

trial('an order that could not be placed at any size is told so, and why', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--leverage', '2', '--stop-loss', '5%');
  await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--leverage', '2', '--limit-price', '-3%');
  const refusal = async (market: string, size: string, ...more: string[]) => {
    const order = ['order', 'place', market, 'buy', size, '--stop-loss', '1%', ...more, '--json'];
    const { exit, error, err } = await desk.perp(order);
    assert.equal(exit, 5, `${order.join(' ')}: ${err}`);
    if (error.code === 'worst_case_breach') assert.match(error.message, / No size fits: .+\. Nothing was sent\.$/);
    return [exit, error.rule_id ?? error.code, error.details?.largest_size];
  };
  const { max_leverage } = await desk.json('markets', 'show', 'SOL');
  const tooMuch = ['--leverage', String(max_leverage + 1)];
  for (const size of ['max', 'risk:100usd']) {
    assert.deepEqual(await refusal('BTC', size, '--leverage', '2'), [5, 'exit-allocation', undefined]);
    assert.deepEqual(await refusal('ETH', size, '--leverage', '3'), [5, 'leverage-mismatch', undefined]);
    assert.deepEqual(await refusal('ETH', size, '--margin', 'isolated'), [5, 'leverage-mismatch', undefined]);
  }
  for (const size of ['max', 'risk:100usd'])
    assert.deepEqual(await refusal('SOL', size, ...tooMuch), [5, 'max-leverage', undefined]);
  assert.deepEqual(await refusal('SOL', '400000usd', ...tooMuch), [5, 'worst_case_breach', 0]);
  assert.deepEqual(await refusal('BTC', '400000usd', '--leverage', '2'), [5, 'worst_case_breach', 0]);
  assert.deepEqual(await refusal('ETH', '400000usd', '--leverage', '3'), [5, 'worst_case_breach', 0]);
  assert.equal(
    (
      await desk.perp([
        'order',
        'place',
        'BTC',
        'buy',
        'risk:900usd',
        '--leverage',
        '2',
        '--stop-loss',
        '1%',
        '--replace-exits',
        '--json',
      ])
    ).exit,
    0,
  );
});
