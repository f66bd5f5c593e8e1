import { ApiError, NoAnswerError } from '../../../src/wire/client/client-errors.ts';
import type { Transport, WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { proxyPage, refusal } from './scripted-transport.ts';

/** The delivery of a request on its way; `late`: it is delivered this long after its answer was given up, ms. */
export type Delivery =
  | { kind: 'answered' | 'unanswered' | 'undelivered' | 'misanswered' }
  | { kind: 'late'; byMs: number }
  | { kind: 'replaced'; status: number; isDelivered: boolean };

/** Virtual time: waiting lets it pass, and with it what is on its way arrives. */
export class VirtualTime {
  now = Date.UTC(2026, 0, 5);
  readonly #due: { at: number; act: () => Promise<unknown> }[] = [];

  /** Does something later. */
  later(byMs: number, act: () => Promise<unknown>): void {
    this.#due.push({ at: this.now + byMs, act });
  }

  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    this.#due.sort((one, other) => one.at - other.at);
    while (this.#due[0] !== undefined && this.#due[0].at <= end) {
      const { at, act } = this.#due.shift()!;
      this.now = Math.max(this.now, at);
      await act();
    }
    this.now = end;
  }

  /** Whether something is still on its way. */
  get isBusy(): boolean {
    return this.#due.length > 0;
  }
}

/**
 * A host in front of a simulation that forgets idempotency keys, and accepts a client order id twice. It counts the
 * orders that it made for each client order id.
 */
export class ForgetfulHost {
  readonly time: VirtualTime;
  /** Methods of the requests that were sent, in order. */
  readonly sent: string[] = [];
  readonly #service: (request: WireRequest) => Promise<WireResponse>;
  /** The names under which the simulation knows the orders of one client order id. */
  readonly #names = new Map<string, string[]>();
  readonly #made = new Map<string, number>();
  readonly #forgets: () => boolean;
  #serial = 0;

  constructor(
    service: (request: WireRequest) => Promise<WireResponse>,
    { time, forgets }: { time: VirtualTime; forgets: () => boolean },
  ) {
    this.#service = service;
    this.time = time;
    this.#forgets = forgets;
  }

  /** How many orders exist under a client order id. */
  made(clientOrderId: string): number {
    return this.#made.get(clientOrderId) ?? 0;
  }

  /** A transport on which each request has the delivery that `deliveries` gives it. */
  transport(deliveries: (request: WireRequest) => Delivery): Transport {
    return async (request, { timeoutMs }) => {
      this.sent.push(request.method);
      const delivery = deliveries(request);
      const lost = new NoAnswerError(`${request.method} got no answer: ${delivery.kind}`);
      if (delivery.kind === 'undelivered') throw lost;
      if (delivery.kind === 'late') {
        this.time.later(delivery.byMs, () => this.#deliver(request));
        throw lost;
      }
      if (delivery.kind === 'replaced') {
        if (delivery.isDelivered) await this.#deliver(request);
        return delivery.status < 500 ? refusal(delivery.status, 'refused') : proxyPage(delivery.status);
      }
      const answer = await this.#deliver(request);
      if (delivery.kind === 'answered') return answer;
      if (delivery.kind === 'misanswered') return { ...answer, body: { data: { id: 'another', side: 'none' } } };
      await this.time.pass(timeoutMs);
      throw lost;
    };
  }

  async #deliver(request: WireRequest): Promise<WireResponse> {
    if (request.method === 'GET') return this.#listed(request);
    const body = JSON.parse(request.body!) as { client_order_id: string };
    const { client_order_id: wanted } = body;
    const names = this.#names.get(wanted) ?? [];
    const isForgotten = this.#forgets();
    const name = isForgotten || names.length === 0 ? `${wanted}~${this.#serial++}` : names.at(-1)!;
    const headers = { ...request.headers, 'idempotency-key': `key of ${name}` };
    const answer = await this.#service({
      ...request,
      headers,
      body: JSON.stringify({ ...body, client_order_id: name }),
    });
    if (!names.includes(name)) this.#names.set(wanted, [...names, name]);
    if (answer.status === 201) this.#made.set(wanted, this.made(wanted) + 1);
    if (answer.status >= 300) throw new ApiError(answer);
    return renamed(answer, name, wanted);
  }

  async #listed(request: WireRequest): Promise<WireResponse> {
    const wanted = new URL(request.target, 'http://host').searchParams.get('client_order_id');
    const name = this.#names.get(wanted ?? '')?.[0] ?? 'nobody';
    const answer = await this.#service({
      ...request,
      target: `/v1/orders?client_order_id=${encodeURIComponent(name)}`,
    });
    return renamed(answer, name, wanted ?? '');
  }
}

function renamed(answer: WireResponse, name: string, wanted: string): WireResponse {
  return { ...answer, body: JSON.parse(JSON.stringify(answer.body).replaceAll(`"${name}"`, `"${wanted}"`)) as unknown };
}
