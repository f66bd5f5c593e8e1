import type { Answer, CallOptions } from '../../client/client.ts';
import type { KnownOperationId, RequestOf } from '../../contract/operations.ts';
import type { Order } from '../../contract/orders.ts';
import type { WriteKeeper } from '../../desk/intents/keeper.ts';
import type { Given } from '../../desk/intents/note.ts';
import { SessionMemory } from '../../desk/session/memory.ts';
import { interruptedFailure, usageFailure } from '../../ground/failure/failure.ts';
import type { OpenedConnection } from '../context/connection.ts';
import { type CommandModule, Context } from '../context/context.ts';
import { plainPalette } from '../output/palette.ts';
import type { Settings } from '../settings/settings.ts';
import type { Outside } from '../terminal/outside.ts';

/** Names that commands look up are read again after this time, ms. */
const knownForMs = 30_000;

/** What the commands of one batch share: a connection and looked-up names. */
export class BatchMemory {
  readonly context: Context;
  readonly outside: Outside;
  #intents: WriteKeeper | undefined;
  readonly #modules = new Map<string, Promise<CommandModule>>();
  readonly #known = new Map<string, { value: Promise<unknown>; at: number }>();
  readonly #costs = new Map<string, number>();

  constructor(context: Context) {
    this.context = context;
    const { io } = context;
    const noTerminal = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false };
    this.outside = {
      ...context.outside,
      io: {
        ...noTerminal,
        columns: Number.POSITIVE_INFINITY,
        out: () => {},
        err: (text) => io.err(text),
        input: () => {
          throw usageFailure("A command can't read standard input in a batch.", 'Use a file.');
        },
      },
    };
  }

  /** The batch's connection, opened on first use. */
  async connection(): Promise<OpenedConnection> {
    const connection = await this.context.connection();
    this.#intents = connection.intents;
    return connection;
  }

  /** Marks the answers so far as seen by the user. */
  shown(): void {
    this.#intents?.shown();
  }

  /** Makes the answers so far visible to readers of the journals. */
  flush(): void {
    this.#intents?.flush();
  }

  /** A command's code, loaded once. */
  module(path: string): Promise<CommandModule> {
    const module = this.#modules.get(path) ?? this.context.registry.load(path);
    this.#modules.set(path, module);
    return module;
  }

  /** What the orders of the batch have cost an account so far, USD. */
  costsOf(account: string): number {
    return this.#costs.get(account) ?? 0;
  }

  /** Counts what a new order has cost. */
  filled(order: Order): void {
    this.#costs.set(order.account_id, this.costsOf(order.account_id) + costOf(order));
  }

  /** A value that was read in the last `forMs`. */
  known<T>(name: string, forMs: number): Promise<T> | undefined {
    const known = this.#known.get(name);
    return known !== undefined && performance.now() - known.at < forMs ? (known.value as Promise<T>) : undefined;
  }

  /** Reads a value, for all lines. */
  read<T>(name: string, read: () => Promise<T>): Promise<T> {
    const value = read();
    this.#known.set(name, { value, at: performance.now() });
    value.catch(() => this.#known.delete(name));
    return value;
  }
}

/** How much a fill lowers equity immediately: its commission, and its distance from the expected price. */
function costOf({
  side,
  fee = 0,
  filled_size: filled = 0,
  fill_price: price,
  expected_price: expected,
}: Order): number {
  const walk = price === undefined || expected === undefined ? 0 : (price - expected) * filled;
  return fee + (side === 'buy' ? walk : -walk);
}

/** An account's risk is read again after this time, ms. */
const recentForMs = 1_000;

/** Resolves when the previous line is answered: true to continue, false to stop. */
export type Turn = Promise<boolean>;

/**
 * The context of one command of a batch: its own settings, no prompts, the batch's connection, and its turn to use it.
 */
export class LineContext extends Context {
  readonly #batch: BatchMemory;
  /** Its turn to use the connection. */
  readonly turn: LineTurn;
  readonly #given: Given;

  /**
   * A command that shows markets or accounts (`readsFresh`) reads them; one that only refers to them uses recent values.
   */
  constructor(batch: BatchMemory, line: { settings: Settings; turn: Turn; readsFresh: boolean; given: Given }) {
    const { registry, lineReader } = batch.context;
    const interruption = () => batch.context.signal;
    const { outside } = batch;
    const turn = new LineTurn(line.turn);
    const memory = new LineMemory(batch, turn, line.readsFresh);
    super({ settings: line.settings, registry, lineReader, outside, interruption, palette: plainPalette, memory });
    this.#batch = batch;
    this.turn = turn;
    this.#given = line.given;
  }

  override async connection(): Promise<OpenedConnection> {
    await this.turn.take();
    const connection = await this.#batch.connection();
    connection.intents.isDeliberate = this.settings.fresh;
    connection.intents.given = this.#given;
    return this.goTo(connection);
  }

  /** Journals a write before its turn, then sends it. */
  override async call<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    const timed = { ...request, timeoutMs: this.settings.timeoutMs };
    const answer = await this.#send(id, timed);
    if (id === 'createOrder') this.#batch.filled(answer.data as Order);
    return answer;
  }

  async #send<Id extends KnownOperationId>(id: Id, request: RequestOf<Id> & CallOptions): Promise<Answer<Id>> {
    if (this.turn.isTaken || request.idempotencyKey === undefined) return super.call(id, request);
    const { client, intents, beforeWrite } = await this.#batch.connection();
    await beforeWrite();
    const intent = client.intend(id, request);
    intents.keepAhead(intent, this.#given);
    try {
      return await super.call(id, request);
    } finally {
      intents.withdraw(intent);
    }
  }

  /** The batch says it. */
  override sayDestination(): void {}

  /** The connection belongs to the batch. */
  override async close(): Promise<void> {}
}

/** The turn of one line: it comes once, and stays. */
class LineTurn {
  isTaken = false;
  readonly #turn: Turn;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  /** Waits for the turn; throws if the batch ends first. */
  async take(): Promise<void> {
    if (!this.isTaken && !(await this.#turn)) throw interruptedFailure('The batch ended before this line.');
    this.isTaken = true;
  }
}

/** What one command of a batch knows: names and recent values are shared with the other lines. */
class LineMemory extends SessionMemory {
  override readonly sharesReads = true;
  readonly #shared: BatchMemory;
  readonly #turn: LineTurn;
  readonly #readsFresh: boolean;

  constructor(shared: BatchMemory, turn: LineTurn, readsFresh: boolean) {
    super({ isHost: shared.context.settings.environment !== 'sim' });
    this.#shared = shared;
    this.#turn = turn;
    this.#readsFresh = readsFresh;
  }

  override costsOf(account: string): number {
    return this.#shared.costsOf(account);
  }

  override once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const isLasting = name === 'markets' || name === 'accounts';
    return isLasting && !this.#readsFresh ? this.#recall(name, work, knownForMs) : super.once(name, work);
  }

  override recent<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#recall(name, work, recentForMs);
  }

  /** A recent value, or a new read in its turn: a read that waits for its turn must not hold up the lines before it. */
  async #recall<T>(name: string, work: () => Promise<T>, forMs: number): Promise<T> {
    if (this.#shared.known(name, forMs) === undefined) await this.#turn.take();
    return this.#shared.known<T>(name, forMs) ?? this.#shared.read(name, work);
  }

  /** The batch announces them. */
  override storeEndings(endings: string | undefined): void {
    this.#shared.context.memory.storeEndings(endings);
  }
}
