import { hash } from 'node:crypto';
import { newIdempotencyKey } from '../../client/identifiers.ts';
import type { Order } from '../../contract/orders.ts';
import type { Position } from '../../contract/positions.ts';
import type { TwapOrder } from '../../contract/strategies.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import type { FailureFacts } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import { follow } from '../reading/follow-order.ts';
import { sendBulk } from './write.ts';

/** What an account has open or working. */
export interface Standing {
  twaps: readonly TwapOrder[];
  orders: readonly Order[];
  positions: readonly Position[];
}

/** A step of flattening that failed. */
export interface FlattenFailure {
  what: 'account' | 'twap' | 'ladder' | 'order' | 'orders' | 'position' | 'positions';
  id: string;
  code: string;
  message: string;
}

/** The result of flattening an account, and what is left; ids are the API's. */
export interface Flattened {
  account_id: string;
  canceled: { twaps: string[]; ladders: string[]; orders: string[] };
  /** The closing orders, as last read. */
  closed: Order[];
  /** Null if it could not be read. */
  left: { twaps: string[]; orders: string[]; positions: string[] } | null;
  failures: FlattenFailure[];
  interrupted: boolean;
  /** A write got no answer, so it may still be carried out. */
  outcome_unknown: boolean;
}

/** A bulk operation takes at most 100 positions and 200 orders, and something may fill while it runs. */
const maxRounds = 5;
/** How long to wait for delayed market orders to close their positions, ms. */
const maxWaitMs = 5_000;

/** Reads what an account has open or working; an order whose cancellation is queued counts as canceled. */
export async function standingOf(context: Context, account_id: string): Promise<Standing> {
  const [twaps, orders, positions] = await Promise.all([
    context.call('listActiveTwapOrders', { query: { account_id } }),
    context.call('listOrders', { query: { account_id, status: 'working' } }),
    context.call('listOpenPositions', { query: { account_id } }),
  ]);
  const working = orders.data.filter(({ cancel_requested_at: asked }) => asked === undefined);
  return { twaps: twaps.data, orders: working, positions: positions.data };
}

/** The ladders that have working rungs. */
export function laddersOf({ orders }: Pick<Standing, 'orders'>): string[] {
  return [...new Set(orders.flatMap(({ scaled_order_id: id }) => id ?? []))];
}

export function isNothing({ twaps, orders, positions }: Standing): boolean {
  return twaps.length + orders.length + positions.length === 0;
}

/**
 * Stops every TWAP, closes every position, then cancels every ladder and order, and repeats this as long as something
 * is left and each round makes progress. A position that can't be closed keeps its exits. If one step fails, the others
 * are still tried; nothing is thrown once a write has been sent. Safe to repeat at any time.
 */
export async function flatten(context: Context, account_id: string): Promise<Flattened> {
  return context.during('Flattening', async () => {
    const run = new Flattening(context, account_id);
    // From here on, Ctrl-C stops between the steps, so that the result can be reported.
    const { signal } = context;
    let standing = await standingOf(context, account_id);
    for (let round = 1; round <= maxRounds && !isNothing(standing) && !signal.aborted; round++) {
      const achieved = await run.round(standing);
      const next = await run.standing();
      if (next === undefined) return run.result(undefined);
      standing = next;
      if (!achieved) break;
    }
    return run.result(standing);
  });
}

class Flattening {
  readonly #context: Context;
  readonly #account: string;
  readonly #twaps = new Set<string>();
  readonly #ladders = new Set<string>();
  readonly #orders = new Set<string>();
  readonly #closed = new Map<string, Order>();
  #failures: FlattenFailure[] = [];
  #isUnknown = false;
  #last: Standing = { twaps: [], orders: [], positions: [] };

  constructor(context: Context, account: string) {
    this.#context = context;
    this.#account = account;
  }

  /** True if the round stopped, closed or canceled anything. */
  async round(standing: Standing): Promise<boolean> {
    this.#last = standing;
    this.#failures = [];
    const before = this.#done();
    const running = standing.twaps.filter(({ status }) => status !== 'canceling');
    await Promise.all(running.map(({ id }) => this.#cancelTwap(id)));
    if (standing.positions.length > 0) await this.#closePositions(standing);
    if (standing.orders.length > 0) await this.#cancelOrders(standing);
    return this.#done() > before;
  }

  /** What is open and working now; undefined if it can't be read. */
  async standing(): Promise<Standing | undefined> {
    if (this.#context.signal.aborted) return undefined;
    try {
      return await standingOf(this.#context, this.#account);
    } catch (error) {
      this.#failed('account', this.#account, factsOf(error));
      return undefined;
    }
  }

  /** After an interruption, the rest is what existed when the last round started, minus what has been done since. */
  result(standing: Standing | undefined): Flattened {
    const { aborted } = this.#context.signal;
    const left = standing ?? (aborted ? this.#undone() : undefined);
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    return {
      account_id: this.#account,
      canceled: { twaps: [...this.#twaps], ladders: [...this.#ladders], orders: [...this.#orders] },
      closed: [...this.#closed.values()],
      left:
        left === undefined
          ? null
          : { twaps: ids(left.twaps), orders: ids(left.orders), positions: ids(left.positions) },
      failures: left !== undefined && isNothing(left) && !this.#isUnknown ? [] : this.#failures,
      interrupted: aborted,
      outcome_unknown: this.#isUnknown,
    };
  }

  #undone(): Standing {
    const { twaps, orders, positions } = this.#last;
    const closed = [...this.#closed.values()].filter(({ status }) => status === 'filled');
    const isClosed = (position: Position) =>
      closed.some(({ market_id, size }) => market_id === position.market_id && size >= position.size);
    return {
      twaps: twaps.filter(({ id }) => !this.#twaps.has(id)),
      orders: orders.filter(({ id }) => !this.#orders.has(id)),
      positions: positions.filter((position) => !isClosed(position)),
    };
  }

  #done(): number {
    return this.#twaps.size + this.#ladders.size + this.#orders.size + this.#closed.size;
  }

  #cancelTwap(id: string): Promise<void> {
    return this.#attempt('twap', id, async () => {
      await this.#context.call('cancelTwapOrder', { path: { twap_order_id: id } });
      this.#twaps.add(id);
    });
  }

  #closePositions({ positions }: Standing): Promise<void> {
    return this.#attempt('positions', this.#account, async () => {
      const send = sendBulk(this.#context, 'closeAllAccountPositions', 'Closing positions');
      const { data } = await send({
        path: { account_id: this.#account },
        idempotencyKey: this.#key('close', positions),
      });
      for (const { order } of data.results) if (order !== undefined) this.#closed.set(order.id, order);
      for (const { position_id, status, failure_code, rule_id } of data.results) {
        if (status !== 'failed') continue;
        const code = rule_id ?? failure_code ?? 'failed';
        this.#failures.push({ what: 'position', id: position_id, code, message: 'The position could not be closed.' });
      }
      await this.#settleCloses();
    });
  }

  /** Waits for delayed closing orders: canceling all orders would cancel them, too. */
  async #settleCloses(): Promise<void> {
    const pending = [...this.#closed.values()].filter(({ status }) => status === 'pending');
    const settled = await Promise.all(pending.map((order) => follow(this.#context, order, maxWaitMs)));
    for (const { order } of settled) this.#closed.set(order.id, order);
  }

  /**
   * Cancels all orders at once if no position is left. Otherwise one by one, except those that reduce the remaining
   * positions: a position that can't be closed keeps its stop, and a closing order in progress continues.
   */
  async #cancelOrders(before: Standing): Promise<void> {
    const now = before.positions.length === 0 ? before : await this.standing();
    if (now === undefined) return;
    await Promise.all(laddersOf(now).map((id) => this.#cancelLadder(id)));
    if (now.positions.length === 0) return this.#cancelAll(now);
    const held = new Set(now.positions.map(({ market_id }) => market_id));
    for (const order of now.orders) {
      if (order.reduce_only && held.has(order.market_id)) continue;
      if (order.scaled_order_id !== undefined && this.#ladders.has(order.scaled_order_id)) continue;
      await this.#cancelOrder(order.id);
    }
  }

  #cancelLadder(id: string): Promise<void> {
    return this.#attempt('ladder', id, async () => {
      await this.#context.call('cancelScaledOrder', { path: { scaled_order_id: id } });
      this.#ladders.add(id);
    });
  }

  #cancelOrder(id: string): Promise<void> {
    return this.#attempt('order', id, async () => {
      await this.#context.call('cancelOrder', { path: { order_id: id } });
      this.#orders.add(id);
    });
  }

  #cancelAll({ orders }: Standing): Promise<void> {
    if (orders.length === 0) return Promise.resolve();
    return this.#attempt('orders', this.#account, async () => {
      const send = sendBulk(this.#context, 'cancelAllAccountOrders', 'Canceling orders');
      const { data } = await send({ path: { account_id: this.#account }, idempotencyKey: this.#key('cancel', orders) });
      for (const { order_id, status, failure_code } of data.results) {
        if (status !== 'failed') this.#orders.add(order_id);
        else {
          const code = failure_code ?? 'failed';
          this.#failures.push({ what: 'order', id: order_id, code, message: 'The order could not be canceled.' });
        }
      }
    });
  }

  async #attempt(what: FlattenFailure['what'], id: string, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#context;
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      const facts = factsOf(await this.#context.diagnosed(error));
      if (facts.exit === exitCodes.bug) throw error;
      this.#isUnknown ||= facts.exit === exitCodes.outcomeUnknown;
      if (!signal.aborted) this.#failed(what, id, facts);
    }
  }

  #failed(what: FlattenFailure['what'], id: string, { code, ruleId, message }: FailureFacts): void {
    this.#failures.push({ what, id, code: ruleId ?? code, message });
  }

  /** The same positions or orders give the same key, so a repeated run repeats nothing and closes only what is new. */
  #key(step: string, standing: readonly { id: string; size: number }[]): string {
    const { idempotencyKey } = this.#context.settings;
    if (idempotencyKey === undefined) return newIdempotencyKey();
    const what = standing.map(({ id, size }) => `${id} ${size}`).sort();
    return hash('sha256', [idempotencyKey, step, this.#account, ...what].join('\n'), 'hex');
  }
}
