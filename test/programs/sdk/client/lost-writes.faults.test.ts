import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../../../src/programs/sdk/client/connect.ts';
import { PerpError } from '../../../../src/programs/sdk/client/errors.ts';
import { seed } from '../../../seed.ts';
import { drawnFaults, strikes, undisturbed } from '../../../wire/client/fault-plan.ts';
import { faultProxy } from '../../../wire/client/fault-proxy.ts';
import { servedSimulation } from '../served.ts';

const trials = process.env.PERP_LONG === '1' ? 200 : 20;
/** Gives up by then: what the client knows at that moment has to be true, however busy the machine is. */
const patienceMs = 250;
const wanted = {
  account_id: 'acc_000000001',
  market_id: 'binance|BTCUSDT',
  size: 0.01,
  leverage: 1,
  margin_mode: 'cross',
} as const;

test('the library loses and doubles no write, wherever its connections break', { timeout: 3_600_000 }, async (t) => {
  const journal = mkdtempSync(join(tmpdir(), 'perp-lost-'));
  t.after(() => rmSync(journal, { recursive: true, force: true }));
  await using service = await servedSimulation();
  const proxy = await faultProxy(service.baseUrl);
  t.after(() => proxy.close());
  const { baseUrl, key } = service;
  await using straight = connect({ baseUrl, key, journal: null });
  const made = async (name: string) =>
    (await straight.listOrders({ account_id: wanted.account_id })).items.filter(
      ({ client_order_id }) => client_order_id === name,
    ).length;
  const through = (timeoutMs: number) => connect({ baseUrl: proxy.url, key, journal, timeoutMs });
  const lengths = await undisturbed(proxy, async () => {
    await using client = through(15_000);
    await client.createOrder({ ...wanted, side: 'buy', client_order_id: 'undisturbed' });
  });
  const ends: Record<string, number> = {};
  for (let trial = 0; trial < trials; trial += 1) {
    const name = `trial-${String(trial).padStart(4, '0')}`;
    const faults = drawnFaults(strikes, lengths, seed, trial);
    // Minutes ago: what the proxy has not delivered by now never comes.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 600_000 });
    const client = through(100);
    proxy.arm(...faults);
    // In turn, so that neither margin nor the limit of trades ever refuses one.
    const side = trial % 2 === 0 ? 'sell' : 'buy';
    const placed = client.createOrder(
      { ...wanted, side, client_order_id: name },
      { signal: AbortSignal.timeout(patienceMs) },
    );
    const end = await placed.then(
      () => 'done',
      (error: unknown) => (error instanceof PerpError ? error.outcome : 'unknown'),
    );
    await client.close();
    await proxy.settled();
    t.mock.timers.reset();
    proxy.arm();
    await using later = through(15_000);
    const settled = await later.settle();
    const says = settled.find(({ clientOrderId }) => clientOrderId === name)?.outcome ?? end;
    ends[`${end}, ${says}`] = (ends[`${end}, ${says}`] ?? 0) + 1;
    const where = `${name} (PERP_TEST_SEED=${seed}): ${end}, then ${says}: ${JSON.stringify(faults)}`;
    assert.equal(await made(name), says === 'done' ? 1 : 0, where);
    assert.deepEqual(await later.pending(), [], where);
  }
  t.diagnostic(JSON.stringify(ends));
});
