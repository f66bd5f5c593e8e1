import assert from 'node:assert/strict';
import { draw } from '../../../src/exchange/engine/random.ts';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import { ApiError, NoAnswerError, OutcomeUnknownError } from '../../../src/wire/client/client-errors.ts';
import { named, newIdempotencyKey } from '../../../src/wire/client/form-request.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import { outcome as settle } from '../../../src/wire/client/outcome.ts';
import type { Transport, WireRequest } from '../../../src/wire/contract/wire.ts';
import { seed } from '../../seed.ts';
import { type Delivery, ForgetfulHost, VirtualTime } from './forgetful-host.ts';
import { finish } from './outcomes.ts';
import { type PracticeExchange, practiceExchange } from './practice-exchange.ts';

/** What became of the trials. */
export interface Tally {
  trials: number;
  ends: Record<string, number>;
  requests: number;
  doubled: number;
  lost: number;
  /** Requests after the outcome was known. */
  extra: number;
}

const arrivalMs = 15_000;
const hour = 3_600_000;

/** Places orders and closes on a host that forgets keys, each with faults on its way; settles what stays unknown. */
export async function witnessTrials(trials: number): Promise<Tally> {
  const exchange = await practiceExchange();
  const tally: Tally = { trials, ends: {}, requests: 0, doubled: 0, lost: 0, extra: 0 };
  try {
    for (let trial = 0; trial < trials; trial++) {
      await new Trial(exchange, tally, trial).run();
      if (trial % 8 === 7) await exchange.world.tidy();
    }
    return tally;
  } finally {
    await exchange.stop();
  }
}

class Trial {
  readonly #exchange: PracticeExchange;
  readonly #tally: Tally;
  readonly #where: string;
  readonly #time = new VirtualTime();
  readonly #host: ForgetfulHost;
  #draws = 0;
  /** Requests sent when an answer first told the outcome. */
  #knownAfter = Number.POSITIVE_INFINITY;

  constructor(exchange: PracticeExchange, tally: Tally, trial: number) {
    this.#exchange = exchange;
    this.#tally = tally;
    this.#where = `trial ${trial} of seed ${seed}`;
    this.#host = new ForgetfulHost(exchange.service, { time: this.#time, forgets: () => this.#share() < 0.5 });
  }

  async run(): Promise<void> {
    const request = await this.#request();
    const idempotencyKey = newIdempotencyKey();
    const { id, ...wanted } = named(request.id, request, idempotencyKey);
    const { client_order_id: name = '' } = wanted.body as { client_order_id?: string };
    const client = this.#client(0.35);
    const sentAt = this.#time.now;
    let [end, intent] = await this.#carriedOut(client, id, { ...wanted, idempotencyKey });
    this.#tally.ends[end] = (this.#tally.ends[end] ?? 0) + 1;
    for (let tries = 0; end === 'unknown'; tries++) {
      assert.ok(tries < 50, `${this.#where}: never settled`);
      await this.#time.pass([0, 40_000, 90 * hour][Math.floor(this.#share() * 3)]!);
      const { verdict } = await settle(this.#client(0.2), intent!, { sentAt, arrivalMs });
      end = verdict === 'unknown' ? 'unknown' : verdict === 'applied' ? 'done' : 'not done';
    }
    await this.#time.pass(100 * hour);
    const made = this.#host.made(name);
    this.#tally.doubled += Number(made > 1);
    this.#tally.lost += Number(made !== Number(end === 'done'));
    this.#tally.requests += this.#host.sent.length;
    this.#tally.extra += Math.max(0, this.#host.sent.length - this.#knownAfter);
    assert.equal(made, Number(end === 'done'), `${this.#where}: ${end}, ${this.#host.sent.join(' ')}`);
  }

  async #request() {
    const { world } = this.#exchange;
    if (this.#share() < 0.5) return { id: 'createOrder', body: world.limitOrder(world.ownPrice()) } as const;
    const { id } = await world.position();
    return { id: 'closePosition', path: { position_id: id }, body: { size: 0.001 } } as const;
  }

  /** Sends a write as a command does, until the command is done with it. */
  async #carriedOut(client: Client, id: string, request: object): Promise<[end: string, intent?: Intent]> {
    try {
      await client.call(id as 'createOrder', request as never).catch((error: unknown) => {
        if (!(error instanceof OutcomeUnknownError)) throw error;
        return finish(client, error, { arrivalMs });
      });
      return ['done'];
    } catch (error) {
      if (error instanceof OutcomeUnknownError) return ['unknown', error.intent];
      assert.ok(
        error instanceof NoAnswerError || error instanceof ApiError,
        `${this.#where}: ${(error as Error).stack}`,
      );
      return ['not done'];
    }
  }

  /** A client whose first request always meets a fault, except one in twenty, and later ones with this probability. */
  #client(probability: number): Client {
    let isFirst = this.#host.sent.length === 0 && this.#share() < 0.95;
    const deliveries = (request: WireRequest) => {
      const isFaulted = isFirst || this.#share() < probability;
      isFirst = false;
      const delivery: Delivery = isFaulted ? this.#fault(request) : { kind: 'answered' };
      if (delivery.kind === 'answered' && request.method === 'POST') this.#know();
      return delivery;
    };
    const retry = {
      now: () => this.#time.now,
      sleep: (ms: number) => this.#time.pass(ms),
      random: () => this.#share(),
      arrivalMs,
    };
    const transport = this.#host.transport(deliveries);
    const watched: Transport = async (request, limits) => {
      const answer = await transport(request, limits);
      const { data } = (answer.body ?? {}) as { data?: unknown };
      if (request.method === 'GET' && Array.isArray(data) && data.length > 0) this.#know();
      return answer;
    };
    return createClient({ transport: watched, retry });
  }

  #know(): void {
    this.#knownAfter = Math.min(this.#knownAfter, this.#host.sent.length);
  }

  #fault({ method }: WireRequest): Delivery {
    const kind = this.#share();
    if (kind < 0.2) return { kind: 'unanswered' };
    if (kind < 0.35) return { kind: 'undelivered' };
    if (kind < 0.5)
      return { kind: 'replaced', status: [502, 504][Math.floor(this.#share() * 2)]!, isDelivered: this.#share() < 0.5 };
    if (method === 'GET')
      return { kind: 'replaced', status: [401, 404, 429, 500][Math.floor(this.#share() * 4)]!, isDelivered: false };
    if (kind < 0.58) return { kind: 'misanswered' };
    // At the end of the window, too.
    return { kind: 'late', byMs: kind < 0.65 ? arrivalMs : this.#share() * arrivalMs };
  }

  #share(): number {
    return draw(seed, 'witness', `${this.#where} ${this.#draws++}`);
  }
}
