import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coverAfter } from '../../../src/desk/preview/judged.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { Desk } from '../../terminal/cli/practice.ts';
import { Agent } from '../../terminal/mcp/agent.ts';
import { signed, termsOf } from '../../terminal/mcp/probe-run.ts';
import { it, trial } from '../../tiers.ts';

const held = { id: 'pos_1', market_id: 'BTC', side: 'long', size: 2, entry_price: 100 } as Position;
const stop = {
  id: 'ord_1',
  market_id: 'BTC',
  type: 'stop_market',
  mode: 'stop_market',
  side: 'sell',
  size: 1,
  trigger_price: 90,
};
const working = [{ ...stop, target_position_id: 'pos_1', reduce_only: true }] as Order[];
const exposure = (size: number) => ({ size, entry: 100, leverage: 1, marginMode: 'cross', extraMargin: 0 }) as const;
const after = (
  side: 'buy' | 'sell',
  size: number,
  more: { stop?: number; positions?: Position[]; working?: Order[] } = {},
) =>
  coverAfter({
    order: { market_id: 'BTC', side, size: 1, ...(more.stop !== undefined && { stop_loss_price: more.stop }) },
    positions: more.positions ?? [held],
    working: more.working ?? working,
    after: exposure(size),
    end: undefined,
  } as unknown as Parameters<typeof coverAfter>[0]);

it('an order that adds keeps the stops of its position, which cover what they did', () => {
  assert.deepEqual(after('buy', 3), { size: 3, covered: 1, first: { from: 90, to: undefined } });
});

it('an order that reduces keeps them for no more than what is left', () => {
  assert.deepEqual(after('sell', 1), { size: 1, covered: 1, first: { from: 90, to: undefined } });
  assert.deepEqual(after('sell', 0.5), { size: 0.5, covered: 0.5, first: { from: 90, to: undefined } });
});

it('an order that turns the position leaves no stop of it', () => {
  assert.deepEqual(after('sell', -1), { size: 1, covered: 0, first: undefined });
});

it('the stop of an order that opens, adds or turns covers all of it; that of one that reduces is left out', () => {
  assert.deepEqual(after('buy', 3, { stop: 95 }), { size: 3, covered: 3, first: { from: 95, to: undefined } });
  assert.deepEqual(after('sell', -1, { stop: 105 }), { size: 1, covered: 1, first: { from: 105, to: undefined } });
  assert.deepEqual(after('buy', 1, { stop: 95, positions: [] }), {
    size: 1,
    covered: 1,
    first: { from: 95, to: undefined },
  });
  assert.deepEqual(after('sell', 1, { stop: 105 }), { size: 1, covered: 1, first: { from: 90, to: undefined } });
});

it('of a short position the other way around', () => {
  const short = { ...held, side: 'short' } as Position;
  const above = [{ ...working[0]!, side: 'buy', trigger_price: 110 }] as Order[];
  assert.deepEqual(after('sell', -3, { positions: [short], working: above }), {
    size: 3,
    covered: 1,
    first: { from: 110, to: undefined },
  });
  assert.deepEqual(after('buy', 1, { positions: [short], working: above }), { size: 1, covered: 0, first: undefined });
});

it('a stop more than 20% away is refused in a script, unless that is meant; 100usd is a distance', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  const place = ['order', 'place', 'ETH', 'buy', '2', '--stop-loss'];
  const slip = await desk.perp([...place, '1', '--json']);
  assert.deepEqual([slip.exit, slip.error.code], [5, 'far_stop']);
  assert.equal((await desk.perp([...place, '1', '--force', '--json'])).error.code, 'far_stop');
  assert.deepEqual(await desk.json('positions'), []);
  const { computed } = await desk.json(...place, '100usd');
  const { entry_price: entry } = computed.position;
  assert.ok(Math.abs(entry - 100 - computed.stop_price) < 0.02, `${computed.stop_price}`);
  const far = await desk.perp(['stop', 'ETH', '1', '--json']);
  assert.deepEqual([far.exit, far.error.code], [5, 'far_stop']);
  assert.match(far.error.hint, /--far-stop/);
  const meant = await desk.json('stop', 'ETH', '1', '--far-stop');
  // The account has failed long before.
  assert.deepEqual([meant.computed.stop_price, meant.computed.covered_size], [null, 0]);
  const { computed: near } = await desk.json('stop', 'ETH', '50usd');
  assert.ok(Math.abs(entry - 50 - near.stop_price) < 0.02 && near.covered_size === 2, JSON.stringify(near));
});

trial(
  'whatever moves a stop more than 20% away asks on a terminal and is refused in a script, a batch and a tool',
  async () => {
    using desk = new Desk();
    await desk.json('markets', '--clock', 'manual');
    await desk.json('order', 'place', 'ETH', 'buy', '1', '--stop-loss', '2%');
    const entry = ['order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '-1%', '--stop-loss', '2%'];
    const { id, limit_price: limit } = await desk.json(...entry);
    const bare = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '-1%');
    const far = String(Math.round(limit * 0.7));
    const slips = [
      ['order', 'exits', bare.id, '--stop-loss', far],
      ['order', 'exits', id, '--stop-loss', far],
      ['positions', 'exits', 'ETH', '--stop-loss', '30%'],
      ['stop', 'ETH', '30%'],
      ['reverse', 'ETH', '--stop-loss', '30%'],
    ];
    for (const words of slips) {
      const slip = await desk.perp([...words, '--json']);
      assert.deepEqual([slip.exit, slip.error?.code], [5, 'far_stop'], `${words.join(' ')}: ${slip.out}`);
      const asked = await desk.perp(words, { terminal: true, answer: false });
      assert.match(asked.err, /The stop-loss at \S+ is (29|30)\.\d+% away from/, words.join(' '));
      const lines = join(desk.folder, 'lines');
      writeFileSync(lines, words.join(' '));
      assert.equal(JSON.parse((await desk.perp(['batch', lines])).out).error.code, 'far_stop');
    }
    await using agent = await Agent.connected(desk);
    const order = { market: 'BTC', side: 'buy', size_base: 0.01, limit_price: limit };
    const told = await agent.call('preview_order', { ...order, stop_loss_price: Number(far) });
    assert.equal(told.error.code, 'far_stop');
    for (const words of slips)
      assert.equal((await desk.perp([...words, '--far-stop', '--json'])).exit, 0, words.join(' '));
  },
);

trial('an amended trigger, and tools that change, keep a stop within 20%, too', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
  const { mid } = await desk.json('quote', 'BTC');
  const at = (share: number) => String(Math.round(mid * share));
  const entry = ['--type', 'stop_market', '--trigger-price', at(1.02), '--stop-loss', at(1)];
  const { id, account_id: account } = await desk.json('order', 'place', 'BTC', 'buy', '0.01', ...entry);
  const amend = ['order', 'amend', id, '--price', at(1.3)];
  const slip = await desk.perp([...amend, '--json']);
  assert.deepEqual([slip.exit, slip.error?.code], [5, 'far_stop'], slip.out);
  const asked = await desk.perp(amend, { terminal: true, answer: false });
  assert.match(asked.err, /The stop-loss at \S+ is 23\.\d+% away from/);
  await desk.json('order', 'place', 'ETH', 'buy', '0.1', '--stop-loss', '2%');
  const [{ entry_price: entryPrice, id: position }] = await desk.json('positions');
  const terms = termsOf([account], 'far', { largestOrderUsd: 90_000, largestPositionUsd: 90_000, until: 4e12 });
  await using agent = await Agent.connected(desk, ['--mandate', signed(desk, terms)]);
  const far = { stop_loss_price: Math.round(entryPrice * 0.7), position };
  const changes = [
    ['amend_order', { order: id, price: Number(at(1.3)) }],
    ['set_exits', far],
    ['place_order', { market: 'BTC', side: 'buy', size_base: 0.01, stop_loss_price: Number(at(0.7)) }],
  ] as const;
  for (const [name, args] of changes) {
    const { error } = await agent.call(name, { ...args, idempotency_key: name });
    assert.deepEqual([error?.code, error?.nothing_was_sent], ['far_stop', true], name);
  }
  const nearer = { position, stop_loss_price: Math.round(entryPrice * 0.9), idempotency_key: 'near' };
  assert.equal((await agent.call('set_exits', nearer)).isError, false);
  await desk.json(...amend, '--far-stop');
});

it('trade.require_stop refuses a stop that is reached only after the account has failed, with --force, too', async () => {
  using desk = new Desk();
  await desk.json('markets', '--clock', 'manual');
  await desk.perp(['config', 'set', 'trade.require_stop', 'on']);
  const place = (...more: string[]) => desk.perp(['order', 'place', 'ETH', 'buy', '10', ...more, '--json']);
  const late = await place('--stop-loss', '15%', '--force');
  assert.deepEqual([late.exit, late.error.code], [5, 'stop_required']);
  assert.match(late.error.message, /protects nothing, because the account fails first, at [\d.]+/);
  const { largest_size: largest } = late.error.details;
  assert.ok(largest > 0 && largest < 10, late.err);
  assert.equal((await place('--stop-loss', '15%', '--dry-run')).exit, 0);
  assert.equal((await place('--stop-loss', '15%')).error.code, 'stop_required');
  assert.equal((await place('--stop-loss', '2%')).exit, 0);
});
