import { assert } from '../../base/terms/invariants.ts';
import type { Changes, Command, Outcome } from '../../exchange/engine/commands.ts';
import { Exchange } from '../../exchange/engine/exchange.ts';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import type { MarketSource } from '../../exchange/engine/source.ts';
import { lostRow } from '../../exchange/store/errors.ts';
import type { Store } from '../../exchange/store/store.ts';
import { sentIssue } from '../../wire/contract/errors.ts';
import { Failure } from '../../wire/hosting/failure.ts';
import type { ServedMarkets } from '../live/open-markets.ts';
import { Batches } from '../state/batches.ts';
import { areEmpty, ChangeSum } from '../state/changes.ts';
import { type ClockState, longestAdvanceMs, readClock, SlicedAdvance } from '../state/sliced-advance.ts';
import { Weather, type WeatherProfile } from '../weather/weather.ts';

/** The source of a simulation, besides its books. */
export interface SourceFacts {
  source: MarketSource;
  seed: number;
  /** Times of a recording's first and last line. */
  firstTime: Ms | null;
  lastTime: Ms | null;
  /** The feeds behind the source; absent: it has none. */
  live?: ServedMarkets;
  /** The file of a recording or tape; absent if there is none. */
  books?: string;
  /** Nothing beyond the clock is revealed; the source gets the clock's time from `now`. */
  blind?: { now(): Ms };
  /** Closes everything that the source has open. */
  close(): void;
}

/** The exchange as a piece of work sees it: time is up to date, and nothing else runs in the meantime. */
export interface Turn {
  readonly exchange: Exchange;
  /** The store with every record up to date: earlier commands are written first, so read it again after `execute`. */
  readonly store: Store;
  /**
   * The same store, for records that the exchange does not write (keys, idempotency, settings); writes nothing first.
   */
  readonly requests: Store;
  /** Advances time beyond the clock's own progress. */
  advance(to: Ms): void;
  /** Runs a command and adds it to the command log. */
  execute(command: Command): Outcome;
}

/**
 * Receives changes once they are committed; before it shows them to anyone, it waits for `Store.unsynced`. Must not
 * throw: the request that made the change is waiting.
 */
interface ChangeListener {
  /** Changes moment by moment; the exchange is at the last one. */
  committed(changes: readonly Changes[], exchange: Exchange): void;
  /** The records were reloaded, and may differ in any way from the changes reported so far. */
  reloaded(exchange: Exchange): void;
  /** The disk failed before changes that were reported were on it: they may not have happened. */
  lost(): void;
}

/**
 * One state with its clock and its market source: the exchange in memory, the store below it, and the rule that
 * combines them (simulation 1, 9). Every piece of work first advances time, so that a resting order that was hit
 * earlier is filled at that time.
 */
export class Simulation {
  readonly state: string;
  readonly store: Store;
  readonly facts: SourceFacts;
  readonly markets: ReadonlyMap<string, MarketDefinition>;
  /** Its weather; null: none. */
  readonly weather: Weather | null;
  readonly #wall: () => Ms;
  #batches: Batches<Turn> | undefined;
  #cursorSecret: string | undefined;
  #run: string | null = null;
  readonly #sourceSetting: string | null;
  #clock: ClockState;
  #listener: ChangeListener | null = null;
  /** With a listener: changes, moment by moment, that were not reported yet. */
  #changes: Changes[] = [];
  /** The sum of the changes that were not written yet. */
  #unwritten: ChangeSum | null = null;
  #wasReloaded = false;
  #wasLost = false;
  /** Lets a long time pass in pieces; null if nobody shares the event loop, so that it may pass at once. */
  passage: SlicedAdvance | null = null;
  /** Null if memory, including the clock, is stale or not loaded yet. */
  #exchange: Exchange | null = null;

  /** Takes a store that is set up (`openSimulation`); `wall` is Date.now except in tests. */
  constructor(state: string, store: Store, facts: SourceFacts, wall: () => Ms) {
    this.state = state;
    this.store = store;
    this.facts = facts;
    this.markets = new Map(facts.source.definitions.map((market) => [market.marketId, market]));
    this.#sourceSetting = store.neededSetting('source');
    const weather = store.setting('weather');
    this.weather = weather === null || weather === 'off' ? null : new Weather(JSON.parse(weather) as WeatherProfile);
    this.#wall = wall;
    this.#clock = JSON.parse(store.neededSetting('clock')) as ClockState;
    if (facts.blind !== undefined) facts.blind.now = () => this.time;
  }

  get clock(): ClockState {
    return this.#clock;
  }

  /** Signs the cursors of its lists. */
  get cursorSecret(): string {
    this.#cursorSecret ??= this.store.neededSetting('cursor_secret');
    return this.#cursorSecret;
  }

  /**
   * Another one after a reset, a restored backup, or a rebuild: what was received of the run before says nothing about
   * it.
   */
  get run(): string {
    this.#run ??= this.store.setting('run') ?? '';
    return this.#run;
  }

  /** Exchange time now, Unix ms, by the clock alone; nothing is played. */
  get time(): Ms {
    return Math.max(readClock(this.#clock, this.#wall()), this.#exchange?.time ?? 0);
  }

  /** The market with this id as it is defined now; it must be known. */
  market(marketId: string): MarketDefinition {
    const market = this.markets.get(marketId);
    assert(market !== undefined, 'known-market', marketId);
    return this.facts.source.definitionAt?.(marketId, this.time) ?? market;
  }

  /** Wall time, Unix ms: used for credentials, no matter what the exchange's clock does. */
  wallTime(): Ms {
    return this.#wall();
  }

  /** Reads, and writes only if time itself changed something. A thrown `Failure` is also an answer. */
  read<T>(work: (turn: Turn) => T): T {
    const exchange = this.#current();
    const changes = this.#passTime(exchange);
    if (!areEmpty(changes)) this.#record(changes);
    this.#report();
    return work(this.#turn(this.#exchange ?? exchange, () => {}));
  }

  /** Acts in its own transaction; the caller waits for `Store.unsynced` before it answers. */
  write<T>(work: (turn: Turn) => T): T {
    const [result] = this.#perform([work]);
    this.#report();
    if (result instanceof Failure) throw result;
    return result as T;
  }

  /**
   * Acts together with other work that arrives in the meantime, in one commit; each piece succeeds or fails
   * alone.
   */
  submit<T>(work: (turn: Turn) => T): Promise<T> {
    this.#batches ??= new Batches(this.store, {
      perform: (works) => this.#perform(works),
      onCommit: () => this.#report(),
    });
    return this.#batches.submit(work);
  }

  /**
   * From now on, others share the event loop: a long time passes in pieces, and commits are synced beside other work.
   */
  shareLoop(): SlicedAdvance {
    this.store.syncLater(() => {
      this.#distrust();
      this.#wasLost = this.#listener !== null;
    });
    this.passage = new SlicedAdvance({
      played: () => (this.#exchange ?? this.#current()).time,
      clockTime: () => readClock(this.#clock, this.#wall()),
      isManual: () => this.#clock.kind === 'manual',
      play: (limit, isDue) => {
        const changes = this.#passTime(this.#current(), limit, isDue);
        if (!areEmpty(changes)) this.#record(changes);
        this.#report();
      },
      stopAt: (now) => this.write(() => this.setClock({ kind: 'manual', now })),
    });
    return this.passage;
  }

  /** Sets the listener for changes; null for none. Moments are kept apart only while there is a listener. */
  listen(listener: ChangeListener | null): void {
    this.#listener = listener;
    this.#changes = [];
    this.#wasReloaded = false;
    this.#wasLost = false;
  }

  /** Sets the clock, inside a piece of writing work. */
  setClock(clock: ClockState): void {
    this.store.setSetting('clock', JSON.stringify(clock));
    this.#clock = clock;
  }

  close(): void {
    this.passage?.close();
    this.store.close();
    this.facts.close();
  }

  /**
   * Does pieces of work one after another at one moment, in one transaction. Their changes are written once, at the
   * end or when one needs to read them. Refusals are thrown after the commit, so changes that time made before them are
   * kept.
   */
  #perform(works: readonly ((turn: Turn) => unknown)[]): unknown[] {
    return this.#inTransaction(() => {
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

  /** Writes what time has changed, unless another process did so first; then it reloads. */
  #record(changes: Changes): void {
    this.#inTransaction(() => {
      const before = this.#exchange;
      const exchange = this.#current();
      const late = exchange === before ? changes : this.#passTime(exchange);
      if (!areEmpty(late)) this.store.write(late);
    });
  }

  #inTransaction<T>(work: () => T): T {
    return this.#trusting(() => this.store.transaction(work));
  }

  #passTime(exchange: Exchange, to = this.#now(exchange), isDue?: () => boolean): Changes {
    return this.#trusting(() => {
      this.#advance(exchange, to, isDue);
      return this.#takeChanges(exchange);
    });
  }

  /** Advances time until a pause is due; with a listener, every moment that changed something is kept apart. */
  #advance(exchange: Exchange, to: Ms, isDue?: () => boolean): void {
    const pause = { atChange: this.#listener !== null, ...(isDue !== undefined && { isDue }) };
    while (exchange.advanceUntil(to, pause)) {
      if (isDue?.()) break;
      this.#keepChanges(exchange);
    }
    if (this.#listener !== null) this.#keepChanges(exchange);
  }

  #keepChanges(exchange: Exchange): void {
    const changes = exchange.takeChanges();
    if (areEmpty(changes)) return;
    this.#changes.push(changes);
    this.#unwritten ??= new ChangeSum();
    this.#unwritten.add(changes);
  }

  /** Writes everything that was not written yet. */
  #takeChanges(exchange: Exchange): Changes {
    if (this.#listener === null) return exchange.takeChanges();
    this.#keepChanges(exchange);
    return this.#unwritten?.take() ?? exchange.takeChanges();
  }

  /** Reports what has been committed. */
  #report(): void {
    const exchange = this.#exchange;
    if (this.#listener === null || exchange === null) return;
    const changes = this.#changes;
    this.#changes = [];
    if (this.#wasLost) {
      this.#wasLost = false;
      this.#listener.lost();
    } else if (this.#wasReloaded) {
      this.#wasReloaded = false;
      this.#listener.reloaded(exchange);
    } else if (changes.length > 0) this.#listener.committed(changes, exchange);
  }

  #now(exchange: Exchange): Ms {
    const now = Math.max(readClock(this.#clock, this.#wall()), exchange.time);
    return this.passage === null ? now : Math.min(now, exchange.time + longestAdvanceMs);
  }

  #turn(exchange: Exchange, flush: () => void): Turn {
    const { store } = this;
    // Time has advanced, and may have changed something.
    let isWritten = false;
    return {
      exchange,
      requests: store,
      get store() {
        if (!isWritten) flush();
        isWritten = true;
        return store;
      },
      advance: (to) => {
        isWritten = false;
        this.#advance(exchange, to);
      },
      execute: (command) => {
        isWritten = false;
        store.appendCommand(exchange.time, command);
        const outcome = exchange.execute(command);
        if (this.#listener !== null) this.#keepChanges(exchange);
        return outcome;
      },
    };
  }

  /** The exchange as stored: reloaded if another process wrote, or after an error. */
  #current(): Exchange {
    if (this.store.changedElsewhere()) this.#distrust();
    if (this.#exchange === null) {
      if (this.store.setting('source') !== this.#sourceSetting)
        throw new Failure('conflict', `State ${this.state} was reset in the meantime and has other markets.`, {
          details: [sentIssue('no')],
        });
      this.#clock = JSON.parse(this.store.neededSetting('clock')) as ClockState;
      const state = this.store.loadOpenState();
      if (state === null) throw lostRow(this.store.file, 'head', '1');
      this.#exchange = new Exchange(this.facts.source, state);
    }
    return this.#exchange;
  }

  /** If anything is thrown, the transaction is rolled back, so memory no longer matches the store. */
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
    this.#run = null;
    this.#changes = [];
    this.#unwritten = null;
    this.#wasReloaded = this.#listener !== null;
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
