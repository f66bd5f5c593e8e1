import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable's value; set but empty counts as unset. */
export function variable(variables: Variables, name: string): string | undefined {
  const value = variables[name];
  return value === '' ? undefined : value;
}

/** Folder of the config file: PERP_CONFIG_DIR, or the XDG location (on Windows: roaming application data). */
export function configFolder(variables: Variables): string {
  return place(variables, 'PERP_CONFIG_DIR', 'XDG_CONFIG_HOME', 'APPDATA', '.config');
}

/** Folder of the simulations, pending writes and completion data: PERP_STATE_DIR, or the XDG location. */
export function stateFolder(variables: Variables): string {
  return place(variables, 'PERP_STATE_DIR', 'XDG_STATE_HOME', 'LOCALAPPDATA', '.local/state');
}

/** Where recordings are kept until they are complete. */
export function draftFolder(variables: Variables): string {
  return join(stateFolder(variables), 'unfinished');
}

function place(variables: Variables, own: string, xdg: string, windows: string, fallback: string): string {
  const chosen = variable(variables, own);
  if (chosen !== undefined) return chosen;
  const base = variable(variables, process.platform === 'win32' ? windows : xdg);
  return join(base ?? join(variable(variables, 'HOME') ?? homedir(), fallback), 'perp');
}
