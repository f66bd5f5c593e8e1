import type { Timing } from '../../../base/sockets/timing.ts';
import { type MarksStream, openMarks } from '../../../desk/guard/marks-stream.ts';
import { followAccounts } from '../../../desk/reading/account-changes.ts';
import { accountHost, marketHost } from '../../../desk/reading/streams.ts';
import type { Session } from '../../../desk/session/session.ts';
import type { Market } from '../../../wire/contract/markets.ts';
import type { AccountFrame } from '../../../wire/contract/streams.ts';
import type { OpenedStream, StreamEvents, StreamTransport } from '../../../wire/contract/wire.ts';

/** The events of both streams. */
interface StreamsListener {
  frame(frame: AccountFrame): void;
  mark(marketId: string, price: number): void;
  /** Exchange time, Unix ms. */
  time(time: number): void;
  /** The account stream delivers. */
  live(): void;
  /** The account stream was lost, or could not be opened. */
  lost(): void;
  note(text: string): void;
}

/** How long until a lost simulation is looked for, and a host that refused its credential is asked again, ms. */
const reopenMs = 1_000;
const refusedMs = 30_000;

/** Both streams of the service, reopened whenever they are lost. */
export class BothStreams {
  isAccountLive = false;
  areMarksLive = false;
  readonly #session: Session;
  readonly #timing: Timing;
  readonly #listener: StreamsListener;
  #market: StreamTransport | undefined;
  #marks: MarksStream | undefined;
  /** The markets whose marks it follows. */
  #followed: readonly Market[] = [];
  #closeOpen = () => {};
  #cancelReopening: (() => void) | undefined;
  #isClosed = false;

  constructor(session: Session, timing: Timing, listener: StreamsListener) {
    this.#session = session;
    this.#timing = timing;
    this.#listener = listener;
  }

  get isSimulation(): boolean {
    return this.#session.settings.environment === 'sim';
  }

  /** Opens both, in place of earlier ones. Rejects with a failure if the address of one is not set. */
  async open(): Promise<void> {
    const host = await accountHost(this.#session);
    this.#market = await marketHost(this.#session);
    const marks = await openMarks(this.#market, this.#timing, {
      mark: (id, price) => this.#listener.mark(id, price),
      time: (time) => this.#listener.time(time),
      state: ({ kind }) => {
        this.areMarksLive = kind === 'live';
      },
    });
    const stop = await followAccounts(this.#session, host, {
      onFrame: (frame) => this.#listener.frame(frame),
      onState: ({ kind }) => {
        this.isAccountLive = kind === 'live';
        if (kind === 'live') this.#listener.live();
        if (kind !== 'reconnecting') return;
        this.#listener.lost();
        if (this.isSimulation) this.#reopenLater();
      },
      onEnd: (error) => {
        this.isAccountLive = false;
        this.#listener.lost();
        this.#listener.note(`The account stream has ended, and the gate is opening it again: ${error.message}`);
        this.#reopenLater();
      },
    });
    this.#closeOpen();
    this.#closeOpen = () => {
      stop();
      marks.close();
    };
    if (this.#isClosed) this.#closeOpen();
    this.#marks = marks;
    marks.follow(this.#followed);
  }

  /** Follows the marks of exactly these markets. */
  follow(markets: readonly Market[]): void {
    this.#followed = markets;
    this.#marks?.follow(markets);
  }

  /** Whether it follows the marks of a market. */
  follows(id: string): boolean {
    return this.#followed.some(({ market_id }) => market_id === id);
  }

  /** Opens one more market stream of the service. */
  market(target: string, events: StreamEvents): OpenedStream {
    return this.#market!(target, events);
  }

  /** Reopens both: until they deliver, earlier data doesn't count. */
  restart(): void {
    this.#closeOpen();
    this.#closeOpen = () => {};
    this.isAccountLive = false;
    this.areMarksLive = false;
    this.#listener.lost();
    this.open().catch((error: Error) => {
      this.#listener.note(error.message);
      this.#reopenLater();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelReopening?.();
    this.#closeOpen();
  }

  /** A simulation may be served again under another address and key; a host may accept its credential again. */
  #reopenLater(): void {
    const ms = this.isSimulation ? reopenMs : refusedMs;
    this.#cancelReopening ??= this.#timing.after(ms, () => {
      void this.#reopen()
        .catch((error: Error) => this.#listener.note(error.message))
        .finally(() => {
          this.#cancelReopening = undefined;
          if (!this.isAccountLive && !this.#isClosed) this.#reopenLater();
        });
    });
  }

  async #reopen(): Promise<void> {
    if (this.isAccountLive || this.#isClosed) return;
    if (this.isSimulation) await this.#session.access('again');
    if (!this.#isClosed) await this.open();
  }
}
