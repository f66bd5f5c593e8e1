import { join } from 'node:path';
import { type EnvironmentName, stateFolder, type Variables } from '../../base/files/folders.ts';
import { readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import type { Machine, Session } from '../session/session.ts';

/** Kinds of values that TAB completes from stored data, without the network. */
export const rememberedKinds = ['market', 'account', 'order', 'position', 'twap', 'scaled', 'group'] as const;
/** A kind of value that is remembered; `login`: whose accounts the last list showed; `screen`: its layout. */
export type RememberedKind = (typeof rememberedKinds)[number] | 'login' | 'screen';

/** A value and its description. */
export type Remembered = readonly [value: string, about: string];

/** Stored values by environment. */
type Memory = { [Environment in EnvironmentName]?: { [Kind in RememberedKind]?: readonly Remembered[] } };

/** Everything stored; empty if there is no file or it can't be read. */
function recall(variables: Variables): Memory {
  try {
    const memory: unknown = JSON.parse(readRegularFile(memoryFile(variables)).text);
    return typeof memory === 'object' && memory !== null ? memory : {};
  } catch {
    return {};
  }
}

/** Stored values of one kind; ignores anything else in the file. */
export function remembered(
  variables: Variables,
  environment: EnvironmentName,
  kind: RememberedKind,
  memory = recall(variables),
): Remembered[] {
  const kept: unknown = memory[environment]?.[kind];
  const isPair = (one: unknown): one is Remembered =>
    Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string';
  return Array.isArray(kept) ? kept.filter(isPair) : [];
}

/** The same as of the first time that the session asks, for what it expects before it has read anything. */
export function expected({ machine, settings }: Session, kind: RememberedKind): Remembered[] {
  const memory = recalled.get(machine) ?? recall(machine.variables);
  recalled.set(machine, memory);
  return remembered(machine.variables, settings.environment, kind, memory);
}

const recalled = new WeakMap<Machine, Memory>();

/** The file, in the state folder. */
function memoryFile(variables: Variables): string {
  return join(stateFolder(variables), 'completion.json');
}

const maxRemembered = 200;

/** Facts shown to a session, or to all sessions that share their reads. */
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
    const changed = (): string | undefined => {
      const known = recall(machine.variables);
      const next: Memory = { ...known, [environment]: { ...known[environment], ...Object.fromEntries(lists) } };
      return JSON.stringify(next) === JSON.stringify(known) ? undefined : JSON.stringify(next);
    };
    if (changed() === undefined) return;
    try {
      changeFile({ file: memoryFile(machine.variables), speed: 'quick' }, (write) => {
        const text = changed();
        if (text !== undefined) write(text);
      });
    } catch {
      // A read-only home folder must not make a command fail.
    }
  });
}
