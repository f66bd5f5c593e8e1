import type { KnownOperationId } from '../../wire/contract/operations.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Destination } from '../intents/note.ts';
import type { Trade } from '../risk/trade.ts';
import type { Received } from './bad-answer.ts';

const maxReceived = 32;

/** A session's knowledge from its own requests: resources it has read, and facts that answers included. */
export class SessionMemory {
  /** Whether `once` may return what another session has read. */
  readonly sharesReads: boolean = false;
  /** The lines before this one, in a batch. */
  readonly siblings: Siblings | undefined = undefined;
  /** The source of prices in the last answer that specified one: `synthetic`, `recorded`, `live`. */
  marketSource: string | undefined;
  /** The header about ended accounts in the simulation's last answer; undefined if none have ended. */
  endings: string | undefined;
  /** Identity of the simulation's run, in the last answer that had one; undefined on a host. */
  run: string | undefined;
  readonly #runListeners = new Set<(run: string, before: string | undefined) => void>();
  /** Accounts whose end the result or a note says. */
  readonly saidEndings = new Set<string>();
  /** Where its requests go; undefined until the service is opened. */
  destination: Destination | undefined;
  /** The accounts that its requests concern. */
  readonly accounts = new Set<string>();
  /** The latest answers from a host. */
  readonly received: Received[] = [];
  readonly #isHost: boolean;
  readonly #read = new Map<string, Promise<unknown>>();
  readonly #atEnd = new Map<string, () => void>();

  constructor({ isHost }: { isHost: boolean }) {
    this.#isHost = isHost;
  }

  /** Does something once per run, such as reading the list of markets; after a failure, it may be tried again. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const known = this.#read.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const begun = work();
    this.#read.set(name, begun);
    begun.catch(() => this.#read.delete(name));
    return begun;
  }

  /** The work that `once` has begun under this name; undefined if there is none. */
  known<T>(name: string): Promise<T> | undefined {
    return this.#read.get(name) as Promise<T> | undefined;
  }

  /** Does something once per run; sessions that share what they read do it at most once a second. */
  recent<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.once(name, work);
  }

  /** Reads everything again from now on. */
  forget(): void {
    this.#read.clear();
  }

  /** The account changes made by the orders sent so far. Only a batch counts it, because it sends more than one. */
  changeOf(_account: string): Change {
    return unchanged;
  }

  /** An answer came from this run of the simulation: a reset begins another one. */
  tookRun(run: string): void {
    if (run === this.run) return;
    const before = this.run;
    this.run = run;
    for (const listener of this.#runListeners) listener(run, before);
  }

  /** Reports each run that an answer comes from; returns a function that ends it. */
  onRun(listener: (run: string, before: string | undefined) => void): () => void {
    this.#runListeners.add(listener);
    return () => this.#runListeners.delete(listener);
  }

  /** Does something when the session ends, or all that share what they read; of works with the same name, the last. */
  atEnd(name: string, work: () => void): void {
    this.#atEnd.set(name, work);
  }

  /** The session ends. */
  end(): void {
    for (const work of this.#atEnd.values()) work();
    this.#atEnd.clear();
  }

  /** Remembers which account a request concerns. */
  concerns(account: string | undefined): void {
    if (account !== undefined) this.accounts.add(account);
  }

  /** Stores which accounts have ended, for the announcement at the end of the command. */
  storeEndings(endings: string | undefined): void {
    this.endings = endings;
  }

  /** Remembers an answer from a host, to find out later why it could not be read. */
  took(id: KnownOperationId, { status, body }: Omit<Received, 'id'>): void {
    if (!this.#isHost) return;
    this.received.push({ id, status, body });
    if (this.received.length > maxReceived) this.received.shift();
  }

  /** An error that looks like a bug, as the failure of a bad answer if one caused it. */
  async diagnosed(error: unknown): Promise<unknown> {
    if (this.received.length === 0) return error;
    const { diagnosed } = await import('./bad-answer.ts');
    return diagnosed(this.received, error);
  }
}

/** The effect of fills on an account at the marks of their time, USD. */
export interface Change {
  readonly equity: number;
  readonly unrealized: number;
}

/** Nothing has changed. */
export const unchanged: Change = { equity: 0, unrealized: 0 };

/** A batch line's knowledge of the lines before it. */
export interface Siblings {
  /**
   * Open positions of an account, read in the last second, with what the orders of the batch have changed since; and
   * the orders before this line that are not answered yet, as they are expected to trade. Waits for lines that have not
   * said yet what they are expected to do.
   */
  positions(account: string, read: () => Promise<readonly Position[]>): Promise<Expected>;
  /** The expected effect of this line's order. */
  expects(trade: Trade): void;
  /** Resolves once all lines before it are answered. */
  itsTurn(): Promise<void>;
}

/** Positions as they are, and the trades that are expected next. */
interface Expected {
  readonly held: readonly Position[];
  readonly trades: readonly Trade[];
}
