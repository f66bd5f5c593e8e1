import type { Command, Outcome } from '../engine/commands.ts';
import { Exchange } from '../engine/exchange.ts';
import type { MarketDefinition, Ms } from '../engine/model.ts';
import type { MarketSource } from '../engine/source.ts';
import { GroupCommit } from '../store/commit.ts';
import type { Store } from '../store/store.ts';
import { type ClockState, parseClock, readClock } from './clock.ts';
import { Cursors } from './cursors.ts';
import { areEmpty } from './empty-changes.ts';
import { Failure } from './failure.ts';

/** What the source of a simulation is, beside its books. */
export interface SourceFacts {
  source: MarketSource;
  seed: number;
  /** Of a recording: its first and last line. */
  firstTime: Ms | null;
  lastTime: Ms | null;
}

/** The exchange at one moment, as a piece of work sees it: time has already passed, nothing else runs meanwhile. */
export interface Moment {
  readonly exchange: Exchange;
  readonly store: Store;
  /** Runs a command and keeps it in the journal. */
  execute(command: Command): Outcome;
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
  readonly #commits: GroupCommit;
  readonly #sourceSetting: string | null;
  #clock: ClockState;
  /** Null: what is in memory is not to be trusted, or nothing is yet. */
  #exchange: Exchange | null = null;

  /** Of a store that is set up (`openSimulation`); `wall` is Date.now but for tests. */
  constructor(state: string, store: Store, facts: SourceFacts, wall: () => Ms) {
    this.state = state;
    this.store = store;
    this.facts = facts;
    this.cursors = new Cursors(store.setting('cursor_secret') ?? '');
    this.markets = new Map(facts.source.definitions.map((market) => [market.marketId, market]));
    this.#sourceSetting = store.setting('source');
    this.#wall = wall;
    this.#commits = new GroupCommit(store, {
      onRollback: () => {
        this.#exchange = null;
      },
    });
    this.#clock = parseClock(store.setting('clock')!);
  }

  get clock(): ClockState {
    return this.#clock;
  }

  /** Wall time, Unix ms: what credentials live by, whatever the exchange's clock does. */
  wallTime(): Ms {
    return this.#wall();
  }

  /** Looks, without writing unless time itself changed something. A thrown `Failure` is an answer, too. */
  read<T>(work: (moment: Moment) => T): T {
    const exchange = this.#current();
    const changes = this.#passTime(exchange);
    if (!areEmpty(changes)) this.#settle(changes);
    return work(this.#moment());
  }

  /** Acts in a transaction of its own, durable when it returns. */
  write<T>(work: (moment: Moment) => T): T {
    return unwrapped(this.#guarded(() => this.store.transaction(() => this.#perform(work))));
  }

  /** Acts together with whatever else arrives meanwhile, in one durable commit; each piece stands or falls alone. */
  async submit<T>(work: (moment: Moment) => T): Promise<T> {
    return unwrapped(await this.#commits.submit(() => this.#perform(work)));
  }

  /** Sets the clock, inside a piece of writing work. */
  setClock(clock: ClockState): void {
    this.store.setSetting('clock', JSON.stringify(clock));
    this.#clock = clock;
  }

  close(): void {
    this.store.close();
  }

  /** Inside a transaction. What was refused is refused after the commit: what time changed before it stands. */
  #perform<T>(work: (moment: Moment) => T): T | Failure {
    return this.#guarded(() => {
      const exchange = this.#current();
      exchange.advance(this.#now(exchange));
      const result = answerOf(() => work(this.#moment()));
      const changes = exchange.takeChanges();
      if (!areEmpty(changes)) this.store.write(changes);
      return result;
    });
  }

  /** What time changed while nobody looked is written down, unless another process was quicker: then read anew. */
  #settle(changes: ReturnType<Exchange['takeChanges']>): void {
    this.#guarded(() =>
      this.store.transaction(() => {
        const before = this.#exchange;
        const exchange = this.#current();
        const settled = exchange === before ? changes : this.#passTime(exchange);
        if (!areEmpty(settled)) this.store.write(settled);
      }),
    );
  }

  #passTime(exchange: Exchange): ReturnType<Exchange['takeChanges']> {
    return this.#guarded(() => {
      exchange.advance(this.#now(exchange));
      return exchange.takeChanges();
    });
  }

  #now(exchange: Exchange): Ms {
    return Math.max(readClock(this.#clock, this.#wall()), exchange.time);
  }

  #moment(): Moment {
    const exchange = this.#exchange!;
    const { store } = this;
    return {
      exchange,
      store,
      execute(command) {
        store.appendJournal(exchange.time, command);
        return exchange.execute(command);
      },
    };
  }

  /** The exchange as the store has it: read anew when another process wrote, or after something went wrong. */
  #current(): Exchange {
    const isStale = this.store.changedElsewhere();
    if (isStale) this.#readSettings();
    if (isStale || this.#exchange === null)
      this.#exchange = new Exchange(this.facts.source, this.store.loadOpenState()!);
    return this.#exchange;
  }

  #readSettings(): void {
    if (this.store.setting('source') !== this.#sourceSetting)
      throw new Failure('conflict', `State ${this.state} was reset meanwhile and has other markets. Open it again.`);
    this.#clock = parseClock(this.store.setting('clock')!);
  }

  /** Whatever is thrown, the transaction is rolled back, so what is in memory is no longer what is stored. */
  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.#exchange = null;
      throw error;
    }
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
