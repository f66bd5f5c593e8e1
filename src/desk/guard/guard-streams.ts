import type { StreamState } from '../../wire/client/streams/stream-state.ts';
import type { AccountFrame } from '../../wire/contract/streams.ts';
import { AccountFollow } from '../reading/follow.ts';
import type { Session, Stage } from '../session/session.ts';
import { type MarksStream, openMarks } from './marks-stream.ts';
import type { Reads } from './reads.ts';
import { pause } from './reporter.ts';

interface StreamsOptions {
  session: Session;
  account: string;
  reads: Reads;
  timers: Stage['timers'];
  /** The account has changed, or may have while there were no reports. */
  stale(): void;
  /** A mark has changed. */
  moved(): void;
  /** The simulation has begun another run: earlier data doesn't belong to it. */
  begun(): void;
}

/** How soon to retry opening streams, and looking for a missing simulation, ms. */
const retryMs = 5_000;
const reopenMs = 1_000;

/** The streams that the host offers; code that uses them must also work without them. */
export class Streams {
  readonly #options: StreamsOptions;
  readonly accounts: AccountFollow;
  #marks: MarksStream | undefined;
  /** Whether changes of the account are reported. */
  areChangesTold = false;
  #isBegun = false;
  #isReopening = false;
  /** Whether another run's service is being looked for: nothing can be read from the earlier one. */
  isFindingRun = false;

  constructor(options: StreamsOptions) {
    this.#options = options;
    const { session, account, reads, stale } = options;
    const listener = {
      frame: (frame: AccountFrame) => {
        if (!('account_id' in frame) || frame.account_id !== account) return;
        if (frame.type === 'fill') reads.changed(this.accounts.now());
        reads.told(frame.time);
        stale();
      },
      state: (state: StreamState) => {
        this.areChangesTold = state.kind === 'live';
        if (!this.areChangesTold) reads.changed(this.accounts.now());
        stale();
      },
      ended: () => {
        this.areChangesTold = false;
      },
      begun: () => {
        options.begun();
        this.isFindingRun = true;
        this.reopen(0);
      },
    };
    this.accounts = new AccountFollow(session, reads, listener, () => options.timers.uptime());
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
    this.#marks?.follow(this.#options.reads.markets);
  }

  close(): void {
    this.#stop();
    this.accounts.close();
  }

  #stop(): void {
    this.accounts.stop();
    this.#marks?.close();
    this.#marks = undefined;
    this.areChangesTold = false;
  }

  /** Finds a simulation again: it may now be served elsewhere, under another key, or not at all. */
  reopen(afterMs = reopenMs): void {
    if (this.#isReopening) return;
    this.#isReopening = true;
    this.#stop();
    const { session, timers } = this.#options;
    void session
      .access('again')
      .catch(() => {})
      .then(() => (afterMs === 0 ? undefined : pause(timers, afterMs, session.signal)))
      .then(() => {
        this.#isBegun = false;
        this.#isReopening = false;
        this.isFindingRun = false;
        this.#options.stale();
      });
  }

  async #follow(): Promise<void> {
    const { session, timers, reads, moved } = this.#options;
    const { market } = await (await session.access()).streams();
    await this.accounts.open();
    if (market !== undefined) {
      this.#marks = await openMarks(market, timers, {
        mark: (id, price) => {
          reads.prices.take(id, price);
          moved();
        },
        time: (time) => reads.told(time),
      });
    }
    if (session.signal.aborted) this.close();
  }
}
