import { type Variables, variable } from '../places.ts';

/**
 * Whether a browser started here would appear before the person who typed the command: not in a session from elsewhere,
 * and on Linux only where there is a display (or Windows around it).
 */
export function hasBrowser(variables: Variables, platform: NodeJS.Platform = process.platform): boolean {
  const isSet = (name: string) => variable(variables, name) !== undefined;
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
  if (platform === 'darwin' || platform === 'win32') return true;
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
}

/** Opens the address in the person's browser; false when none could be started. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    const { default: open } = await import('open');
    const starter = await open(address);
    // It may still fail once started; the address is on the terminal for that.
    starter.on('error', () => {});
    return true;
  } catch {
    return false;
  }
}
