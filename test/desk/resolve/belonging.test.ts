import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';

const other = ['--account', 'acc_000000009'];

test('an id that belongs to another account than --account is rejected before anything is sent', async () => {
  using desk = new Desk();
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000');
  const twap = await desk.json('twap', 'place', 'ETH', 'buy', '0.5', '--duration', '30m');
  const rungs = ['--from', '50000', '--to', '51000', '--rungs', '2'];
  const ladder = await desk.json('scaled', 'place', 'BTC', 'buy', '0.02', ...rungs);
  const commands = [
    ['order', 'cancel', order.id],
    ['order', 'amend', order.id, '--price', '51000'],
    ['order', 'exits', order.id, '--stop-loss', '49000'],
    ['twap', 'cancel', twap.id],
    ['scaled', 'cancel', ladder.id],
  ];
  for (const argv of commands) {
    const { exit, err } = await desk.perp([...argv, ...other, '--yes']);
    assert.equal(exit, 2, `${argv.join(' ')}: ${err}`);
    assert.match(err, /belongs to acc_000000001, but --account is acc_000000009/);
  }
  assert.equal((await desk.json('order', 'show', order.id)).status, 'resting');
});

test('an account from a variable is only a default', async () => {
  using desk = new Desk();
  const order = await desk.json('order', 'place', 'BTC', 'buy', '0.01', '--limit-price', '50000');
  const variables = { PERP_ACCOUNT: 'acc_000000009' };
  const amended = await desk.perp(['order', 'amend', order.id, '--price', '51000'], { variables });
  assert.equal(amended.exit, 0, amended.err);
  const canceled = await desk.perp(['order', 'cancel', order.id, '--account', order.account_id]);
  assert.equal(canceled.exit, 0, canceled.err);
});
