import { jsonObjectIn } from '../../../base/terms/json-object.ts';
import type { Order } from '../../../wire/contract/orders.ts';
import { type AccountFrame, closeCodes, streamPaths } from '../../../wire/contract/streams.ts';
import type { OpenedStream, StreamEvents, StreamTransport } from '../../../wire/contract/wire.ts';
import { AccountStream, type FrameText, frameText, resumeOf } from '../../../wire/hosting/account-stream.ts';
import { Failure } from '../../../wire/hosting/failure.ts';
import {
  maxBufferedBytes,
  type Outlet,
  type StreamConnection,
  tooSlowReason,
} from '../../../wire/hosting/stream-host.ts';
import type { AccountCache } from '../cache/account-cache.ts';

/** Sources of the bots' streams. */
interface BotStreamsOptions {
  readonly cache: AccountCache;
  /** The accounts of a bot now. */
  readonly accountsOf: (bot: string) => readonly string[];
  /** An order of the service as a bot sees it, with the bot's own ids. */
  readonly shown: (bot: string, order: Order) => Order;
  /** A steady clock, ms. */
  readonly uptime: () => number;
}

type Change = Extract<AccountFrame, { account_id: string }>;
type FillFrame = Extract<AccountFrame, { type: 'fill' }>;

/** The interval between checks which streams need a heartbeat, ms. */
const pulseMs = 1_000;
/** Fills for bots that come back after their stream could not be resumed. */
const rememberedFills = 1_000;
/**
 * More connections at once are of no use to a bot: its oldest account stream gives way, and no more market streams are
 * opened.
 */
const mostStreams = 64;
const startOver = 'the stream must start over';

/**
 * The streams of all bots. Their account streams are one stream of the service, each with the accounts and ids of its
 * bot; while that one is lost, they are silent.
 */
export class BotStreams implements Disposable {
  readonly #options: BotStreamsOptions;
  /** By bot, then by stream. */
  readonly #streams = new Map<string, Map<string, AccountStream>>();
  readonly #relays = new Set<() => void>();
  readonly #fills: FillFrame[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  /** Snapshots are being received: earlier frames no longer add up. */
  #isStartingOver = false;

  constructor(options: BotStreamsOptions) {
    this.#options = options;
    this.#unlisten = options.cache.listen((frame) => this.#take(frame));
    this.#timer = setInterval(() => this.#pulse(), pulseMs).unref();
  }

  /**
   * Admits a bot to a stream, and returns what then opens it. Throws a Failure while the service's own account stream
   * is lost. `isStillAllowed`: whether its key is still valid.
   */
  admit(
    bot: string,
    path: string,
    search: URLSearchParams,
    isStillAllowed: () => boolean,
  ): (outlet: Outlet) => StreamConnection {
    if (path === streamPaths.marketData) {
      if (this.#relays.size >= mostStreams)
        throw new Failure('rate_limited', 'The gate has too many market streams.', { retryAfterSeconds: 5 });
      return (outlet) => this.#openMarket(outlet);
    }
    if (!this.#isCurrent(bot))
      throw new Failure('unavailable', "The gate has lost the service's account stream.", { retryAfterSeconds: 1 });
    return (outlet) => this.#openAccount(bot, search, outlet, isStillAllowed);
  }

  /** A stream for a bot in this process. */
  open(bot: string, target: string, events: StreamEvents): OpenedStream {
    const [path = '', query = ''] = target.split('?');
    let isOver = false;
    let connection: StreamConnection | undefined;
    const closed = (code: number, reason: string) => {
      if (isOver) return;
      isOver = true;
      connection?.end();
      events.closed({ code, reason });
    };
    const outlet: Outlet = { send: (text) => isOver || events.text(text), buffered: 0, close: closed };
    queueMicrotask(() => {
      if (isOver) return;
      try {
        const begin = this.admit(bot, path, new URLSearchParams(query), () => true);
        events.opened();
        connection = begin(outlet);
      } catch (error) {
        isOver = true;
        if (!(error instanceof Failure)) throw error;
        const { status, message: reason, facts } = error;
        events.closed({ code: 1006, reason, status, retryAfterMs: (facts.retryAfterSeconds ?? 1) * 1_000 });
      }
    });
    return {
      send: (text) => queueMicrotask(() => connection?.receive(text)),
      close() {
        isOver = true;
        connection?.end();
      },
    };
  }

  /** Asks every client to come back later, and lets them go. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unlisten();
    this.#startOver(closeCodes.goingAway, 'the gate is stopping');
    for (const end of [...this.#relays]) end();
  }

  #isCurrent(bot: string): boolean {
    const { cache, accountsOf } = this.#options;
    return !this.#isStartingOver && accountsOf(bot).some((account) => cache.stateOf(account) !== undefined);
  }

  #openMarket(outlet: Outlet): StreamConnection {
    const connection = relay(
      (target, events) => this.#options.cache.market(target, events),
      streamPaths.marketData,
      outlet,
      () => this.#relays.delete(close),
    );
    const close = () => {
      connection.end();
      outlet.close(closeCodes.goingAway, 'the gate is stopping');
    };
    this.#relays.add(close);
    return connection;
  }

  #openAccount(bot: string, search: URLSearchParams, outlet: Outlet, isStillAllowed: () => boolean): StreamConnection {
    const wallMs = this.#options.uptime();
    const resume = resumeOf(search);
    const known = resume === null ? undefined : this.#streams.get(bot)?.get(resume.streamId);
    const isResumed = known?.resume(outlet, isStillAllowed, resume!.lastSeq, wallMs) === true;
    const stream = isResumed ? known : this.#begin(bot, outlet, resume?.since ?? null, isStillAllowed);
    return {
      // A client has nothing to send here; one JSON object, such as its own ping, is ignored.
      receive(text) {
        if (jsonObjectIn(text) === null) outlet.close(closeCodes.policy, "clients can't send on this stream");
      },
      pinged() {},
      waiting: 0,
      end: () => stream.disconnect(outlet, this.#options.uptime()),
    };
  }

  #begin(bot: string, outlet: Outlet, since: number | null, isStillAllowed: () => boolean): AccountStream {
    const { accountsOf, cache, uptime } = this.#options;
    const stream = new AccountStream();
    const accounts = accountsOf(bot);
    const snapshots = accounts.flatMap((account_id): FrameText[] => {
      const state = cache.stateOf(account_id);
      if (state === undefined) return [];
      const orders = state.orders.map((order) => this.#options.shown(bot, order));
      return [frameText('snapshot', { time: cache.time, account_id, ...state, orders })];
    });
    stream.begin(outlet, isStillAllowed, snapshots, uptime());
    for (const fill of this.#fills)
      if (since !== null && fill.time >= since && accounts.includes(fill.account_id))
        stream.send(this.#textOf(bot, fill), uptime());
    const streams = this.#streams.get(bot) ?? new Map<string, AccountStream>();
    this.#streams.set(bot, streams.set(stream.id, stream));
    const [oldest] = streams.values();
    if (streams.size > mostStreams && oldest !== undefined) {
      streams.delete(oldest.id);
      oldest.close(closeCodes.policy, 'too many streams of this bot');
    }
    return stream;
  }

  #take(frame: AccountFrame): void {
    if (frame.type === 'fill') {
      this.#fills.push(frame);
      if (this.#fills.length > rememberedFills) this.#fills.shift();
    }
    if (frame.type === 'hello') this.#isStartingOver = !frame.resumed;
    else if (frame.type === 'snapshot_end' && this.#isStartingOver) {
      this.#isStartingOver = false;
      this.#startOver(1012, startOver);
    } else if ('account_id' in frame && frame.type !== 'snapshot' && !this.#isStartingOver) this.#send(frame);
  }

  #send(frame: Change): void {
    const { accountsOf, uptime } = this.#options;
    for (const [bot, streams] of this.#streams) {
      if (streams.size === 0 || !accountsOf(bot).includes(frame.account_id)) continue;
      const text = this.#textOf(bot, frame);
      for (const stream of streams.values()) stream.send(text, uptime());
    }
  }

  #textOf(bot: string, frame: Change): FrameText {
    const { type, seq: _, ...rest } = frame;
    const { shown } = this.#options;
    if (frame.type === 'order') return frameText(type, { ...rest, order: shown(bot, frame.order) });
    if (frame.type === 'fill') return frameText(type, { ...rest, fill: shown(bot, frame.fill) });
    return frameText(type, rest);
  }

  /** Frames were missed: clients begin again with snapshots. */
  #startOver(code: number, reason: string): void {
    for (const streams of this.#streams.values())
      for (const stream of streams.values()) {
        stream.askToReconnect();
        stream.close(code, reason);
      }
    this.#streams.clear();
  }

  /** Heartbeats promise that nothing is missing, so there are none while the service's stream is lost. */
  #pulse(): void {
    for (const [bot, streams] of this.#streams) {
      if (!this.#isCurrent(bot)) continue;
      for (const [id, stream] of streams) if (stream.pulse(this.#options.uptime())) streams.delete(id);
    }
  }
}

/** Close codes that say that there was none, and can't be sent. */
const unsendable: readonly number[] = [1004, 1005, 1006, 1015];
/** Frames of a client that may wait until the stream is open. */
const mostHeld = 256;

/** Passes a stream of the service through as it is, in both directions; `ended` is called once. */
function relay(transport: StreamTransport, target: string, outlet: Outlet, ended: () => void): StreamConnection {
  let held: string[] | undefined = [];
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    stream.close();
    ended();
  };
  const refuse = (code: number, reason: string) => {
    end();
    outlet.close(code, reason);
  };
  const stream = transport(target, {
    opened() {
      for (const text of held ?? []) stream.send(text);
      held = undefined;
    },
    text(text) {
      if (isOver) return;
      if (outlet.buffered > maxBufferedBytes) refuse(closeCodes.tooSlow, tooSlowReason);
      else outlet.send(text);
    },
    closed({ code, reason }) {
      if (isOver) return;
      isOver = true;
      ended();
      outlet.close(unsendable.includes(code) ? 1012 : code, reason.slice(0, 100) || 'the service ended the stream');
    },
  });
  return {
    receive(text) {
      if (held === undefined) stream.send(text);
      else if (held.push(text) > mostHeld)
        refuse(closeCodes.policy, 'too many frames arrived before the stream opened');
    },
    pinged() {},
    waiting: 0,
    end,
  };
}
