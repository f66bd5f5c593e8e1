import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Client, createClient } from '../../src/client/client.ts';
import { OutcomeUnknownError } from '../../src/client/errors.ts';
import { type HttpTransport, httpTransport } from '../../src/client/http-transport.ts';
import { settle } from '../../src/client/settle.ts';
import { operations } from '../../src/contract/operations.ts';
import { serve } from '../../src/service/entry.ts';
import { faultsOf, undisturbed } from './fault-plan.ts';
import { type Fault, type FaultProxy, faultProxy } from './fault-proxy.ts';
import { PracticeWorld } from './practice-world.ts';
import { type Trial, writeScenarios } from './write-scenarios.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'perp-faults-'));
let serving: Awaited<ReturnType<typeof serve>>;
let proxy: FaultProxy;
let transport: HttpTransport;
let world: PracticeWorld;

before(async () => {
  serving = await serve({ stateDir, port: 0, sandboxPort: 0, rateLimit: 'off', seed: 1, accounts: 2, plan: 'none' });
  proxy = await faultProxy(serving.baseUrl);
  transport = httpTransport(serving.baseUrl);
  const direct = createClient({ transport, credential: () => serving.key });
  const { data: accounts } = await direct.call('listAccounts', {});
  const [lead, follower] = accounts.map((account) => account.id) as [string, string];
  const most = 1_000_000_000;
  const limits = { trades_per_minute: most, trades_per_hour: most, trades_per_day: most, max_resting_orders: most };
  await direct.call('simSetPolicy', { body: { account_id: lead, limits } });
  world = new PracticeWorld(direct, lead, follower);
});

after(async () => {
  await transport.close();
  await proxy.close();
  await serving.stop();
  rmSync(stateDir, { recursive: true });
});

/** Runs one write through the proxy on a connection of its own, and gives the error it ends with, if any. */
async function attempt(act: (client: Client) => Promise<unknown>): Promise<Error | undefined> {
  const through = httpTransport(proxy.url);
  const retry = { baseDelayMs: 1 };
  const client = createClient({ transport: through, credential: () => serving.key, timeoutMs: 5_000, retry });
  try {
    await act(client);
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await through.close();
  }
}

/** One fault on one write: what the client says of it is what happened, and it happened once at most. */
async function strike(operation: string, trial: Trial, fault: Fault): Promise<void> {
  const where = `${operation} ${JSON.stringify(fault)}`;
  proxy.arm(fault);
  const error = await attempt((client) => trial.act(client));
  // A dropped request arrives late, and must change nothing more.
  if (fault.kind === 'drop') await new Promise((resolve) => setTimeout(resolve, 15));
  if (error instanceof OutcomeUnknownError) {
    const { verdict } = await settle(world.direct, error.intent, { confirmAfterMs: 25 });
    assert.notEqual(verdict, 'unknown', where);
    assert.equal(await trial.effects(), verdict === 'applied' ? 1 : 0, where);
    return;
  }
  assert.equal(error, undefined, `${where}: ${error?.stack}`);
  assert.equal(await trial.effects(), 1, where);
}

for (const [name, prepare] of Object.entries(writeScenarios)) {
  test(`${name}: neither lost nor doubled, whatever byte the connection to the simulation breaks at`, async () => {
    const calm = await prepare(world);
    const lengths = await undisturbed(proxy, async () => assert.equal(await attempt(calm.act), undefined));
    assert.equal(await calm.effects(), 1);
    const faults = [
      ...faultsOf(['cut', 'reset'], ['request', 'response'], lengths, 4),
      ...faultsOf(['drop'], ['request'], lengths, 2),
      ...(operations[name as keyof typeof writeScenarios].idempotent
        ? faultsOf(['duplicate'], ['request'], lengths, 2)
        : []),
    ];
    for (const fault of faults) {
      await strike(name, await prepare(world), fault);
      await world.tidy();
    }
  });
}

test('every write of an account is tried; login and logout have no account', () => {
  const writes = Object.values(operations).filter((operation) => operation.method !== 'GET');
  const untried = writes.map((operation) => operation.id).filter((id) => !(id in writeScenarios));
  assert.deepEqual(untried, ['exchangeCliAuthorizationCode', 'revokeCliSession']);
});
