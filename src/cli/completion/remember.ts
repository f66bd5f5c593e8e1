import { writePrivateFile } from '../../ground/files/private-files.ts';
import type { Context } from '../context/context.ts';
import { type Memory, memoryFile, type Remembered, type RememberedKind, recall } from './memory.ts';

const maxRemembered = 200;

/** Stores what a list just showed, for completion; if it can't be written, nothing is stored. */
export function remember(context: Context, kind: RememberedKind, values: readonly Remembered[]): void {
  const { variables, settings } = context;
  const { environment, dryRun } = settings;
  if (dryRun) return;
  const memory = recall(variables);
  const next = values.slice(0, maxRemembered);
  if (JSON.stringify(memory[environment]?.[kind]) === JSON.stringify(next)) return;
  try {
    const changed: Memory = { ...memory, [environment]: { ...memory[environment], [kind]: next } };
    writePrivateFile(memoryFile(variables), JSON.stringify(changed), 'quick');
  } catch {
    // A read-only home folder must not make a command fail.
  }
}
