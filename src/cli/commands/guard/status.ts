import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { type Cell, fields, line, type Result, recordOf } from '../../../console/output/result.ts';
import type { Task } from '../../../desk/guard/guard-state.ts';
import { readLock } from '../../../desk/lock/trading-lock.ts';
import { dateTime } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'Show which guard is in charge, its unfinished steps, and the lock',
  examples: [['perp guard status', 'the account in use']],
});

export async function run(console: Console): Promise<Result> {
  const { chargeOf } = await import('../../../desk/guard/charge.ts');
  const { peekState } = await import('../../../desk/guard/guard-state.ts');
  const { guardPlace } = await import('../../../desk/guard/place.ts');
  const { account, folder, locks, files } = await guardPlace(console);
  const charge = chargeOf(folder, account);
  const lock = readLock(locks, account);
  const state = peekState(files.state);
  const isDamaged = state === 'damaged';
  const { tasks, time } = isDamaged || state === undefined ? { tasks: [], time: null } : state;
  const record = {
    account_id: account,
    guard: charge ?? null,
    lock: lock ?? null,
    judged_at: time,
    state: isDamaged ? 'damaged' : 'sound',
    unfinished: tasks,
  };
  return recordOf(record, () => [
    fields(
      ['account', account],
      [
        'guard',
        charge === undefined
          ? { text: 'none is running', tone: 'warn' }
          : `process ${charge.pid}, since ${dateTime(charge.since)}`,
      ],
      ['last check', time === null ? 'never' : dateTime(time)],
      ['lock', lockCell(lock)],
    ),
    ...(isDamaged ? [line({ text: `${files.state} is damaged; the next guard starts over.`, tone: 'bad' })] : []),
    ...tasks.map((task) => line({ text: unfinished(task), tone: 'warn' })),
  ]);
}

function lockCell(lock: ReturnType<typeof readLock>): Cell {
  if (lock === undefined) return 'none';
  if (lock === 'damaged') return { text: 'damaged, and still in effect; perp guard unlock removes it', tone: 'bad' };
  return { text: `until ${dateTime(lock.until)}: ${lock.why}`, tone: 'bad' };
}

function unfinished({ time, says, steps }: Task): string {
  return `${dateTime(time)}  ${says}; not done yet: ${steps.map(({ kind }) => kind).join(', ')}`;
}
