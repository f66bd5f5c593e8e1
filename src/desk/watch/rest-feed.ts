import type { Subject } from '../../wire/client/streams/stream-state.ts';
import type { AccountFollow } from '../reading/follow.ts';
import type { Session } from '../session/session.ts';
import type { LiveModel } from './live-model.ts';

type Client = Awaited<ReturnType<Session['access']>>['client'];

interface RestFeedEvents {
  changed(): void;
  /** The credential was refused. */
  failed(error: unknown): void;
}

/** How often to read over REST, ms: at most 240 requests a minute, however many accounts and markets there are. */
const everyMs = 5_000;
const perRequestMs = 250;
/** The resources read of each account. */
const restParts = ['account', 'positions', 'working', 'fills'] as const;
/** Quotes of one round; the chosen market and those with positions come first. */
const maxQuotes = 8;

/**
 * Reads over REST what a stream does not deliver: a stream that the host does not have, refuses, or has lost for some
 * seconds. It stops when the stream is live.
 */
export class RestFeed {
  readonly #session: Session;
  readonly #model: LiveModel;
  readonly #follow: AccountFollow;
  readonly #events: RestFeedEvents;
  /** When each subject may be read again; Infinity while it is being read. */
  readonly #due: Record<Subject, number> = { market: 0, account: 0 };
  #isClosed = false;

  constructor(session: Session, model: LiveModel, follow: AccountFollow, events: RestFeedEvents) {
    this.#session = session;
    this.#model = model;
    this.#follow = follow;
    this.#events = events;
  }

  /** Reads all due subjects; call every second, and when a stream changes its state. */
  tick(): void {
    void this.#readIfDue('account', () => this.#readAccounts());
    void this.#readIfDue('market', (client) => this.#readQuotes(client));
  }

  close(): void {
    this.#isClosed = true;
  }

  async #readIfDue(subject: Subject, read: (client: Client) => Promise<number>): Promise<void> {
    const { streams } = this.#model;
    if (this.#isClosed || !streams.needsRest(subject) || performance.now() < this.#due[subject]) return;
    this.#due[subject] = Number.POSITIVE_INFINITY;
    let requests = 1;
    try {
      requests = await read((await this.#session.access()).client);
    } catch (error) {
      const { status, message } = error as Error & { status?: number };
      if (this.#isClosed) return;
      streams.notRead(subject, message);
      if (status === 401 || status === 403) this.#events.failed(error);
    }
    this.#due[subject] = performance.now() + Math.max(everyMs, requests * perRequestMs);
    if (!this.#isClosed) this.#events.changed();
  }

  /** Reads every account; returns the number of requests. */
  async #readAccounts(): Promise<number> {
    const ids = await this.#follow.readList();
    const reads = ids.flatMap((id) => restParts.map((part) => this.#follow.read(part, id)));
    await Promise.all(reads);
    if (this.#isClosed || this.#model.streams.isLive('account')) return 1;
    this.#model.streams.heard('account', 'rest');
    this.#model.tookReads();
    return 1 + reads.length;
  }

  /** Reads midpoints; returns the number of requests. */
  async #readQuotes(client: Client): Promise<number> {
    const { watched, chosen, accounts } = this.#model;
    const held = new Set(
      [...accounts.values()].flatMap(({ positions }) => [...positions.values()].map((one) => one.market_id)),
    );
    const rank = ({ market_id }: { market_id: string }) =>
      held.has(market_id) ? 0 : market_id === chosen.market_id ? 1 : 2;
    const wanted = watched.toSorted((one, other) => rank(one) - rank(other)).slice(0, maxQuotes);
    const reads = wanted.map(({ market_id }) => client.call('getMarketQuote', { path: { market_id }, query: {} }));
    const answers = await Promise.allSettled(reads);
    if (this.#isClosed || this.#model.streams.isLive('market')) return 1;
    for (const [at, answer] of answers.entries()) {
      if (answer.status === 'rejected' || !Number.isFinite(answer.value.data.mid)) continue;
      const { mid, time } = answer.value.data;
      this.#model.takeMid(wanted[at]!.market_id, mid!, time);
      this.#model.streams.heard('market', 'rest');
    }
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed !== undefined && answers.every(({ status }) => status === 'rejected')) throw failed.reason;
    return answers.length;
  }
}
