import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSimulation } from './open.ts';
import { type SimulationOptions, stateOf } from './options.ts';
import type { Simulation } from './simulation.ts';
import { stateFiles } from './state-directory.ts';

/** A simulation, and how its opener closes it. */
export interface Opened {
  simulation: Simulation;
  close(): void;
}

/** Opens a state, creating it if it is new. */
export async function openInPlace(options: SimulationOptions): Promise<Opened> {
  const simulation = await openSimulation(options);
  return { simulation, close: () => simulation.close() };
}

/** Opens a state if it exists; otherwise creates it in a temporary folder, which `close` removes. */
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
