import type { Changes, Command, Outcome } from '../engine/commands.ts';
import { Exchange } from '../engine/exchange.ts';
import type { Environment, MarketDefinition, Ms } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';
import { lostRow } from '../store/errors.ts';
import type { Store } from '../store/store.ts';
import { Batches } from './batches.ts';
import { areEmpty, ChangeSum } from './changes.ts';
import { type ClockState, parseClock, readClock } from './clock.ts';
import { Cursors } from './cursors.ts';
import { Failure } from './failure.ts';
import type { LiveDesk } from './live/desk.ts';

/** What the source of a simulation is, beside its books. */
export interface SourceFacts {
  source: MarketSource;
  seed: number;
  /** Of a recording: its first and last line. */
  firstTime: Ms | null;
  lastTime: Ms | null;
  /** The feeds behind the source; absent: it has none. */
  live?: LiveDesk;
  /** The file of a recording or tape; absent: there is none. */
  books?: string;
  /** Nothing beyond the clock is told. Then the source asks `now` what that shows. */
  blind?: { now(): Ms };
  /** Lets go of what the source holds open. */
  close(): void;
}

/** Whose an account is; that never changes. */
export interface AccountIdentity {
  readonly id: string;
  readonly owner: string;
  readonly environment: Environment;
}

/** A turn at the exchange, as a piece of work has it: time has already passed, nothing else runs meanwhile. */
export interface Turn {
  readonly exchange: Exchange;
  /** Every record as of now: what was executed before is written first, so ask anew after `execute`. */
  readonly store: Store;
  /** The same store for what the exchange does not write (keys, idempotency, settings): asking costs no writing. */
  readonly requests: Store;
  /** Lets time pass further than it did by itself. */
  advance(to: Ms): void;
  /** Runs a command and keeps it in the journal. */
  execute(command: Command): Outcome;
  /** Whose an account is, null if there is none: known without asking the store each time. */
  accountIdentity(id: string): AccountIdentity | null;
}

/** Hears what changed once it is on the disk. Never throws: whoever made the change waits for its answer. */
export interface ChangeListener {
  /** One moment after the other; the exchange stands at the last. */
  committed(steps: readonly Changes[], exchange: Exchange): void;
  /** The records were read anew, and may differ from what was told in any way. */
  reloaded(exchange: Exchange): void;
}

/**
 * One state with its clock and its market source: the exchange in memory, the store below it, and the rule that brings
 * them together (simulation 1, 9). Every piece of work first lets time pass, so that a resting order that was hit
 * while nobody looked is filled at the time it was hit.
 */
export class Simulation {
  readonly state: string;
  readonly store: Store;
  readonly facts: SourceFacts;
  readonly cursors: Cursors;
  readonly markets: ReadonlyMap<string, MarketDefinition>;
  readonly #wall: () => Ms;
  readonly #batches: Batches<Turn>;
  readonly #sourceSetting: string | null;
  readonly #identities = new Map<string, AccountIdentity>();
  #clock: ClockState;
  #listener: ChangeListener | null = null;
  /** With a listener: what changed, moment by moment, and was not told yet. */
  #steps: Changes[] = [];
  /** The sum of those that were not written yet. */
  #unwritten = new ChangeSum();
  #wasReloaded = false;
  /** Null: what is in memory, clock included, is not to be trusted, or nothing is yet. */
  #exchange: Exchange | null = null;

  /** Of a store that is set up (`openSimulation`); `wall` is Date.now but for tests. */
  constructor(state: string, store: Store, facts: SourceFacts, wall: () => Ms) {
    this.state = state;
    this.store = store;
    this.facts = facts;
    this.cursors = new Cursors(store.neededSetting('cursor_secret'));
    this.markets = new Map(facts.source.definitions.map((market) => [market.marketId, market]));
    this.#sourceSetting = store.neededSetting('source');
    this.#wall = wall;
    this.#batches = new Batches(store, {
      perform: (works) => this.#perform(works),
      onRollback: () => this.#distrust(),
      onCommit: () => this.#tell(),
    });
    this.#clock = parseClock(store.neededSetting('clock'));
    if (facts.blind !== undefined) facts.blind.now = () => this.time;
  }

  get clock(): ClockState {
    return this.#clock;
  }

  /** Exchange time now, Unix ms, by the clock alone: nothing is played. */
  get time(): Ms {
    return Math.max(readClock(this.#clock, this.#wall()), this.#exchange?.time ?? 0);
  }

  /** Wall time, Unix ms: what credentials live by, whatever the exchange's clock does. */
  wallTime(): Ms {
    return this.#wall();
  }

  /** Looks, without writing unless time itself changed something. A thrown `Failure` is an answer, too. */
  read<T>(work: (turn: Turn) => T): T {
    const exchange = this.#current();
    const changes = this.#passTime(exchange);
    if (!areEmpty(changes)) this.#record(changes);
    this.#tell();
    return work(this.#turn(this.#exchange ?? exchange, () => {}));
  }

  /** Acts in a transaction of its own, durable when it returns. */
  write<T>(work: (turn: Turn) => T): T {
    const [result] = this.#trusting(() => this.store.transaction(() => this.#perform([work])));
    this.#tell();
    return unwrapped(result as T | Failure);
  }

  /** Acts together with whatever else arrives meanwhile, in one durable commit; each piece stands or falls alone. */
  async submit<T>(work: (turn: Turn) => T): Promise<T> {
    return unwrapped(await this.#batches.submit(work));
  }

  /** Who hears of every change from now on; null: nobody. Moments are told apart only while somebody listens. */
  listen(listener: ChangeListener | null): void {
    this.#listener = listener;
    this.#steps = [];
    this.#wasReloaded = false;
  }

  /** Sets the clock, inside a piece of writing work. */
  setClock(clock: ClockState): void {
    this.store.setSetting('clock', JSON.stringify(clock));
    this.#clock = clock;
  }

  close(): void {
    this.store.close();
    this.facts.close();
  }

  /**
   * Does pieces of work one after another at one moment, inside a transaction. What all of them changed is written
   * once, at the end or when one needs to read it. What was refused is refused after the commit: what time changed
   * before it stands.
   */
  #perform(works: readonly ((turn: Turn) => unknown)[]): unknown[] {
    return this.#trusting(() => {
      const exchange = this.#current();
      this.#advance(exchange, this.#now(exchange));
      const flush = () => {
        const changes = this.#takeChanges(exchange);
        if (!areEmpty(changes)) this.store.write(changes);
      };
      const turn = this.#turn(exchange, flush);
      const results = works.map((work) => answerOf(() => work(turn)));
      flush();
      return results;
    });
  }

  /** What time changed while nobody looked is written down, unless another process was quicker: then read anew. */
  #record(changes: Changes): void {
    this.#trusting(() =>
      this.store.transaction(() => {
        const before = this.#exchange;
        const exchange = this.#current();
        const late = exchange === before ? changes : this.#passTime(exchange);
        if (!areEmpty(late)) this.store.write(late);
      }),
    );
  }

  #passTime(exchange: Exchange): Changes {
    return this.#trusting(() => {
      this.#advance(exchange, this.#now(exchange));
      return this.#takeChanges(exchange);
    });
  }

  /** Lets time pass; while somebody listens, every moment that changed something is kept apart. */
  #advance(exchange: Exchange, to: Ms): void {
    if (this.#listener === null) {
      exchange.advance(to);
      return;
    }
    while (exchange.advanceToChange(to)) this.#keepStep(exchange);
    this.#keepStep(exchange);
  }

  #keepStep(exchange: Exchange): void {
    const step = exchange.takeChanges();
    if (areEmpty(step)) return;
    this.#steps.push(step);
    this.#unwritten.add(step);
  }

  /** Everything that was not written yet. */
  #takeChanges(exchange: Exchange): Changes {
    if (this.#listener === null) return exchange.takeChanges();
    this.#keepStep(exchange);
    return this.#unwritten.take() ?? exchange.takeChanges();
  }

  /** Passes on what is committed by now. */
  #tell(): void {
    const exchange = this.#exchange;
    if (this.#listener === null || exchange === null) return;
    const steps = this.#steps;
    this.#steps = [];
    if (this.#wasReloaded) {
      this.#wasReloaded = false;
      this.#listener.reloaded(exchange);
    } else if (steps.length > 0) this.#listener.committed(steps, exchange);
  }

  #now(exchange: Exchange): Ms {
    return Math.max(readClock(this.#clock, this.#wall()), exchange.time);
  }

  #turn(exchange: Exchange, flush: () => void): Turn {
    const { store } = this;
    const advance = (to: Ms) => this.#advance(exchange, to);
    const keepStep = () => {
      if (this.#listener !== null) this.#keepStep(exchange);
    };
    // Time has passed, and may have changed something.
    let isWritten = false;
    return {
      exchange,
      requests: store,
      get store() {
        if (!isWritten) flush();
        isWritten = true;
        return store;
      },
      advance(to) {
        isWritten = false;
        advance(to);
      },
      execute(command) {
        isWritten = false;
        store.appendJournal(exchange.time, command);
        const outcome = exchange.execute(command);
        keepStep();
        return outcome;
      },
      accountIdentity: (id) => this.#identities.get(id) ?? this.#learnIdentity(id),
    };
  }

  #learnIdentity(id: string): AccountIdentity | null {
    const account = this.store.account(id);
    if (account !== null) this.#identities.set(id, account);
    return account;
  }

  /** The exchange as the store has it: read anew when another process wrote, or after something went wrong. */
  #current(): Exchange {
    if (this.store.changedElsewhere()) this.#distrust();
    if (this.#exchange === null) {
      this.#readSettings();
      const state = this.store.loadOpenState();
      if (state === null) throw lostRow(this.store.file, 'head', '1');
      this.#exchange = new Exchange(this.facts.source, state);
    }
    return this.#exchange;
  }

  #readSettings(): void {
    if (this.store.setting('source') !== this.#sourceSetting)
      throw new Failure('conflict', `State ${this.state} was reset meanwhile and has other markets. Open it again.`);
    this.#clock = parseClock(this.store.neededSetting('clock'));
  }

  /** Whatever is thrown, the transaction is rolled back, so what is in memory is no longer what is stored. */
  #trusting<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#distrust();
      throw error;
    }
  }

  #distrust(): void {
    this.#exchange = null;
    this.#steps = [];
    this.#unwritten = new ChangeSum();
    this.#wasReloaded = this.#listener !== null;
    this.#identities.clear();
  }
}

function answerOf<T>(work: () => T): T | Failure {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function unwrapped<T>(result: T | Failure): T {
  if (result instanceof Failure) throw result;
  return result;
}
