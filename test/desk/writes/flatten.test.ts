import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { issueKey, served } from '../../service/serving.ts';
import { type Alteration, alteringHost } from '../../terminal/cli/altering-host.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { test, trial } from '../../tiers.ts';

/** A desk with one of each: a position with a stop, an order, a ladder, a TWAP. */
async function busy(desk: Desk): Promise<void> {
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  await desk.json('positions', 'exits', 'BTC', '--stop-loss', '20000', '--far-stop');
  await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000');
  await desk.json('scaled', 'place', 'ETH', 'buy', '1', '--from', '500', '--to', '600', '--rungs', '2');
  await desk.json('twap', 'place', 'SOL', 'buy', '50', '--duration', '30m');
}

trial(
  'flatten stops TWAPs, closes positions and cancels ladders and orders; repeated, it finds nothing to do',
  async () => {
    using desk = new Desk();
    await busy(desk);
    const { accounts } = await desk.json('flatten', '--yes');
    const [account] = accounts;
    assert.equal(account.canceled.twaps.length, 1);
    assert.equal(account.canceled.ladders.length, 1);
    assert.deepEqual(account.closed.map((order: { symbol: string }) => order.symbol).sort(), ['BTC', 'SOL']);
    assert.deepEqual(account.left, { twaps: [], orders: [], positions: [] });
    assert.deepEqual(account.failures, []);
    assert.deepEqual(await desk.json('positions'), []);
    assert.deepEqual(await desk.json('order', 'list', '--status', 'working'), []);
    assert.deepEqual(await desk.json('twap', 'list'), []);
    const again = await desk.json('flatten', '--yes');
    assert.deepEqual(again.accounts[0].closed, []);
  },
);

test('flatten again under the same key reports what it closes and cancels now, not what it did before', async () => {
  using desk = new Desk();
  const keyed = ['flatten', '--yes', '--idempotency-key', 'night'] as const;
  const limit = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '20000'] as const;
  await desk.json('order', 'place', 'BTC', 'buy', '0.05');
  await desk.json(...limit);
  assert.equal((await desk.json(...keyed)).accounts[0].closed[0].symbol, 'BTC');
  await desk.json('order', 'place', 'ETH', 'buy', '0.5');
  const { id } = await desk.json(...limit);
  const [again] = (await desk.json(...keyed)).accounts;
  assert.deepEqual(
    again.closed.map((order: { symbol: string }) => order.symbol),
    ['ETH'],
  );
  assert.deepEqual(again.canceled.orders, [id]);
});

test('flatten with nothing to do says so and does not ask; as CSV each account is a row', async () => {
  using desk = new Desk();
  const run = await desk.perp(['flatten'], { terminal: true });
  assert.equal(run.exit, 0, run.err);
  assert.match(run.out, /Flat; no working orders/);
  const csv = await desk.perp(['flatten', '--yes', '-o', 'csv']);
  const [header, row, ...more] = csv.out.trim().split('\n');
  assert.match(header!, /^account_id,canceled\.twaps,canceled\.ladders,canceled\.orders,closed,left\.twaps/);
  assert.match(row!, /^acc_\w+,\[\],/);
  assert.deepEqual(more, []);
});

trial(
  'flatten shows orders, TWAPs, and the PnL of closing, names the account, and asks; without a terminal it needs --yes',
  async () => {
    using desk = new Desk();
    await busy(desk);
    const declined = await desk.perp(['flatten'], { terminal: true, answer: false });
    assert.equal(declined.exit, 130);
    assert.match(declined.err, /SIM default, synthetic, account acc_\w+\n2 positions, 4 working orders, 1 ladder/);
    assert.match(declined.err, /stop_market +sell/);
    assert.match(declined.err, /CLOSES +SIDE[\s\S]*Realizes [+-]?[\d.,]+ USD and costs [\d.]+ USD in fees/);
    assert.match(desk.questions.at(-1)!, /^Flatten acc_\w+ on SIM default, synthetic/);
    assert.equal((await desk.json('positions')).length, 2);
    assert.equal((await desk.perp(['flatten'])).exit, 2);
  },
);

test('flatten --all-accounts flattens each', async () => {
  using desk = new Desk();
  await desk.perp(['sim', 'reset', '--accounts', '2', '--yes']);
  const [first, second] = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
  await desk.json('order', 'place', 'BTC', 'buy', '0.05', '--account', first);
  await desk.json('order', 'place', 'ETH', 'sell', '0.5', '--account', second);
  const { accounts } = await desk.json('flatten', '--all-accounts', '--yes');
  assert.deepEqual(
    accounts.map(({ account_id, closed }: { account_id: string; closed: unknown[] }) => [account_id, closed.length]),
    [
      [first, 1],
      [second, 1],
    ],
  );
});

/** A served simulation behind a host that alters answers, with a position and its stop, an order and a TWAP. */
async function behind(t: TestContext, alter: Alteration) {
  const serving = await served(t);
  const desk = new Desk();
  t.after(() => desk[Symbol.dispose]());
  const url = await alteringHost(t, serving.baseUrl, alter);
  const variables = { PERP_ENV: 'live', PERP_BASE_URL: url, PERP_API_KEY: issueKey(serving) };
  const perp = (...argv: string[]) => desk.perp(argv, { variables });
  for (const line of [
    'order place BTC buy 0.05',
    'positions exits BTC --stop-loss 20000 --far-stop',
    'order place BTC buy 0.01 --limit-price 20000',
    'twap place SOL buy 50 --duration 30m --trigger-price 1',
  ]) {
    const run = await perp(...line.split(' '));
    assert.equal(run.exit, 0, `${line}: ${run.err}`);
  }
  const declined = (...argv: string[]) => desk.perp(argv, { variables, terminal: true, answer: false });
  return Object.assign(perp, { declined });
}

trial('what could not be fetched is said before flatten asks, and is ended if it can be', async (t) => {
  let isDown = false;
  const perp = await behind(t, (method, path) => {
    if (!isDown || method !== 'GET' || !path.startsWith('/v1/twap-orders')) return undefined;
    return { status: 422, body: { error: { code: 'rule_violation', message: 'not now', request_id: 'req_1' } } };
  });
  isDown = true;
  const { err } = await perp.declined('flatten');
  assert.match(err, /The TWAPs could not be fetched: [\s\S]*perp ends them if it can/);
});

const closing = /\/positions\/\w+\/close$/;

trial(
  'a position that can’t be closed keeps its stop; the rest is canceled, and an incomplete result is exit 9',
  async (t) => {
    let isRefused = false;
    const perp = await behind(t, (method, path) => {
      // Neither way to close a position works.
      if (!isRefused || method !== 'POST' || !(closing.test(path) || path.endsWith('/v1/orders'))) return undefined;
      const error = { code: 'trading_rule', rule_id: 'stale-book', message: 'no fresh book', request_id: 'req_1' };
      return { status: 422, body: { error } };
    });
    isRefused = true;
    const run = await perp('flatten', '--yes', '--json');
    assert.equal(run.exit, 9, run.err);
    const [account] = run.json.accounts;
    assert.deepEqual([account.canceled.twaps.length, account.canceled.orders.length], [1, 1]);
    assert.deepEqual([account.left.positions.length, account.left.orders.length, account.left.twaps.length], [1, 1, 0]);
    assert.equal(account.failures[0].code, 'stale-book');
    const [stop] = (await perp('order', 'list', '--status', 'working', '--json')).json;
    assert.deepEqual([stop.id, stop.trigger_price], [account.left.orders[0], 20000]);
    const text = await perp('flatten', '--yes');
    assert.match(
      text.out,
      /^acc_\w+ {2}Not flat[\s\S]*left: 1 position \(pos_[\s\S]*on \*\*\* LIVE 127\.0\.0\.1:\d+ acc_\w+ \(a simulation, synthetic\) \*\*\*\n$/,
    );
  },
);

trial('Ctrl-C reports what is done and what is left, and the next run continues', async (t) => {
  let isHeld = true;
  const perp = await behind(t, (method, path) => {
    if (!isHeld || method !== 'POST' || !closing.test(path)) return undefined;
    isHeld = false;
    process.listeners('SIGINT').at(-1)!('SIGINT');
    return 'silence';
  });
  const run = await perp('flatten', '--yes', '--json');
  assert.equal(run.exit, 130, run.err);
  const [account] = run.json.accounts;
  assert.equal(account.interrupted, true);
  assert.equal(account.left.positions.length, 1);
  const again = await perp('flatten', '--yes', '--json');
  assert.equal(again.exit, 0, again.err);
  assert.deepEqual(again.json.accounts[0].left, { twaps: [], orders: [], positions: [] });
});
