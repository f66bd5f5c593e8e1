import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { seed } from '../../seed.ts';
import { HostedDesk } from '../../terminal/cli/hosted-desk.ts';
import { it, trial } from '../../tiers.ts';

describe('the largest size', () => {
  let desk: HostedDesk;
  let accounts: string[];

  before(async () => {
    desk = await HostedDesk.open({ seed, accounts: 12 });
    accounts = (await desk.json('accounts')).map(({ id }: { id: string }) => id);
  });

  after(() => desk[Symbol.dispose]());

  const place = (account: string, ...words: string[]) =>
    desk.perp(['order', 'place', ...words, '--account', account, '--yes', '--json']);

  /** The size that perp names is accepted by the service. */
  async function accepts(account: string, size: string, words: string[]): Promise<void> {
    const [market = '', side = '', ...rest] = words;
    const { json, err } = await place(account, market, side, size, ...rest, '--dry-run');
    const sent = await place(account, market, side, String(json.body.size), ...rest);
    assert.equal(sent.exit, 0, `${json.body.size}: ${err}${sent.err}`);
  }

  it('has the margin of the price at which the order waits, or of the mark if that is dearer than the walk', async () => {
    const [one, other, third] = accounts as [string, string, string];
    const exits = ['--stop-loss', '0.5%', '--force'];
    await accepts(one, 'max', ['SOL', 'sell', '--type', 'stop_market', '--trigger-price', 'mark-0.4%', ...exits]);
    await accepts(other, 'max', ['SOL', 'sell', ...exits]);
    await accepts(third, 'max', ['SOL', 'sell', '--limit-price', 'mark+0.4%', ...exits]);
  });

  trial('of an order that turns a position has the margin of what it opens', async () => {
    const account = accounts[3]!;
    await place(account, 'ETH', 'buy', '20000usd', '--leverage', '1');
    const turn = ['ETH', 'sell', '700000usd', '--leverage', '1', '--stop-loss', '0.6%'];
    const { error } = await place(account, ...turn);
    const largest = error.details.largest_size;
    const { mid } = await desk.json('quote', 'ETH');
    assert.ok(Math.abs(largest * mid - 120_000) < 2_000, `${largest} at ${mid}`);
    const sent = await place(account, ...turn.with(2, String(largest)));
    assert.equal(sent.exit, 0, sent.err);
  });

  it('is none if the order would only reduce, or is smaller than the smallest order', async () => {
    const [one, other] = accounts.slice(4) as [string, string];
    await place(one, 'BTC', 'buy', '50000usd', '--leverage', '1');
    await desk.client.call('simSetPolicy', { body: { account_id: one, limits: { max_position_value_usd: 10 } } });
    // An order of the same side that waits does not make a smaller one turn the position.
    await place(one, 'BTC', 'sell', '20000usd', '--leverage', '1', '--limit-price', 'mark+2%');
    const turn = await place(one, 'BTC', 'sell', '600000usd', '--leverage', '1', '--stop-loss', '1%');
    assert.equal(turn.error.details.largest_size, 0, turn.err);
    assert.match(
      turn.error.message,
      /No size fits: more than the long [\d.]+ BTC would exceed the maximum value of a position/,
    );
    const small = await place(other, 'DOGE', 'buy', 'risk:0.05usd', '--stop-loss', '3%');
    assert.match(small.error.message, /risk:0\.05usd is zero: an order of the minimum, 10\.00 USD, would exceed/);
  });

  it('is none where the account already has as many positions as it may have', async () => {
    const account = accounts[6]!;
    await desk.client.call('simSetPolicy', {
      body: { account_id: account, limits: { max_open_positions: 1 } },
    });
    await place(account, 'BTC', 'buy', '5000usd');
    const refused = await place(account, 'ETH', 'buy', 'max', '--stop-loss', '1%');
    assert.deepEqual([refused.exit, refused.error.rule_id], [5, 'max-open-positions']);
  });

  it('by the margin is still accepted a while later, after the mark has moved as it usually does', async () => {
    const typed = await Promise.all(
      ['BTC', 'ETH', 'SOL', 'BNB'].map(async (market, at) => {
        const account = accounts[8 + at]!;
        await place(account, market, 'buy', '5000usd', '--leverage', '1');
        const words = [market, 'buy', '3000000usd', '--leverage', '1', '--stop-loss', '0.3%'];
        const { error, err } = await place(account, ...words);
        assert.match(err, /The largest size that fits is/);
        return { account, words: words.with(2, String(error.details.largest_size)) };
      }),
    );
    for (let seconds = 5; seconds < 60; seconds += 5) {
      await desk.advance(5_000);
      for (const { account, words } of typed) {
        const [market = '', , size] = words;
        const { ask } = await desk.json('quote', market);
        const { risk } = (await desk.client.call('getAccount', { path: { account_id: account } })).data;
        const needed = Number(size) * ask * 1.0003;
        assert.ok(needed < risk!.available_balance, `${words.join(' ')} after ${seconds} s needs ${needed}`);
      }
    }
    for (const { account, words } of typed) {
      const sent = await place(account, ...words);
      assert.equal(sent.exit, 0, `${words.join(' ')}: ${sent.err}`);
    }
  });
});
