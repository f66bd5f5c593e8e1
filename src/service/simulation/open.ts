import { randomBytes } from 'node:crypto';
import type { Command } from '../../exchange/engine/commands.ts';
import { defaultStartingBalance, plans } from '../../exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../exchange/engine/exchange.ts';
import type { Environment, Ms } from '../../exchange/engine/model.ts';
import { currentVersions } from '../../exchange/markets/versions.ts';
import { isInDoubt, lostRow, StoreError, storeError } from '../../exchange/store/errors.ts';
import { inMemory } from '../../exchange/store/state-database.ts';
import { Store } from '../../exchange/store/store.ts';
import { type ClockState, readClock, wallClock } from '../state/sliced-advance.ts';
import { makeStateDirectory, SimulationError, stateFiles } from '../state/state-directory.ts';
import { bringForward, keptMarkets, lastTouches, writeVersions } from '../state/versions.ts';
import { localOwner } from './keys.ts';
import { checkOptions, liveBooks, plansOf, type SimulationOptions, stateOf } from './options.ts';
import { Simulation, type SourceFacts } from './simulation.ts';
import { type Chosen, catalogOf, checkSource, chooseSource, type SourceSetting, sourceSetting } from './source.ts';

/**
 * Opens a named state, creating it if it is new; safe even if other processes open it at the same moment. Throws
 * `SimulationError`, `StoreError`, or `RecordingError` (simulation 9.1).
 */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  return open(options, async (store, wall) => {
    const found = sourceSetting(store);
    if (found !== null) bringForward(store, found.kind, catalogOf(found));
    const inherited = found === null ? undefined : { kept: keptMarkets(store), touches: lastTouches(store) };
    let chosen = await chooseSource(options, found, inherited);
    if (found === null) setUpOnce(store, chosen, options, wall);
    // Another process may have created it first, with its own seed.
    const known = sourceSetting(store)!;
    if (known.seed !== chosen.setting.seed) {
      chosen.facts.close();
      chosen = await chooseSource(options, known);
    }
    checkSource(known, chosen.setting, options);
    if (found !== null && options.from !== undefined)
      throw new SimulationError(
        'conflict',
        'A start is chosen when a state is created, and this state already exists.',
        'Choose another --state, or move it with perp sim advance --to.',
      );
    return chosen.facts;
  });
}

/** Opens a state on a source that its caller has opened and will close; creates it if it is new. */
export function openOn(chosen: Chosen, options: SimulationOptions): Promise<Simulation> {
  return open(options, async (store, wall) => {
    if (sourceSetting(store) === null) setUpOnce(store, chosen, options, wall);
    return { ...chosen.facts, close() {} };
  });
}

/** Opens a state and resets it; by default it keeps its source of books and its clock. Its API keys are kept. */
export async function startOver(options: SimulationOptions): Promise<Simulation> {
  return open(options, async (store, wall) => {
    const known = sourceSetting(store);
    const books = options.books ?? booksOf(known);
    const clock = store.setting('clock');
    const kept = clock === null ? undefined : (JSON.parse(clock) as ClockState).kind;
    const chosen = await chooseSource({ ...options, books }, known?.kind === 'live' ? known : null);
    store.transaction(() => {
      store.clear();
      // It has its own prices from now on.
      if (store.setting('last_touches') !== null) store.setSetting('last_touches', '[]');
      setUp(store, chosen, { ...options, clock: options.clock ?? kept }, wall);
    });
    return chosen.facts;
  });
}

function booksOf(known: SourceSetting | null): string | undefined {
  if (known?.kind === 'live') return liveBooks;
  return known?.kind === 'recorded' ? known.path : undefined;
}

async function open(
  options: SimulationOptions,
  prepare: (store: Store, wall: Ms) => Promise<SourceFacts>,
): Promise<Simulation> {
  checkOptions(options);
  const state = stateOf(options);
  const isKept = options.inMemory !== true;
  if (isKept) makeStateDirectory(options.stateDir);
  const { database } = stateFiles(options.stateDir, state);
  const store = Store.open(isKept ? database : inMemory);
  try {
    const wall = options.wall ?? Date.now;
    const facts = await prepare(store, wall());
    nameRun(store);
    const { weather } = options;
    if (weather !== undefined)
      store.transaction(() => store.setSetting('weather', weather === 'off' ? weather : JSON.stringify(weather)));
    const simulation = new Simulation(state, store, facts, wall);
    changeClock(simulation, options);
    return simulation;
  } catch (error) {
    const isNew = isUnused(store);
    store.close();
    // Unreadable books must not leave a state without markets behind.
    if (isNew && isKept) removeUnused(database);
    throw error;
  }
}

/** Only a state known to be empty: a damaged state may have everything except its settings. */
function isUnused(store: Store): boolean {
  try {
    return store.isUnused();
  } catch {
    return false;
  }
}

function removeUnused(database: string): void {
  try {
    Store.destroy(database);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/**
 * Sets up a new state, unless another process does it first. If COMMIT fails, the state itself shows whether it is set
 * up.
 */
function setUpOnce(store: Store, chosen: Chosen, options: SimulationOptions, wall: Ms): void {
  try {
    store.transaction(() => {
      if (sourceSetting(store) !== null) return;
      if (!store.isUnused()) throw lostRow(store.file, 'settings', 'source');
      setUp(store, chosen, options, wall);
    });
  } catch (error) {
    if (!isInDoubt(error)) throw error;
    if (sourceSetting(store) === null) throw storeError('io', store.file, error);
  }
}

/** First state of the exchange: one account per environment and number, in the command log like every command. */
function setUp(store: Store, { facts, setting, start }: Chosen, options: SimulationOptions, wall: Ms): void {
  const startTime = start ?? wall;
  const initial = emptyState(facts.seed, startTime);
  const exchange = new Exchange(facts.source, initial);
  store.initialize(initial);
  writeVersions(store, currentVersions[setting.kind], catalogOf(setting), []);
  for (const environment of ['live', 'test'] as const) {
    for (let number = 1; number <= (options.accounts ?? plansOf(options).length); number++) {
      const command = openAccount(environment, number, options);
      store.appendCommand(startTime, command);
      exchange.execute(command);
    }
  }
  store.write(exchange.takeChanges());
  store.setSetting('source', JSON.stringify(setting));
  store.setSetting('clock', JSON.stringify(firstClock(start, options, wall)));
  if (store.setting('cursor_secret') === null) store.setSetting('cursor_secret', randomBytes(32).toString('base64url'));
  store.setSetting('initial_time', String(startTime));
  store.setSetting('run', newRun());
}

/** Distinguishes a state from its predecessor before a reset, restore or rebuild; a copy starts without one. */
function newRun(): string {
  return `run_${randomBytes(9).toString('base64url')}`;
}

function nameRun(store: Store): void {
  const isNamed = () => (store.setting('run') ?? '') !== '';
  if (isNamed()) return;
  store.transaction(() => {
    if (!isNamed()) store.setSetting('run', newRun());
  });
}

function openAccount(environment: Environment, number: number, options: SimulationOptions): Command {
  const all = plansOf(options);
  return {
    kind: 'open_account',
    owner: localOwner,
    environment,
    name: `${environment === 'live' ? 'Challenge' : 'Sandbox'} ${number}`,
    plan: plans[all[(number - 1) % all.length]!],
    startingBalance: options.startingBalance ?? defaultStartingBalance,
  };
}

function firstClock(start: Ms | null, { clock, speed = 1 }: SimulationOptions, wall: Ms): ClockState {
  if (clock === 'manual') return { kind: 'manual', now: start ?? wall };
  if (start === null && speed === 1) return wallClock;
  return { kind: 'real', startedWall: wall, startedAt: start ?? wall, speed };
}

/** An existing state keeps its clock by default; with a new clock, time continues from its current value. */
function changeClock(simulation: Simulation, { clock, speed }: SimulationOptions): void {
  const known = simulation.clock;
  const kind = clock ?? known.kind;
  const isSame = kind === known.kind && (speed === undefined || known.kind === 'manual' || known.speed === speed);
  if (isSame) return;
  simulation.write(({ exchange }) => {
    const wall = simulation.wallTime();
    const now = Math.max(readClock(known, wall), exchange.time);
    const followsWall = simulation.facts.firstTime === null && speed === undefined;
    simulation.setClock(
      kind === 'manual'
        ? { kind, now }
        : followsWall
          ? wallClock
          : { kind, startedWall: wall, startedAt: now, speed: speed ?? 1 },
    );
  });
}
