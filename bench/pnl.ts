/** The time of `perp pnl` over a long history in the simulation, in process, from its arguments to its JSON. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaceOrder } from '../src/exchange/engine/commands.ts';
import { openSimulation } from '../src/service/public.ts';
import type { Simulation } from '../src/service/simulation/simulation.ts';
import { Desk } from '../test/terminal/cli/practice.ts';
import { type Figure, median } from './measure.ts';
import { limitOrder } from './orders.ts';

const fills = 100_000;
/** Four fills make a round trip: open, add, reduce, close. */
const sides = ['buy', 'buy', 'sell', 'sell'] as const;
const tripsAtOnce = 250;
const betweenMs = 6 * 3_600_000;
const runs = 5;

/** `perp pnl` over 100,000 fills of 25,000 round trips in 25 days, in seconds. */
export async function pnl(): Promise<Figure[]> {
  const stateDir = mkdtempSync(join(tmpdir(), 'perp-bench-'));
  try {
    const simulation = await openSimulation({ stateDir, state: 'default', clock: 'manual', seed: 1, plan: 'none' });
    for (let traded = 0; traded < fills; traded += tripsAtOnce * sides.length) trade(simulation);
    simulation.close();
    using desk = new Desk();
    const variables = { PERP_STATE_DIR: stateDir };
    const [seconds, waited]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      const { json } = await desk.perp(['pnl', '--json'], { variables });
      const { user, system } = process.cpuUsage(used);
      seconds.push((user + system) / 1e6);
      waited.push((performance.now() - begun) / 1000);
      if (json.fills !== fills || json.unexplained !== 0)
        throw new Error(`perp pnl found ${json.fills} fills, ${json.unexplained} USD unexplained`);
    }
    const note = `processor time; ${median(waited).toFixed(2)} s by the clock; without --excursions`;
    return [
      {
        isQuoted: true,
        name: 'perp pnl over 100,000 fills',
        value: median(seconds),
        unit: 's',
        target: { atMost: 1 },
        note,
      },
    ];
  } finally {
    rmSync(stateDir, { recursive: true, force: true });
  }
}

/** Several round trips at one moment, then time passes with nothing open. */
function trade(simulation: Simulation): void {
  simulation.write((turn) => {
    const account = turn.store.accounts('local', 'live')[0]!;
    const limits = { ...account.policy.limits, tradesPerMinute: 1e6, tradesPerHour: 1e6, tradesPerDay: 1e6 };
    turn.execute({ kind: 'set_policy', accountId: account.id, policy: { ...account.policy, limits } });
    for (let trip = 0; trip < tripsAtOnce; trip += 1) {
      for (const side of sides) {
        const market: Partial<PlaceOrder> = { mode: 'market', limitPrice: null, leverage: 5 };
        const outcome = turn.execute({ ...limitOrder(account.id, side, 0.001, 0), ...market } as PlaceOrder);
        if (!outcome.ok) throw new Error('an order of the benchmark was refused');
      }
    }
    const now = turn.exchange.time + betweenMs;
    simulation.setClock({ kind: 'manual', now });
    turn.advance(now);
  });
}
