import { jsonObjectIn } from '../../base/terms/json-object.ts';
import type { MarketDefinition } from '../../exchange/engine/model.ts';
import type { Schema, Sent } from '../../wire/contract/schema.ts';
import {
  CandlesPayload,
  type Channel,
  type ClientFrame,
  channels,
  clientSilenceMs,
  closeCodes,
  HistoryPayload,
  type Interval,
  MarketsPayload,
  maxHistoryInFlight,
  type ServerFrame,
  StatusPayload,
  type StreamError,
} from '../../wire/contract/streams.ts';
import { validate } from '../../wire/contract/validate.ts';
import type { Outlet } from '../../wire/hosting/stream-host.ts';
import { maxBufferedBytes, tooSlowReason } from '../../wire/hosting/stream-host.ts';
import type { Pieces } from '../../wire/hosting/turns.ts';
import { historyPage } from './candles.ts';
import type { MarketHub, Topic } from './market-hub.ts';
import { Subscription } from './subscription.ts';

/** Maximum number of subscriptions of one connection. */
const maxSubscriptions = 1024;
/** Maximum number of invalid frames before the connection is closed. */
const maxGarbage = 100;
/** Default number of closed candles at the start of a subscription. */
const defaultReplay = 100;

/** A frame's refusal, sent with its id. */
class Refused extends Error {
  readonly error: StreamError;

  constructor(code: string, message: string, more: Partial<StreamError> & Record<string, string> = {}) {
    super(message);
    this.error = { code, message, ...more };
  }
}

/** A client's frame before it is checked. */
type Frame = { [Name in keyof ClientFrame]?: unknown } & Record<string, unknown>;

/** Events of a session for the owner of its connection. */
interface SessionEvents {
  /** The session has ended, whichever side ended it. */
  closed(): void;
  /** An internal error happened and was reported to the client. */
  bug(error: unknown): void;
  /** A subscription to a channel was accepted. */
  subscribed?(channel: Channel): void;
  /** Whether WebSocket pings keep the connection (simulation 6.3). */
  doPingsCount?(): boolean;
}

/** One connection to the market stream: its subscriptions and requests (contract: ClientFrame, ServerFrame). */
export class MarketSession {
  readonly #hub: MarketHub;
  readonly #outlet: Outlet;
  readonly #events: SessionEvents;
  readonly #subscriptions = new Map<number, Subscription>();
  /** Ids of unanswered requests. */
  readonly #requests = new Set<number>();
  #garbage = 0;
  #receivedAt: number;
  #pingedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  /** `wallMs`: any steady clock, as `pulse` gets it. */
  constructor(hub: MarketHub, outlet: Outlet, wallMs: number, events: SessionEvents) {
    this.#hub = hub;
    this.#outlet = outlet;
    this.#receivedAt = wallMs;
    this.#events = events;
  }

  get buffered(): number {
    return this.#outlet.buffered;
  }

  /** One text frame from the client. */
  receive(text: string, wallMs: number): void {
    if (this.#isClosed) return;
    this.#receivedAt = wallMs;
    this.#hub.turns.take(this, () => this.#take(text));
  }

  /** How many frames were received and wait for their turn. */
  get waiting(): number {
    return this.#hub.turns.waitingOf(this);
  }

  #take(text: string): Pieces | undefined {
    if (this.#isClosed) return;
    const frame = jsonObjectIn(text);
    if (frame === null) {
      this.#refuseGarbage('invalid_frame', 'A frame must be one JSON object with an "op".');
      return;
    }
    const id = isId(frame.id) ? frame.id : null;
    if (id === null) this.#refuseGarbage('invalid_frame', 'id must be a whole number.');
    else if (frame.op === 'sub') return this.#subscribe(id, frame);
    else if (frame.op === 'unsub') this.#unsubscribe(id);
    else if (frame.op === 'req') this.#request(id, frame);
    else this.#refuseGarbage('unknown_op', 'op must be sub, unsub or req.', id);
    return;
  }

  pinged(wallMs: number): void {
    this.#pingedAt = wallMs;
  }

  /** Handles what depends on time: silence, and replays that wait for the reader. */
  pulse(wallMs: number): void {
    if (
      wallMs - this.#receivedAt > clientSilenceMs &&
      this.#pingedAt > this.#receivedAt &&
      this.#events.doPingsCount?.()
    )
      this.#receivedAt = this.#pingedAt;
    if (wallMs - this.#receivedAt > clientSilenceMs)
      this.close(closeCodes.policy, `nothing was received for ${clientSilenceMs / 1000} s; send a ping every 20 s`);
    else for (const subscription of this.#subscriptions.values()) subscription.goOn();
  }

  send(text: string): void {
    if (this.#isClosed) return;
    if (this.#outlet.buffered > maxBufferedBytes) this.close(closeCodes.tooSlow, tooSlowReason);
    else this.#outlet.send(text);
  }

  /** Announces that the service will stop soon. */
  drain(): void {
    this.send('{"op":"draining"}');
  }

  /** Ends the subscriptions of a channel; the connection stays. Returns how many there were. */
  endSubscriptions(channel: Channel): number {
    const ended = [...this.#subscriptions].filter(([, subscription]) => subscription.channel === channel);
    for (const [id] of ended) {
      this.#unsubscribe(id);
      this.send(`{"op":"end","id":${id}}`);
    }
    return ended.length;
  }

  close(code: number, reason: string): void {
    if (this.#isClosed) return;
    this.end();
    this.#outlet.close(code, reason);
  }

  /** The connection is gone. */
  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const subscription of this.#subscriptions.values()) subscription.end();
    this.#subscriptions.clear();
    this.#requests.clear();
    this.#hub.turns.forget(this);
    this.#events.closed();
  }

  #subscribe(id: number, frame: Frame): Pieces | undefined {
    try {
      this.#refuseTakenId(id);
      if (this.#subscriptions.size >= maxSubscriptions)
        throw new Refused('too_many_subscriptions', `A connection has at most ${maxSubscriptions} subscriptions.`);
      const { topic, replay } = this.#topicOf(frame);
      const subscription = new Subscription(this.#hub, this, id, topic, replay);
      this.#subscriptions.set(id, subscription);
      this.#events.subscribed?.(topic.channel);
      return subscription.begin();
    } catch (error) {
      if (!(error instanceof Refused)) this.#unsubscribe(id);
      this.#refuse('sub_err', id, error);
      return;
    }
  }

  #unsubscribe(id: number): void {
    this.#requests.delete(id);
    this.#subscriptions.get(id)?.end();
    this.#subscriptions.delete(id);
  }

  #request(id: number, frame: Frame): void {
    try {
      this.#refuseTakenId(id);
      const { method } = frame;
      if (method === 'ping') this.#answer(id, String(this.#hub.now()));
      else if (method === 'status.get')
        this.#answer(id, `[${this.#hub.presentStatus(this.#statusTopic(frame)).join(',')}]`);
      else if (method === 'candles.history') this.#history(id, frame);
      else throw new Refused('unknown_method', 'method must be ping, candles.history or status.get.');
    } catch (error) {
      this.#refuse('err', id, error);
    }
  }

  /** Answered in pieces beside the connection's other requests, so that a history does not delay anyone. */
  #history(id: number, frame: Frame): void {
    const payload = checked(HistoryPayload, frame);
    const market = this.#market(payload.provider, payload.symbol);
    if (this.#requests.size >= maxHistoryInFlight)
      throw new Refused('too_many_requests', 'too many history requests in flight', {
        reason: `a connection may have ${maxHistoryInFlight} unanswered`,
      });
    const { weather } = this.#hub;
    if (weather?.isOver('history_failures', market.marketId, this.#hub.now()) === true) {
      weather.survival.thrown.history_failures += 1;
      throw new Refused('history_failed', 'upstream history request failed', {
        reason: 'HistoryFetchFailed',
        source: 'transport',
      });
    }
    this.#requests.add(id);
    this.#hub.turns.spread(this, this.#answerHistory(id, market, payload));
  }

  *#answerHistory(id: number, market: MarketDefinition, payload: HistoryPayload): Pieces {
    yield* this.#hub.reach();
    const { weather, position } = this.#hub;
    const from = weather?.historyFrom(market.provider, payload.interval as Interval, position);
    const pieces = historyPage(this.#hub.barsOf(market), payload, position, from);
    try {
      // Others may have canceled it meanwhile.
      for (let piece = pieces.next(); this.#requests.has(id); piece = pieces.next()) {
        if (piece.done === true) {
          this.#requests.delete(id);
          return this.#answer(id, `[${piece.value.join(',')}]`);
        }
        yield;
      }
    } catch (error) {
      this.#requests.delete(id);
      this.#refuse('err', id, error);
    }
  }

  #topicOf(frame: Frame): { topic: Topic; replay: number } {
    const channel = frame.channel as Channel;
    if (!channels.includes(channel))
      throw new Refused('unknown_channel', `channel must be one of ${channels.join(', ')}.`);
    if (channel === 'status') return { topic: this.#statusTopic(frame), replay: 0 };
    if (channel !== 'candles') {
      const { symbols, providers } = checked(MarketsPayload, frame);
      return {
        topic: { channel, markets: this.#markets(symbols, providers), intervals: [], providers: [] },
        replay: 0,
      };
    }
    const { symbols, providers, intervals, historyLimit = defaultReplay } = checked(CandlesPayload, frame);
    const markets = this.#markets(symbols, providers);
    const distinct = [...new Set(intervals as Interval[])];
    return { topic: { channel, markets, intervals: distinct, providers: [] }, replay: historyLimit };
  }

  #statusTopic(frame: Frame): Topic {
    const { symbols = [], providers } = checked(StatusPayload, { payload: {}, ...frame });
    const known = new Set(this.#hub.source.definitions.map(({ provider }) => provider));
    const unknown = providers?.find((provider) => !known.has(provider));
    if (unknown !== undefined) throw new Refused('unknown_provider', 'unknown provider', { provider: unknown });
    const topic = { channel: 'status', intervals: [] } as const;
    if (symbols.length > 0) return { ...topic, markets: this.#markets(symbols, providers), providers: [] };
    return { ...topic, markets: [], providers: [...new Set(providers ?? known)] };
  }

  /** All symbols at the first provider; without providers, each at the first one that has it. */
  #markets(symbols: readonly string[], providers: readonly string[] | undefined): MarketDefinition[] {
    const [provider] = providers ?? [];
    return [...new Set(symbols)].map((symbol) => this.#market(provider, symbol));
  }

  #market(provider: string | undefined, coin: string): MarketDefinition {
    const market =
      provider === undefined
        ? this.#hub.source.definitions.find((definition) => definition.coin === coin)
        : this.#hub.market(provider, coin);
    if (market === undefined) throw new Refused('unknown_market', 'unknown market', { symbol: coin.slice(0, 100) });
    return market;
  }

  #refuseTakenId(id: number): void {
    if (this.#subscriptions.has(id) || this.#requests.has(id))
      throw new Refused('id_in_use', 'This id is still in use.');
  }

  #answer(id: number, result: string): void {
    this.send(`{"op":"res","id":${id},"result":${result}}`);
  }

  #refuse(op: 'err' | 'sub_err', id: number, error: unknown): void {
    const reported = error instanceof Refused ? error.error : { code: 'internal', message: 'Something went wrong.' };
    const refusal: ServerFrame = { op, id, error: reported };
    this.send(JSON.stringify(refusal));
    if (!(error instanceof Refused)) this.#events.bug(error);
  }

  #refuseGarbage(code: string, message: string, id?: number): void {
    this.#garbage += 1;
    if (this.#garbage > maxGarbage) this.close(closeCodes.policy, `more than ${maxGarbage} frames were invalid`);
    else this.send(JSON.stringify({ op: 'err', ...(id !== undefined && { id }), error: { code, message } }));
  }
}

/** The frame's payload, checked by its schema. */
function checked<S extends Schema>(schema: S, { payload = null }: Frame): Sent<S> {
  const [issue] = validate(schema, payload, 'payload');
  if (issue !== undefined) throw new Refused('invalid_payload', `${issue.field} ${issue.issue}`);
  return payload as Sent<S>;
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
