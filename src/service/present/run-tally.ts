import type { Environment } from '../../exchange/engine/model.ts';
import { localOwner } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { usd } from './wire-form.ts';

/**
 * The events in a simulation since it was opened, and the condition of its accounts: equity in USD, null while a mark is
 * missing, and the rule that it broke, and when; null: none.
 */
export type Tally = ReturnType<ReturnType<typeof beginTally>>;

/** Begins counting the local owner's orders in an environment; the returned function gives the number so far. */
export function beginTally(simulation: Simulation, environment: Environment) {
  const before = simulation.read((turn) => totals(turn, environment));
  return () =>
    simulation.read((turn) => {
      const now = totals(turn, environment);
      const accounts = turn.store.accounts(localOwner, environment);
      return {
        orders: now.orders - before.orders,
        rejected: now.rejected - before.rejected,
        fills: now.fills - before.fills,
        accounts: accounts.map(({ id, status, breachRuleId, endedAt }) => {
          const { equity } = turn.exchange.risk(id);
          const breach = status === 'failed' ? { rule_id: breachRuleId, at: endedAt } : null;
          return { account_id: id, status, equity: equity === null ? null : usd(equity), breach };
        }),
      };
    });
}

function totals({ store }: Turn, environment: Environment) {
  const all = { orders: 0, rejected: 0, fills: 0 };
  for (const { id } of store.accounts(localOwner, environment)) {
    const { orders, rejected, fills } = store.tally(id);
    all.orders += orders;
    all.rejected += rejected;
    all.fills += fills;
  }
  return all;
}
