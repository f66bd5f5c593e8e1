import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import type { Result } from '../../../console/output/result.ts';
import { endOptions, stream } from '../../../console/streaming.ts';
import { accountView, type ToldFrame } from '../../../console/views/stream-view.ts';
import type { AccountFrame } from '../../../contract/streams.ts';
import { followAccounts } from '../../../desk/reading/account-changes.ts';
import { accountHost, stateReporter } from '../../../desk/reading/streams.ts';

export const command = defineCommand({
  summary: 'Print changes in your accounts: orders, fills, positions, balances',
  description:
    'Starts with a snapshot of each account, which counts as an event. After a lost connection, the stream resumes where it stopped and prints nothing twice. --account selects one account.',
  options: endOptions,
  examples: [
    ['perp stream account --for 2s', 'changes in the next two seconds'],
    ['perp stream account --max-events 1 -o ndjson', 'the first snapshot'],
  ],
});

export function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  return stream(console, input, { view: accountView, subject: 'account' }, async ({ tell, fail, table }) => {
    const wanted = console.settings.account;
    const isWanted = (frame: AccountFrame): frame is ToldFrame =>
      'account_id' in frame && (wanted === undefined || frame.account_id === wanted);
    return followAccounts(console, await accountHost(console), {
      onFrame: (frame) => {
        if (isWanted(frame)) tell(frame);
        else if (frame.type === 'error') console.note(frame.message);
      },
      onState: stateReporter(console, 'account', table, fail),
      onEnd: fail,
    });
  });
}
