import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulation } from './open.ts';
import { type SimulationOptions, stateOf } from './options.ts';
import type { Simulation } from './simulation.ts';
import { stateFiles } from './state-directory.ts';

/** A simulation, and how whoever opened it lets go of it. */
export interface Opened {
  simulation: Simulation;
  close(): void;
}

/** Opens a state where it belongs, and makes it there if it is new. */
export async function openInPlace(options: SimulationOptions): Promise<Opened> {
  const simulation = await openSimulation(options);
  return { simulation, close: () => simulation.close() };
}

/** Opens a state that is there; one that is not is made in a temporary folder, and `close` removes it. */
export async function openAside(options: SimulationOptions): Promise<Opened> {
  const state = stateOf(options);
  if (existsSync(stateFiles(options.stateDir, state).database)) return openInPlace({ ...options, state });
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-'));
  const remove = () => rmSync(stateDir, { recursive: true, force: true });
  try {
    const simulation = await openSimulation({ ...options, state, stateDir });
    const close = () => {
      simulation.close();
      remove();
    };
    return { simulation, close };
  } catch (error) {
    remove();
    throw error;
  }
}
