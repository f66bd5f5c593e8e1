import type { Account } from '../../contract/accounts.ts';
import type { SimulationStatus } from '../../contract/simulation.ts';
import type { Cell } from '../output/result.ts';
import { dateTime, usd, word } from '../text/format.ts';

/** How an account ended: as reported by the simulation, or what is known of it. */
export type Ending = Omit<SimulationStatus['ended_accounts'][number], 'status'> & Pick<Account, 'status'>;

/** `FAILED 2026-11-20 20:09:46Z, maximum drawdown: equity 96,995.12 touched 97,000.00`. */
export function endingText(ending: Ending): string {
  const { equity, bound, status } = ending;
  const head = endingBrief(ending);
  if (equity === null || bound === null) return head;
  return status === 'passed'
    ? `${head}: balance ${usd(equity)} reached ${usd(bound)}`
    : `${head}: equity ${usd(equity)} touched ${usd(bound)}`;
}

/** `FAILED 2026-11-20 20:09:46Z, maximum drawdown`. */
export function endingBrief({ status, ended_at, rule_id }: Ending): string {
  const when = ended_at === null ? '' : ` ${dateTime(ended_at)}`;
  return `${word(status).toUpperCase()}${when}${rule_id === null ? '' : `, ${rule_id.replaceAll('-', ' ')}`}`;
}

/** The same in the color of what happened. */
export function endingCell(ending: Ending, text = endingText(ending)): Cell {
  return { text, tone: ending.status === 'passed' ? 'good' : 'bad' };
}

/** `Challenge 1, acc_000000001`. */
export function accountName({ name, account_id }: Ending): string {
  return `${name}, ${account_id}`;
}
