import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Command, ExitOperation, OpenState, PlaceOrder } from '../../../src/exchange/engine/commands.ts';
import { plans } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import type { Position, Price, Side } from '../../../src/exchange/engine/model.ts';
import { trial } from '../../tiers.ts';
import { Chance } from './chance.ts';
import { ExitLaw } from './exit-law.ts';
import { asSeen } from './random-practice.ts';
import { randomScript } from './random-script.ts';
import { plainOrder } from './scenario.ts';
import { definition, ScriptedSource } from './scripted-source.ts';

const market = definition();
const rates = { feeBps: { crypto: 3 }, carryBpsPerDay: { crypto: 0 } };

/** One account, or a lead and its follower, trades one market: mostly entries with legs that fill in parts. */
function trade(seed: number): ExitLaw {
  const chance = new Chance(seed);
  const script = randomScript(chance, market.marketId, 200);
  const exchange = new Exchange(new ScriptedSource(script), emptyState(seed, 0), rates);
  const law = new ExitLaw();
  const execute = (command: Command) => {
    const outcome = exchange.execute(command);
    law.note(exchange.takeChanges());
    law.check(exchange.openState());
    return outcome;
  };
  for (const name of ['lead', 'follower']) openAccount(execute, chance, name);
  const end = script.at(-1)!.time;
  while (exchange.time < end) {
    exchange.advance(Math.min(end, exchange.time + chance.pick([1, 40, 250])));
    law.note(exchange.takeChanges());
    law.check(exchange.openState());
    const quote = exchange.quote(market.marketId);
    const near = quote.ok && quote.mid !== null ? Math.round(quote.mid / 2) : 1_000;
    const open = exchange.openState();
    execute(chance.pick(draws)(chance, open, near) ?? entry(chance, open, near));
  }
  return law;
}

function openAccount(
  execute: (command: Command) => ReturnType<Exchange['execute']>,
  chance: Chance,
  name: string,
): void {
  const opened = execute({
    kind: 'open_account',
    owner: 'somebody',
    environment: 'live',
    name,
    plan: plans.none,
    startingBalance: chance.pick([3_000, 50_000]),
  });
  assert.ok(opened.ok);
  const { id, policy } = opened.account!;
  const limits = {
    ...policy.limits,
    tradesPerMinute: 1e6,
    executionDelayMaxMs: chance.pick([0, 0, 200]),
    maintenanceMarginRatioBps: chance.pick([100, 400]),
    liquidationFeeBps: 0,
  };
  execute({ kind: 'set_policy', accountId: id, policy: { ...policy, slippageMaxBps: 500, limits } });
}

type Draw = (chance: Chance, open: OpenState, near: Price) => Command | null;

const order = (chance: Chance, open: OpenState, fields: Partial<PlaceOrder>): PlaceOrder => ({
  ...plainOrder,
  accountId: chance.pick(open.accounts).id,
  marketId: market.marketId,
  side: 'buy',
  size: chance.between(1, 40),
  leverage: 20,
  marginMode: 'isolated',
  marketableLimitAcknowledged: true,
  ...fields,
});

const draws: readonly Draw[] = [
  entry,
  entry,
  entry,
  // Another order, without legs: it adds to, reduces or flips the position.
  (chance, open) => order(chance, open, { side: side(chance) }),
  (chance, open, near) =>
    order(chance, open, { mode: 'limit', side: side(chance), limitPrice: near + chance.between(-3, 3) }),
  byPosition((chance, open, { accountId, direction, size }) =>
    order(chance, open, { accountId, side: direction === 'long' ? 'sell' : 'buy', size, reduceOnly: true }),
  ),
  byPosition((chance, open, { accountId, direction, size }) => {
    const part = chance.between(1, size);
    return order(chance, open, {
      accountId,
      side: direction === 'long' ? 'sell' : 'buy',
      size: part,
      reduceOnly: true,
    });
  }),
  byPosition(batch),
  (chance, { orders }) => (orders.length === 0 ? null : { kind: 'cancel_order', orderId: chance.pick(orders).id }),
  (chance, { orders }, near) => {
    if (orders.length === 0) return null;
    const size = chance.pick([null, chance.between(1, 40)]);
    return { kind: 'amend_order', orderId: chance.pick(orders).id, price: near + chance.between(-12, 12), size };
  },
  (chance, { accounts }, near) => ({
    kind: 'place_twap',
    accountId: chance.pick(accounts).id,
    marketId: market.marketId,
    strategy: 'twap',
    side: side(chance),
    size: chance.between(20, 60),
    expectedPrice: near,
    leverage: 20,
    marginMode: 'isolated',
    durationMinutes: 5,
    sliceIntervalSeconds: 30,
    randomize: false,
    reduceOnly: false,
    triggerPrice: null,
    maxPrice: null,
    minPrice: null,
  }),
  (chance, { accounts, copyGroups }) => {
    const [group] = copyGroups;
    const configId = group?.id ?? null;
    if (group?.enabled === true)
      return { kind: 'disable_copy_group', owner: 'somebody', environment: 'live', configId: group.id };
    const [sourceAccountId, accountId] = accounts.map(({ id }) => id);
    const targets = [{ accountId: accountId!, multiplierBps: chance.between(5_000, 20_000) }];
    const groups = [{ configId, enabled: true, sourceAccountId: sourceAccountId!, targets }];
    return { kind: 'save_copy_groups', owner: 'somebody', environment: 'live', groups, deletedConfigIds: [] };
  },
];

/** An entry with one or two legs: at a limit near the mid, at market, or once a trigger is met. */
function entry(chance: Chance, open: OpenState, near: Price): Command {
  const way = side(chance);
  const sign = way === 'buy' ? 1 : -1;
  const mode = chance.pick(['limit', 'limit', 'limit', 'market', 'stop_market', 'chase'] as const);
  const limitPrice = mode === 'limit' ? near + chance.between(-4, 4) : null;
  const triggerPrice = mode === 'stop_market' ? near + sign * chance.between(1, 6) : null;
  const from = limitPrice ?? triggerPrice ?? near;
  const legs = chance.pick(['both', 'both', 'tp', 'sl'] as const);
  return order(chance, open, {
    mode,
    side: way,
    limitPrice,
    triggerPrice,
    takeProfitPrice: legs === 'sl' ? null : from + sign * chance.between(3, 15),
    stopLossPrice: legs === 'tp' ? null : from - sign * chance.between(3, 15),
    replaceOverlappingExits: chance.chance(0.3),
    marketableLimitAcknowledged: mode === 'limit',
  });
}

function byPosition(draw: (chance: Chance, open: OpenState, position: Position, near: Price) => Command): Draw {
  return (chance, open, near) =>
    open.positions.length === 0 ? null : draw(chance, open, chance.pick(open.positions), near);
}

/** Moves, cancels and places exits of a position, as its owner could. */
function batch(chance: Chance, { orders }: OpenState, position: Position, near: Price): Command {
  const working = orders.filter((one) => one.exitGroup !== null && one.targetPositionId === position.id);
  const operations: ExitOperation[] = [];
  for (const { id, size, triggerPrice } of working) {
    const roll = chance.next();
    if (roll < 0.3) operations.push({ kind: 'cancel', orderId: id });
    else if (roll < 0.6 && triggerPrice !== null) {
      operations.push({ kind: 'modify', orderId: id, price: triggerPrice, size: chance.between(1, size) });
    }
  }
  if (operations.length === 0 || chance.chance(0.3)) {
    const group = chance.pick(['tp', 'sl'] as const);
    const up = (position.direction === 'long') === (group === 'tp') ? 1 : -1;
    const price = near + up * chance.between(2, 12);
    const size = chance.between(1, position.size);
    operations.push({ kind: 'place', group, executionType: 'market', price, size, ocoPairWithOperationIndex: null });
  }
  return {
    kind: 'replace_exits',
    positionId: position.id,
    expectedPositionSize: position.size,
    expectedOrders: asSeen(working),
    operations,
  };
}

function side(chance: Chance): Side {
  return chance.pick(['buy', 'sell'] as const);
}

trial('whatever happens, the legs of an entry protect what it fills, or its record says why not', () => {
  const seen = { working: 0, told: 0 };
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const law = trade(seed);
      seen.working += law.seen.working;
      seen.told += law.seen.told;
    }),
    { numRuns: process.env.PERP_LONG ? 3_000 : 10, endOnFailure: true },
  );
  assert.ok(seen.working > 120 && seen.told > 12, JSON.stringify(seen));
});
