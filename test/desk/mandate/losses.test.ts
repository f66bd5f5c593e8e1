import assert from 'node:assert/strict';
import { walkPath } from '../../../src/base/margin/path/path.ts';
import type { PathAccount, PathMarket } from '../../../src/base/margin/path/terms.ts';
import { moneyToNumber } from '../../../src/base/terms/decimal.ts';
import { judgeWrite } from '../../../src/desk/mandate/judge-write.ts';
import type { Exposed, Mandate } from '../../../src/desk/mandate/mandate.ts';
import { pathUnits } from '../../../src/desk/risk/breach.ts';
import { equityOf, type Mark, pathAccountOf, type Standing } from '../../../src/desk/risk/path-account.ts';
import type { AccountTradingPolicy } from '../../../src/wire/contract/accounts.ts';
import type { Order } from '../../../src/wire/contract/orders.ts';
import type { Position } from '../../../src/wire/contract/positions.ts';
import { Chance } from '../../exchange/engine/chance.ts';
import { seed } from '../../seed.ts';
import { trial } from '../../tiers.ts';
import { btc, exposed as nothing, order as orderOf, place, position as positionOf } from './exposures.ts';

const eth = 'binance|ETHUSDT';
const prices = new Map([
  [btc, 100],
  [eth, 50],
]);

const mandate: Mandate = {
  accounts: ['acc_1'],
  markets: [...prices.keys()],
  sides: ['buy', 'sell'],
  largestOrderUsd: 1e12,
  largestPositionUsd: 1e12,
  lossPerDayUsd: 1e12,
  ordersPerMinute: 1e6,
  until: 1e15,
};

const rounded = (value: number) => Math.round(value * 10) / 10;

/** What an account holds in a market, and what works there. */
function drawMarket(chance: Chance, market_id: string, at: number) {
  const mark = prices.get(market_id)!;
  const near = (share: number) => rounded(mark * (1 + share));
  const terms = { leverage: chance.between(1, 10), margin_mode: chance.pick(['cross', 'cross', 'isolated'] as const) };
  const positions: Position[] = [];
  const working: Order[] = [];
  const order = (size: number, more: Partial<Order>) =>
    working.push({ ...orderOf({ size }), ...terms, market_id, id: `ord_${at}_${working.length}`, ...more });
  if (chance.chance(0.6)) {
    const held = {
      ...positionOf(chance.pick([1, -1]) * chance.between(1, 60)),
      ...terms,
      ...{ id: `pos_${at}`, market_id, entry_price: near(chance.next() * 0.1 - 0.05) },
      isolated_margin_extra: terms.margin_mode === 'isolated' ? chance.between(0, 50) : 0,
    };
    positions.push(held);
    const down = held.side === 'long' ? -1 : 1;
    for (let left = chance.between(0, 2); left > 0; left -= 1) {
      const size = chance.chance(0.5) ? held.size : chance.between(1, held.size);
      const trigger_price = near(down * (0.01 + chance.next() * 0.1));
      const kind = { type: 'stop_market', mode: 'stop_market', limit_price: undefined } as const;
      const side = held.side === 'long' ? 'sell' : 'buy';
      order(size, { ...kind, side, reduce_only: true, trigger_price, target_position_id: held.id });
    }
  }
  for (let left = chance.between(0, 3); left > 0; left -= 1) {
    const side = chance.pick(['buy', 'sell'] as const);
    const down = side === 'buy' ? -1 : 1;
    const waits = chance.chance(0.3);
    const price = near((waits ? -down : down) * (0.005 + chance.next() * 0.05));
    const stop = rounded(price * (1 + down * (0.01 + chance.next() * 0.05)));
    const entry = waits
      ? ({ type: 'stop_market', mode: 'stop_market', limit_price: undefined, trigger_price: price } as const)
      : { limit_price: price };
    const leg = chance.chance(0.8) ? { attached_stop_loss_price: stop } : {};
    order(chance.between(1, 40), { side, ...entry, ...leg });
  }
  return { positions, working, terms };
}

function policyOf(chance: Chance): AccountTradingPolicy {
  const unlimited = { max_open_positions: 1_000, max_position_value_usd: 1e9, min_order_notional_usd: 0 };
  return {
    limits: { ...unlimited, maintenance_margin_ratio_bps: chance.between(25, 400), liquidation_fee_bps: 50 },
    maximum_total_notional_usd: null,
    slippage_tolerance_bps: { min: 0, max: 250, market_order_maximum_by_provider: {} },
    fee_exempt: false,
  } as unknown as AccountTradingPolicy;
}

/** A portfolio, and an order with a stop that a bot wants to add. */
function draw(chance: Chance) {
  const drawn = [...prices.keys()].map((id, at) => drawMarket(chance, id, at));
  const market_id = chance.pick([...prices.keys()]);
  const at = [...prices.keys()].indexOf(market_id);
  const side = chance.pick(['buy', 'sell'] as const);
  const down = side === 'buy' ? -1 : 1;
  const mark = prices.get(market_id)!;
  const limit_price = rounded(mark * (1 + down * chance.next() * 0.04));
  const stop_loss_price = rounded(limit_price * (1 + down * (0.01 + chance.next() * 0.05)));
  const size = chance.between(1, 60);
  const replace_overlapping_exits = chance.chance(0.7);
  const { terms } = drawn[at]!;
  const body = { type: 'limit', market_id, side, size, limit_price, stop_loss_price, replace_overlapping_exits };
  const own: Order = {
    ...orderOf({ size }),
    ...terms,
    ...{ id: 'own', market_id, side, limit_price, attached_stop_loss_price: stop_loss_price, requested_at: 1 },
  };
  const gapBps = chance.pick([0, 10, 40]);
  const known = [...prices].map(([id, price]): [string, Mark] => [id, { price, at: 0, tick: 0.1, feeBps: 3, gapBps }]);
  const before: Exposed = {
    ...nothing,
    account: { ...nothing.account!, balance: 20_000 },
    positions: drawn.flatMap(({ positions }) => positions),
    working: drawn.flatMap(({ working }) => working),
    marks: new Map(known),
    policy: policyOf(chance),
  };
  return { before, own, write: place({ ...body, ...terms }), replaces: replace_overlapping_exits, gapBps };
}

/** The most equity that the account loses if its markets move this way, as the path of the preview has it, USD. */
function lossOnPath(
  { before, own, replaces, gapBps }: ReturnType<typeof draw>,
  pace: ReadonlyMap<string, number>,
): number {
  const { account, positions, working, marks } = before;
  const standing: Standing = { account: account!, positions: positions!, working: [...working!, own] };
  const units = pathUnits(standing, marks);
  const begun = pathAccountOf(standing, undefined, marks, units)!;
  const path: PathAccount = {
    ...begun,
    markets: new Map([...begun.markets].map(([id, market]): [string, PathMarket] => [id, { ...market, gapBps }])),
    orders: begun.orders.map((one) => (one.id === 'own' ? { ...one, replacesExits: replaces } : one)),
  };
  const steps = new Map([...pace].filter(([id]) => path.markets.has(id)));
  const most = Math.min(
    ...[...steps].map(([id, move]) => Math.floor((path.markets.get(id)!.mark - 1) / Math.abs(move))),
  );
  return moneyToNumber(equityOf(path) - walkPath(path, steps, most).lowest);
}

trial(
  'what a mandate counts as lost at worst is never below what the path of the preview loses, whichever way markets move',
  (t) => {
    const count = process.env.PERP_LONG ? 20_000 : 150;
    let compared = 0;
    for (let at = 0; at < count; at += 1) {
      const drawn = draw(new Chance(seed * 1_000_003 + at));
      const verdict = judgeWrite(mandate, drawn.before, drawn.write, 0);
      const worst = verdict.isAllowed ? verdict.effect.adds?.worstUsd : undefined;
      if (worst === undefined) continue;
      compared += 1;
      for (const [one, other] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [1, 1],
        [-1, -1],
        [1, -1],
        [-1, 1],
      ] as const) {
        const pace = new Map(
          [
            [btc, one],
            [eth, other],
          ].filter(([, move]) => move !== 0) as [string, number][],
        );
        const loss = lossOnPath(drawn, pace);
        assert.ok(
          loss <= worst + 1e-6,
          `draw ${at}, seed ${seed}: ${loss} on the path ${one}, ${other}, and ${worst} counted`,
        );
      }
    }
    t.diagnostic(`${compared} of ${count} compared`);
    assert.ok(compared > count / 10);
  },
);
