import { writePrivateFile } from '../../ground/files/private-files.ts';
import type { Machine, Session } from '../session/session.ts';
import { type Memory, memoryFile, type Remembered, type RememberedKind, recall } from './remembered.ts';

const maxRemembered = 200;

/** What a session, or all that share what they read, has shown. */
const shown = new WeakMap<Machine, Map<RememberedKind, readonly Remembered[]>>();

/** Stores what a list just showed, for completion, when the session ends; if it can't be written, nothing is stored. */
export function remember(session: Session, kind: RememberedKind, values: readonly Remembered[]): void {
  const { machine, memory, settings } = session;
  const { environment, dryRun } = settings;
  if (dryRun) return;
  const lists = shown.get(machine) ?? new Map();
  shown.set(machine, lists.set(kind, values.slice(0, maxRemembered)));
  memory.atEnd('completion', () => {
    shown.delete(machine);
    const known = recall(machine.variables);
    const changed: Memory = { ...known, [environment]: { ...known[environment], ...Object.fromEntries(lists) } };
    if (JSON.stringify(changed) === JSON.stringify(known)) return;
    try {
      writePrivateFile(memoryFile(machine.variables), JSON.stringify(changed), 'quick');
    } catch {
      // A read-only home folder must not make a command fail.
    }
  });
}
