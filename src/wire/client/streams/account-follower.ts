import { type LinkReport, PersistentLink } from '../../../base/sockets/persistent-link.ts';
import { realTiming, type Timing } from '../../../base/sockets/timing.ts';
import { type AccountFrame, closeCodes } from '../../contract/streams.ts';
import { accountFrameIssue, isKnownType } from './frame-checks.ts';
import { type FollowerOptions, Link, usualSilence } from './link.ts';
import { reconnecting, StreamEndError, type StreamLoss } from './stream-state.ts';

/** The address of an account stream, and the listeners for its frames and states. */
export interface AccountFollowerOptions extends FollowerOptions {
  /** The stream's path, for live or for test keys. */
  path: string;
  /** Every frame once, in order; includes snapshots replayed after a loss. */
  onFrame(frame: AccountFrame): void;
  /**
   * The stream has ended permanently: with the error that `probe` threw, or with a StreamEndError because the
   * credential is no longer valid.
   */
  onEnd(error: Error): void;
  /** Asks the service over REST why a connection failed, and throws if trying again can't help. */
  probe?: (() => Promise<void>) | undefined;
}

/** How a connection was lost, and whether the service had greeted it. */
type Loss = StreamLoss & { greeted: boolean };

const longestRetryMs = 60_000;
/** Ids of fills that are remembered, so that none is reported twice. */
const rememberedFills = 5_000;

/**
 * Follows an account stream until closed: reconnects with growing delays, resumes where it stopped and, if that is not
 * possible, starts over with snapshots. No change is reported twice.
 */
export class AccountFollower {
  readonly #options: AccountFollowerOptions;
  readonly #timing: Timing;
  readonly #link: PersistentLink<Link, Loss>;
  #run: string | undefined;
  #streamId: string | null = null;
  #seq = 0;
  #since = 0;
  /** Snapshots are complete; before that there is nothing to resume. */
  #isComplete = false;
  readonly #fills = new Set<string>();
  #isClosed = false;

  constructor(options: AccountFollowerOptions) {
    this.#options = options;
    this.#timing = options.timing ?? realTiming;
    const { firstRetryMs: firstMs = 1_000 } = options;
    const delays = { firstMs, longestMs: longestRetryMs, raceMs: null };
    this.#link = new PersistentLink(this.#timing, delays, {
      open: (report) => this.#connect(report),
      lost: (_link, loss) => this.#lost(loss),
    });
    this.#link.open();
  }

  close(): void {
    this.#isClosed = true;
    this.#link.close();
  }

  #connect(report: LinkReport<Loss>): Link {
    const { transport, path, onState, silence = usualSilence } = this.#options;
    let greeted = false;
    const isComplete = () => greeted && this.#isComplete;
    return new Link(transport, path + this.#resume(), this.#timing, silence, {
      opened: (headers) => {
        report.opened();
        const run = headers?.['x-sim-run'];
        if (run !== undefined && !this.#isClosed) this.#tookRun(run);
      },
      stale: (silentMs) => onState?.({ kind: 'stale', silentMs }),
      revived: () => {
        if (isComplete()) onState?.({ kind: 'live' });
      },
      frame: (frame) => {
        const issue = accountFrameIssue(frame);
        if (issue !== undefined || this.#isClosed) return issue;
        greeted ||= frame.type === 'hello';
        this.#take(withAccountId(frame as unknown as AccountFrame));
        return undefined;
      },
      lost: (end) => report.lost({ ...end, greeted }),
    });
  }

  /** Ids and times of another run don't apply to this one. */
  #tookRun(run: string): void {
    if (this.#run !== undefined && this.#run !== run) {
      this.#fills.clear();
      this.#streamId = null;
      this.#since = 0;
    }
    this.#run = run;
    this.#options.onRun?.(run);
  }

  #resume(): string {
    if (this.#streamId === null || !this.#isComplete) return '';
    const query = { resume: this.#streamId, last_seq: String(this.#seq), since: String(this.#since) };
    return `?${new URLSearchParams(query)}`;
  }

  #take(frame: AccountFrame): void {
    if (frame.type === 'hello') this.#greet(frame);
    else if ('seq' in frame && !this.#count(frame)) return;
    if (!isKnownType(frame.type)) return;
    if (frame.type === 'snapshot_end') this.#isComplete = true;
    if (frame.type !== 'fill' || this.#isNewFill(frame.fill.id)) this.#options.onFrame(frame);
    if (frame.type === 'snapshot_end' || (frame.type === 'hello' && frame.resumed))
      this.#options.onState?.({ kind: 'live' });
    if (frame.type === 'reconnect') this.#again();
  }

  #greet({ stream_id, resumed }: { stream_id: string; resumed?: boolean }): void {
    this.#streamId = stream_id;
    if (resumed === true) return;
    this.#isComplete = false;
    this.#seq = 0;
  }

  /** Follows the rising numbers; false if this change was already reported. */
  #count(frame: { seq?: number; time?: number; type: string }): boolean {
    if (frame.seq === undefined) return true;
    if (frame.seq <= this.#seq && frame.type !== 'snapshot') return false;
    this.#seq = frame.seq;
    this.#since = frame.time ?? this.#since;
    return true;
  }

  #isNewFill(id: string): boolean {
    if (this.#fills.has(id)) return false;
    this.#fills.add(id);
    if (this.#fills.size > rememberedFills) this.#fills.delete(this.#fills.values().next().value!);
    return true;
  }

  /** Connects again at once. */
  #again(): void {
    this.#link.drop();
    const end = { code: closeCodes.goingAway, reason: 'the service asked for it' };
    this.#tell(end, this.#link.openIn(this.#timing.random() * 100));
  }

  #lost(loss: Loss): void {
    const { code, reason, greeted, retryAfterMs } = loss;
    if (code === closeCodes.unauthorized) {
      const why = reason === '' ? 'the credential was revoked or expired' : reason;
      this.#fail(new StreamEndError(`The service closed the account stream: ${why}.`, { code }));
      return;
    }
    // Resuming would take the stream from the connection that took it from this one.
    if (code === closeCodes.takenOver) this.#streamId = null;
    if (greeted && code !== closeCodes.malformed) this.#link.worked();
    if (retryAfterMs !== undefined) this.#link.holdOff(retryAfterMs);
    const { probe } = this.#options;
    if (greeted || probe === undefined) this.#retry(loss);
    else
      probe().then(
        () => this.#retry(loss),
        (error: Error) => this.#fail(error),
      );
  }

  #retry(loss: Loss): void {
    if (!this.#isClosed) this.#tell(loss, this.#link.retry());
  }

  #tell(end: StreamLoss, inMs: number): void {
    this.#options.onState?.(reconnecting(end, inMs));
  }

  #fail(error: Error): void {
    if (this.#isClosed) return;
    this.close();
    this.#options.onEnd(error);
  }
}

/** A snapshot's `account_id` is optional: it is the id of its account. */
function withAccountId(frame: AccountFrame): AccountFrame {
  if (frame.type !== 'snapshot' || (frame.account_id as string | undefined) !== undefined) return frame;
  return { ...frame, account_id: frame.account.id };
}
