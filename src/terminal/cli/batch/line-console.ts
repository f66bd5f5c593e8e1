import { interruptedFailure, usageFailure } from '../../../base/failure/failure.ts';
import { isFilledInParts } from '../../../desk/account/means.ts';
import type { WriteKeeper } from '../../../desk/intents/keeper.ts';
import type { Given } from '../../../desk/intents/note.ts';
import { unrealizedPnl } from '../../../desk/risk/profit.ts';
import { filledSizeOf, positionsAfter, type Trade } from '../../../desk/risk/trade.ts';
import { type Change, SessionMemory, type Siblings, unchanged } from '../../../desk/session/memory.ts';
import type { Answer, CallOptions } from '../../../wire/client/client.ts';
import type { KnownOperationId, RequestOf } from '../../../wire/contract/operations.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import type { Position } from '../../../wire/contract/positions.ts';
import { type Command, Console, type Send, type Way } from '../../console/console.ts';
import type { OpenedAccess } from '../../console/open-access.ts';
import { plainPalette } from '../../console/output/themes.ts';
import { Person } from '../../console/person.ts';
import type { Settings } from '../../console/settings/settings.ts';
import type { Outside } from '../../console/terminal/outside.ts';

/** Names that commands look up are read again after this time, ms. */
const knownForMs = 30_000;

/** State shared by a batch's commands: access to the service, and looked-up names. */
export class BatchMemory {
  readonly console: Console;
  readonly outside: Outside;
  #intents: WriteKeeper | undefined;
  readonly #modules = new Map<string, Promise<Command>>();
  readonly #known = new Map<string, { value: Promise<unknown>; at: number }>();
  readonly #changes = new Map<string, Change>();
  readonly #awaited = new Map<string, PromiseWithResolvers<void>>();
  /** Positions of accounts as read, plus the effects of the batch's orders since. */
  readonly held = new Map<string, readonly Position[]>();
  /** The unanswered lines, in order. */
  readonly open: LineMemory[] = [];

  constructor(console: Console) {
    this.console = console;
    const { io } = console;
    const noTerminal = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false };
    this.outside = {
      ...console.outside,
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

  /** The batch's access, opened on first use. */
  async access(): Promise<OpenedAccess> {
    const access = await this.console.access();
    this.#intents = access.intents;
    return access;
  }

  /** The writes whose answers the user has not seen yet. */
  answered(): readonly string[] {
    return this.#intents?.answered() ?? [];
  }

  /** Marks the answers of these writes as seen by the user. */
  shown(answered: readonly string[]): void {
    this.#intents?.shown(answered);
  }

  /** Makes the answers so far visible to readers of the intent files. */
  flush(): void {
    this.#intents?.flush();
  }

  /** A command's code, loaded once. */
  module(path: string): Promise<Command> {
    const module = this.#modules.get(path) ?? this.console.registry.load(path);
    this.#modules.set(path, module);
    return module;
  }

  /** The account changes that the batch's orders have made so far. */
  changeOf(account: string): Change {
    return this.#changes.get(account) ?? unchanged;
  }

  /**
   * Adds the effect of a new order to the account and its positions; they are read again where the order doesn't show
   * it.
   */
  placed(order: Order, isPriced: boolean): void {
    const { account_id, market_id, fill_price: price, fee, expected_price: mark } = order;
    const held = this.held.get(account_id);
    const after = held && positionsAfter(held, order);
    // It has only the money of its last part, so the total effect has to be read.
    const isTold = after !== undefined && !isFilledInParts(order);
    if (!isTold || (after !== held && (isPriced || mark === undefined || fee === undefined))) {
      this.forgetFigures();
      return;
    }
    if (after === held) {
      const working = this.#known.get(`orders of ${account_id}`);
      if (working !== undefined && order.status !== 'rejected')
        working.value = working.value.then((orders) => [...(orders as readonly Order[]), order]);
      return;
    }
    const onPaper = (positions: readonly Position[]) =>
      positions.reduce((sum, one) => sum + (one.market_id === market_id ? (unrealizedPnl(one, mark) ?? 0) : 0), 0);
    const walk = (price! - mark!) * filledSizeOf(order) * (order.side === 'buy' ? 1 : -1);
    const { equity, unrealized } = this.changeOf(account_id);
    this.#changes.set(account_id, {
      equity: equity - fee! - walk,
      unrealized: unrealized + onPaper(after) - onPaper(held!),
    });
    this.held.set(account_id, after);
  }

  /** Positions, orders and balances may have changed in ways that only a read shows. */
  forgetFigures(): void {
    for (const name of this.#known.keys()) if (/^(?:held in|risk of|orders of) /.test(name)) this.#known.delete(name);
    this.held.clear();
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
    this.#awaited.get(name)?.resolve();
    this.#awaited.delete(name);
    return value;
  }

  /** Resolves when a value is read the next time. */
  nextRead(name: string): Promise<void> {
    const awaited = this.#awaited.get(name) ?? Promise.withResolvers<void>();
    this.#awaited.set(name, awaited);
    return awaited.promise;
  }
}

/** An account's risk is read again after this time, ms. */
const recentForMs = 1_000;

/** Resolves when the previous line is answered: true to continue, false to stop. */
export type Turn = Promise<boolean>;

/**
 * A command of a batch. One that shows markets or accounts (`readsFresh`) reads them; one that only refers to them uses
 * recent values. Its console has its own settings, no prompts, and the batch's access, which it may use at its turn.
 */
export function lineCommand(
  batch: BatchMemory,
  line: { number: number; settings: Settings; turn: Turn; readsFresh: boolean; given: Given },
) {
  const { settings, given } = line;
  const { registry, lineReader } = batch.console;
  const { outside } = batch;
  const turn = new LineTurn(line.turn);
  const memory = new LineMemory(batch, turn, line);
  const way: Way = {
    async open() {
      await turn.take();
      const access = await batch.access();
      access.intents.isDeliberate = settings.fresh;
      access.intents.given = given;
      return access;
    },
    async call(id, request, send) {
      const answer = await keptAhead(id, { ...request, timeoutMs: settings.timeoutMs }, send);
      if (id === 'createOrder') {
        memory.isOver();
        const { expected_price } = (request as RequestOf<'createOrder'>).body;
        batch.placed(answer.data as Order, expected_price !== undefined);
      }
      return answer;
    },
  };
  /** Keeps a write before its turn, then sends it. */
  const keptAhead = async <Id extends KnownOperationId>(
    id: Id,
    request: RequestOf<Id> & CallOptions,
    send: Send<Id>,
  ): Promise<Answer<Id>> => {
    if (turn.isTaken || request.idempotencyKey === undefined) return send(request);
    const { client, intents, beforeWrite } = await batch.access();
    await beforeWrite();
    const intent = client.intend(id, request);
    intents.keepAhead(intent, given);
    try {
      return await send({ ...request, intent });
    } finally {
      intents.withdraw(intent);
    }
  };
  // The batch says where its requests go.
  const person = new Person(settings, outside, { knowsWhere: true });
  const interruption = () => batch.console.signal;
  const palette = plainPalette;
  return {
    console: new Console({ settings, registry, lineReader, outside, interruption, palette, memory, person, way }),
    turn,
    /** Its answer is known. */
    answered(isOrder: boolean) {
      memory.isOver();
      if (!isOrder) batch.forgetFigures();
    },
  };
}

/** The turn of one line: it comes once and remains. */
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

  /** Resolves with true at the turn, or at the end of the batch, unless something else happens first. */
  isFirst(other: Promise<void>): Promise<boolean> {
    return Promise.race([this.#turn.then(() => true), other.then(() => false)]);
  }
}

/** The state of one command of a batch: names and recent values are shared with the other lines. */
class LineMemory extends SessionMemory {
  override readonly sharesReads = true;
  readonly #shared: BatchMemory;
  readonly #turn: LineTurn;
  readonly #readsFresh: boolean;
  readonly #number: number;
  /** The expected effect of its order; undefined while that is unknown. */
  #trade: Trade | undefined;
  readonly #isSure = Promise.withResolvers<void>();

  constructor(shared: BatchMemory, turn: LineTurn, { number, readsFresh }: { number: number; readsFresh: boolean }) {
    super({ isHost: shared.console.settings.environment !== 'sim' });
    this.#shared = shared;
    this.#turn = turn;
    this.#readsFresh = readsFresh;
    this.#number = number;
    shared.open.push(this);
  }

  override readonly siblings: Siblings = {
    positions: async (account, read) => {
      const { held, open } = this.#shared;
      const readNow = async () => held.set(account, await read());
      while (true) {
        await this.#recall(`held in ${account}`, readNow, recentForMs);
        // Waits for the lines before it; if the last of them is unsure, it waits for the others itself.
        let unsure: LineMemory | undefined;
        const trades: Trade[] = [];
        for (let at = 0; at < open.length && open[at]!.#number < this.#number; at++) {
          const line = open[at]!;
          if (line.#trade === undefined) unsure = line;
          else if (line.#trade.account_id === account) trades.push(line.#trade);
        }
        const positions = held.get(account);
        if (unsure === undefined && positions !== undefined) return { held: positions, trades };
        if (unsure !== undefined) await unsure.#isSure.promise;
      }
    },
    expects: (trade) => {
      this.#trade = trade;
      this.#isSure.resolve();
    },
    itsTurn: () => this.#turn.take(),
  };

  /** Its order is answered, or will not be sent. */
  isOver(): void {
    const { open } = this.#shared;
    const at = open.indexOf(this);
    if (at >= 0) open.splice(at, 1);
    this.#isSure.resolve();
  }

  override atEnd(name: string, work: () => void): void {
    this.#shared.console.memory.atEnd(name, work);
  }

  override changeOf(account: string): Change {
    return this.#shared.changeOf(account);
  }

  /** The shared account values are read again, too. */
  override forget(): void {
    super.forget();
    this.#shared.forgetFigures();
  }

  override once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const isLasting = name === 'markets' || name === 'accounts' || name.startsWith('tick of ');
    return isLasting && !this.#readsFresh ? this.#recall(name, work, knownForMs) : super.once(name, work);
  }

  override recent<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#recall(name, work, recentForMs);
  }

  /**
   * A recent value, or a new read in its turn, unless an earlier line has read it by then: a read must not delay
   * earlier lines.
   */
  async #recall<T>(name: string, work: () => Promise<T>, forMs: number): Promise<T> {
    while (this.#shared.known(name, forMs) === undefined && !this.#turn.isTaken)
      if (await this.#turn.isFirst(this.#shared.nextRead(name))) await this.#turn.take();
    return this.#shared.known<T>(name, forMs) ?? this.#shared.read(name, work);
  }

  /** The batch announces them. */
  override storeEndings(endings: string | undefined): void {
    this.#shared.console.memory.storeEndings(endings);
  }
}
