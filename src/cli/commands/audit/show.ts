import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { recordColumns, recordFields } from '../../../console/views/audit-view.ts';
import type { KeptRecord } from '../../../desk/audit/record.ts';
import { pastMoment } from '../../../desk/resolve/time.ts';
import { extentOptions } from '../../reading/lists.ts';

export const command = defineCommand({
  summary: 'Show what bots asked for, what was decided, and what came of it, newest first',
  description:
    'Texts in requests come from bots. Times are of this machine. perp audit verify says whether the records are as they were written.',
  options: {
    bot: { value: 'BOT', kind: 'word', summary: 'only records of this bot' },
    since: {
      value: 'TIME',
      kind: 'pastTime',
      summary: 'only since this time, today, yesterday, or a duration before now, such as 2h',
    },
    find: { value: 'TEXT', summary: 'only records that contain this: an order id, a key, an approval' },
    ...extentOptions,
  },
  examples: [
    ['perp audit show', 'the last 50 records'],
    ['perp audit show --bot alpha --since today', 'what one bot did today'],
    ['perp audit show --find ord_00000003a --json', 'every record that names one order'],
  ],
});

const defaultLimit = 50;

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { auditPlace } = await import('../../../desk/audit/chain.ts');
  const { newestRecords } = await import('../../../desk/audit/read-log.ts');
  const { bot, since, find, all, limit = defaultLimit } = input;
  const from = since === undefined ? undefined : pastMoment(since, console.outside.now(), 'from');
  const rows: KeptRecord[] = [];
  for (const record of newestRecords(auditPlace(console.variables), { bot, since: from })) {
    if (find !== undefined && !JSON.stringify(record).includes(find)) continue;
    if (!all && rows.length === limit) {
      console.note(`Showing the last ${limit}; use --limit N or --all for more.`);
      break;
    }
    rows.push(record);
  }
  return listOf(rows, { fields: recordFields, columns: recordColumns, empty: 'No records.' });
}
