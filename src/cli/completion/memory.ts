import { join } from 'node:path';
import { stateFolder, type Variables } from '../files/folders.ts';
import { readRegularFile } from '../files/regular-file.ts';
import type { EnvironmentName } from '../grammar/global-options.ts';

/** What TAB can complete from memory, without a network. */
export const rememberedKinds = ['market', 'account', 'order', 'position', 'twap', 'scaled', 'group'] as const;
export type RememberedKind = (typeof rememberedKinds)[number];

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
