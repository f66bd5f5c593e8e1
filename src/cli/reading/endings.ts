import type { Account } from '../../contract/accounts.ts';
import type { Context } from '../context/context.ts';
import type { Ending } from '../views/ending-view.ts';

/**
 * How accounts ended, by id. Only the simulation reports it; on a host, only an account's status is known. Omits what
 * can't be read.
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
  const reported = (await endingsOf(context)).get(account.id);
  return reported ?? inferredEnding(account, await closedOutAt(context, account));
}

/** When the exchange closed a failed account's positions, Unix ms; null if it had none, or if that can't be read. */
async function closedOutAt(context: Context, { id, status }: Account): Promise<number | null> {
  if (status !== 'failed' || context.settings.environment === 'sim') return null;
  try {
    const { data } = await context.call('listOrders', { query: { account_id: id } });
    const closes = data.filter(({ mode }) => mode === 'close_out').map(({ requested_at: at }) => at);
    return closes.length === 0 ? null : Math.max(...closes);
  } catch {
    return null;
  }
}

/** On a host, only these are known: the status, the floor that equity is at, and the closing orders. */
function inferredEnding({ id, name, status, risk }: Account, ended_at: number | null): Ending {
  const rule_id =
    status !== 'failed'
      ? null
      : risk?.max_drawdown_room === 0
        ? 'maximum-drawdown'
        : risk?.daily_loss_room === 0
          ? 'daily-loss'
          : null;
  return { account_id: id, name, status, rule_id, ended_at, equity: null, bound: null };
}
