import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'node:test';
import { issueKey, served } from '../../service/serving.ts';
import { alteringHost } from '../../terminal/cli/altering-host.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { it, trial } from '../../tiers.ts';

/** A desk whose market does not move, and its price. */
async function stillDesk(): Promise<{ desk: Desk; ask: number }> {
  const desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const { ask } = await desk.json('quote', 'BTC');
  return { desk, ask };
}

/** An order with a stop two percent away. */
const buy = (size: string, ask: number, ...more: string[]) => [
  'order',
  'place',
  'BTC',
  'buy',
  size,
  '--leverage',
  '8',
  '--stop-loss',
  String(Math.round(ask * 0.98)),
  ...more,
];

describe('in a script, an order whose loss at its own stop reaches a floor', () => {
  trial('is refused with exit 5 and the largest size that fits, which is then accepted', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    const refused = await desk.perp([...buy('5', ask), '--json']);
    assert.deepEqual([refused.exit, refused.error.code], [5, 'worst_case_breach']);
    const { details } = refused.error;
    assert.ok(details.loss > details.room && details.room === 3_000 && details.at === 'stop', JSON.stringify(details));
    assert.ok(details.largest_size > 0 && details.largest_size < 5, JSON.stringify(details));
    assert.match(refused.error.message, new RegExp(`largest size that fits is ${details.largest_size} BTC`));
    assert.match(refused.error.message, /Nothing was sent\.$/);
    assert.deepEqual(await desk.json('order', 'list', '--ended'), [], 'nothing was sent');
    const more = await desk.perp([...buy((details.largest_size + 0.001).toFixed(3), ask), '--json']);
    assert.equal(more.error?.code, 'worst_case_breach');
    const { exit, err } = await desk.perp([...buy(String(details.largest_size), ask), '--json']);
    assert.equal(exit, 0, err);
  });

  it('is sent with --force, and with trade.floor_check off, without a message', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    const forced = await desk.perp(buy('2.2', ask, '--force', '--json'));
    assert.deepEqual([forced.exit, forced.err], [0, '']);
    const off = await desk.perp(buy('2.2', ask, '--replace-exits', '--json'), {
      variables: { PERP_FLOOR_CHECK: 'off' },
    });
    assert.deepEqual([off.exit, off.err], [0, '']);
  });

  it('is sent with a warning under trade.floor_check warn; PERP_FLOOR_CHECK takes precedence over the config', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    await desk.perp(['config', 'set', 'trade.floor_check', 'warn']);
    const warned = await desk.perp(buy('2.2', ask, '--json'));
    assert.equal(warned.exit, 0);
    assert.match(warned.err, /would breach the maximum drawdown/);
    const variables = { PERP_FLOOR_CHECK: 'refuse' };
    assert.equal((await desk.perp(buy('2.2', ask, '--replace-exits'), { variables })).exit, 5);
    const wrong = await desk.perp(['positions'], { variables: { PERP_FLOOR_CHECK: 'on' } });
    assert.match(wrong.err, /PERP_FLOOR_CHECK is "on"; allowed: refuse, warn, off/);
  });

  it('counts an open position that the same stop would close', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    await desk.json(...buy('1', ask));
    const refused = await desk.perp(buy('1', ask, '--replace-exits', '--json'));
    assert.equal(refused.error.code, 'worst_case_breach');
    assert.ok(refused.error.details.largest_size < 1);
  });

  it('is repeated under its own key, because it was checked when it was new', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    const key = ['--idempotency-key', 'once', '--json'];
    const first = await desk.perp(buy('1', ask, ...key));
    const again = await desk.perp(buy('1', ask, ...key));
    assert.deepEqual([again.exit, again.json?.id], [0, first.json.id], again.err);
    assert.equal((await desk.json('fills')).length, 1);
  });
});

describe('no check is made', () => {
  trial('for a reduction, for a dry run, or where the plan has no floors', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    await desk.json(...buy('1', ask));
    const half = await desk.perp(['order', 'place', 'BTC', 'sell', '0.5', '--json']);
    assert.deepEqual([half.exit, half.err], [0, ''], 'an order against the position');
    const reduce = await desk.perp(['order', 'place', 'BTC', 'sell', '0.2', '--reduce-only', '--json']);
    assert.deepEqual([reduce.exit, reduce.err], [0, '']);
    assert.equal((await desk.perp(buy('9', ask, '--dry-run', '--json'))).exit, 0);
    await desk.json('sim', 'reset', '--plan', 'none', '--yes');
    const { ask: then } = await desk.json('quote', 'BTC');
    const unbound = await desk.perp(buy('5', then, '--json'));
    assert.deepEqual([unbound.exit, unbound.err], [0, '']);
  });

  it('for an order without a stop, which a note points out, also for TWAPs and ladders', async () => {
    const { desk, ask } = await stillDesk();
    using _ = desk;
    const near = [String(Math.round(ask * 0.9)), String(Math.round(ask * 0.8))] as const;
    for (const argv of [
      ['order', 'place', 'BTC', 'buy', '0.1'],
      ['twap', 'place', 'BTC', 'buy', '0.1', '--duration', '30m'],
      ['scaled', 'place', 'BTC', 'buy', '0.1', '--from', near[0], '--to', near[1], '--rungs', '3'],
    ]) {
      const run = await desk.perp([...argv, '--json']);
      assert.equal(run.exit, 0, run.err);
      assert.match(
        run.err,
        /No --stop-loss: BTC would touch the maximum drawdown floor, (2,99\d\.\d\d|3,000\.00) USD away, at [\d.]+ \(-\d+/,
      );
      assert.equal((await desk.perp([...argv, '--json', '--force'])).err, '');
    }
  });
});

it('on a terminal, TWAPs and ladders without a stop are judged at their liquidation', async () => {
  const { desk, ask } = await stillDesk();
  using _ = desk;
  const near = [String(Math.round(ask * 0.99)), String(Math.round(ask * 0.98))] as const;
  for (const argv of [
    ['twap', 'place', 'BTC', 'buy', '8', '--duration', '30m', '--leverage', '10', '--yes'],
    [
      'scaled',
      'place',
      'BTC',
      'buy',
      '8',
      '--from',
      near[0],
      '--to',
      near[1],
      '--rungs',
      '3',
      '--leverage',
      '10',
      '--yes',
    ],
  ]) {
    const refused = await desk.perp(argv, { terminal: true });
    assert.equal(refused.exit, 5, refused.err);
    assert.match(refused.err, /at its liquidation near/);
    const shown = await desk.perp([...argv, '--force'], { terminal: true });
    for (const says of [/fee +about/, /breach +\d/, /worst case/, /drawdown room/]) assert.match(shown.err, says);
  }
});

it('a batch reads the account at most once a second, and says once that a stop is missing', async () => {
  using desk = new Desk();
  const variables = { PERP_ACCOUNT: 'acc_000000001' };
  const began = performance.now();
  const lines = Array.from({ length: 8 }, () => 'order place BTC buy 0.01\n').join('');
  const file = join(desk.folder, 'orders.txt');
  writeFileSync(file, lines);
  const run = await desk.perp(['batch', file, '--debug'], { variables });
  assert.equal(run.exit, 0, run.err + run.out);
  const seconds = Math.floor((performance.now() - began) / 1000);
  const reads = run.err.split('GET /v1/accounts/acc_000000001 ').length - 1;
  assert.ok(reads >= 1 && reads <= 1 + seconds, `${reads} reads in ${seconds} s`);
  assert.ok(run.err.split('No --stop-loss').length - 1 <= 1 + seconds, run.err);
});

describe('missing data', () => {
  trial('is a note in a script, and the order is sent', async (t) => {
    const serving = await served(t);
    const key = issueKey(serving);
    const quote = await fetch(`${serving.baseUrl}/v1/markets/binance%7CBTCUSDT/quote`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const { ask } = ((await quote.json()) as { data: { ask: number } }).data;
    for (const [what, status] of [
      ['/v1/accounts/acc_000000001', 404],
      ['/quote?side', 'silence'],
    ] as const) {
      const url = await alteringHost(t, serving.baseUrl, (method, path) =>
        method !== 'GET' || !path.includes(what) ? undefined : status === 'silence' ? status : { status, body: {} },
      );
      const variables = { PERP_ENV: 'live', PERP_BASE_URL: url, PERP_API_KEY: key, PERP_ACCOUNT: 'acc_000000001' };
      using desk = new Desk();
      const order = buy('0.01', ask, '--replace-exits', '--timeout', '3', '--json');
      const run = await desk.perp(order, { variables });
      assert.equal(run.exit, 0, run.err);
      assert.match(run.err, /The order is sent without a floor check: /, what);
    }
  });

  it('is a warning in a preview; without the trading policy, only the liquidation price is missing', async (t) => {
    const serving = await served(t);
    const key = issueKey(serving);
    let missing = '/trading-policy';
    const url = await alteringHost(t, serving.baseUrl, (method, path) =>
      method === 'GET' && path.endsWith(missing) ? { status: 404, body: {} } : undefined,
    );
    const variables = { PERP_ENV: 'live', PERP_BASE_URL: url, PERP_API_KEY: key, PERP_ACCOUNT: 'acc_000000001' };
    using desk = new Desk();
    const order = ['order', 'place', 'BTC', 'buy', '0.01', '--yes'];
    const first = await desk.perp(order, { variables, terminal: true });
    assert.equal(first.exit, 0, first.err);
    assert.match(first.err, /The trading policy could not be fetched/);
    assert.match(first.err, /drawdown room +3,000\.00 USD/);
    missing = '/accounts/acc_000000001';
    const second = await desk.perp(order, { variables, terminal: true });
    assert.equal(second.exit, 0, second.err);
    assert.match(second.err, /can't be shown or checked against the floors/);
  });
});
