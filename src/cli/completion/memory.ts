import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../config-file.ts';
import type { Context } from '../context.ts';
import type { EnvironmentName } from '../global-flags.ts';
import { stateFolder, type Variables } from '../places.ts';

/** What TAB can complete from memory, without a network. */
export type RememberedKind = 'market' | 'account' | 'order' | 'position' | 'twap' | 'scaled' | 'group';

/** A value and a few words about it. */
export type Remembered = readonly [value: string, about: string];

type Memory = { [Environment in EnvironmentName]?: { [Kind in RememberedKind]?: Remembered[] } };

const mostRemembered = 200;

/** Keeps what a list just showed, for completion; a memory that cannot be written is none. */
export function remember(context: Context, kind: RememberedKind, values: readonly Remembered[]): void {
  const { variables, settings } = context;
  const { environment } = settings;
  const memory = recall(variables);
  const next = values.slice(0, mostRemembered);
  if (JSON.stringify(memory[environment]?.[kind]) === JSON.stringify(next)) return;
  try {
    const changed: Memory = { ...memory, [environment]: { ...memory[environment], [kind]: next } };
    writePrivateFile(memoryFile(variables), JSON.stringify(changed));
  } catch {
    // A read-only home must not stand in the way of a command.
  }
}

/** Everything remembered. */
export function recall(variables: Variables): Memory {
  try {
    const memory: unknown = JSON.parse(readFileSync(memoryFile(variables), 'utf8'));
    return typeof memory === 'object' && memory !== null ? memory : {};
  } catch {
    return {};
  }
}

function memoryFile(variables: Variables): string {
  return join(stateFolder(variables), 'completion.json');
}
