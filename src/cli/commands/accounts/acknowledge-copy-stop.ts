import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { line, type Result, recordOf } from '../../../console/output/result.ts';
import { accountId } from '../../../desk/resolve/account.ts';
import { exitCodes, Failure } from '../../../ground/failure/failure.ts';
import { dateTime } from '../../../ground/text/format.ts';
import { write } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Acknowledge that copying into an account has stopped',
  description: 'Acknowledges the stop shown by the trading policy. Has no effect while the cleanup is still running.',
  args: [{ name: 'account', kind: 'account', optional: true, summary: 'default: the account in use' }],
  examples: [['perp accounts acknowledge-copy-stop', 'for the account in use']],
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const path = { account_id: await accountId(console, input.account) };
  const { data: policy } = await console.call('getAccountTradingPolicy', { path });
  const stop = policy.copy_stop;
  if (stop === null) {
    throw new Failure({
      exit: exitCodes.notFound,
      code: 'no_copy_stop',
      message: `Copying into ${path.account_id} has not been stopped, so there is nothing to acknowledge.`,
    });
  }
  const body = { stopped_at: stop.stopped_at };
  return write(
    console,
    'acknowledgeCopyTradingStop',
    { path, body },
    {
      question: `Acknowledge that copying into ${path.account_id} stopped at ${dateTime(stop.stopped_at)}?`,
      done: ({ data }) =>
        recordOf(data, () => [
          line(
            stop.completed_at === null ? 'The cleanup is still running; nothing was acknowledged.' : 'Acknowledged.',
          ),
        ]),
    },
  );
}
