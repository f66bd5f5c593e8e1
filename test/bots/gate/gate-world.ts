import { copyFileSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gateFolder } from '../../../src/bots/gate/bots-file.ts';
import { Gate, type GateOptions } from '../../../src/bots/gate/gate.ts';
import type { Destination } from '../../../src/desk/intents/note.ts';
import type { Mandate } from '../../../src/desk/mandate/mandate.ts';
import { SessionMemory } from '../../../src/desk/session/memory.ts';
import type { Access, Session } from '../../../src/desk/session/session.ts';
import { type InProcess, inProcessTransport, resetState } from '../../../src/service/public.ts';
import { createClient } from '../../../src/wire/client/client.ts';
import type { Intent } from '../../../src/wire/client/intent.ts';
import { unforbidden } from '../../../src/wire/client/proven-send.ts';
import type { RenewableTransport } from '../../../src/wire/client/send.ts';
import type { Market } from '../../../src/wire/contract/markets.ts';
import { streamPaths } from '../../../src/wire/contract/streams.ts';
import type { StreamTransport, WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { beginning } from '../../seed.ts';

interface Context {
  after(fn: () => void | Promise<void>): void;
}

/** A simulation in this process, and what stands between it and the gate. */
export class GateWorld {
  readonly folder: string;
  readonly markets: readonly Market[];
  readonly accounts: readonly string[];
  /** Everything that was sent to the simulation, by anyone through the gate's session. */
  readonly sent: WireRequest[] = [];
  /** What carries the gate's requests; a test may put something in between. */
  carry: RenewableTransport;
  /** How far time was advanced, step by step, ms. */
  readonly advances: number[] = [];
  readonly notes: string[] = [];
  readonly mandates = new Map<string, Mandate>();
  /** What proves that no lock concerns a write. */
  exposureProof: Access['exposureProof'] = async () => unforbidden;
  /** Whatever the gate waits for between a record and the write: a test may hold it up. */
  pause: (where: 'access' | 'credential') => Promise<void> = async () => {};
  /** Wall time, Unix ms. */
  now: () => number = () => Date.now();

  /** A host forgets the keys of writes; a simulation keeps them. */
  keepsKeys = true;
  /** Where the gate believes it is. */
  destination: Destination = { environment: 'sim', state: 'default', prices: 'synthetic' };

  readonly #undo = new AsyncDisposableStack();
  #simulation: InProcess;
  /** Breaks each connection of a stream, as the end of the service's process does. */
  readonly #connected = new Set<() => void>();

  private constructor(simulation: InProcess, folder: string, markets: readonly Market[], accounts: readonly string[]) {
    this.#simulation = simulation;
    this.folder = folder;
    this.markets = markets;
    this.accounts = accounts;
    this.carry = (request, limits) => this.#simulation.transport(request, limits);
  }

  /** The simulation, which a restored backup replaces. */
  get simulation(): InProcess {
    return this.#simulation;
  }

  /** Keeps a copy of the state; returns what puts it back in place of whatever is there then. */
  backUp(): () => Promise<void> {
    const { store } = this.#simulation.simulation;
    const { file } = store;
    const copy = join(this.folder, 'kept.backup');
    renameSync(store.backUp('kept'), copy);
    return async () => {
      for (const breakOff of this.#connected) breakOff();
      this.#connected.clear();
      this.#simulation.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      copyFileSync(copy, file);
      this.#simulation = await inProcessTransport({ stateDir: `${this.folder}/host` });
    };
  }

  /** Markets stand still until `advance`. */
  static async open(
    t: Context,
    options: { accounts?: number; seed?: number; startTime?: number } = {},
  ): Promise<GateWorld> {
    const folder = mkdtempSync(join(tmpdir(), 'perp-gate-'));
    const simulation = await inProcessTransport({
      stateDir: `${folder}/host`,
      clock: 'manual',
      accounts: 2,
      ...beginning,
      ...options,
    });
    const client = createClient({ transport: simulation.transport });
    const markets = (await client.call('listMarkets', {})).data;
    const accounts = (await client.call('listAccounts', {})).data.map(({ id }) => id);
    const world = new GateWorld(simulation, folder, markets, accounts);
    world.#undo.defer(() => rmSync(folder, { recursive: true, force: true }));
    world.#undo.defer(() => world.simulation.close());
    // Hooks run in the order of their registration, so there is one.
    t.after(() => world.#undo.disposeAsync());
    return world;
  }

  /** The id of a market. */
  market(symbol: string): string {
    return this.markets.find((market) => market.symbol === symbol)!.market_id;
  }

  /** A request for a market order of 0.01 BTC. */
  order(fields: Record<string, unknown> = {}, key = 'key-1'): WireRequest & { body: string } {
    const body = JSON.stringify({
      account_id: this.accounts[0],
      market_id: this.market('BTC'),
      side: 'buy',
      size: 0.01,
      leverage: 2,
      margin_mode: 'cross',
      ...fields,
    });
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return { method: 'POST', target: '/v1/orders', headers, body };
  }

  /** A mandate that allows everything in these accounts; default: in all. */
  allowing(accounts: readonly string[] = this.accounts, terms: Partial<Mandate> = {}): Mandate {
    return {
      accounts,
      markets: ['BTC', 'ETH', 'SOL'].map((symbol) => this.market(symbol)),
      sides: ['buy', 'sell'],
      largestOrderUsd: 1e12,
      largestPositionUsd: 1e12,
      lossPerDayUsd: 1e12,
      ordersPerMinute: 1e6,
      until: Date.UTC(2099, 0, 1),
      ...terms,
    };
  }

  /** A gate over the simulation, with the mandates of this world; it ends with the test. */
  async gate(options: Partial<GateOptions> = {}): Promise<Gate> {
    const gate = await Gate.open({
      session: this.session(),
      mandates: () => this.mandates,
      folder: gateFolder(this.variables),
      note: (text) => this.notes.push(text),
      ...options,
    });
    this.#undo.use(gate);
    while (gate.status().unknown_marks.length > 0) {
      await this.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return gate;
  }

  get variables(): Record<string, string> {
    return { HOME: this.folder, PERP_STATE_DIR: `${this.folder}/state`, PERP_CONFIG_DIR: `${this.folder}/config` };
  }

  /** The simulation's own answer. */
  async direct(request: Partial<WireRequest> & { target: string }): Promise<WireResponse> {
    return await this.simulation.transport({ method: 'GET', headers: {}, ...request }, { timeoutMs: 1_000 });
  }

  /** Another run of the same simulation begins, as after `perp sim reset`. */
  async reset(seed = beginning.seed): Promise<void> {
    const { startTime } = beginning;
    const options = { stateDir: `${this.folder}/host`, clock: 'manual', accounts: this.accounts.length } as const;
    (await resetState({ ...options, seed, startTime })).close();
  }

  /** A process that opens the simulation again has the markets that it was reset to. */
  async #openAgain(): Promise<void> {
    const { status } = await this.direct({ target: '/v1/markets' });
    if (status !== 409) return;
    this.#simulation.close();
    this.#simulation = await inProcessTransport({ stateDir: `${this.folder}/host` });
  }

  async advance(duration_ms: number): Promise<void> {
    this.advances.push(duration_ms);
    await createClient({ transport: this.simulation.transport }).call('simAdvance', { body: { duration_ms } });
  }

  session(): Session {
    const memory = new SessionMemory({ isHost: false });
    const transport: RenewableTransport = async (request, limits) => {
      this.sent.push(request);
      const answer = await this.carry(request, limits);
      const { 'x-sim-run': run, ...headers } = answer.headers;
      // A host has no runs.
      if (!this.keepsKeys) return { ...answer, headers };
      if (run !== undefined) memory.tookRun(run);
      return answer;
    };
    const client = createClient({ transport, keepsKeys: this.keepsKeys, retry: { attempts: 1, arrivalMs: 0 } });
    const stream: StreamTransport = (target, events) => {
      const opened = this.#simulation.stream(target, {
        ...events,
        opened: (headers) => events.opened(this.keepsKeys ? headers : undefined),
      });
      this.#connected.add(() => {
        opened.close();
        events.closed({ code: 1006, reason: 'the service has stopped' });
      });
      return opened;
    };
    const access = {
      client,
      urgent: client,
      once: client,
      carrier: { transport, credential: async () => void (await this.pause('credential')) },
      isInProcess: false,
      arrivalMs: 0,
      bug: () => undefined,
      destination: this.destination,
      exposureProof: (intent: Intent) => this.exposureProof(intent),
      streams: async () => ({ market: stream, account: { transport: stream, path: streamPaths.live } }),
    } as unknown as Access;
    const settings = { environment: 'sim', timeoutMs: 15_000, place: 'terminal' } as unknown as Session['settings'];
    return {
      call: (id, request) => client.call(id, request),
      pages: (id, request) => client.pages(id, request),
      access: async (again) => {
        await this.pause('access');
        if (again !== undefined) await this.#openAgain();
        return access;
      },
      signal: new AbortController().signal,
      note: (text) => this.notes.push(text),
      settings,
      memory,
      machine: { variables: this.variables, now: () => this.now() } as Session['machine'],
    };
  }
}
