import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk, type Run } from '../practice.ts';

const competition = (opening_exposure_restricted: boolean, ...market_allowlist: string[]) => ({
  competition: { opening_exposure_restricted, market_allowlist },
});

test('every part of the policy is a field, and omitted parts are unchanged', async () => {
  using desk = new Desk();
  const changes: [change: object, part: (policy: Run['json']) => unknown, becomes: unknown][] = [
    [{ slippage_min_bps: 5 }, ({ slippage_tolerance_bps: { min } }) => min, 5],
    [{ slippage_max_bps: 80 }, ({ slippage_tolerance_bps: { max } }) => max, 80],
    [
      { market_order_maximum_bps_by_provider: { binance: 40, hyperliquid: 2.5 } },
      ({ slippage_tolerance_bps: { market_order_maximum_by_provider: each } }) => [
        each.binance,
        each.hyperliquid,
        each.bybit,
      ],
      [40, 2.5, 250],
    ],
    [{ unlimited_trade_count_threshold: 50_000 }, (policy) => policy.unlimited_trade_count_threshold, 50_000],
    [competition(true), ({ competition: its }) => its, [true, []]],
    [competition(true, 'BTC'), ({ competition: its }) => its, [true, ['binance|BTCUSDT']]],
    [competition(false, 'BTC'), ({ competition: its }) => its, [false, ['binance|BTCUSDT']]],
    [{ competition: null }, ({ competition: its }) => its, null],
    [{ payout_pending: true, fee_exempt: true }, ({ fee_exempt }) => fee_exempt, true],
  ];
  for (const [change, part, becomes] of changes) {
    const policy = await desk.json('sim', 'policy', JSON.stringify(change));
    const found = part(policy) as { opening_exposure_restricted?: boolean; market_allowlist?: string[] } | null;
    const flat =
      found !== null && typeof found === 'object' && 'market_allowlist' in found
        ? [found.opening_exposure_restricted, found.market_allowlist]
        : found;
    assert.deepEqual(flat, becomes, JSON.stringify(change));
  }
  const { slippage_tolerance_bps: slippage } = await desk.json('sim', 'policy');
  assert.deepEqual([slippage.min, slippage.max, slippage.market_order_maximum_by_provider.binance], [5, 80, 40]);
});

test('limits are enforced: minimum tolerance, a provider’s maximum, a competition that blocks new positions', async () => {
  using desk = new Desk();
  const rule = async (...flags: string[]) =>
    (await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json', ...flags])).error.rule_id;
  await desk.json('sim', 'policy', '{"slippage_min_bps": 5}');
  assert.equal(await rule('--slippage', '4'), 'slippage-tolerance-min');
  await desk.json('sim', 'policy', '{"market_order_maximum_bps_by_provider": {"binance": 0.0001}}');
  assert.equal(await rule(), 'slippage-tolerance');
  const change = { market_order_maximum_bps_by_provider: { binance: 250 }, ...competition(true) };
  await desk.json('sim', 'policy', JSON.stringify(change));
  assert.equal(await rule(), 'competition-exposure');
});

test('a limit of zero trades per day does not apply above the threshold', async () => {
  using desk = new Desk();
  await desk.json('sim', 'policy', '{"limits": {"trades_per_day": 0}}');
  const { error } = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json']);
  assert.equal(error.rule_id, 'trades-per-day');
  await desk.json('sim', 'policy', '{"unlimited_trade_count_threshold": 100000}');
  assert.equal((await desk.json('order', 'place', 'BTC', 'buy', '0.01')).status, 'filled');
});

test('an invalid policy is rejected with the field’s name, and changes nothing', async () => {
  using desk = new Desk();
  const before = await desk.json('sim', 'policy');
  const table: [change: string, says: RegExp][] = [
    ['{"slippage_min_bps": 300}', /slippage_min_bps must not be above slippage_max_bps/],
    ['{"limits": {"execution_delay_min_ms": 5, "execution_delay_max_ms": 4}}', /execution_delay_min_ms must not be/],
    ['{"slippage_min_bps": -1}', /slippage_min_bps must/],
    ['{"limits": {"trades_per_dya": 1}}', /limits\.trades_per_dya/],
    ['{"market_order_maximum_bps_by_provider": {"binanc": 40}}', /There is no provider "binanc".*\n.*mean binance\?/],
    ['{"market_order_maximum_bps_by_provider": {"binance": 0}}', /binance must/],
    ['{"competition": {"opening_exposure_restricted": true, "market_allowlist": ["BTX"]}}', /"?BTX"?/],
    ['{"trading_halt": {"platform": false, "categories": ["cripto"]}}', /No market has the category "cripto"/],
    ['{"account_id": "acc_000000001", "fee_exempt": true}', /without an account/],
    ['[1]', /CHANGE must be an object of JSON/],
    ['{', /body/],
    ['@none.json', /CHANGE can't read "none\.json"/],
  ];
  for (const [change, says] of table) {
    const run = await desk.perp(['sim', 'policy', change]);
    assert.notEqual(run.exit, 0, change);
    assert.match(run.err, says, change);
  }
  const { observed_at: _, computed, ...after } = await desk.json('sim', 'policy');
  const { observed_at: __, ...untouched } = before;
  assert.deepEqual(after, untouched);
});

test('text output shows the provider’s maximum and the threshold if they apply', async () => {
  using desk = new Desk();
  assert.doesNotMatch((await desk.perp(['sim', 'policy'])).out, /unlimited|provider/);
  const change = { market_order_maximum_bps_by_provider: { binance: 40 }, unlimited_trade_count_threshold: 50_000 };
  const { out } = await desk.perp(['sim', 'policy', JSON.stringify(change)]);
  assert.match(out, /market order bps +binance 40/);
  assert.match(out, /from a starting balance of 50,000\.00 USD/);
});

test('an account without rules has 0 percent in its requirements and policy, and no distance to floors', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--plan', 'none', '--yes']);
  const { risk } = await desk.json('accounts', 'show');
  const { daily_loss_pct, max_drawdown_pct, profit_target_pct } = risk.requirements;
  assert.deepEqual([daily_loss_pct, max_drawdown_pct, profit_target_pct], [0, 0, 0]);
  assert.deepEqual([risk.daily_loss_room, risk.max_drawdown_room, risk.remaining_profit], [null, null, null]);
  const { account_rules: rules } = await desk.json('accounts', 'policy');
  assert.deepEqual(rules, [
    { id: 'profit-target', parameters: { pct: 0 } },
    { id: 'daily-loss', parameters: { pct: 0 } },
    { id: 'maximum-drawdown', parameters: { pct: 0 } },
  ]);
  assert.match((await desk.perp(['accounts', 'policy'], { terminal: true })).out, /daily-loss +none/);
});

test('with --preset observed, an order is acknowledged first and settles a moment later, and the next one waits', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--clock', 'manual', '--seed', '7', '--yes']);
  const { limits, observed } = await desk.json('sim', 'policy', '--preset', 'observed');
  assert.equal(limits.order_cooldown_ms, 1_000);
  assert.deepEqual([observed.slippage_caps, observed.fx_at_mark], [true, true]);
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01');
  assert.equal(order.status, 'pending');
  const { error } = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json']);
  assert.equal(error.code, 'cooldown');
  await desk.json('sim', 'advance', '2s');
  assert.equal((await desk.json('order', 'show', order.id)).status, 'filled');
  assert.match(
    (await desk.perp(['sim', 'policy'], { terminal: true })).out,
    /slippage caps +on[\s\S]*stop price +last/,
  );
});

test('every part of the observed behavior is a field, and --preset default resets all of it', async () => {
  using desk = new Desk();
  const before = await desk.json('sim', 'policy');
  const changes: [change: object, becomes?: object][] = [
    [{ exposure_cap_usd: 5_000 }],
    [{ exposure_cap_usd: null }],
    [{ slippage_caps: true }],
    [{ open_interest_usd: { BTC: 600_000_000 } }, { open_interest_usd: { 'binance|BTCUSDT': 600_000_000 } }],
    [{ stop_price: 'last' }],
    [{ stop_price: 'mark' }],
    [{ fx_at_mark: true }],
    [{ fx_at_mark: false }],
    [{ worst_price_is_estimate: true }],
    [{ order_list_needs_filter: true }],
    [{ side_alone_is_plain_quote: true }],
    [{ pings_keep_stream: true }],
  ];
  for (const [change, becomes = change] of changes) {
    const { observed } = await desk.json('sim', 'policy', JSON.stringify({ observed: change }));
    assert.deepEqual({ ...observed, ...becomes }, observed, JSON.stringify(change));
  }
  const { observed_at: _, computed, ...after } = await desk.json('sim', 'policy', '--preset', 'default');
  const { observed_at: __, ...first } = before;
  assert.deepEqual(after, first);
  assert.deepEqual(computed, { destination: 'SIM default, synthetic' });
});
