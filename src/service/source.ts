import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { MarketDefinition } from '../engine/model.ts';
import { defaultCatalog } from '../markets/catalog.ts';
import type { LastTouch } from '../markets/synthetic/start.ts';
import type { Store } from '../store/store.ts';
import { defaultState, type SimulationOptions } from './options.ts';
import type { SourceFacts } from './simulation.ts';
import { SimulationError } from './simulation-error.ts';
import { withKept } from './versions.ts';

/** What a state remembers of where its books come from. */
export type SourceSetting =
  | { kind: 'synthetic'; seed: number }
  | { kind: 'recorded'; path: string; fingerprint: string; seed: number };

/** What a state keeps of older versions: markets, and where prices go on from. */
export interface Inherited {
  kept: readonly MarketDefinition[];
  touches: readonly LastTouch[];
}

export interface Chosen {
  facts: SourceFacts;
  setting: SourceSetting;
}

export function sourceSetting(store: Store): SourceSetting | null {
  const text = store.setting('source');
  return text === null ? null : (JSON.parse(text) as SourceSetting);
}

/** The source asked for, else the one the state has, else the synthetic one. Each is loaded only where it is used. */
export async function chooseSource(
  options: SimulationOptions,
  known: SourceSetting | null,
  { kept, touches }: Inherited = { kept: [], touches: [] },
): Promise<Chosen> {
  const seed = known?.seed ?? options.seed ?? randomBytes(4).readUInt32LE();
  const path = options.books ?? (known?.kind === 'recorded' ? known.path : null);
  if (path === null) {
    const { syntheticSource } = await import('../markets/synthetic.ts');
    const facts = {
      source: syntheticSource({ seed, definitions: withKept(defaultCatalog, kept), lastTouches: touches }),
      seed,
      firstTime: null,
      lastTime: null,
      close() {},
    };
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
export function checkSource(known: SourceSetting, chosen: SourceSetting, options: SimulationOptions): void {
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

/** Today's markets of a state's source; null where the books bring their own. */
export function catalogOf({ kind }: SourceSetting): readonly MarketDefinition[] | null {
  return kind === 'synthetic' ? defaultCatalog : null;
}
