import type { Changes } from '../../exchange/engine/commands.ts';
import type { Exchange } from '../../exchange/engine/exchange.ts';
import type { Account, Environment, Ms, Order, Position } from '../../exchange/engine/model.ts';
import type { Page, PageKey } from '../../exchange/store/query.ts';
import type { Account as WireAccount } from '../../wire/contract/accounts.ts';
import type { Order as WireOrder } from '../../wire/contract/orders.ts';
import type { OrderEventWord } from '../../wire/contract/streams.ts';
import { type AccountStream, type FrameText, frameText } from '../../wire/hosting/account-stream.ts';
import type { Outlet } from '../../wire/hosting/stream-host.ts';
import { presentAccount } from '../present/account.ts';
import { orderPresenter, positionPresenter, presentPosition } from '../present/presenters.ts';
import type { Simulation } from '../simulation/simulation.ts';

/** The records that may have changed at one moment. */
type FeedChanges = Pick<Changes, 'time' | 'sequence' | 'accounts' | 'orders' | 'positions'>;

const pageSize = 200;
/** Maximum number of fills per account reported to a client whose stream no longer exists. */
const maxMissedFills = 200;

/**
 * Sends frames to the streams of one owner and environment. A frame is sent only if REST would now answer differently,
 * except for values that marks alone change (`risk`, `liquidation_price`).
 */
export class AccountFeed {
  readonly owner: string;
  readonly environment: Environment;
  readonly streams = new Map<string, AccountStream>();
  readonly #simulation: Simulation;
  readonly #order: (order: Order) => WireOrder;
  /** Resources as last sent, by id, as JSON text. */
  readonly #accounts = new Map<string, string>();
  readonly #orders = new Map<string, string>();
  readonly #positions = new Map<string, string>();
  /** Records up to this number have been sent, if they need to be sent at all. */
  #sequence = 0;
  #settleSequence = 0;

  constructor(simulation: Simulation, owner: string, environment: Environment) {
    this.#simulation = simulation;
    this.#order = orderPresenter({ simulation });
    this.owner = owner;
    this.environment = environment;
  }

  /** A snapshot of everything open for each account, which then counts as sent. */
  snapshots(exchange: Exchange): FrameText[] {
    const { store } = this.#simulation;
    const isFirst = this.streams.size === 0;
    if (isFirst) this.#sequence = exchange.sequence;
    const working = store.workingOrders({ owner: this.owner, environment: this.environment, accountId: null });
    return store.accounts(this.owner, this.environment).map((account) => {
      const { id } = account;
      const open = store.openPositions(id);
      const orders = working.filter(({ accountId }) => accountId === id);
      if (isFirst) {
        this.#accounts.set(id, comparableAccount(this.#account(account, exchange)));
        for (const order of orders) this.#orders.set(order.id, JSON.stringify(this.#order(order)));
        for (const position of open) this.#positions.set(position.id, this.#comparablePosition(position));
        const [newest] = store.fills({ accountId: id, limit: 1, after: null }).rows;
        this.#settleSequence = Math.max(this.#settleSequence, newest?.settleSequence ?? 0);
      }
      return frameText('snapshot', {
        time: exchange.time,
        account_id: id,
        account: this.#account(account, exchange),
        positions: open.map(positionPresenter({ simulation: this.#simulation }, { exchange })),
        orders: orders.map(this.#order),
      });
    });
  }

  /** Fills after `since`, oldest first, for a client whose stream no longer exists. */
  fillsSince(since: Ms, exchange: Exchange): FrameText[] {
    const { store } = this.#simulation;
    const fills = store
      .accounts(this.owner, this.environment)
      .flatMap(({ id }) => store.fills({ accountId: id, limit: maxMissedFills, after: null }).rows)
      .filter(({ settledAt }) => settledAt! >= since);
    return inFillOrder(fills).map((order) => this.#fill(order, exchange.time));
  }

  /** Sends changes to all streams, moment by moment; the exchange is after the last one. */
  publish(changes: readonly FeedChanges[], exchange: Exchange, wallMs: number): void {
    const frames: FrameText[] = [];
    /** Accounts whose risk changed with frames sent since their own last frame. */
    const moved = new Set<string>();
    let time = exchange.time;
    for (const one of changes) {
      time = one.time;
      const touched = [...this.#ordersOf(one, frames), ...this.#positionsOf(one, exchange, frames)];
      for (const id of touched) moved.add(id);
      for (const id of this.#accountsOf(one, exchange, frames)) moved.delete(id);
      this.#sequence = Math.max(this.#sequence, one.sequence);
    }
    for (const id of moved) {
      const account = this.#simulation.store.account(id)!;
      frames.push(accountFrame('updated', time, this.#account(account, exchange)));
    }
    for (const frame of frames) for (const stream of this.streams.values()) stream.send(frame, wallMs);
  }

  /**
   * Everything that may have changed since it was last sent, no matter who changed it; null if the state was reset, so
   * earlier frames no longer apply.
   */
  differences(exchange: Exchange): FeedChanges | null {
    const { store } = this.#simulation;
    if (exchange.sequence < this.#sequence) return null;
    const filter = { owner: this.owner, environment: this.environment };
    const accounts = store.accounts(this.owner, this.environment);
    const orders = [...this.#orders.keys()].map((id) => store.order(id)!);
    orders.push(...store.workingOrders({ ...filter, accountId: null }));
    const positions = [...this.#positions.keys()].map((id) => store.position(id)!);
    for (const { id: accountId } of accounts) {
      orders.push(...newer((after) => store.orders({ ...filter, accountId, limit: pageSize, after }), this.#isNew));
      orders.push(
        ...newer(
          (after) => store.fills({ accountId, limit: pageSize, after }),
          ({ settleSequence }) => settleSequence! > this.#settleSequence,
        ),
      );
      positions.push(...store.openPositions(accountId));
      positions.push(...newer((after) => store.closedPositions({ accountId, limit: pageSize, after }), this.#isNew));
    }
    return {
      time: exchange.time,
      sequence: exchange.sequence,
      accounts: new Map(accounts.map((account) => [account.id, account])),
      orders: bySequence(orders),
      positions: bySequence(positions),
    };
  }

  readonly #isNew = ({ sequence }: { sequence: number }) => sequence > this.#sequence;

  /** Adds frames of orders, then of fills; returns the ids of their accounts. */
  #ordersOf(changes: FeedChanges, frames: FrameText[]): string[] {
    const touched: string[] = [];
    const fills: Order[] = [];
    for (const order of changes.orders.values()) {
      if (!this.#isOwn(order.accountId, changes)) continue;
      if (order.settleSequence !== null && order.settleSequence > this.#settleSequence) fills.push(order);
      const event = this.#orderEvent(order);
      if (event === null) continue;
      touched.push(order.accountId);
      const { accountId: account_id } = order;
      frames.push(frameText('order', { time: changes.time, event, account_id, order: this.#order(order) }));
    }
    for (const order of inFillOrder(fills)) frames.push(this.#fill(order, changes.time));
    this.#settleSequence = fills.at(-1)?.settleSequence ?? this.#settleSequence;
    return touched;
  }

  #orderEvent(order: Order): OrderEventWord | null {
    const earlier = this.#orders.get(order.id);
    if (order.status === 'pending' || order.status === 'resting') {
      const text = JSON.stringify(this.#order(order));
      if (text === earlier) return null;
      this.#orders.set(order.id, text);
      return earlier === undefined ? 'placed' : 'updated';
    }
    // Ended items were already sent once.
    if (!this.#orders.delete(order.id) && order.sequence <= this.#sequence) return null;
    return order.status;
  }

  #positionsOf(changes: FeedChanges, exchange: Exchange, frames: FrameText[]): string[] {
    const touched: string[] = [];
    for (const position of changes.positions.values()) {
      if (!this.#isOwn(position.accountId, changes)) continue;
      const event = this.#positionEvent(position);
      if (event === null) continue;
      touched.push(position.accountId);
      const wire = positionPresenter({ simulation: this.#simulation }, { exchange })(position);
      frames.push(frameText('position', { time: changes.time, event, account_id: position.accountId, position: wire }));
    }
    return touched;
  }

  #positionEvent(position: Position): 'opened' | 'updated' | 'closed' | null {
    const earlier = this.#positions.get(position.id);
    if (position.status === 'closed')
      return this.#positions.delete(position.id) || position.sequence > this.#sequence ? 'closed' : null;
    const text = this.#comparablePosition(position);
    if (text === earlier) return null;
    this.#positions.set(position.id, text);
    return earlier === undefined ? 'opened' : 'updated';
  }

  /** Adds frames of accounts; returns the ids of these accounts. */
  #accountsOf(changes: FeedChanges, exchange: Exchange, frames: FrameText[]): string[] {
    const touched: string[] = [];
    for (const account of changes.accounts.values()) {
      if (account.owner !== this.owner || account.environment !== this.environment) continue;
      const wire = this.#account(account, exchange);
      const earlier = this.#accounts.get(account.id);
      const text = comparableAccount(wire);
      if (text === earlier) continue;
      this.#accounts.set(account.id, text);
      touched.push(account.id);
      frames.push(accountFrame(earlier === undefined ? 'opened' : 'updated', changes.time, wire));
    }
    return touched;
  }

  #isOwn(accountId: string, changes: FeedChanges): boolean {
    if (this.#accounts.has(accountId)) return true;
    const account = changes.accounts.get(accountId);
    return account !== undefined && account.owner === this.owner && account.environment === this.environment;
  }

  #fill(order: Order, time: Ms): FrameText {
    return frameText('fill', { time, account_id: order.accountId, fill: this.#order(order) });
  }

  #comparablePosition(position: Position): string {
    return JSON.stringify(presentPosition(position, this.#simulation.market(position.marketId), null));
  }

  #account(account: Account, exchange: Exchange): WireAccount {
    return presentAccount(account, exchange.risk(account.id));
  }
}

function accountFrame(event: 'opened' | 'updated', time: Ms, account: WireAccount): FrameText {
  return frameText('account', { time, event, account_id: account.id, account });
}

/** Without values that marks alone change. */
function comparableAccount({ risk: _, ...rest }: WireAccount): string {
  return JSON.stringify(rest);
}

function bySequence<R extends { id: string; sequence: number }>(records: readonly R[]): Map<string, R> {
  return new Map([...records].sort((one, other) => one.sequence - other.sequence).map((record) => [record.id, record]));
}

/** Oldest first, in place. */
function inFillOrder(fills: Order[]): Order[] {
  return fills.sort((one, other) => one.settleSequence! - other.settleSequence!);
}

/** The rows of a list, newest first, up to the first that is not new. */
function newer<R>(read: (after: PageKey | null) => Page<R>, isNew: (row: R) => boolean): R[] {
  const found: R[] = [];
  let after: PageKey | null = null;
  do {
    const { rows, next } = read(after);
    for (const row of rows) {
      if (!isNew(row)) return found;
      found.push(row);
    }
    after = next;
  } while (after !== null);
  return found;
}

/**
 * Passes frames on, in order, once all their changes are on disk; frames that a failing disk has made doubtful are
 * never sent.
 */
export class HeldOutlet implements Outlet {
  readonly #outlet: Outlet;
  readonly #unsynced: () => Promise<void> | null;
  #held: { act: () => void; length: number }[] = [];
  #heldLength = 0;

  /** `unsynced` resolves once all results so far is on disk; null: it is. */
  constructor(outlet: Outlet, unsynced: () => Promise<void> | null) {
    this.#outlet = outlet;
    this.#unsynced = unsynced;
  }

  get buffered(): number {
    return this.#outlet.buffered + this.#heldLength;
  }

  send(text: string): void {
    this.#hold(() => this.#outlet.send(text), text.length);
  }

  close(code: number, reason: string): void {
    this.#hold(() => this.#outlet.close(code, reason), 0);
  }

  #hold(act: () => void, length: number): void {
    const unsynced = this.#unsynced();
    if (unsynced === null && this.#held.length === 0) {
      act();
      return;
    }
    const held = { act, length };
    this.#held.push(held);
    this.#heldLength += length;
    (unsynced ?? Promise.resolve()).then(
      () => this.#release(held),
      () => this.#drop(),
    );
  }

  /** Sends everything held up to this one, which is now on disk. */
  #release(last: { act: () => void; length: number }): void {
    const count = this.#held.indexOf(last) + 1;
    for (const { act, length } of this.#held.splice(0, count)) {
      this.#heldLength -= length;
      act();
    }
  }

  #drop(): void {
    this.#held = [];
    this.#heldLength = 0;
  }
}
