import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { usageFailure } from '../../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../../base/files/folders.ts';
import { readRegularFile } from '../../../base/files/private-files.ts';
import { changeFile } from '../../../base/files/shared-file.ts';
import { defaultState, isStateName } from '../../../base/terms/state-names.ts';

/** The simulation that a plain command means when neither --state, nor PERP_STATE, nor the config names one. */
export interface InUse {
  state: string;
  /** `default`: nothing is in use. */
  by: 'perp sim use' | 'perp sim serve' | 'default';
}

interface Since {
  state: string;
  /** Unix ms. */
  since: number;
}

/**
 * The simulation in use: the last one selected, by hand or by a running `perp sim serve`. One selected by serving
 * counts only on a terminal, and only as long as its process lives; one selected by hand counts everywhere.
 */
export async function simulationInUse(variables: Variables, isOnTerminal: boolean): Promise<InUse> {
  const folder = stateFolder(variables);
  const byHand = usedByHand(folder);
  if (isOnTerminal) {
    const later = servedInUse(folder).filter(({ since }) => since > (byHand?.since ?? 0));
    for (const { state } of later.sort((one, other) => other.since - one.since))
      if (await isServed(folder, state)) return { state, by: 'perp sim serve' };
  }
  if (byHand === undefined || byHand.state === defaultState) return { state: defaultState, by: 'default' };
  return { state: byHand.state, by: 'perp sim use' };
}

/** Selects a simulation until another one is selected. */
export function useByHand(variables: Variables, state: string, now: number): void {
  const file = join(stateFolder(variables), inUseFile);
  changeFile({ file }, (write) => write(`${JSON.stringify({ state, since: now })}\n`));
}

/** The simulations that exist, by name. */
export function statesIn(variables: Variables): string[] {
  return namesIn(stateFolder(variables))
    .filter((name) => name.endsWith('.db'))
    .map((name) => name.slice(0, -'.db'.length))
    .filter(isStateName)
    .sort();
}

const inUseFile = 'in-use.json';

/** Undefined if none was selected, or if it is gone. */
function usedByHand(folder: string): Since | undefined {
  const { state, since } = read(join(folder, inUseFile));
  if (typeof state !== 'string' || typeof since !== 'number' || !isStateName(state)) return undefined;
  return state === defaultState || existsSync(join(folder, `${state}.db`)) ? { state, since } : undefined;
}

/** The contents of service files, including those of killed services. */
function servedInUse(folder: string): Since[] {
  return namesIn(folder).flatMap((name) => {
    const state = name.slice(0, -'.service.json'.length);
    if (!name.endsWith('.service.json') || !isStateName(state)) return [];
    const { inUseSince: since } = read(join(folder, name));
    return typeof since === 'number' ? [{ state, since }] : [];
  });
}

async function isServed(folder: string, state: string): Promise<boolean> {
  const { runningService } = await import('../../../service/state/service-file.ts');
  return (await runningService(folder, state))?.inUseSince !== undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readRegularFile(file).text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The running service of a simulation; undefined if it is not being served. */
export async function runningSimulation(stateDir: string, state: string) {
  if (!existsSync(join(stateDir, `${state}.service.json`))) return undefined;
  const { runningService } = await import('../../../service/state/service-file.ts');
  const running = await runningService(stateDir, state);
  if (running !== undefined) return running ?? undefined;
  throw usageFailure(
    `The simulation ${state} is in use, but its service has not published an address.`,
    'Wait a moment, or choose another --state.',
  );
}
