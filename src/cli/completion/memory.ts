import { join } from 'node:path';
import type { EnvironmentName } from '../global-flags.ts';
import { stateFolder, type Variables } from '../places.ts';
import { readRegularFile } from '../regular-file.ts';

/** What TAB can complete from memory, without a network. */
export type RememberedKind = 'market' | 'account' | 'order' | 'position' | 'twap' | 'scaled' | 'group';

/** A value and a few words about it. */
export type Remembered = readonly [value: string, about: string];

/** What is remembered, by environment. */
export type Memory = { [Environment in EnvironmentName]?: { [Kind in RememberedKind]?: readonly Remembered[] } };

/** Everything remembered; nothing, where there is no memory or it cannot be read. */
export function recall(variables: Variables): Memory {
  try {
    const memory: unknown = JSON.parse(readRegularFile(memoryFile(variables)).text);
    return typeof memory === 'object' && memory !== null ? memory : {};
  } catch {
    return {};
  }
}

/** Where it is kept: beside the simulations. */
export function memoryFile(variables: Variables): string {
  return join(stateFolder(variables), 'completion.json');
}
