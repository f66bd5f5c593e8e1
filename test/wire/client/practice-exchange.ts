import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../../../src/service/handlers/service.ts';
import { serve } from '../../../src/service/serve.ts';
import { localPrincipal } from '../../../src/service/simulation/keys.ts';
import { type Client, createClient } from '../../../src/wire/client/client.ts';
import type { WireRequest, WireResponse } from '../../../src/wire/contract/wire.ts';
import { beginning } from '../../seed.ts';
import { PracticeWorld } from './practice-world.ts';
import { Sessions } from './sessions.ts';

/** A simulation served over HTTP by this process, without limits on the number of trades. */
export interface PracticeExchange {
  baseUrl: string;
  key: string;
  /** Its direct client calls the service without HTTP. */
  world: PracticeWorld;
  /** Answers requests of the owner without HTTP. */
  service(request: WireRequest): Promise<WireResponse>;
  /** Asks directly with a credential. */
  clientOf(credential: string): Client;
  stop(): Promise<void>;
}

export async function practiceExchange(): Promise<PracticeExchange> {
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-practice-'));
  const options = { port: 0, sandboxPort: 0, rateLimit: 'off', accounts: 2, plan: 'none', beginning } as const;
  const { simulation, baseUrl, key, stop } = await serve({ ...options, stateDir });
  const urls = { live: baseUrl, test: '' };
  const onBug = (error: unknown) => {
    throw error;
  };
  const service = new Service(simulation, { urls, rateLimit: null, localKeyHash: null, groupsCommits: true, onBug });
  const environment = 'live';
  const principal = localPrincipal(environment);
  const handle = (request: WireRequest) => service.handle(request, { environment, principal });
  const direct = createClient({
    transport: handle,
    keepsKeys: true,
  });
  const { data: accounts } = await direct.call('listAccounts', {});
  const most = 1_000_000_000;
  const limits = { trades_per_minute: most, trades_per_hour: most, trades_per_day: most, max_resting_orders: most };
  for (const { id } of accounts) await direct.call('simSetPolicy', { body: { account_id: id, limits } });
  const [lead, follower] = accounts.map(({ id }) => id) as [string, string];
  return {
    baseUrl,
    key,
    service: handle,
    world: new PracticeWorld(direct, lead, follower, new Sessions(simulation.store)),
    clientOf: (credential) =>
      createClient({
        transport: (request) => service.handle(request, { environment }),
        keepsKeys: true,
        credential: () => credential,
      }),
    async stop() {
      await stop();
      rmSync(stateDir, { recursive: true });
    },
  };
}
