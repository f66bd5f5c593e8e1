import { spawn } from 'node:child_process';
import { Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import { startOf } from '../../base/self/self.ts';
import type { Answer, Call } from './keychain-process.ts';

/** The name under which keychain programs list perp's entries. */
const service = 'perp';

/** A keychain either answers at once or waits for a user who may not be there. */
const maxWaitMs = 3_000;
/** On a busy machine, its process may need longer to start. */
const maxStartMs = 30_000;

/** Why the keychain can't be used: its library is missing, it refuses, or it does not answer. */
type KeychainProblem = 'missing' | 'refused' | 'silent';

/** The system's keychain could not be used. */
export class KeychainError extends Error {
  override readonly name = 'KeychainError';
  readonly problem: KeychainProblem;

  constructor(problem: KeychainProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * The system's keychain. Each use runs in its own process: if the system's library hangs for three seconds, that
 * process is killed, while a thread would keep this process from ending. Secrets are passed as messages, never as
 * arguments. Methods reject with KeychainError.
 */
export class Keychain {
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  /** The secret of an account; undefined if there is none or the keychain is locked and hides it. */
  async read(account: string): Promise<string | undefined> {
    const [secret] = await this.#ask([['getPassword', service, account]]);
    return typeof secret === 'string' ? secret : undefined;
  }

  async write(account: string, secret: string): Promise<void> {
    const [, kept] = await this.#ask([
      ['setPassword', service, account, secret],
      ['getPassword', service, account],
    ]);
    if (kept !== secret) throw new KeychainError('refused', 'it accepted the entry but did not return it');
  }

  /** Removes an entry, if it exists. */
  async remove(account: string): Promise<void> {
    await this.#ask([['deletePassword', service, account]]);
  }

  /** Checks that it can store, return and remove an entry: reading alone also succeeds on a locked keychain. */
  async check(): Promise<void> {
    const account = `check ${process.pid}`;
    await this.write(account, 'perp can store its login here');
    await this.remove(account);
  }

  async #ask(calls: readonly Call[]): Promise<unknown[]> {
    const answer = await askProcess(calls, this.#environment());
    if ('answers' in answer) return answer.answers;
    if (/native addon|Cannot find (package|module)|\.so\b|\.node\b/.test(answer.message)) {
      throw new KeychainError('missing', `its library can't be loaded (${answer.message})`);
    }
    throw new KeychainError('refused', answer.message);
  }

  /** The environment without options that could change the program, and without credentials it does not need. */
  #environment(): NodeJS.ProcessEnv {
    const { NODE_OPTIONS: _options, PERP_API_KEY: _key, ...rest } = this.#variables;
    return rest;
  }
}

function askProcess(calls: readonly Call[], env: NodeJS.ProcessEnv): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const [program, ...words] = startOf('keychain').words;
    const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], windowsHide: true });
    let timer: NodeJS.Timeout | undefined;
    const waitFor = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new KeychainError('silent', `it did not answer within ${ms / 1000} seconds`));
      }, ms);
    };
    waitFor(maxStartMs);
    child.on('message', (told: Answer | 'asked') => (told === 'asked' ? waitFor(maxWaitMs) : resolve(told)));
    child.on('error', (error) => reject(new KeychainError('refused', `its process did not start: ${error.message}`)));
    child.on('close', () => {
      clearTimeout(timer);
      reject(new KeychainError('refused', 'its process ended without an answer'));
    });
    // A process that died early is handled on close; the write error adds nothing.
    child.send(calls as Call[], () => {});
  });
}

/** The failure for a keychain error; `doing` is what the keychain was needed for: `store the login`. */
export function keychainFailure(error: KeychainError, doing: string): Failure {
  return new Failure({
    code: `keychain_${error.problem}`,
    message: `The keychain can't ${doing}: ${error.message}.`,
    hint: ways[error.problem],
  });
}

const without = 'Alternatives: PERP_API_KEY, --api-key-file FILE, or perp login --insecure-storage, which uses a file.';

const ways: Readonly<Record<KeychainProblem, string>> = {
  missing: `On Debian and Ubuntu: apt install libsecret-1-0 gnome-keyring. ${without}`,
  refused: `Servers, containers and cron jobs usually have no unlocked keychain. ${without}`,
  silent: `It may be waiting for a password in a window; unlock it and try again. ${without}`,
};
