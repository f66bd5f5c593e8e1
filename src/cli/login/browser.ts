import { type Variables, variable } from '../files/folders.ts';

/**
 * Whether a browser started here would appear in front of the user: not in a remote session, and on Linux only with a
 * display (or Windows around it).
 */
export function hasBrowser(variables: Variables, platform: NodeJS.Platform = process.platform): boolean {
  const isSet = (name: string) => variable(variables, name) !== undefined;
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
  if (platform === 'darwin' || platform === 'win32') return true;
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
}

/** Opens the address in the user's browser; false if none could be started. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    const { default: open } = await import('open');
    const starter = await withoutOurVariables(() => open(address));
    // It may still fail after starting; the terminal shows the address for that case.
    starter.on('error', () => {});
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts a program without the PERP_* variables: a browser outlives this command and has no use for a credential.
 * `open` has no option for the environment, so they are removed from this process's own while it starts.
 */
async function withoutOurVariables<T>(start: () => Promise<T>): Promise<T> {
  const ours = Object.entries(process.env).filter(([name]) => /^PERP_/i.test(name));
  for (const [name] of ours) delete process.env[name];
  try {
    return await start();
  } finally {
    Object.assign(process.env, Object.fromEntries(ours));
  }
}
