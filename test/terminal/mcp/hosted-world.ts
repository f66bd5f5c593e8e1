import { join } from 'node:path';
import { realTiming } from '../../../src/base/sockets/timing.ts';
import { inProcessTransport } from '../../../src/service/public.ts';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import type { Transport } from '../../../src/wire/contract/wire.ts';
import { beginning } from '../../seed.ts';
import { Desk } from '../cli/practice.ts';
import { Agent } from './agent.ts';

type Host = Awaited<ReturnType<typeof inProcessTransport>>;

/** A user's machine whose live host is one simulation in this process, and the agents that are connected there. */
export class HostedWorld implements AsyncDisposable {
  readonly desk: Desk;
  /** The host, as it sees itself. */
  readonly client: Client;
  readonly accounts: readonly string[];
  readonly #host: Host;
  readonly #alter: (body: unknown) => unknown;

  private constructor(desk: Desk, host: Host, accounts: readonly string[], alter: (body: unknown) => unknown) {
    this.desk = desk;
    this.#host = host;
    this.client = createClient({ transport: host.transport });
    this.accounts = accounts;
    this.#alter = alter;
  }

  /** Its markets stand still. `alter`: what the host's answers become on their way. */
  static async open(accounts: number, alter: (body: unknown) => unknown = (body) => body): Promise<HostedWorld> {
    const desk = new Desk();
    const { startTime, seed } = beginning;
    const stateDir = join(desk.folder, 'host');
    const host = await inProcessTransport({ stateDir, clock: 'manual', startTime, seed, accounts });
    const { data } = await createClient({ transport: host.transport }).call('listAccounts', {});
    return new HostedWorld(
      desk,
      host,
      data.map(({ id }) => id),
      alter,
    );
  }

  /** Connects an agent to `perp --env live mcp` with these arguments. */
  agent(argv: readonly string[]): Promise<Agent> {
    const { transport, stream } = this.#host;
    const altering: Transport = async (request, options) => {
      const answer = await transport(request, options);
      return { ...answer, body: this.#alter(answer.body) };
    };
    const stage = {
      timers: realTiming,
      http: () => Object.assign(altering.bind(null), { close: async () => {} }),
      stream: () => stream,
      run: async () => undefined,
    };
    const variables = {
      PERP_BASE_URL: 'https://host.example',
      PERP_API_KEY: 'perp_live_0123456789abcdef',
      PERP_MARKET_STREAM_URL: 'wss://host.example',
      PERP_ACCOUNT_STREAM_URL: 'wss://host.example',
    };
    return Agent.connected(this.desk, ['--env', 'live', ...argv], { variables, outside: { stage } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#host.close();
    this.desk[Symbol.dispose]();
  }
}
