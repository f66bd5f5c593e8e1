import type { Account } from '../../contract/accounts.ts';
import type { Context } from '../context/context.ts';
import type { Ending } from '../views/ending-view.ts';

/**
 * How accounts ended, by id. Only the simulation tells; of a host, nothing is known but an account's status. What can't
 * be read is left out.
 */
export function endingsOf(context: Context): Promise<ReadonlyMap<string, Ending>> {
  return context.once('endings', async () => {
    if (context.settings.environment !== 'sim') return new Map();
    try {
      const { data } = await context.call('simStatus', {});
      return new Map(data.ended_accounts.map((ending) => [ending.account_id, ending]));
    } catch {
      return new Map();
    }
  });
}

/** How this account ended; undefined while it is active. */
export async function endingOf(context: Context, account: Account): Promise<Ending | undefined> {
  if (account.status === 'active') return undefined;
  return (await endingsOf(context)).get(account.id) ?? unknownEnding(account);
}

/** Of a host, only the status is known, and which floor the equity is on. */
export function unknownEnding({ id, name, status, risk }: Account): Ending {
  const rule_id =
    status !== 'failed'
      ? null
      : risk?.max_drawdown_room === 0
        ? 'maximum-drawdown'
        : risk?.daily_loss_room === 0
          ? 'daily-loss'
          : null;
  return { account_id: id, name, status, rule_id, ended_at: null, equity: null, bound: null };
}
