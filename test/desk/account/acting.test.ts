import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { actingIn, actingOf, actingText } from '../../../src/desk/account/acting.ts';
import type { CopyTradingConfiguration } from '../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { TwapOrder } from '../../../src/wire/contract/strategies.ts';

const of = {
  account_id: 'acc_1',
  market_id: 'binance|BTCUSDT',
  symbol: 'BTC',
  side: 'buy',
  reduce_only: false,
} as const;
const twap = {
  ...of,
  ...{ id: 'twap_1', strategy: 'vwap', total_size: 0.5, filled_size: 0.2, next_run_at: 1_781_101_350_000 },
} as TwapOrder;
const order = (fields: Partial<Order>) => ({ ...of, size: 1, initial_size: 2, mode: 'limit', ...fields }) as Order;
const copy = (enabled: boolean, follower: string) =>
  ({
    ...{ config_id: 'copy_1', enabled, source_account_id: 'acc_9' },
    targets: [{ account_id: follower, multiplier_bps: 10_000 }],
  }) as CopyTradingConfiguration;

describe('what acts without its owner', () => {
  it('is every parent, ladder and chase, and copying into the account, with what ends it', () => {
    const working = [
      order({ id: 'ord_1' }),
      order({ id: 'ord_2', scaled_order_id: 'scaled_1', size: 0.5 }),
      order({ id: 'ord_3', scaled_order_id: 'scaled_1' }),
      order({ id: 'ord_4', mode: 'chase', market_id: 'binance|ETHUSDT', symbol: 'ETH' }),
    ];
    const acting = actingOf('acc_1', { twaps: [twap], working, copies: [copy(true, 'acc_1')] });
    assert.deepEqual(
      acting.map((one) => actingText(one)),
      [
        'Acts without you: VWAP buy 0.3 of 0.5 BTC, next at 14:22:30Z; end it with perp twap cancel twap_1',
        'Acts without you: ladder buy 1.5 of 4 BTC in 2 rungs; end it with perp scaled cancel scaled_1',
        'Acts without you: chase buy 1 of 2 ETH; end it with perp order cancel ord_4',
        'Acts without you: copy of acc_9; end it with perp copy disable copy_1',
      ],
    );
    assert.deepEqual(
      actingIn(of.market_id, acting).map(({ kind }) => kind),
      ['vwap', 'ladder', 'copy'],
    );
  });

  it('is not a group that is disabled or copies into another account, nor a parent’s next slice before its trigger', () => {
    const copies = [copy(false, 'acc_1'), copy(true, 'acc_2')];
    const waiting = { ...twap, trigger_price: 60_000 };
    const [only, ...others] = actingOf('acc_1', { twaps: [waiting], working: undefined, copies });
    assert.deepEqual([only?.next_at, others], [null, []]);
    assert.match(actingText(only!), /0\.5 BTC, starts at 60000;/);
  });
});

it('says the command that ends it first where a row would cut it off', () => {
  const one = { says: 'TWAP buy 0.475 of 0.5 BTC, next at 03:50:56Z', ends_with: 'perp twap cancel twap_000000003' };
  assert.equal(actingText(one, 120), `Acts without you: ${one.says}; end it with ${one.ends_with}`);
  assert.match(
    actingText(one, 80).slice(0, 80),
    /^Acts without you until perp twap cancel twap_000000003: TWAP buy 0\.475/,
  );
});
