import { randomBytes } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { defaultState, liveState } from '../../base/terms/state-names.ts';
import type { VenueName } from '../../base/terms/venues.ts';
import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import { defaultCatalog } from '../../exchange/markets/catalog.ts';
import type { LastTouch } from '../../exchange/markets/synthetic/profile.ts';
import { syntheticSource } from '../../exchange/markets/synthetic/synthetic-source.ts';
import type { Store } from '../../exchange/store/store.ts';
import { SimulationError } from '../state/state-directory.ts';
import { withKept } from '../state/versions.ts';
import { liveBooks, type SimulationOptions, stateOf } from './options.ts';
import type { SourceFacts } from './simulation.ts';

/** The source of books that a state is bound to, as stored; `asNow`: the shift of everything to later than recorded. */
export type SourceSetting =
  | { kind: 'synthetic'; seed: number }
  | { kind: 'recorded'; path: string; fingerprint: string; seed: number; blind?: true; asNow?: Ms }
  | { kind: 'live'; tape: string; venues: readonly VenueName[]; seed: number };

/** Data that a state keeps from older versions: markets, and the prices to continue from. */
interface Inherited {
  kept: readonly MarketDefinition[];
  touches: readonly LastTouch[];
}

/** A source of books, opened, and what the state remembers of it. */
export interface Chosen {
  facts: SourceFacts;
  setting: SourceSetting;
  /** Exchange time at which a new state starts; null: now. */
  start: Ms | null;
}

/** A state's record of its source; null for a new state. */
export function sourceSetting(store: Store): SourceSetting | null {
  const text = store.setting('source');
  return text === null ? null : (JSON.parse(text) as SourceSetting);
}

/**
 * The synthetic markets opened last. They are a pure function of their seed, so simulations of one seed in a process,
 * such as those of a program's tests, share what they have computed.
 */
let latest: { seed: number; source: SourceFacts['source'] } | undefined;

/** The requested source, else the state's, else the synthetic one, which is always loaded. */
export async function chooseSource(
  options: SimulationOptions,
  known: SourceSetting | null,
  { kept, touches }: Inherited = { kept: [], touches: [] },
): Promise<Chosen> {
  const seed = known?.seed ?? options.seed ?? options.beginning?.seed ?? randomBytes(4).readUInt32LE();
  if (options.books === liveBooks || (options.books === undefined && known?.kind === 'live'))
    return await liveSource(options, known?.kind === 'live' ? known : null, seed);
  const path = options.books ?? (known?.kind === 'recorded' ? known.path : null);
  if (path === null) {
    if (options.asNow)
      throw new SimulationError('invalid', 'Only a recording can be shifted to now: name one with books.');
    if (known === null && options.state === liveState) refuseSynthetic(liveState);
    const isPlain = kept.length === 0 && touches.length === 0;
    const source =
      isPlain && latest?.seed === seed
        ? latest.source
        : syntheticSource({ seed, definitions: withKept(defaultCatalog, kept), lastTouches: touches });
    if (isPlain) latest = { seed, source };
    const facts = {
      source,
      seed,
      firstTime: null,
      lastTime: null,
      close() {},
    };
    const start = options.startTime ?? options.beginning?.startTime ?? null;
    return { facts, setting: { kind: 'synthetic', seed }, start };
  }
  return recordedSource(options, known?.kind === 'recorded' ? known : null, path, seed);
}

/** A recording: at its own times, blind, or as of now. */
async function recordedSource(
  options: SimulationOptions,
  known: (SourceSetting & { kind: 'recorded' }) | null,
  path: string,
  seed: number,
): Promise<Chosen> {
  const { openBooks } = await import('../live/books.ts');
  const { tapeFile } = await import('../../venues/live/tapes.ts');
  const cacheDir = options.recordingsDir ?? join(options.stateDir, 'recordings');
  const file = tapeFile(path, join(dirname(cacheDir), 'tapes'));
  const { source, firstTime, lastTime, fingerprint, close } = await openBooks(file, cacheDir);
  const books = resolve(file);
  const { blindSource, placeOn } = await import('../../venues/live/practice.ts');
  const start = options.from === undefined ? firstTime : placeOn({ tape: books, firstTime, lastTime }, options.from);
  if (start === null) {
    close();
    const range = [firstTime, lastTime].map((at) => new Date(at).toISOString()).join(' to ');
    const message = `${JSON.stringify(options.from)} is not in the recording, which runs from ${range}.`;
    throw new SimulationError('invalid', message);
  }
  const setting = { kind: 'recorded', path: books, fingerprint, seed } as const;
  if (known?.asNow !== undefined || options.asNow) {
    const { loopedSource, shiftTo } = await import('../../exchange/markets/looped/looped-source.ts');
    const times = { firstTime, lastTime };
    const now = options.startTime ?? (options.wall ?? Date.now)();
    const asNow = known?.asNow ?? shiftTo(times, start, now);
    const looped = loopedSource(source, times, asNow);
    const facts = { source: looped, seed, firstTime: null, lastTime: null, books, close };
    return { facts, setting: { ...setting, asNow }, start: options.startTime ?? null };
  }
  const facts: SourceFacts = { source, seed, firstTime, lastTime, books, close };
  if (options.blind ?? known?.blind === true) {
    // Before there is a clock, only the start is requested.
    const blind = { now: () => Number.POSITIVE_INFINITY };
    Object.assign(facts, { blind, source: blindSource(source, () => blind.now()) });
    return { facts, setting: { ...setting, blind: true }, start };
  }
  return { facts, setting, start };
}

/** The default name of a simulation on live markets: under another name it could be taken for a synthetic one. */
function refuseSynthetic(state: string): never {
  throw new SimulationError(
    'missing',
    `There is no simulation ${state}, and the name means one on live markets.`,
    'Start it with: perp sim serve --books live. Synthetic markets need another --state.',
  );
}

/** Live markets: with their feeds, with one request per book, or as far as the state's tape has them. */
async function liveSource(
  options: SimulationOptions,
  known: (SourceSetting & { kind: 'live' }) | null,
  seed: number,
): Promise<Chosen> {
  const { tapeOf, openMarkets: openDesk } = await import('../live/open-markets.ts');
  const tape = known?.tape ?? tapeOf(options.stateDir, stateOf(options));
  const venues = options.live?.venues ?? known?.venues ?? ['binance'];
  const common = { seed, firstTime: null, lastTime: null };
  const setting = { kind: 'live', tape, venues, seed } as const;
  if (options.live === undefined) {
    if (known === null)
      throw new SimulationError(
        'missing',
        'Live markets must be served, and no service is running.',
        'Start one with: perp sim serve --books live',
      );
    const { openTapeOf } = await import('../live/books.ts');
    return { facts: { ...common, ...openTapeOf(tape), books: tape }, setting, start: null };
  }
  if (options.glances === true) {
    const { openGlance } = await import('../live/glance.ts');
    const { source, live } = await openGlance(venues, options.live);
    return { facts: { ...common, source, live, close: () => void live.close() }, setting, start: null };
  }
  const { source, live } = await openDesk(venues, options.live, tape);
  return {
    facts: { ...common, source, live, books: tape, close: () => void live.close() },
    setting,
    start: null,
  };
}

/**
 * A state keeps its source. Two processes may have chosen different ones for a new state, and a file may have changed.
 */
export function checkSource(known: SourceSetting, chosen: SourceSetting, options: SimulationOptions): void {
  const { seed, state = defaultState } = options;
  const refuse = (message: string) => {
    throw new SimulationError('conflict', `${message} Choose another --state, or reset this one.`);
  };
  if (seed !== undefined && seed !== known.seed) refuse(`State ${state} has the seed ${known.seed}.`);
  if (known.kind === 'synthetic') {
    if (chosen.kind !== 'synthetic') refuse(`State ${state} is on the synthetic markets.`);
  } else if (known.kind === 'live' || chosen.kind === 'live') {
    if (known.kind !== chosen.kind)
      refuse(`State ${state} is ${known.kind === 'live' ? 'on live markets' : 'on a recording'}.`);
  } else if (chosen.kind === 'synthetic') refuse(`State ${state} was just created with a recording.`);
  else if (options.asNow && known.asNow === undefined) refuse(`State ${state} plays its recording at its own times.`);
  else if (known.fingerprint !== chosen.fingerprint) refuse(`State ${state} uses other books: ${known.path}.`);
}

/** The current markets of a state's source; null if the books have their own. */
export function catalogOf({ kind }: SourceSetting): readonly MarketDefinition[] | null {
  return kind === 'synthetic' ? defaultCatalog : null;
}
