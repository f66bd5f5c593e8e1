import assert from 'node:assert/strict';
import type { Changes, Command, Done, Outcome, PlaceOrder, Refused } from '../../../src/exchange/engine/commands.ts';
import { plans, type Rates } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import type {
  Account,
  Money,
  Ms,
  Order,
  Policy,
  Position,
  Posting,
  ScaledOrder,
  Side,
  TwapOrder,
} from '../../../src/exchange/engine/model.ts';
import type { MarketSource } from '../../../src/exchange/engine/source.ts';
import { type ScriptedEvent, ScriptedSource } from './scripted-source.ts';

/** Money in whole or fractional USD, for tables. */
export function usd(amount: number): Money {
  return BigInt(Math.round(amount * 1e8));
}

/** The options of a scenario; the rest is one account with 100,000 USD, without rules or fees. */
export interface ScenarioOptions {
  startingBalance?: number;
  rates?: Rates;
  policy?: (policy: Policy) => void;
  at?: Ms;
  plan?: keyof typeof plans;
  minimumTradingDays?: number;
}

/** Default terms of an order: market and cross at 1x. */
export const plainOrder = {
  kind: 'place_order',
  clientOrderId: null,
  mode: 'market',
  expectedPrice: null,
  leverage: 1,
  marginMode: 'cross',
  reduceOnly: false,
  slippageToleranceBps: null,
  takeProfitPrice: null,
  stopLossPrice: null,
  triggerPrice: null,
  limitPrice: null,
  timeInForce: null,
  gtdExpiresAt: null,
  chaseOffset: null,
  chaseCapPrice: null,
  marketableLimitAcknowledged: false,
  replaceOverlappingExits: false,
  triggerMarketId: null,
  triggerDirection: null,
  targetPositionId: null,
} as const satisfies Partial<PlaceOrder>;

/** No fees and no carry, so that tables show prices only. */
export const noRates: Rates = { feeBps: { crypto: 0 }, carryBpsPerDay: { crypto: 0 } };

/**
 * An exchange on a script, used as a trader would: place, wait, look. Keeps everything ever recorded, so that tables
 * can check fills and the ledger.
 */
export class Scenario {
  exchange: Exchange;
  readonly source: MarketSource;
  readonly accountId: string;
  readonly accounts = new Map<string, Account>();
  readonly orders = new Map<string, Order>();
  readonly positions = new Map<string, Position>();
  readonly twaps = new Map<string, TwapOrder>();
  readonly scaled = new Map<string, ScaledOrder>();
  readonly ledger: Posting[] = [];
  readonly explanations: Changes['explanations'] = [];
  readonly rates: Rates;

  constructor(script: readonly ScriptedEvent[] | MarketSource, options: ScenarioOptions = {}) {
    this.source = Array.isArray(script) ? new ScriptedSource(script) : (script as MarketSource);
    this.rates = options.rates ?? noRates;
    this.exchange = new Exchange(this.source, emptyState(1, options.at ?? 0), this.rates);
    this.accountId = this.openAccount(options);
  }

  openAccount(options: ScenarioOptions = {}): string {
    const { account } = this.done({
      kind: 'open_account',
      owner: 'somebody',
      environment: 'live',
      name: 'practice',
      plan: { ...plans[options.plan ?? 'none'], minimumTradingDays: options.minimumTradingDays ?? 0 },
      startingBalance: options.startingBalance ?? 100_000,
    });
    if (options.policy !== undefined) {
      const policy = structuredClone(account!.policy);
      options.policy(policy);
      this.done({ kind: 'set_policy', accountId: account!.id, policy });
    }
    return account!.id;
  }

  /** Advances time. */
  to(time: Ms): this {
    this.exchange.advance(time);
    this.collect();
    return this;
  }

  execute(command: Command): Outcome {
    const outcome = this.exchange.execute(command);
    this.collect();
    return outcome;
  }

  done(command: Command): Done {
    const outcome = this.execute(command);
    assert.equal(outcome.ok, true, outcome.ok ? '' : `${outcome.ruleId ?? outcome.code}: ${outcome.message}`);
    return outcome as Done;
  }

  refused(command: Command): Refused {
    const outcome = this.execute(command);
    assert.equal(outcome.ok, false, 'the command was expected to be refused');
    return outcome as Refused;
  }

  /** A place_order command: market and cross at 1x by default. */
  order(side: Side, size: number, changes: Partial<PlaceOrder> = {}): PlaceOrder {
    const mode = changes.limitPrice !== undefined ? 'limit' : 'market';
    const marketId = this.source.definitions[0]!.marketId;
    return { ...plainOrder, accountId: this.accountId, marketId, side, size, mode, ...changes };
  }

  /** Places an order that must be accepted; returns its record as of now. */
  place(side: Side, size: number, changes: Partial<PlaceOrder> = {}): Order {
    return this.done(this.order(side, size, changes)).order!;
  }

  /** The rule that refuses an order. */
  ruleAgainst(side: Side, size: number, changes: Partial<PlaceOrder> = {}): string | undefined {
    return this.refused(this.order(side, size, changes)).ruleId;
  }

  /** The latest state of a record. */
  record(order: Order): Order {
    return this.orders.get(order.id)!;
  }

  /** Sizes of an order's executions so far, in settlement order. */
  fillsOf(order: Order): number[] {
    return this.fills()
      .filter((fill) => fill.id === order.id || fill.partialOfOrderId === order.id)
      .map((fill) => fill.size);
  }

  /** Every fill record, in settlement order. */
  fills(): Order[] {
    const filled = [...this.orders.values()].filter(({ status }) => status === 'filled');
    return filled.sort((a, b) => a.settleSequence! - b.settleSequence!);
  }

  account(accountId = this.accountId): Account {
    return this.accounts.get(accountId)!;
  }

  balance(accountId = this.accountId): Money {
    return this.ledger.filter((entry) => entry.accountId === accountId).reduce((sum, entry) => sum + entry.amount, 0n);
  }

  position(marketId = this.source.definitions[0]!.marketId): Position | undefined {
    return [...this.positions.values()].find(({ status, marketId: id }) => status === 'open' && id === marketId);
  }

  private collect(): void {
    const changes = this.exchange.takeChanges();
    for (const [id, account] of changes.accounts) this.accounts.set(id, account);
    for (const [id, order] of changes.orders) this.orders.set(id, order);
    for (const [id, position] of changes.positions) this.positions.set(id, position);
    for (const [id, twap] of changes.twaps) this.twaps.set(id, twap);
    for (const [id, scaled] of changes.scaled) this.scaled.set(id, scaled);
    this.ledger.push(...changes.ledger);
    this.explanations.push(...changes.explanations);
  }
}
