import type { Timing } from '../../../base/sockets/timing.ts';
import type { StreamError } from '../../contract/streams.ts';

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
