import type { Timing } from '../../../base/sockets/timing.ts';
import { type ServerFrame, type StreamError, streamPaths } from '../../contract/streams.ts';
import type { StreamTransport } from '../../contract/wire.ts';
import { marketFrameIssue, resultIssue } from './frame-checks.ts';
import { Link, type LinkEvents, type Silence } from './link.ts';
import type { MarketSubscription } from './market-subscription.ts';

/** Events of one market stream connection; `lost` comes last, once. */
interface MarketConnectionEvents extends Omit<LinkEvents, 'frame'> {
  /** The service has answered every subscription made so far, or a ping if there is none; called once. */
  accepted(): void;
  /** Every subscription of the connection is live. */
  complete(): void;
  /** The service will soon retire this connection. */
  draining(): void;
}

/** How a connection of the market stream is opened and watched. */
interface MarketConnectionOptions {
  transport: StreamTransport;
  timing: Timing;
  silence: Silence;
  pingMs: number;
}

/** How long to wait before renewing a subscription that the service ended. */
const resubscribeMs = 1_000;

/** One connection to the market stream: its ids and handles are valid only on it. */
export class MarketConnection {
  readonly #options: MarketConnectionOptions;
  readonly #events: MarketConnectionEvents;
  readonly #link: Link;
  readonly #subscriptions = new Map<number, MarketSubscription>();
  readonly #handles = new Map<string, MarketSubscription>();
  readonly #requests = new Map<number, MarketRequest>();
  /** Subscriptions that are not live yet. */
  readonly #incomplete = new Set<MarketSubscription>();
  /** Ids of subscriptions that the service has not answered yet. */
  readonly #unanswered = new Set<number>();
  #isAccepted = false;
  #nextId = 1;
  #cancels = new Set<() => void>();

  constructor(options: MarketConnectionOptions, events: MarketConnectionEvents) {
    this.#options = options;
    this.#events = events;
    this.#link = new Link(options.transport, streamPaths.marketData, options.timing, options.silence, {
      ...events,
      opened: (headers) => {
        this.#ping();
        events.opened(headers);
      },
      frame: (frame) => marketFrameIssue(frame) ?? this.#take(frame as unknown as ServerFrame),
      lost: (end) => {
        this.#stopTimers();
        events.lost(end);
      },
    });
  }

  get isOpen(): boolean {
    return this.#link.isOpen;
  }

  get isAccepted(): boolean {
    return this.#isAccepted;
  }

  /** `afterLoss`: no other connection carried it in the meantime. */
  subscribe(subscription: MarketSubscription, afterLoss: boolean): void {
    const id = this.#nextId++;
    this.#subscriptions.set(id, subscription);
    this.#incomplete.add(subscription);
    this.#unanswered.add(id);
    const { channel } = subscription;
    this.#link.send({ op: 'sub', id, channel, payload: subscription.begin(afterLoss) });
  }

  unsubscribe(subscription: MarketSubscription): void {
    for (const [id, one] of this.#subscriptions) {
      if (one !== subscription) continue;
      this.#link.send({ op: 'unsub', id });
      this.#forget(id);
    }
  }

  request(request: MarketRequest): void {
    const id = this.#nextId++;
    this.#requests.set(id, request);
    const { method, payload } = request;
    this.#link.send({ op: 'req', id, method, ...(payload !== undefined && { payload }) });
  }

  close(): void {
    this.#stopTimers();
    this.#link.close();
  }

  /** Takes a frame over; returns what is wrong with the answer in it. */
  #take(frame: ServerFrame): string | undefined {
    if (frame.op === 'events') this.#handles.get(frame.sub)?.take(frame.events);
    else if (frame.op === 'draining') this.#events.draining();
    else if (frame.op === 'sub_ok') this.#accepted(frame);
    else if (frame.op === 'snapshot_end') this.#live(frame.id);
    else if (frame.op === 'sub_err') this.#refused(frame.id, errorOf(frame.error));
    else if (frame.op === 'end') this.#ended(frame.id);
    else if (frame.op === 'res') return this.#resolve(frame.id, frame.result);
    else if (frame.op === 'err' && frame.id !== undefined) this.#answered(frame.id)?.refused(errorOf(frame.error));
    return undefined;
  }

  #resolve(id: number, result: unknown): string | undefined {
    if (this.#unanswered.size === 0) this.#accept();
    const request = this.#answered(id);
    const issue = request && resultIssue(request.method, result);
    if (issue === undefined) request?.resolve(result);
    else request?.refused({ code: 'bad_answer', message: issue });
    return issue;
  }

  #accept(): void {
    if (this.#isAccepted) return;
    this.#isAccepted = true;
    this.#events.accepted();
  }

  #accepted({ id, sub, snapshotBoundary }: { id: number; sub: string; snapshotBoundary?: boolean }): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    this.#handles.set(sub, subscription);
    subscription.accepted();
    this.#answeredSubscription(id);
    if (snapshotBoundary !== true) this.#live(id);
  }

  #live(id: number): void {
    const subscription = this.#subscriptions.get(id);
    if (subscription === undefined) return;
    subscription.live();
    this.#complete(subscription);
  }

  #refused(id: number, error: StreamError): void {
    const subscription = this.#subscriptions.get(id);
    this.#answeredSubscription(id);
    this.#forget(id);
    if (subscription === undefined) return;
    subscription.refused(error);
  }

  #ended(id: number): void {
    const subscription = this.#subscriptions.get(id);
    this.#forget(id);
    if (subscription === undefined) return;
    this.#after(resubscribeMs * (1 + this.#options.timing.random()), () => {
      if (!subscription.isOver) this.subscribe(subscription, true);
    });
  }

  #answeredSubscription(id: number): void {
    if (this.#unanswered.delete(id) && this.#unanswered.size === 0) this.#accept();
  }

  #answered(id: number): MarketRequest | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    return request;
  }

  #complete(subscription: MarketSubscription): void {
    if (this.#incomplete.delete(subscription) && this.#incomplete.size === 0) this.#events.complete();
  }

  #forget(id: number): void {
    const subscription = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    this.#unanswered.delete(id);
    for (const [handle, one] of this.#handles) if (one === subscription) this.#handles.delete(handle);
    if (subscription !== undefined) this.#complete(subscription);
  }

  /** Keeps the connection open, and shows that the other side is alive. */
  #ping(): void {
    this.#link.send({ op: 'req', id: this.#nextId++, method: 'ping' });
    this.#after(this.#options.pingMs, () => this.#ping());
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#options.timing.after(ms, () => {
      this.#cancels.delete(cancel);
      run();
    });
    this.#cancels.add(cancel);
  }

  #stopTimers(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}

/** An error is an object; text is accepted too. */
function errorOf(error: unknown): StreamError {
  if (typeof error === 'string') return { code: '', message: error };
  const { code, message, reason } = (error ?? {}) as Record<string, unknown>;
  const text = [message, reason].find((one) => typeof one === 'string') as string | undefined;
  return {
    ...(error as object),
    code: typeof code === 'string' ? code : '',
    message: text ?? 'refused without a reason',
  };
}

/** The service refused a subscription or a request of the market stream. */
export class StreamRefusal extends Error {
  override readonly name = 'StreamRefusal';
  readonly code: string;
  readonly error: StreamError;

  constructor(error: StreamError) {
    super(error.message);
    this.code = error.code;
    this.error = error;
  }
}

/** One request to the market stream, sent again on another connection until it is answered. */
export interface MarketRequest {
  readonly method: string;
  readonly payload: object | undefined;
  resolve(result: unknown): void;
  refused(error: StreamError): void;
}

/** Maximum number of unanswered requests; the service allows 4 for histories. */
const maxUnderWay = 3;
const maxAttempts = 5;
const waitMs = 500;
const closed = { code: 'closed', message: 'The stream was closed.' };

/** Requests in order, a few at a time; those refused because the service is busy are retried. */
export class MarketRequests {
  readonly #timing: Timing;
  readonly #send: (request: MarketRequest) => boolean;
  #waiting: MarketRequest[] = [];
  readonly #underWay = new Set<MarketRequest>();
  #isClosed = false;

  /** `send` returns false if there is no connection to send on. */
  constructor(timing: Timing, send: (request: MarketRequest) => boolean) {
    this.#timing = timing;
    this.#send = send;
  }

  ask(method: string, payload: object | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      let attempts = 0;
      const finish = (act: () => void) => {
        this.#underWay.delete(request);
        act();
        this.next();
      };
      const request: MarketRequest = {
        method,
        payload,
        resolve: (result) => finish(() => resolve(result)),
        refused: (error) => {
          attempts += 1;
          if (!isPassing(error) || attempts === maxAttempts || this.#isClosed) {
            finish(() => reject(new StreamRefusal(error)));
            return;
          }
          this.#underWay.delete(request);
          this.#timing.after(waitMs * attempts, () => {
            if (this.#isClosed) return request.refused(closed);
            this.#waiting.unshift(request);
            this.next();
          });
        },
      };
      this.#waiting.push(request);
      this.next();
    });
  }

  /** Sends waiting requests, up to the limit. */
  next(): void {
    while (this.#underWay.size < maxUnderWay && this.#waiting.length > 0) {
      const request = this.#waiting.shift()!;
      // The answer may come before `send` returns.
      this.#underWay.add(request);
      if (this.#send(request)) continue;
      this.#underWay.delete(request);
      this.#waiting.unshift(request);
      return;
    }
  }

  /** The connection is gone: its unanswered requests are sent again on the next. */
  again(): void {
    this.#waiting = [...this.#underWay, ...this.#waiting];
    this.#underWay.clear();
    this.next();
  }

  close(): void {
    this.#isClosed = true;
    for (const request of [...this.#underWay, ...this.#waiting.splice(0)]) request.refused(closed);
  }
}

/** Whether a retry may be answered a little later. */
function isPassing({ code, message, source }: StreamError & { source?: unknown }): boolean {
  return code === 'too_many_requests' || source === 'transport' || /too many|capacity|in flight/i.test(message);
}
