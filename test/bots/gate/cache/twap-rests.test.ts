import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TwapRests } from '../../../../src/bots/gate/cache/twap-rests.ts';
import type { TwapOrder } from '../../../../src/wire/contract/strategies.ts';

const twap = (filled_size: number, status = 'running') =>
  ({
    id: 'twap_1',
    account_id: 'acc_1',
    market_id: 'binance|BTCUSDT',
    total_size: 10,
    filled_size,
    status,
  }) as TwapOrder;
const shown = () => true;
const notYet = () => false;

/** What still counts as to be filled; undefined: nothing was read. */
const restsOf = (rests: TwapRests) => rests.of('acc_1')?.map((one) => one.total_size - one.filled_size);

/** A cache that knows of one TWAP from before its stream began. */
function known(filled: number): TwapRests {
  const rests = new TwapRests();
  rests.reading('acc_1', 0, notYet)([twap(filled)], true);
  return rests;
}

describe('the rest of a TWAP', () => {
  it('is not known before the account is read', () => {
    assert.equal(restsOf(new TwapRests()), undefined);
    assert.deepEqual(restsOf(known(4)), [6]);
  });

  it('gets smaller by the fills that frames have shown, and only later by what a reading says', () => {
    const rests = known(4);
    rests.filled('twap_1', 1);
    assert.deepEqual(restsOf(rests), [5]);
    rests.reading('acc_1', 1, notYet)([twap(7)], false);
    assert.deepEqual(restsOf(rests), [5]);
    rests.reading('acc_1', 20_000, shown)([twap(7)], false);
    rests.reading('acc_1', 40_000, shown)([twap(7)], false);
    assert.deepEqual(restsOf(rests), [3]);
  });

  it('of one that was started counts the fills whose frames came before the answer', () => {
    const rests = known(0);
    rests.filled('twap_2', 2);
    rests.started({ ...twap(0), id: 'twap_2' }, 1);
    assert.deepEqual(restsOf(rests), [10, 8]);
  });

  it('goes on counting after a cancellation until frames have shown what was filled', () => {
    const rests = known(0);
    rests.canceled(twap(3, 'canceled'), 1);
    assert.deepEqual(restsOf(rests), [10]);
    rests.filled('twap_1', 3);
    assert.deepEqual(restsOf(rests), []);
  });

  it('of one that is not listed any more counts until frames have surely shown all of it', () => {
    const rests = known(0);
    rests.reading('acc_1', 1, notYet)([], false);
    assert.deepEqual(restsOf(rests), [10]);
    rests.reading('acc_1', 2, notYet)([], false);
    assert.deepEqual(restsOf(rests), [10]);
    rests.reading('acc_1', 40_000, shown)([], false);
    assert.deepEqual(restsOf(rests), []);
  });

  it('of one that was started while a reading was under way is not dropped by it', () => {
    const rests = known(0);
    const take = rests.reading('acc_1', 1, shown);
    rests.started({ ...twap(0), id: 'twap_2' }, 2);
    take([twap(0)], false);
    assert.deepEqual(restsOf(rests), [10, 10]);
  });
});
