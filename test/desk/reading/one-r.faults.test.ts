import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Desk } from '../../terminal/cli/practice.ts';

describe('1R of a position', () => {
  let desk: Desk;
  beforeEach(async () => {
    desk = new Desk();
    await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '5', '--yes');
  });
  afterEach(() => desk[Symbol.dispose]());

  const held = async () => (await desk.json('positions'))[0];
  const forget = () => rmSync(join(desk.variables.PERP_STATE_DIR!, 'journal'), { recursive: true, force: true });
  /** Advances until a long is in the money. */
  const gain = async () => {
    for (let at = 0; at < 60; at++) {
      const { computed, entry_price } = await held();
      if (computed.mark > entry_price + 20) return;
      await desk.json('sim', 'advance', '10m');
    }
    assert.fail('no gain');
  };

  it('stays what the first stop lost when that moves to the entry, and when a part is closed', async () => {
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '3%', '--yes');
    const first = await held();
    assert.ok(first.computed.one_r > 0.03 * first.entry_price * 0.1);
    await gain();
    await desk.json('stop', 'BTC', 'entry', '--yes');
    const moved = await held();
    assert.equal(moved.computed.one_r, first.computed.one_r);
    const { computed } = moved;
    assert.ok(Math.abs(computed.r - computed.unrealized_pnl / computed.one_r) < 1e-6);
    await desk.json('target', 'BTC', '2R', '--yes');
    const target = (await held()).computed.target_price;
    assert.ok(target > first.entry_price * 1.06, `${target}`);
    await desk.json('positions', 'close', 'BTC', '--size', '50%', '--yes');
    const half = await held();
    assert.equal(half.computed.one_r.toFixed(6), (first.computed.one_r / 2).toFixed(6));
    assert.match((await desk.perp(['target', 'BTC', '2R'])).out, /already at/);
    // The journal, and what is computed from it, has the same R.
    const journal = await desk.json('journal', 'show', 'BTC');
    assert.equal(journal.one_r.toFixed(6), first.computed.one_r.toFixed(6));
    await desk.json('close-all', '--yes');
    const [trip] = await desk.json('journal');
    assert.equal(trip.r.toFixed(6), (trip.net / first.computed.one_r).toFixed(6));
  });

  it('grows by what is added, with its own distance, and begins anew with a flip', async () => {
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '3%', '--yes');
    const first = await held();
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--yes');
    const naked = await held();
    assert.equal(naked.computed.one_r, null);
    assert.equal((await desk.perp(['target', 'BTC', '2R'])).exit, 2);
    const { stop_price } = first.computed;
    await desk.json('stop', 'BTC', String(stop_price), '--yes');
    const grown = await held();
    const loss = ({ size, entry_price }: { size: number; entry_price: number }) => (entry_price - stop_price) * size;
    const fees = grown.computed.one_r - loss(grown);
    assert.ok(Math.abs(fees - (grown.entry_price + stop_price) * 0.2 * 3e-4) < 0.001, `${fees}`);
    await desk.json('order', 'place', 'BTC', 'sell', '0.3', '--yes');
    assert.deepEqual([(await held()).side, (await held()).computed.one_r], ['short', null]);
  });

  it('is unknown if the stop was amended before perp saw it, until its owner sets it', async () => {
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '3%', '--yes');
    await desk.json('stop', 'BTC', '1%', '--yes');
    forget();
    assert.deepEqual([(await held()).computed.one_r, (await held()).computed.r], [null, null]);
    const refused = await desk.perp(['target', 'BTC', '2R', '--yes']);
    assert.equal(refused.exit, 2);
    assert.match(refused.err, /perp did not record the first stop of long 0\.1 BTC.*perp journal one-r BTC USD/s);
    await desk.json('journal', 'one-r', 'BTC', '300');
    assert.equal((await held()).computed.one_r, 300);
    await desk.json('target', 'BTC', '2R', '--yes');
    assert.equal((await desk.json('journal', 'show', 'BTC')).one_r, 300);
  });

  it('is noted when perp first sees the stop that another program has placed', async () => {
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '3%', '--yes');
    const { one_r } = (await held()).computed;
    forget();
    assert.equal((await held()).computed.one_r, one_r);
    await desk.json('stop', 'BTC', '1%', '--yes');
    assert.equal((await held()).computed.one_r, one_r);
  });

  it('is not that of an earlier run with the same position', async () => {
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '3%', '--yes');
    const before = (await held()).computed.one_r;
    await desk.json('sim', 'reset', '--clock', 'manual', '--seed', '5', '--yes');
    await desk.json('order', 'place', 'BTC', 'buy', '0.1', '--stop-loss', '1%', '--yes');
    assert.ok((await held()).computed.one_r < before / 2);
  });
});
