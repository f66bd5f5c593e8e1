import { Console } from '../../console/console.ts';
import { type OpenedAccess, type OwnSimulation, openAccess } from '../../console/open-access.ts';
import type { Settings } from '../../console/settings/settings.ts';

/**
 * The console of a practice: everything that it sends goes to the practice's own simulation, and everything that it keeps
 * goes to the practice's own folder.
 */
export class PracticeConsole extends Console {
  readonly #own: OwnSimulation;
  #opened: Promise<OpenedAccess> | undefined;

  /** `afterEnd`: what to do once the account has ended. */
  constructor(parent: Console, folder: string, own: OwnSimulation, afterEnd: string) {
    super({
      settings: { ...settingsIn(parent.settings), afterEnd },
      registry: parent.registry,
      lineReader: parent.lineReader,
      outside: { ...parent.outside, variables: { ...parent.variables, PERP_STATE_DIR: folder } },
      interruption: () => parent.signal,
      palette: parent.palette,
      given: { path: 'practice', input: {} },
    });
    this.#own = own;
  }

  override async access(): Promise<OpenedAccess> {
    this.#opened ??= openAccess({
      settings: this.settings,
      outside: this.outside,
      version: this.registry.version,
      note: (text) => this.note(text),
      onAttempt: (attempt) => this.showAttempt(attempt),
      onRun: (run) => this.memory.tookRun(run),
      own: this.#own,
    }).then((access) => this.goTo(access));
    return this.#opened;
  }

  /** The simulation is not another one the next time. */
  override async reopen(): Promise<void> {}

  override async close(): Promise<void> {
    this.memory.end();
    const access = await this.#opened?.catch(() => undefined);
    await access?.close();
  }
}

/** What the user has set for trading applies; where commands go, and as which account, does not. */
function settingsIn(given: Settings): Settings {
  return {
    ...given,
    environment: 'sim',
    profile: undefined,
    account: undefined,
    accountFrom: undefined,
    baseUrl: undefined,
    apiKeyFile: undefined,
    profileKeyFile: undefined,
    strayOfHost: undefined,
    streams: { market: undefined, account: undefined },
    place: '',
    ofProfile: '',
    ofAccount: '',
    output: 'table',
    dryRun: false,
    idempotencyKey: undefined,
    simulation: {
      state: 'practice',
      plain: 'practice',
      plainFrom: 'default',
      books: undefined,
      clock: undefined,
      speed: undefined,
    },
  };
}
