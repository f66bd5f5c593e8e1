import assert from 'node:assert/strict';
import { Simulation } from '../../../../src/programs/sdk/sim.ts';
import { backtest, trade } from '../../../../src/programs/sdk/strategy.ts';
import { beginning } from '../../../seed.ts';
import { servedSimulation } from '../served.ts';
import { type DrawnPlan, drawnStrategy } from './drawn-strategy.ts';

/** Where a strategy runs besides the engine. */
type Host = 'process' | 'http';

/**
 * Runs a drawn strategy on the engine, and on these hosts: what it sees, its orders with their ids and keys, its fills
 * and its account must be the same JSON. Returns how many orders and fills there were.
 */
export async function assertSameOnEveryHost(
  plan: DrawnPlan,
  forMs: number,
  hosts: readonly Host[],
): Promise<{ orders: number; fills: number }> {
  const { seed, startTime: start } = beginning;
  const seen: unknown[] = [];
  const straight = await backtest(drawnStrategy(plan, seen), { seed, from: start, to: start + forMs });
  for (const host of hosts) {
    const seenThere: unknown[] = [];
    await using opened = await open(host);
    const options = { simulation: opened.simulation, seed, for: forMs };
    const there = await trade(drawnStrategy(plan, seenThere), options);
    for (const [at, one] of seen.entries())
      assert.equal(JSON.stringify(seenThere[at]), JSON.stringify(one), `${host}, what it saw at ${at}`);
    assert.equal(JSON.stringify(there), JSON.stringify(straight), host);
  }
  return { orders: straight.orders.length, fills: straight.fills.length };
}

async function open(host: Host) {
  const { seed, startTime: start } = beginning;
  await using opened = new AsyncDisposableStack();
  if (host === 'process') {
    const simulation = opened.use(await Simulation.open({ seed, start }));
    return Object.assign(opened.move(), { simulation });
  }
  const { baseUrl, key } = opened.use(await servedSimulation());
  const simulation = opened.use(await Simulation.connect({ baseUrl, key }));
  return Object.assign(opened.move(), { simulation });
}
