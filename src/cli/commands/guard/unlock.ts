import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { readLock, unlockAccount } from '../../../desk/lock/trading-lock.ts';
import { dateTime } from '../../../ground/text/format.ts';
import { requireYes } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'End the lock on new exposure early',
  description: 'Asks first. Without a terminal, this needs --yes.',
  examples: [['perp guard unlock', 'trade again today']],
  changesMore: true,
});

export async function run(console: Console): Promise<Result> {
  const { guardPlace } = await import('../../../desk/guard/place.ts');
  const { account, locks } = await guardPlace(console);
  const lock = readLock(locks, account);
  if (lock === undefined)
    return recordOf({ account_id: account, unlocked: false }, () => [line(`Account ${account} is not locked.`)]);
  const why = lock === 'damaged' ? '' : ` It is locked until ${dateTime(lock.until)}: ${lock.why}.`;
  const question = `Unlock account ${account}?${why}`;
  if (!console.settings.dryRun) {
    requireYes(console, question);
    await console.confirm(question);
    unlockAccount(locks, account);
  }
  const text = console.settings.dryRun
    ? `Dry run: account ${account} stays locked.`
    : `Account ${account} is unlocked.`;
  return recordOf({ account_id: account, unlocked: !console.settings.dryRun }, () => [line(text)]);
}
