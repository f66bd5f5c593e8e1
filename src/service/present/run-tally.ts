import type { Environment, Ms } from '../../exchange/engine/model.ts';
import { localOwner } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';
import { usd } from './numbers.ts';

/** The events in a simulation since it was opened, and the condition of its accounts. */
export interface Tally {
  orders: number;
  rejected: number;
  fills: number;
  accounts: {
    account_id: string;
    status: string;
    /** USD; null while a mark is missing. */
    equity: number | null;
    /** The rule that it broke, and when; null: none. */
    breach: { rule_id: string | null; at: Ms | null } | null;
  }[];
}

/**
 * Begins to count the local owner's orders in an environment; the returned function tells how many there are by then.
 */
export function beginTally(simulation: Simulation, environment: Environment): () => Tally {
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
