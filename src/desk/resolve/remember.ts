import { writePrivateFile } from '../../ground/files/private-files.ts';
import type { Session } from '../session/session.ts';
import { type Memory, memoryFile, type Remembered, type RememberedKind, recall } from './remembered.ts';

const maxRemembered = 200;

/** Stores what a list just showed, for completion; if it can't be written, nothing is stored. */
export function remember(session: Session, kind: RememberedKind, values: readonly Remembered[]): void {
  const { settings } = session;
  const { variables } = session.machine;
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
