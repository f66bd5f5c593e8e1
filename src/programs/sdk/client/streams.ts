import { ended } from '../../../base/text/format.ts';
import { ApiError } from '../../../wire/client/client-errors.ts';
import { AccountFollower } from '../../../wire/client/streams/account-follower.ts';
import { MarketFollower } from '../../../wire/client/streams/market-follower.ts';
import {
  anotherRun,
  isRefusedForGood,
  StreamEndError,
  type StreamState,
  unaddressed,
} from '../../../wire/client/streams/stream-state.ts';
import { type AccountFrame, type MarketStreamEvent, maxHistoryPage } from '../../../wire/contract/streams.ts';
import type { StreamTransport } from '../../../wire/contract/wire.ts';
import type { AccountEvent, Channel, GapEvent, MarketEvents, StreamOptions, Subscription } from './client-types.ts';
import { ownError, PerpError, perpErrorOf } from './errors.ts';

/** How a client reaches the streams. */
export interface StreamAccess {
  /** Calls an operation, as `ClientParts` do. */
  call(id: 'listAccounts', request: object): Promise<unknown>;
  streams(): Promise<{
    readonly market: StreamTransport | undefined;
    readonly account: { readonly transport: StreamTransport; readonly path: string } | undefined;
  }>;
}

/** Events that a reader has not taken yet; more mean that it is too slow. */
const mostWaiting = 100_000;
/** Events that were taken are forgotten together. */
const keptBehind = 1_000;

/** Events of a channel of the market stream, until the signal aborts. */
export async function* followMarkets<C extends Channel>(
  ways: StreamAccess,
  channel: C,
  subscription: Subscription<C>,
  { signal, onState }: StreamOptions,
): AsyncGenerator<MarketEvents[C], void> {
  const { market } = await ways.streams();
  if (market === undefined) throw withoutAddress('market', 'marketStreamUrl');
  const queue = new Queue<(MarketStreamEvent | Omit<GapEvent, 'market_id'>) & { market_id?: string }>(signal);
  const follower = new MarketFollower({
    transport: market,
    onState: telling(queue, onState),
    onRun: endedByAnother(queue),
  });
  try {
    for (const payload of payloadsOf(channel, subscription))
      follower.subscribe(channel, payload, {
        events: (events) => {
          for (const event of events) queue.add(withMarket(event));
        },
        refused: ({ code, message }) =>
          queue.fail(new PerpError({ code, message: `The stream refused it: ${ended(message)}` })),
        gap: ({ provider, symbol, from, to }) => queue.add(withMarket({ type: 'gap', provider, symbol, from, to })),
      });
    yield* queue as AsyncIterable<never>;
  } finally {
    follower.close();
  }
}

/** An event with the id of its market, as REST has it. */
function withMarket<E extends { readonly provider: string; readonly symbol?: string }>(event: E) {
  const { provider, symbol } = event;
  return symbol === undefined ? event : { ...event, market_id: `${provider}|${symbol}` };
}

/** Events of the account stream, until the signal aborts. */
export async function* followAccount(
  ways: StreamAccess,
  { signal, onState }: StreamOptions,
): AsyncGenerator<AccountEvent, void> {
  const { account } = await ways.streams();
  if (account === undefined) throw withoutAddress('account', 'accountStreamUrl');
  const queue = new Queue<AccountEvent>(signal);
  const onRun = endedByAnother(queue);
  // Why a connection failed: another run of a simulation has another key.
  const probe = async () => {
    const error: unknown = await ways.call('listAccounts', {}).catch((refusal: unknown) => refusal);
    if (!(error instanceof ApiError)) return;
    const run = error.answer.headers['x-sim-run'];
    if (run !== undefined) onRun(run);
    if (!error.retryable) throw error;
  };
  const follower = new AccountFollower({
    ...{ onRun, probe },
    ...account,
    onFrame: (frame) => {
      if (isEvent(frame)) queue.add(frame);
    },
    onState: telling(queue, onState),
    onEnd: (error) => queue.fail(perpErrorOf(error)),
  });
  try {
    yield* queue;
  } finally {
    follower.close();
  }
}

const eventTypes: ReadonlySet<string> = new Set(['snapshot', 'account', 'position', 'order', 'fill']);

function isEvent(frame: AccountFrame): frame is AccountFrame & AccountEvent {
  return eventTypes.has(frame.type);
}

/** One subscription for the markets of each provider. */
function payloadsOf<C extends Channel>(channel: C, subscription: Subscription<C>): object[] {
  const { markets, ...more } = subscription as Subscription<'candles'>;
  const issue = (text: string) => ownError({ code: 'usage', message: `markets ${text}.`, issues: [] });
  if (!Array.isArray(markets) || markets.length === 0) throw issue('must list at least one market id');
  const { history = 0 } = more;
  if (!Number.isInteger(history) || history < 0 || history >= maxHistoryPage) {
    const issues = [{ field: 'history', issue: `must be a whole number from 0 to ${maxHistoryPage - 1}` }];
    throw ownError({ code: 'usage', message: "The stream can't be opened:", issues });
  }
  const byProvider = new Map<string, string[]>();
  for (const id of markets) {
    const [provider, symbol, ...rest] = String(id).split('|');
    if (!provider || !symbol || rest.length > 0)
      throw issue(`has ${JSON.stringify(id)}, not an id such as binance|BTCUSDT`);
    byProvider.set(provider, [...(byProvider.get(provider) ?? []), symbol]);
  }
  return [...byProvider].map(([provider, symbols]) => ({
    providers: [provider],
    symbols,
    ...(channel === 'candles' && { intervals: more.intervals, historyLimit: history }),
  }));
}

/** Reports states, and ends a stream whose first handshake would be refused again. */
function telling(
  queue: { fail(error: unknown): void },
  onState: StreamOptions['onState'],
): (state: StreamState) => void {
  let wasLive = false;
  return (state) => {
    wasLive ||= state.kind === 'live';
    if (state.kind === 'reconnecting' && !wasLive && isRefusedForGood(state.end))
      queue.fail(perpErrorOf(new StreamEndError(`The stream is not available: ${state.reason}.`, state.end)));
    else if (state.kind === 'reconnecting') onState?.({ kind: state.kind, reason: state.reason, inMs: state.inMs });
    else onState?.(state);
  };
}

/** Ends a stream when its simulation begins another run: its earlier events don't belong to that one. */
function endedByAnother(queue: { fail(error: unknown): void }): (run: string) => void {
  let known: string | undefined;
  return (run) => {
    known ??= run;
    if (known === run) return;
    queue.fail(ownError({ code: 'another_run', message: anotherRun, hint: 'Open the stream again.' }));
  };
}

function withoutAddress(which: string, option: string): PerpError {
  return ownError({
    code: 'usage',
    message: unaddressed(which),
    hint: `Give connect a ${option}.`,
    issues: [{ field: option, issue: 'is required for this stream' }],
  });
}

/** Passes events to one reader in order; ends when the signal aborts. */
class Queue<T> implements AsyncIterable<T> {
  readonly #signal: AbortSignal | undefined;
  readonly #events: T[] = [];
  /** The number that the reader has taken. */
  #next = 0;
  #error: { readonly error: unknown } | undefined;
  #wake = () => {};

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    signal?.addEventListener('abort', () => this.#wake(), { once: true });
  }

  add(event: T): void {
    if (this.#events.length - this.#next >= mostWaiting)
      this.fail(
        ownError({
          code: 'too_slow',
          message: `${mostWaiting} events of the stream are waiting to be read.`,
          hint: 'Read faster, or follow fewer markets.',
        }),
      );
    else this.#events.push(event);
    this.#wake();
  }

  fail(error: unknown): void {
    this.#error ??= { error };
    this.#wake();
  }

  #take(): T {
    const event = this.#events[this.#next++]!;
    if (this.#next === this.#events.length || this.#next > keptBehind) {
      this.#events.splice(0, this.#next);
      this.#next = 0;
    }
    return event;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (this.#signal?.aborted !== true) {
      if (this.#next < this.#events.length) yield this.#take();
      else if (this.#error !== undefined) throw this.#error.error;
      else {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
      }
    }
  }
}
