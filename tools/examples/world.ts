import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../src/service/handlers/service.ts';
import { localPrincipal } from '../../src/service/simulation/keys.ts';
import { openSimulation } from '../../src/service/simulation/open.ts';
import type { Simulation } from '../../src/service/simulation/simulation.ts';
import type { WireRequest, WireResponse } from '../../src/wire/contract/wire.ts';

/** A request as an example needs it: no more headers than its own. */
export interface Asking {
  readonly method: WireRequest['method'];
  readonly target: string;
  readonly body?: unknown;
  readonly key?: string;
  /** A credential; without one, the owner of the simulation asks. */
  readonly credential?: string;
}

/** A new simulation with a fixed seed and a manual clock, whose answers the docs show. */
export class ExampleWorld {
  readonly simulation: Simulation;
  readonly #service: Service;
  readonly #folder: string;

  private constructor(simulation: Simulation, folder: string) {
    this.simulation = simulation;
    this.#folder = folder;
    this.#service = new Service(simulation, {
      urls: { live: 'http://127.0.0.1:7400', test: 'http://127.0.0.1:7401' },
      rateLimit: null,
      localKeyHash: null,
      groupsCommits: false,
      onBug: (error) => {
        throw error;
      },
    });
  }

  static async open(accounts: number): Promise<ExampleWorld> {
    const stateDir = mkdtempSync(join(tmpdir(), 'perp-examples-'));
    const startTime = Date.UTC(2026, 10, 17, 12, 20);
    const simulation = await openSimulation({
      stateDir,
      seed: 7,
      clock: 'manual',
      startTime,
      accounts,
      wall: () => startTime,
    });
    return new ExampleWorld(simulation, stateDir);
  }

  async ask({ method, target, body, key, credential }: Asking): Promise<WireResponse> {
    const request: WireRequest = {
      method,
      target,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    const principal = credential === undefined && { principal: localPrincipal('live') };
    const answer = await this.#service.handle(request, { environment: 'live', ...principal });
    return { ...answer, body: JSON.parse(JSON.stringify(answer.body)) };
  }

  /** What a successful request answered; throws what a refused one did. */
  // biome-ignore lint/suspicious/noExplicitAny: an example reads answers of every shape.
  async data(asking: Asking): Promise<any> {
    const { status, body } = await this.ask(asking);
    if (status >= 300) throw new Error(`${asking.method} ${asking.target}: ${status} ${JSON.stringify(body)}`);
    return (body as { data: unknown }).data;
  }

  async advance(durationMs: number): Promise<void> {
    await this.data({ method: 'POST', target: '/sim/advance', body: { duration_ms: durationMs } });
  }

  close(): void {
    this.simulation.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
