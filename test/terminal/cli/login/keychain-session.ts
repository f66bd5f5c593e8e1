import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Keychain } from '../../../../src/desk/credentials/keychain.ts';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** Why the tests of a real keychain can't run on this machine; false if they can. */
export const noKeychain: string | false = missingProgram('dbus-daemon', 'gnome-keyring-daemon');

function missingProgram(...programs: string[]): string | false {
  if (process.platform !== 'linux') return 'the keychain tests are for Linux';
  const missing = programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  return missing.length > 0 && `not installed: ${missing.join(', ')}`;
}

/** A bus that starts nothing automatically: a second, empty keyring would answer before the unlocked one. */
const busConfig = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>
`;

/** A separate desktop session: a D-Bus with a gnome-keyring that is unlocked with a piped password. */
export class KeychainSession {
  /** The environment variables for programs in this session. */
  readonly variables: Record<string, string>;
  readonly #keyring: ChildProcess;

  private constructor(variables: Record<string, string>, keyring: ChildProcess) {
    this.variables = variables;
    this.#keyring = keyring;
  }

  static async start(t: Context, { unlocked = true } = {}): Promise<KeychainSession> {
    const folder = mkdtempSync(join(tmpdir(), 'perp-keychain-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const variables = {
      PATH: process.env.PATH!,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus`,
    };
    const config = join(folder, 'bus.conf');
    writeFileSync(config, busConfig(folder));
    const bus = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork'], { stdio: 'ignore' });
    t.after(() => void bus.kill('SIGKILL'));
    await until(() => existsSync(join(folder, 'bus')));
    const command = ['--foreground', '--components=secrets', ...(unlocked ? ['--unlock'] : [])];
    const keyring = spawn('gnome-keyring-daemon', command, { env: variables, stdio: ['pipe', 'ignore', 'ignore'] });
    t.after(() => void keyring.kill('SIGKILL'));
    keyring.stdin.end(unlocked ? 'a password' : '');
    const session = new KeychainSession(variables, keyring);
    await until(() => session.#answers());
    return session;
  }

  /** From now on it accepts calls and never answers. */
  hang(): void {
    this.#keyring.kill('SIGSTOP');
  }

  get keychain(): Keychain {
    return new Keychain(this.variables);
  }

  /** Even when locked, it answers searches. */
  async #answers(): Promise<boolean> {
    return this.keychain.read('nothing').then(
      () => true,
      () => false,
    );
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('the keychain session did not start');
    await delay(50);
  }
}
