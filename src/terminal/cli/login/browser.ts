import { spawn } from 'node:child_process';
import { type Variables, variable } from '../../../base/files/folders.ts';
import { isWindows } from '../../../base/system/system.ts';

/**
 * Whether a browser started here would appear in front of the user: not in a remote session, and on Linux only with a
 * display (or Windows around it).
 */
export function hasBrowser(variables: Variables, platform: NodeJS.Platform = process.platform): boolean {
  const isSet = (name: string) => variable(variables, name) !== undefined;
  if (isSet('BROWSER')) return !/^none$/i.test(variable(variables, 'BROWSER')!);
  if (isSet('SSH_CONNECTION') || isSet('SSH_TTY')) return false;
  if (platform === 'darwin' || isWindows({ platform })) return true;
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
}

/** Opens the address in the browser of $BROWSER, or else the system's; false if none could be started. */
export async function openBrowser(address: string, variables: Variables): Promise<boolean> {
  for (const line of browsersOf(variables)) if (await startBrowser(line, address)) return true;
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

/** The commands in $BROWSER, in order; a colon separates them, except on Windows, where paths have one. */
function browsersOf(variables: Variables): string[] {
  const text = variable(variables, 'BROWSER') ?? '';
  const lines = isWindows() ? [text] : text.split(':');
  return lines.map((line) => line.trim()).filter((line) => line !== '');
}

/** `%s` in the command stands for the address; without it, the address comes last. No shell reads the command. */
async function startBrowser(line: string, address: string): Promise<boolean> {
  const [program = '', ...rest] = line.split(/\s+/);
  const args = rest.some((word) => word.includes('%s'))
    ? rest.map((word) => word.replaceAll('%s', () => address))
    : [...rest, address];
  const started = await withoutOurVariables(async () =>
    spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true }),
  );
  return new Promise((resolve) => {
    started.once('error', () => resolve(false));
    started.once('spawn', () => {
      started.unref();
      resolve(true);
    });
  });
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
