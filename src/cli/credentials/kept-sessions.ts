import type { Variables } from '../files/folders.ts';
import { hideSecret } from '../text/secrets.ts';
import { Keychain } from './keychain.ts';
import { loginRecord, type Place, recordLogin } from './login-record.ts';
import { parseSession, type Session, sessionText } from './session.ts';
import { checkSessionFile, readSessionFile, removeFromSessionFile, writeSessionFile } from './session-file.ts';

/** A session and where it is stored. */
export interface KeptSession extends Session {
  readonly place: Place;
}

/**
 * The address under which sessions are stored. A session is used only for the exact host that issued it, so a changed
 * PERP_BASE_URL never sends it elsewhere.
 */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).href.replace(/(?<!\/)\/+$/, '');
}

/** The sessions of one live host on this machine. Methods reject with KeychainError, or a Failure about the file. */
export class KeptSessions {
  readonly host: string;
  readonly #variables: Variables;
  readonly #keychain: Keychain;

  constructor(host: string, variables: Variables) {
    this.host = host;
    this.#variables = variables;
    this.#keychain = new Keychain(variables);
  }

  /** The session to use: from the file, or else from the keychain. */
  async find(): Promise<KeptSession | undefined> {
    return (await this.in('file')) ?? (await this.in('keychain'));
  }

  async in(place: Place): Promise<KeptSession | undefined> {
    const session = place === 'file' ? readSessionFile(this.#variables, this.host) : await this.#readKeychain();
    if (session === undefined) return undefined;
    hideSecret(session.apiKey);
    return { ...session, place };
  }

  /** Checks that a place can store anything at all. */
  async check(place: Place): Promise<void> {
    if (place === 'file') checkSessionFile(this.#variables);
    else await this.#keychain.check();
  }

  async keep(session: Session, place: Place): Promise<void> {
    if (place === 'file') writeSessionFile(this.#variables, this.host, session);
    else await this.#keychain.write(this.#entry(), sessionText(session));
  }

  async remove(place: Place): Promise<void> {
    if (place === 'file') removeFromSessionFile(this.#variables, this.host);
    else await this.#keychain.remove(this.#entry());
  }

  /** The record of the last login. */
  record() {
    return loginRecord(this.#variables, this.host);
  }

  /** Records a login, or removes the record; ignores a read-only state folder. */
  remember(session: KeptSession | undefined): void {
    try {
      recordLogin(this.#variables, this.host, session);
    } catch {
      // The credential is what matters, and it is stored elsewhere.
    }
  }

  async #readKeychain(): Promise<Session | undefined> {
    const text = await this.#keychain.read(this.#entry());
    return text === undefined ? undefined : parseSession(text);
  }

  #entry(): string {
    return `live ${this.host}`;
  }
}
