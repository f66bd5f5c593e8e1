import { Gate } from '../../../../src/bots/gate/gate.ts';
import type { Mandate } from '../../../../src/desk/mandate/mandate.ts';
import { type InProcess, inProcessTransport } from '../../../../src/service/public.ts';
import { NoAnswerError } from '../../../../src/wire/client/client-errors.ts';
import { streamPaths } from '../../../../src/wire/contract/streams.ts';
import type { StreamTransport, Transport, WireRequest, WireResponse } from '../../../../src/wire/contract/wire.ts';
import type { Chance } from '../../../exchange/engine/chance.ts';
import { startTime } from '../../../service/serving.ts';
import { temporaryDirectory } from '../../../service/temporary-directory.ts';
import { sessionOver } from '../hand-held.ts';
import { Oracle, type Terms } from './oracle.ts';

// biome-ignore lint/suspicious/noExplicitAny: resources as the service answers them.
type Resource = any;

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** Bots and what was agreed for each. */
export interface Agreed {
  readonly accounts: readonly number[];
  readonly terms: Terms;
  readonly ordersPerMinute: number;
}

/** What goes wrong between gate and service. */
export interface Weather {
  /** Answers that never arrive, as a share. */
  readonly lost: number;
  /** How long frames take at most, ms. */
  readonly framesMs: number;
}

/** A simulation, a gate before it, and an oracle that sees whatever reaches the simulation. */
export class Arena {
  readonly accounts: readonly string[];
  readonly violations: string[] = [];
  /** Writes that reached the simulation and were done. */
  done = 0;
  /** By how much the machine's clock was set, ms. */
  clockStep = 0;
  readonly #desk: InProcess;
  readonly #oracle: Oracle;
  readonly #chance: Chance;
  readonly #weather: Weather;
  readonly #mandates: ReadonlyMap<string, Mandate>;
  readonly #variables: Record<string, string>;
  #turn: Promise<unknown> = Promise.resolve();
  #gate: Gate | undefined;
  #isOpen = true;

  private constructor(
    desk: InProcess,
    accounts: readonly string[],
    agreed: Readonly<Record<string, Agreed>>,
    parts: { chance: Chance; weather: Weather; folder: string; markets: readonly string[] },
  ) {
    this.#desk = desk;
    this.accounts = accounts;
    this.#chance = parts.chance;
    this.#weather = parts.weather;
    this.#variables = { PERP_STATE_DIR: parts.folder, PERP_CONFIG_DIR: parts.folder };
    const terms = new Map<string, Terms>();
    const mandates = new Map<string, Mandate>();
    for (const [bot, { accounts: places, terms: of, ordersPerMinute }] of Object.entries(agreed)) {
      const ids = places.map((at) => accounts[at]!);
      for (const id of ids) terms.set(id, of);
      const until = Date.now() + 86_400_000;
      mandates.set(bot, { ...of, name: bot, accounts: ids, ordersPerMinute, until } as Mandate);
    }
    this.#mandates = mandates;
    this.#oracle = new Oracle((target) => this.read(target), terms, parts.markets);
  }

  static async open(
    t: Context,
    agreed: Readonly<Record<string, Agreed>>,
    parts: { chance: Chance; weather: Weather; markets: readonly string[]; accounts: number },
  ): Promise<Arena> {
    const { chance } = parts;
    const desk = await inProcessTransport({
      stateDir: temporaryDirectory(t),
      seed: chance.between(1, 1e6),
      clock: 'manual',
      startTime,
      accounts: parts.accounts,
    });
    t.after(() => desk.close());
    const ids = desk.simulation.read(({ store }) => store.accounts('local', 'live').map(({ id }) => id));
    const arena = new Arena(desk, ids.toSorted(), agreed, { ...parts, folder: temporaryDirectory(t) });
    t.after(() => arena.close());
    await arena.restart();
    return arena;
  }

  /** A new gate; the one before is gone as after a kill: whatever it still does reaches nobody. */
  async restart(): Promise<void> {
    const before = this.#gate;
    this.#gate = undefined;
    await before?.[Symbol.asyncDispose]();
    this.#gate = await Gate.open({
      session: this.#session(),
      mandates: () => this.#mandates,
      folder: this.#variables.PERP_STATE_DIR!,
      holdMs: 2_000,
      note() {},
    });
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#gate?.[Symbol.asyncDispose]();
  }

  get gate(): Gate {
    return this.#gate!;
  }

  /** A request of a bot; a stopped gate answers as no gate would. */
  async ask(bot: string, method: WireRequest['method'], target: string, body?: object, key?: string) {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (key !== undefined) headers['idempotency-key'] = key;
    const request = { method, target, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await this.#gate?.handle(bot, request)) ?? { status: 503, headers: {}, body: {} };
  }

  /** What the simulation itself answers. */
  async read(target: string): Promise<Resource> {
    const { body } = await this.#desk.transport({ method: 'GET', target, headers: {} }, { timeoutMs: 1_000 });
    return (body as Resource).data;
  }

  /** The owner makes one account copy another. */
  async copies(lead: number, follower: number, multiplier_bps: number): Promise<void> {
    const targets = [{ account_id: this.accounts[follower]!, multiplier_bps }];
    const groups = [{ enabled: true, source_account_id: this.accounts[lead]!, targets }];
    await this.#owner('/v1/copy-trading', { groups, deleted_config_ids: [] });
    await this.restart();
  }

  /** Lets time pass at the exchange. */
  async advance(duration_ms: number): Promise<void> {
    await this.#inTurn(() => this.#owner('/sim/advance', { duration_ms }));
  }

  async #owner(target: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const request = { method: 'POST', target, headers, body: JSON.stringify(body) } as const;
    const { status } = await this.#desk.transport(request, { timeoutMs: 1_000 });
    if (status >= 300) throw new Error(`${target}: ${status}`);
  }

  #session() {
    return sessionOver({
      transport: this.#tap(),
      streams: { account: this.#late(this.#desk.stream), market: this.#desk.stream },
      accountPath: streamPaths.live,
      variables: this.#variables,
      now: () => Date.now() + this.clockStep,
    });
  }

  /** One write after the other, so that each has a before and an after. */
  #tap(): Transport {
    return async (request, limits) => {
      if (!this.#isOpen) throw new NoAnswerError('the arena is closed');
      if (request.method === 'GET') return await this.#desk.transport(request, limits);
      const answer = await this.#inTurn(() => this.#watched(request, limits));
      if (this.#chance.chance(this.#weather.lost)) throw new NoAnswerError('the answer was lost');
      return answer;
    };
  }

  async #watched(request: WireRequest, limits: Parameters<Transport>[1]): Promise<WireResponse> {
    const before = await this.#oracle.look();
    const answer = await this.#desk.transport(request, limits);
    if (answer.status >= 300) return answer;
    this.done += 1;
    const reduces =
      /\/close|DELETE/.test(`${request.method} ${request.target}`) || /"reduce_only":true/.test(request.body ?? '');
    const found = this.#oracle.violations(before, await this.#oracle.look(), reduces);
    const about = `${request.method} ${request.target} ${request.body ?? ''}`;
    this.violations.push(...found.map((one) => `${one} by ${about}`));
    return answer;
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return await turn;
  }

  /** Frames arrive late, in order. */
  #late(inner: StreamTransport): StreamTransport {
    return (target, events) => {
      let last: Promise<unknown> = Promise.resolve();
      let isOver = false;
      const later = (deliver: () => void) => {
        const ms = this.#chance.next() * this.#weather.framesMs;
        const wait = ms < 1 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
        last = Promise.all([last, wait]).then(() => {
          if (!isOver) deliver();
        });
      };
      const stream = inner(target, {
        opened: () => later(() => events.opened()),
        text: (text) => later(() => events.text(text)),
        closed: (end) => later(() => events.closed(end)),
      });
      return {
        send: (text) => stream.send(text),
        close() {
          isOver = true;
          stream.close();
        },
      };
    };
  }
}
