import { StreamTable } from '../../wire/client/streams/stream-table.ts';
import { followAccounts } from '../reading/account-changes.ts';
import type { Session, Stage } from '../session/session.ts';
import { MarksStream } from './marks-stream.ts';
import type { Observer } from './observer.ts';
import { pause } from './reporter.ts';

interface StreamsOptions {
  session: Session;
  account: string;
  observer: Observer;
  timers: Stage['timers'];
  /** The account has changed, or may have while nothing was told. */
  stale(): void;
  /** A mark has changed. */
  moved(): void;
}

/** How soon streams that could not be opened are tried again, and a simulation that is gone is looked for, ms. */
const retryMs = 5_000;
const reopenMs = 1_000;

/** The streams that the host offers; whoever needs what they tell must do without them as well. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly #table: StreamTable;
  readonly #stops: (() => void)[] = [];
  #marks: MarksStream | undefined;
  #isBegun = false;
  #isReopening = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    this.#table = new StreamTable(() => options.timers.uptime());
  }

  /** Whether changes of the account are told. */
  get areChangesTold(): boolean {
    return this.#table.isLive('account');
  }

  /** Opens them, if they are not open; tried again as long as that fails. */
  begin(): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const { timers, session } = this.#options;
    this.#follow().catch(async () => {
      await pause(timers, retryMs, session.signal);
      this.#isBegun = false;
    });
  }

  /** Follows the marks that are needed now. */
  follow(): void {
    this.#marks?.follow(this.#options.observer.markets);
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#marks = undefined;
    this.#table.took('account', { kind: 'ended', reason: 'closed' });
  }

  /** Finds a simulation again: it may now be served elsewhere, under another key, or not at all. */
  reopen(): void {
    if (this.#isReopening) return;
    this.#isReopening = true;
    const { session, timers } = this.#options;
    this.close();
    void session
      .access('again')
      .catch(() => {})
      .then(() => pause(timers, reopenMs, session.signal))
      .then(() => {
        this.#isBegun = false;
        this.#isReopening = false;
        this.#options.stale();
      });
  }

  async #follow(): Promise<void> {
    const { session, account, timers, observer, stale, moved } = this.#options;
    const { market, account: host } = await (await session.access()).streams();
    const stop =
      host === undefined
        ? undefined
        : await followAccounts(session, host, {
            onFrame: (frame) => {
              if (!('account_id' in frame) || frame.account_id !== account) return;
              observer.take(frame);
              stale();
            },
            onState: (state) => {
              this.#table.took('account', state);
              stale();
            },
            onEnd: ({ message }) => this.#table.took('account', { kind: 'ended', reason: message }),
          });
    if (stop !== undefined) this.#stops.push(stop);
    if (market !== undefined) {
      const marks = await MarksStream.open(market, timers, {
        mark: (id, price) => {
          observer.marks.take(id, price, timers.uptime());
          moved();
        },
        time: (time) => observer.told(time),
      });
      this.#stops.push(() => marks.close());
      this.#marks = marks;
    }
    if (session.signal.aborted) this.close();
  }
}
