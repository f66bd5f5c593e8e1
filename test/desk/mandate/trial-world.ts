import { closeFields, requestFields } from '../../../src/base/terms/order-fields.ts';
import type { Exposed, GateWrite } from '../../../src/desk/mandate/mandate.ts';
import type { Command } from '../../../src/exchange/engine/commands.ts';
import type { Order } from '../../../src/exchange/engine/model.ts';
import { commandFields } from '../../../src/service/handlers/requested.ts';
import { presentAccount } from '../../../src/service/present/account.ts';
import { presentOrder, presentPosition, presentTwap } from '../../../src/service/present/presenters.ts';
import type { CopyTradingConfiguration, Account as WireAccount } from '../../../src/wire/contract/accounts.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { Scenario } from '../../exchange/engine/scenario.ts';
import { definition, type Level, type ScriptedEvent, ScriptedSource } from '../../exchange/engine/scripted-source.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function drawnFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Two markets of 100 USD, with prices to the cent and sizes to the hundredth. */
const definitions = ['TEST', 'ALT'].map((symbol) =>
  definition({ marketId: `binance|${symbol}`, symbol, coin: symbol, sizeDecimals: 2, priceDecimals: 2 }),
);
/** Their ids. */
export const markets = definitions.map(({ marketId }) => marketId);

/** How prices move within a second, bps: mostly, and at a jump. */
export interface Weather {
  readonly step: number;
  readonly jump: number;
}

/** Books of two markets, one a second. */
function scriptOf(draw: () => number, seconds: number, { step, jump }: Weather): ScriptedEvent[] {
  const script: ScriptedEvent[] = [];
  const mids = definitions.map(() => 10_000);
  for (let second = 0; second <= seconds; second += 1) {
    for (const [at, { marketId: market }] of definitions.entries()) {
      const bps = draw() < 0.05 ? jump : step;
      mids[at] = Math.max(2_000, Math.round(mids[at]! * (1 + ((draw() * 2 - 1) * bps) / 1e4)));
      const mid = mids[at]!;
      const side = (sign: 1 | -1): Level[] =>
        [1, 2, 4].map((away) => [mid + sign * away, 2_000 + Math.floor(draw() * 20_000)]);
      script.push({ time: second * 1_000, market, bids: side(-1), asks: side(1) });
    }
  }
  return script;
}

/** An exchange with a lead and a follower, and both as a gate sees them. */
export class World {
  readonly scenario: Scenario;
  readonly lead: string;
  readonly follower: string;
  readonly multiplierBps: number;
  readonly isCopied: boolean;

  constructor(draw: () => number, seconds: number, weather: Weather, isCopied: boolean) {
    this.scenario = new Scenario(new ScriptedSource(scriptOf(draw, seconds, weather), definitions), { plan: 'select' });
    this.scenario.to(0);
    this.lead = this.scenario.accountId;
    this.follower = this.scenario.openAccount({ startingBalance: 150_000, plan: 'select' });
    this.multiplierBps = 1_000 * (1 + Math.floor(draw() * 20));
    this.isCopied = isCopied;
    if (!isCopied) return;
    const targets = [{ accountId: this.follower, multiplierBps: this.multiplierBps }];
    const group = { configId: null, enabled: true, sourceAccountId: this.lead, targets };
    this.scenario.done({
      kind: 'save_copy_groups',
      owner: 'somebody',
      environment: 'live',
      groups: [group],
      deletedConfigIds: [],
    });
  }

  get now(): number {
    return this.scenario.exchange.time;
  }

  mark(market: string): number {
    const { bids, asks } = this.scenario.exchange.book(market);
    return (bids.best + asks.best) / 200;
  }

  workingOf(account: string): Order[] {
    return [...this.scenario.orders.values()].filter(
      ({ accountId, status }) => accountId === account && (status === 'resting' || status === 'pending'),
    );
  }

  /** What a gate knows of an account, without `pending`. */
  exposed(account: string, pending: readonly GateWrite[] = []): Exposed {
    const { exchange, positions, twaps } = this.scenario;
    const of = (marketId: string) => definitions.find((one) => one.marketId === marketId)!;
    const wire: WireAccount = presentAccount(exchange.account(account), exchange.risk(account));
    const copies: CopyTradingConfiguration[] = [];
    if (this.isCopied)
      copies.push({
        config_id: 'cpy',
        enabled: true,
        source_account_id: this.lead,
        targets: [{ account_id: this.follower, multiplier_bps: this.multiplierBps }],
        policy_version: 1,
        updated_at: 0,
      });
    const isLead = account === this.lead && this.isCopied;
    return {
      account: wire,
      positions: [...positions.values()]
        .filter(({ accountId, status }) => accountId === account && status === 'open')
        .map((one) => presentPosition(one, of(one.marketId), exchange.liquidationPrice(one.id))),
      working: this.workingOf(account).map((order) => asSent(presentOrder(order, of(order.marketId)))),
      twaps: [...twaps.values()]
        .filter(({ accountId, status }) => accountId === account && status === 'running')
        .map((twap) => presentTwap(twap, of(twap.marketId))),
      copies,
      followers: isLead ? new Map([[this.follower, this.exposed(this.follower)]]) : new Map(),
      policy: undefined,
      marks: new Map(markets.map((id) => [id, { price: this.mark(id), at: this.now, tick: 0.01, feeBps: 0 }])),
      markets: new Map(definitions.map((one) => [one.marketId, marketOf(one.symbol)])),
      lostUsd: wire.starting_balance - wire.risk!.equity!,
      sentAt: [],
      pending,
    };
  }
}

function marketOf(symbol: string): Market {
  const named = { market_id: `binance|${symbol}`, provider: 'binance', symbol, coin: symbol } as const;
  return { ...named, size_decimals: 2, max_leverage: 50, tick_size: 0.01 };
}

/** As JSON would give it: absent fields are absent. */
function asSent<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** The exchange's command of a write; undefined: none of these trials sends it. */
export function commandOf({ operation, account, path = {}, body = {} }: GateWrite): Command | undefined {
  const { scenario: _, ...fields } = body as Record<string, never>;
  const orderId = path.order_id!;
  const positionId = path.position_id!;
  switch (operation) {
    case 'createOrder':
      return { kind: 'place_order', ...commandFields(requestFields, fields), mode: fields.type! } as Command;
    case 'modifyOrder':
      return { kind: 'amend_order', orderId, price: fields.price!, size: fields.size ?? null };
    case 'cancelOrder':
      return { kind: 'cancel_order', orderId };
    case 'updateAttachedExits': {
      const legs = { takeProfitPrice: fields.take_profit_price, stopLossPrice: fields.stop_loss_price };
      return { kind: 'update_attached_exits', orderId, ...legs };
    }
    case 'cancelAllAccountOrders':
      return { kind: 'start_bulk', operation: 'cancel_all_orders', accountId: account };
    case 'closeAllAccountPositions':
      return { kind: 'start_bulk', operation: 'close_all_positions', accountId: account };
    case 'closePosition': {
      const { mode: __, ...asked } = commandFields(closeFields, fields);
      return {
        kind: 'close_position',
        positionId,
        type: fields.type,
        ...asked,
        size: fields.size ?? null,
      } as unknown as Command;
    }
    case 'replacePositionExitOrders':
      return exitsOf(positionId, fields);
    case 'setPositionIsolatedMargin':
      return { kind: 'set_isolated_margin', positionId, extraMargin: fields.extra_margin! };
    case 'createTwapOrder':
      return twapOf(fields);
    case 'createScaledOrder':
      return ladderOf(fields);
    default:
      return undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a body is what the trial has drawn.
type Drawn = Record<string, any>;

function exitsOf(positionId: string, { expected_position_size, expected_orders, operations }: Drawn): Command {
  return {
    kind: 'replace_exits',
    positionId,
    expectedPositionSize: expected_position_size,
    expectedOrders: expected_orders.map((one: Drawn) => ({
      orderId: one.order_id,
      executionType: null,
      price: one.price,
      size: one.size,
    })),
    operations: operations.map((one: Drawn) =>
      one.kind === 'cancel'
        ? { kind: 'cancel', orderId: one.order_id }
        : one.kind === 'modify'
          ? { kind: 'modify', orderId: one.order_id, price: one.price, size: one.size ?? null }
          : {
              kind: 'place',
              group: one.group,
              executionType: one.execution_type ?? 'market',
              price: one.price,
              size: one.size,
              ocoPairWithOperationIndex: null,
            },
    ),
  };
}

function twapOf({ account_id, market_id, side, size, leverage, margin_mode, reduce_only }: Drawn): Command {
  return {
    kind: 'place_twap',
    accountId: account_id,
    marketId: market_id,
    strategy: 'twap',
    side,
    size,
    expectedPrice: 100,
    leverage,
    marginMode: margin_mode,
    durationMinutes: 5,
    sliceIntervalSeconds: 30,
    randomize: false,
    reduceOnly: reduce_only,
    triggerPrice: null,
    maxPrice: null,
    minPrice: null,
  };
}

function ladderOf({ account_id, market_id, side, size, leverage, margin_mode, reduce_only, ...more }: Drawn): Command {
  return {
    kind: 'place_scaled',
    accountId: account_id,
    marketId: market_id,
    side,
    size,
    startPrice: more.start_price,
    endPrice: more.end_price,
    rungCount: more.rung_count,
    distribution: 'flat',
    leverage,
    marginMode: margin_mode,
    reduceOnly: reduce_only,
    marketableLimitAcknowledged: true,
  };
}
