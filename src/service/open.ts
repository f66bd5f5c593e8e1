import { randomBytes } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import type { Command } from '../engine/commands.ts';
import { defaultStartingBalance, plans } from '../engine/defaults.ts';
import { Exchange, emptyState } from '../engine/exchange.ts';
import type { Environment, Ms } from '../engine/model.ts';
import { isInDoubt, StoreError, storeError } from '../store/errors.ts';
import { Store } from '../store/store.ts';
import { type ClockState, parseClock, readClock, wallClock } from './clock.ts';
import { localOwner } from './keys.ts';
import { Simulation, type SourceFacts } from './simulation.ts';
import { SimulationError } from './simulation-error.ts';
import { isStateName, makeStateDirectory, stateFiles } from './state-directory.ts';

/** How to open a state; what is not given is as the state has it, or the default for a new one. */
export interface SimulationOptions {
  stateDir: string;
  /** Default: `default`, or with `books` a fresh one. */
  state?: string | undefined;
  /** A recording to take markets and books from (recording.md). */
  books?: string | undefined;
  clock?: 'real' | 'manual' | undefined;
  /** Of a recording on the real clock: so many times as fast. */
  speed?: number | undefined;
  /** For a new state: */
  seed?: number | undefined;
  plan?: string | undefined;
  startingBalance?: number | undefined;
  /** Accounts of the local owner in each environment. */
  accounts?: number | undefined;
  /** Exchange time at which a synthetic state begins, Unix ms; default now. */
  startTime?: Ms | undefined;
  /** Wall time; Date.now but for tests. */
  wall?: (() => Ms) | undefined;
}

/** What a state remembers of where its books come from. */
type SourceSetting =
  | { kind: 'synthetic'; seed: number }
  | { kind: 'recorded'; path: string; fingerprint: string; seed: number };

interface Chosen {
  facts: SourceFacts;
  setting: SourceSetting;
}

export const defaultState = 'default';

/**
 * Opens a named state, setting it up if it is new: safely, whoever else opens it at the same moment. Throws
 * `SimulationError`, `StoreError`, or `RecordingError` (simulation 9).
 */
export async function openSimulation(options: SimulationOptions): Promise<Simulation> {
  return open(options, async (store, wall) => {
    let chosen = await chooseSource(options, sourceSetting(store));
    if (sourceSetting(store) === null) setUpOnce(store, chosen, options, wall);
    // Whoever was quicker drew the seed.
    const known = sourceSetting(store)!;
    if (known.seed !== chosen.setting.seed) {
      chosen.facts.close();
      chosen = await chooseSource(options, known);
    }
    checkSource(known, chosen.setting, options);
    return chosen.facts;
  });
}

/** Opens a state and begins it anew, on the books and the clock it had unless told; its API keys stay. */
export async function beginAnew(options: SimulationOptions): Promise<Simulation> {
  return open(options, async (store, wall) => {
    const known = sourceSetting(store);
    const books = options.books ?? (known?.kind === 'recorded' ? known.path : undefined);
    const clock = store.setting('clock');
    const kept = clock === null ? undefined : parseClock(clock).kind;
    const chosen = await chooseSource({ ...options, books }, null);
    store.transaction(() => {
      store.clear();
      setUp(store, chosen, { ...options, clock: options.clock ?? kept }, wall);
    });
    return chosen.facts;
  });
}

async function open(
  options: SimulationOptions,
  prepare: (store: Store, wall: Ms) => Promise<SourceFacts>,
): Promise<Simulation> {
  checkOptions(options);
  const state = stateOf(options);
  makeStateDirectory(options.stateDir);
  const { database } = stateFiles(options.stateDir, state);
  const store = Store.open(database);
  try {
    const wall = options.wall ?? Date.now;
    const facts = await prepare(store, wall());
    const simulation = new Simulation(state, store, facts, wall);
    changeClock(simulation, options);
    return simulation;
  } catch (error) {
    const isEmpty = sourceSetting(store) === null;
    store.close();
    // Books that cannot be read leave no state without markets behind.
    if (isEmpty) removeUnused(database);
    throw error;
  }
}

function removeUnused(database: string): void {
  try {
    Store.destroy(database);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** The state that these options name; a recording without one gets a name never used before. */
export function stateOf({ state, books }: SimulationOptions): string {
  if (state !== undefined && !isStateName(state))
    throw new SimulationError(
      'invalid',
      "A state's name has up to 64 letters, digits, dots, dashes and underscores, and no dot in front.",
    );
  return state ?? (books === undefined ? defaultState : freshName(books));
}

function checkOptions({ plan, accounts = 1, startingBalance = 1, speed = 1 }: SimulationOptions): void {
  const refuse = (message: string) => {
    throw new SimulationError('invalid', message);
  };
  if (plan !== undefined && !Object.hasOwn(plans, plan))
    refuse(`There is no such plan; there are ${Object.keys(plans).join(', ')}.`);
  if (!Number.isInteger(accounts) || accounts < 1 || accounts > 100) refuse('Accounts: a whole number from 1 to 100.');
  if (!(startingBalance > 0 && startingBalance <= 1e9)) refuse('Balance: more than 0 and at most 1000000000 USD.');
  if (!(speed > 0 && speed <= 1e6)) refuse('Speed: more than 0 and at most 1000000.');
}

/** `books.jsonl.gz` gives `books-20261120T215300-3f9a`. */
function freshName(books: string): string {
  const stem =
    basename(books)
      .split('.', 1)[0]!
      .replace(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, 32) || 'recording';
  const moment = new Date().toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length).replace(/[-:]/g, '');
  return `${stem}-${moment}-${randomBytes(2).toString('hex')}`;
}

function sourceSetting(store: Store): SourceSetting | null {
  const text = store.setting('source');
  return text === null ? null : (JSON.parse(text) as SourceSetting);
}

/** The source asked for, else the one the state has, else the synthetic one. Each is loaded only where it is used. */
async function chooseSource(options: SimulationOptions, known: SourceSetting | null): Promise<Chosen> {
  const seed = known?.seed ?? options.seed ?? randomBytes(4).readUInt32LE();
  const path = options.books ?? (known?.kind === 'recorded' ? known.path : null);
  if (path === null) {
    const { syntheticSource } = await import('../markets/synthetic.ts');
    const facts = { source: syntheticSource({ seed }), seed, firstTime: null, lastTime: null, close() {} };
    return { facts, setting: { kind: 'synthetic', seed } };
  }
  const { openRecording } = await import('../markets/recorded.ts');
  const cacheDir = join(options.stateDir, 'recordings');
  const { source, firstTime, lastTime, fingerprint, close } = await openRecording(path, { cacheDir });
  return {
    facts: { source, seed, firstTime, lastTime, close },
    setting: { kind: 'recorded', path: resolve(path), fingerprint, seed },
  };
}

/** A state keeps its source; two processes may have chosen differently for a new one, and a file may have changed since. */
function checkSource(known: SourceSetting, chosen: SourceSetting, options: SimulationOptions): void {
  const { seed, state = defaultState } = options;
  const refuse = (message: string) => {
    throw new SimulationError('conflict', `${message} Choose another --state, or reset this one.`);
  };
  if (seed !== undefined && seed !== known.seed) refuse(`State ${state} has the seed ${known.seed}.`);
  if (known.kind === 'synthetic') {
    if (chosen.kind === 'recorded') refuse(`State ${state} lives on the synthetic markets, not on a recording.`);
  } else if (chosen.kind === 'synthetic') refuse(`State ${state} was just created on a recording.`);
  else if (known.fingerprint !== chosen.fingerprint) refuse(`State ${state} belongs to other books: ${known.path}.`);
}

/** Sets a new state up, unless another process is quicker. When COMMIT breaks, the state itself tells whether it is set up. */
function setUpOnce(store: Store, chosen: Chosen, options: SimulationOptions, wall: Ms): void {
  try {
    store.transaction(() => {
      if (sourceSetting(store) === null) setUp(store, chosen, options, wall);
    });
  } catch (error) {
    if (!isInDoubt(error)) throw error;
    if (sourceSetting(store) === null) throw storeError('io', store.file, error);
  }
}

/** First state of the exchange: one account per environment and number, in the journal like every command. */
function setUp(store: Store, { facts, setting }: Chosen, options: SimulationOptions, wall: Ms): void {
  const startTime = facts.firstTime ?? options.startTime ?? wall;
  const initial = emptyState(facts.seed, startTime);
  const exchange = new Exchange(facts.source, initial);
  store.initialize(initial);
  for (const environment of ['live', 'test'] as const) {
    for (let number = 1; number <= (options.accounts ?? 1); number++) {
      const command = openAccount(environment, number, options);
      store.appendJournal(startTime, command);
      exchange.execute(command);
    }
  }
  store.write(exchange.takeChanges());
  store.setSetting('source', JSON.stringify(setting));
  store.setSetting('clock', JSON.stringify(firstClock(facts, options, startTime, wall)));
  if (store.setting('cursor_secret') === null) store.setSetting('cursor_secret', randomBytes(32).toString('base64url'));
  store.setSetting('initial_time', String(startTime));
}

function openAccount(environment: Environment, number: number, options: SimulationOptions): Command {
  return {
    kind: 'open_account',
    owner: localOwner,
    environment,
    name: `${environment === 'live' ? 'Challenge' : 'Sandbox'} ${number}`,
    plan: plans[(options.plan ?? 'select') as keyof typeof plans],
    startingBalance: options.startingBalance ?? defaultStartingBalance,
  };
}

function firstClock(facts: SourceFacts, options: SimulationOptions, startTime: Ms, wall: Ms): ClockState {
  if (options.clock === 'manual') return { kind: 'manual', now: startTime };
  const runsWithTheWorld = facts.firstTime === null && options.startTime === undefined && (options.speed ?? 1) === 1;
  if (runsWithTheWorld) return wallClock;
  return { kind: 'real', startedWall: wall, startedAt: startTime, speed: options.speed ?? 1 };
}

/** An existing state keeps its clock unless told; then time goes on from where it stands. */
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
