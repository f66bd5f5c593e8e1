import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Desk } from '../practice.ts';

it('what goes on by itself is in positions, accounts, watch, and after every write that it may undo', async () => {
  using desk = new Desk();
  await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '3', '--yes');
  const { id } = await desk.json('twap', 'place', 'BTC', 'buy', '0.5', '--duration', '10m', '--yes');
  const { id: chase } = await desk.json('order', 'place', 'ETH', 'buy', '1', '--type', 'chase', '--yes');
  const goesOn = new RegExp(`Acts without you: TWAP buy 0\\.4\\d+ of 0\\.5 BTC, .*perp twap cancel ${id}`);
  for (const words of [
    ['positions'],
    ['stop', 'BTC', '3%'],
    ['positions', 'close', 'BTC', '--yes'],
    ['close-all', '--yes'],
  ]) {
    const { exit, err } = await desk.perp(words);
    assert.equal(exit, 0, err);
    assert.match(err, goesOn, words.join(' '));
    if (words.length > 1 && words[0] !== 'close-all')
      assert.doesNotMatch(err, /chase/, 'another market is not this one');
  }
  const ids = (acting: { id: string }[]) => acting.map((one) => one.id);
  const { computed } = await desk.json('accounts', 'show');
  assert.deepEqual(ids(computed.acts_without_you), [id, chase]);
  const { out } = await desk.perp(['watch', '--for', '2s', '-o', 'ndjson']);
  assert.deepEqual(JSON.parse(out.split('\n')[0]!).acts_without_you, computed.acts_without_you);
  await desk.json('twap', 'cancel', id);
  await desk.json('order', 'cancel', chase);
  assert.deepEqual((await desk.json('accounts', 'show')).computed.acts_without_you, []);
});
