import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk, type Run } from '../practice.ts';

test('every part of the policy has an option, and omitted parts are unchanged', async () => {
  using desk = new Desk();
  const changes: [flags: string, part: (policy: Run['json']) => unknown, becomes: unknown][] = [
    ['--slippage-min-bps 5', ({ slippage_tolerance_bps: { min } }) => min, 5],
    ['--slippage-max-bps 80', ({ slippage_tolerance_bps: { max } }) => max, 80],
    [
      '--provider-max-bps binance=40 --provider-max-bps hyperliquid=2.5',
      ({ slippage_tolerance_bps: { market_order_maximum_by_provider: each } }) => [
        each.binance,
        each.hyperliquid,
        each.bybit,
      ],
      [40, 2.5, 250],
    ],
    ['--unlimited-trade-count-threshold 50000', (policy) => policy.unlimited_trade_count_threshold, 50_000],
    ['--competition-exposure restricted', ({ competition }) => competition, [true, []]],
    ['--allow BTC', ({ competition }) => competition, [true, ['binance|BTCUSDT']]],
    ['--competition-exposure allowed', ({ competition }) => competition, [false, ['binance|BTCUSDT']]],
    ['--no-competition', ({ competition }) => competition, null],
  ];
  for (const [flags, part, becomes] of changes) {
    const policy = await desk.json('sim', 'policy', ...flags.split(' '));
    const found = part(policy) as { opening_exposure_restricted?: boolean; market_allowlist?: string[] } | null;
    const flat =
      found !== null && typeof found === 'object' && 'market_allowlist' in found
        ? [found.opening_exposure_restricted, found.market_allowlist]
        : found;
    assert.deepEqual(flat, becomes, flags);
  }
  const { slippage_tolerance_bps: slippage } = await desk.json('sim', 'policy');
  assert.deepEqual([slippage.min, slippage.max, slippage.market_order_maximum_by_provider.binance], [5, 80, 40]);
});

test('limits are enforced: minimum tolerance, a provider’s maximum, a competition that blocks new positions', async () => {
  using desk = new Desk();
  const rule = async (...flags: string[]) =>
    (await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json', ...flags])).error.rule_id;
  await desk.json('sim', 'policy', '--slippage-min-bps', '5');
  assert.equal(await rule('--slippage', '4'), 'slippage-tolerance-min');
  await desk.json('sim', 'policy', '--provider-max-bps', 'binance=0.0001');
  assert.equal(await rule(), 'slippage-tolerance');
  await desk.json('sim', 'policy', '--provider-max-bps', 'binance=250', '--competition-exposure', 'restricted');
  assert.equal(await rule(), 'competition-exposure');
});

test('a limit of zero trades per day does not apply above the threshold', async () => {
  using desk = new Desk();
  await desk.json('sim', 'policy', '--trades-per-day', '0');
  const { error } = await desk.perp(['order', 'place', 'BTC', 'buy', '0.01', '--json']);
  assert.equal(error.rule_id, 'trades-per-day');
  await desk.json('sim', 'policy', '--unlimited-trade-count-threshold', '100000');
  assert.equal((await desk.json('order', 'place', 'BTC', 'buy', '0.01')).status, 'filled');
});

test('an invalid policy is rejected with the option’s name, and changes nothing', async () => {
  using desk = new Desk();
  const before = await desk.json('sim', 'policy');
  const table: [flags: string, says: RegExp][] = [
    ['--slippage-min-bps 300', /--slippage-min-bps must not be above slippage_max_bps/],
    ['--execution-delay-min-ms 5 --execution-delay-max-ms 4', /--execution-delay-min-ms must not be above/],
    ['--slippage-min-bps -1', /--slippage-min-bps is -1; it can't be negative/],
    ['--provider-max-bps binance', /--provider-max-bps is "binance".*\n.*PROVIDER=BPS, such as binance=40/],
    ['--provider-max-bps =40', /--provider-max-bps is "=40"/],
    ['--provider-max-bps binanc=40', /There is no provider "binanc".*\n.*Did you mean binance\?/],
    ['--provider-max-bps binance=0', /binance is 0; it must be above zero/],
    ['--provider-max-bps binance=40 --provider-max-bps binance=50', /binance.* twice/],
    ['--unlimited-trade-count-threshold x', /--unlimited-trade-count-threshold is "x"/],
    ['--competition-exposure closed', /allowed: allowed, restricted/],
    ['--no-competition --allow BTC', /--no-competition can't be combined/],
    ['--no-competition --competition-exposure allowed', /--no-competition can't be combined/],
  ];
  for (const [flags, says] of table) {
    const run = await desk.perp(['sim', 'policy', ...flags.split(' ')]);
    assert.equal(run.exit, 2, flags);
    assert.match(run.err, says, flags);
  }
  const { observed_at: _, computed, ...after } = await desk.json('sim', 'policy');
  const { observed_at: __, ...untouched } = before;
  assert.deepEqual(after, untouched);
});

test('text output shows the provider’s maximum and the threshold if they apply', async () => {
  using desk = new Desk();
  assert.doesNotMatch((await desk.perp(['sim', 'policy'])).out, /unlimited|provider/);
  const flags = ['--provider-max-bps', 'binance=40', '--unlimited-trade-count-threshold', '50000'];
  const { out } = await desk.perp(['sim', 'policy', ...flags]);
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

test('every part of the observed behavior has its option, and --preset default resets all of it', async () => {
  using desk = new Desk();
  const before = await desk.json('sim', 'policy');
  const changes: [flags: string, field: string, becomes: unknown][] = [
    ['--exposure-cap-usd 5000', 'exposure_cap_usd', 5_000],
    ['--exposure-cap-usd none', 'exposure_cap_usd', null],
    ['--slippage-caps on', 'slippage_caps', true],
    ['--open-interest BTC=600000000', 'open_interest_usd', { 'binance|BTCUSDT': 600_000_000 }],
    ['--stop-price last', 'stop_price', 'last'],
    ['--stop-price mark', 'stop_price', 'mark'],
    ['--fx-at-mark on', 'fx_at_mark', true],
    ['--fx-at-mark off', 'fx_at_mark', false],
    ['--worst-price-is-estimate on', 'worst_price_is_estimate', true],
    ['--order-list-needs-filter on', 'order_list_needs_filter', true],
    ['--side-alone-is-plain-quote on', 'side_alone_is_plain_quote', true],
    ['--pings-keep-stream on', 'pings_keep_stream', true],
  ];
  for (const [flags, field, becomes] of changes) {
    const { observed } = await desk.json('sim', 'policy', ...flags.split(' '));
    assert.deepEqual(observed[field], becomes, flags);
  }
  const { observed_at: _, computed, ...after } = await desk.json('sim', 'policy', '--preset', 'default');
  const { observed_at: __, ...first } = before;
  assert.deepEqual(after, first);
  assert.deepEqual(computed, { destination: 'SIM default, synthetic' });
  const refused = await desk.perp(['sim', 'policy', '--open-interest', 'BTC']);
  assert.match(refused.err, /MARKET=USD/);
});
