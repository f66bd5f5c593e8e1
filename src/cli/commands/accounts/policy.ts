import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { type Result, recordOf } from '../../../console/output/result.ts';
import { policyBlocks } from '../../../console/views/account-view.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { called } from '../../../desk/resolve/unknown.ts';

export const command = defineCommand({
  summary: "Show an account's trading policy: restrictions, rules and limits",
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  examples: [['perp accounts policy', 'the account in use']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const account_id = await accountId(console, input.account);
  const look = () => console.call('getAccountTradingPolicy', { path: { account_id } });
  const { data } = await called(console, 'account', account_id, look);
  return recordOf(data, () => policyBlocks(data));
}
