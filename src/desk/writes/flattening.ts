import { exitCodes, type FailureFacts } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { sleep } from '../../wire/client/retry.ts';
import type { Order } from '../../wire/contract/orders.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { TwapOrder } from '../../wire/contract/strategies.ts';
import { attempt, rowsOf, type Session } from '../session/session.ts';
import { cancelOnce, closeAllOnce, closeOnce, isRefusal, isRuling, type KeyOf, type Target } from './ending.ts';

/** The closed positions and canceled orders. */
export interface FlatteningOptions {
  /** All positions, these, or none. */
  positions: 'all' | 'none' | readonly string[];
  /** Orders and TWAPs, too. The exits of a position stay until it is closed; without positions, all are canceled. */
  orders: boolean;
  keyOf: KeyOf;
  /** Positions that are closed at once, without reading them first. */
  known?: readonly Position[] | undefined;
  /** Tries until it is done. Otherwise it gives up on items that keep failing. */
  isPatient: boolean;
  /** Something failed and is tried again. */
  onTrouble?: ((trouble: FlattenProblem) => void) | undefined;
}

/** Items that could not be ended or read, and why. */
export interface FlattenProblem {
  what: Target['kind'] | 'positions' | 'orders' | 'twaps';
  id: string;
  facts: FailureFacts;
}

/** A target and its current action. */
interface Pursued extends Target {
  isPending: boolean;
  isResting: boolean;
  /** Attempts that succeeded; more than a few have no effect. */
  acts: number;
  refusals: number;
  facts?: FailureFacts | undefined;
}

interface List<Row extends { id: string }> {
  name: 'positions' | 'orders' | 'twaps';
  read: () => Promise<{ data: readonly Row[] }>;
  rows: readonly Row[] | undefined;
  isReading: boolean;
  isResting: boolean;
  /** The number of writes when its last successful read began; -1 before that. */
  readAt: number;
  /** The number of reads since the last write with the same result. */
  reads: number;
  refusals: number;
  failures: number;
  error: unknown;
}

const firstPauseMs = 500;
const longestPauseMs = 5_000;
/** Positions are tried again sooner: a limit of requests per minute leaves room for that. */
const longestCloseMs = 2_000;
/** How long a delayed closing order may take before the position is closed again. */
const delayedMs = 5_000;
const mostRefusals = 3;
const mostFailures = 8;
const mostActs = 5;
/** The interval between reads of a list in which TWAPs are still ending. */
const mostReads = 10;

/**
 * Ends an account's positions and orders in parallel: each position, order and TWAP has its own attempts, and no list
 * has to be read before another is acted on. Safe to repeat at any time.
 */
export class Flattening {
  readonly closed = new Map<string, Order>();
  readonly canceled = { twap: new Set<string>(), ladder: new Set<string>(), order: new Set<string>() };
  /** A write got no answer, so it may still be carried out. */
  isUnknown = false;
  isAbandoned = false;
  readonly #session: Session;
  readonly #account: string;
  readonly #options: FlatteningOptions;
  /** Positions that are closed, whatever the list says. */
  readonly #gone = new Set<string>();
  readonly #targets = new Map<string, Pursued>();
  readonly #positions: List<Position>;
  readonly #orders: List<Order>;
  readonly #twaps: List<TwapOrder>;
  /** Those of what is to end. */
  readonly #lists: readonly List<{ id: string }>[];
  /** Writes begun and ended so far: a list that was read at a lower number may be out of date. */
  #writes = 0;
  readonly #over = new AbortController();
  #wake = () => {};
  #bug: unknown;

  constructor(session: Session, account: string, options: FlatteningOptions) {
    this.#session = session;
    this.#account = account;
    this.#options = options;
    const query = { account_id: account };
    const working = { ...query, status: 'working' } as const;
    this.#positions = newList('positions', () => attempt(session, 'listOpenPositions', { query }), options.known);
    this.#orders = newList('orders', () => attempt(session, 'listOrders', { query: working }));
    this.#twaps = newList('twaps', () => attempt(session, 'listActiveTwapOrders', { query }));
    const isPositions = options.positions !== 'none';
    this.#lists = [...(isPositions ? [this.#positions] : []), ...(options.orders ? [this.#orders, this.#twaps] : [])];
  }

  /**
   * Runs until everything is ended, it gives up, or the signal aborts. Throws only if it could neither read nor send
   * anything, and bugs.
   */
  async run(): Promise<void> {
    const { signal } = this.#session;
    const stop = () => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted && !this.isAbandoned && this.#bug === undefined && !this.isDone && !this.#isStuck()) {
        const changed = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#begin();
        await changed;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#over.abort();
    }
    if (this.#bug !== undefined) throw this.#bug;
    const isUnread = this.#lists.every(({ rows }) => rows === undefined);
    if (!signal.aborted && this.#writes === 0 && isUnread) throw this.#lists[0]!.error;
  }

  /** Ends without finishing: the item to end no longer exists. */
  abandon(): void {
    this.isAbandoned = true;
    this.#wake();
  }

  /** Whether everything has ended, according to lists read after the last write. */
  get isDone(): boolean {
    if (this.#isWriting()) return false;
    const isEmpty = this.#due().length + this.#held().length === 0;
    return isEmpty && this.#lists.every((list) => this.#isCurrent(list)) && !this.#isEnding();
  }

  /**
   * The remaining items; undefined for a list that was never read. Orders canceled since a list was read don't remain.
   */
  get left() {
    const { positions, orders } = this.#options;
    const { twap, order, ladder } = this.canceled;
    const isLeft = ({ id, scaled_order_id: parent = '' }: Order) => !order.has(id) && !ladder.has(parent);
    const [working, twaps] = [this.#orders.rows?.filter(isToCancel), this.#twaps.rows];
    return {
      positions: positions === 'none' ? [] : this.#positions.rows?.filter((position) => this.#isWanted(position)),
      orders: !orders ? [] : this.#isCurrent(this.#orders) ? working : working?.filter(isLeft),
      twaps: !orders ? [] : this.#isCurrent(this.#twaps) ? twaps : twaps?.filter(({ id }) => !twap.has(id)),
    };
  }

  get troubles(): FlattenProblem[] {
    const targets = [...this.#targets.values()].flatMap(({ kind, id, facts }) =>
      facts === undefined ? [] : [{ what: kind, id, facts }],
    );
    const lists = this.#lists.flatMap(({ name, error }) =>
      error === undefined ? [] : [{ what: name, id: this.#account, facts: factsOf(error) }],
    );
    return [...targets, ...lists];
  }

  /** Begins every read and write that is due. */
  #begin(): void {
    for (const { target, act } of this.#due()) if (!target.isPending && !target.isResting) this.#pursue(target, act);
    for (const list of this.#lists) this.#read(list);
  }

  /** Items that can be ended now, and how. */
  #due(): { target: Pursued; act: (target: Pursued) => Promise<number> }[] {
    const { positions, orders } = this.#options;
    const held = new Set(this.#held());
    const cancel = async (target: Pursued) => {
      await cancelOnce(this.#session, target);
      if (target.kind !== 'position') this.canceled[target.kind].add(target.id);
      return firstPauseMs;
    };
    const due: { target: Pursued; act: (target: Pursued) => Promise<number> }[] = [];
    for (const position of this.#positions.rows ?? [])
      if (this.#isWanted(position))
        due.push({ target: this.#targetOf('position', position.id), act: (target) => this.#close(target, position) });
    const isUnlisted = positions === 'all' && this.#positions.rows === undefined && this.#positions.failures > 1;
    if (isUnlisted)
      due.push({ target: this.#targetOf('position', this.#account), act: (target) => this.#closeAll(target) });
    if (!orders) return due;
    for (const { id, status } of this.#twaps.rows ?? [])
      if (status !== 'canceling') due.push({ target: this.#targetOf('twap', id), act: cancel });
    for (const order of this.#orders.rows ?? []) {
      if (!isToCancel(order) || held.has(order)) continue;
      const ladder = order.scaled_order_id === undefined ? undefined : this.#targetOf('ladder', order.scaled_order_id);
      // A ladder that can't be canceled as a whole is canceled rung by rung.
      const target = ladder !== undefined && ladder.failures === 0 ? ladder : this.#targetOf('order', order.id);
      if (due.every((other) => other.target !== target)) due.push({ target, act: cancel });
    }
    return due;
  }

  /** Exits that wait until their positions are closed. */
  #held(): Order[] {
    if (this.#options.positions === 'none') return [];
    const { rows } = this.#positions;
    const open = new Set(rows?.filter(({ id }) => !this.#gone.has(id)).map(({ market_id }) => market_id));
    const waits = (order: Order) => order.reduce_only && (rows === undefined || open.has(order.market_id));
    return (this.#orders.rows ?? []).filter((order) => isToCancel(order) && waits(order));
  }

  async #close(target: Pursued, position: Position): Promise<number> {
    const order = await closeOnce(this.#session, position, target, this.#options.keyOf).catch(
      async (error: unknown) => {
        if (!isRuling(error) || !(await this.#isClosed(position))) throw error;
        this.#gone.add(position.id);
        return undefined;
      },
    );
    if (order === undefined) return firstPauseMs;
    this.closed.set(order.id, order);
    return order.status === 'pending' || order.status === 'resting' ? delayedMs : firstPauseMs;
  }

  /** A list may still show a position that was closed a moment ago; the position itself is current. */
  async #isClosed({ id }: Position): Promise<boolean> {
    try {
      return (await attempt(this.#session, 'getPosition', { path: { position_id: id } })).data.status === 'closed';
    } catch {
      return false;
    }
  }

  async #closeAll(target: Pursued): Promise<number> {
    for (const order of await closeAllOnce(this.#session, target, this.#options.keyOf))
      this.closed.set(order.id, order);
    return delayedMs;
  }

  #pursue(target: Pursued, act: (target: Pursued) => Promise<number>): void {
    target.isPending = true;
    this.#writes += 1;
    const pause = (ms: number) => {
      this.#writes += 1;
      target.isPending = false;
      this.#rest(target, ms);
    };
    act(target).then(
      (ms) => {
        target.acts += 1;
        target.failures = 0;
        target.facts = undefined;
        pause(ms);
      },
      (error: unknown) => {
        this.#failed(target, error);
        if (target.facts !== undefined)
          this.#options.onTrouble?.({ what: target.kind, id: target.id, facts: target.facts });
        pause(Math.min(pauseAfter(target.failures), target.kind === 'position' ? longestCloseMs : longestPauseMs));
      },
    );
  }

  #failed(target: Pursued, error: unknown): void {
    const facts = factsOf(error);
    if (facts.exit === exitCodes.bug) this.#bug ??= this.#options.isPatient ? undefined : error;
    this.isUnknown ||= facts.exit === exitCodes.outcomeUnknown;
    if (isRuling(error)) target.refusals += 1;
    target.failures += 1;
    if (!this.#session.signal.aborted) target.facts = facts;
  }

  #read(list: List<{ id: string }>): void {
    const mayWait = this.#isCurrent(list) || list.failures > 0;
    if (list.isReading || (list.isResting && mayWait)) return;
    list.isReading = true;
    const readAt = this.#writes;
    list
      .read()
      .then(({ data }) => {
        list.rows = rowsOf(data);
        list.reads = list.readAt === readAt ? list.reads + 1 : 1;
        Object.assign(list, { readAt, failures: 0, error: undefined });
        this.#rest(list, firstPauseMs);
      })
      .catch((error: unknown) => {
        list.failures += 1;
        if (isRefusal(error)) list.refusals += 1;
        if (!this.#session.signal.aborted) {
          list.error = error;
          this.#options.onTrouble?.({ what: list.name, id: this.#account, facts: factsOf(error) });
        }
        this.#rest(list, pauseAfter(list.failures));
      })
      .finally(() => {
        list.isReading = false;
        this.#wake();
      });
  }

  #rest(what: { isResting: boolean }, ms: number): void {
    const { machine } = this.#session;
    what.isResting = true;
    void (machine.sleep ?? sleep)(ms, this.#over.signal).then(() => {
      what.isResting = false;
      this.#wake();
    });
    this.#wake();
  }

  /** Nothing more can be achieved. */
  #isStuck(): boolean {
    if (this.#options.isPatient || this.#isWriting()) return false;
    const areRead = this.#lists.every((list) => this.#isCurrent(list) || this.#isHopeless(list));
    return areRead && this.#due().every(({ target }) => this.#isHopeless(target)) && !this.#isEnding();
  }

  #isHopeless({ acts = 0, refusals, failures }: { acts?: number; refusals: number; failures: number }): boolean {
    const isTooOften = refusals >= mostRefusals || failures >= mostFailures || acts >= mostActs;
    return isTooOften && !this.#options.isPatient;
  }

  /** TWAPs are being stopped: one of them may still trade. */
  #isEnding(): boolean {
    const { rows = [], reads } = this.#twaps;
    return this.#options.orders && rows.some(({ status }) => status === 'canceling') && reads < mostReads;
  }

  #isCurrent({ readAt }: { readAt: number }): boolean {
    return readAt === this.#writes;
  }

  #isWriting(): boolean {
    return [...this.#targets.values()].some(({ isPending }) => isPending);
  }

  #isWanted({ id }: Position): boolean {
    const { positions } = this.#options;
    return positions !== 'none' && (positions === 'all' || positions.includes(id)) && !this.#gone.has(id);
  }

  #targetOf(kind: Target['kind'], id: string): Pursued {
    const name = `${kind} ${id}`;
    const known = this.#targets.get(name);
    if (known !== undefined) return known;
    const state = { isPending: false, isResting: false, acts: 0, refusals: 0, failures: 0 };
    const target: Pursued = { kind, id, answered: { close: 0, reduce: 0 }, ...state };
    this.#targets.set(name, target);
    return target;
  }
}

/** Whether an order is working and not already being canceled. */
export function isToCancel({ cancel_requested_at: asked }: Order): boolean {
  return asked === undefined;
}

function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** Math.max(0, failures - 1));
}

function newList<Row extends { id: string }>(
  name: List<Row>['name'],
  read: List<Row>['read'],
  rows?: readonly Row[],
): List<Row> {
  const state = { isReading: false, isResting: false, readAt: -1, reads: 0, refusals: 0, failures: 0 };
  return { name, read, rows, error: undefined, ...state };
}
