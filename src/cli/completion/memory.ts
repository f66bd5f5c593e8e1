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

/** What is remembered of a kind; whatever else its file holds is left out. */
export function remembered(variables: Variables, environment: EnvironmentName, kind: RememberedKind): Remembered[] {
  const kept: unknown = recall(variables)[environment]?.[kind];
  const isPair = (one: unknown): one is Remembered =>
    Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string';
  return Array.isArray(kept) ? kept.filter(isPair) : [];
}

/** Where it is kept: beside the simulations. */
export function memoryFile(variables: Variables): string {
  return join(stateFolder(variables), 'completion.json');
}
