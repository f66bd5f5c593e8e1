import type { Console } from '../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { listOf, type Result } from '../../../console/output/result.ts';
import { recordColumns, recordFields } from '../../../console/views/audit-view.ts';
import type { KeptRecord } from '../../../desk/audit/record.ts';

export const command = defineCommand({
  summary: 'Show the last decisions of the gate and what came of them, the newest last',
  description: 'The records of perp audit show in the order of a log. Texts in requests come from bots.',
  options: {
    bot: { value: 'BOT', kind: 'word', summary: 'only records of this bot' },
    limit: { value: 'COUNT', kind: 'count', summary: 'how many records (default 20)' },
  },
  examples: [
    ['perp gate log', 'the last 20 records'],
    ['perp gate log --bot scalper --limit 5', 'what one bot did last'],
  ],
});

const usualLimit = 20;

export async function run(
  { variables }: Console,
  { bot, limit = usualLimit }: InputOf<typeof command>,
): Promise<Result> {
  const { auditPlace } = await import('../../../desk/audit/chain.ts');
  const { newestRecords } = await import('../../../desk/audit/read-log.ts');
  const rows: KeptRecord[] = [];
  for (const record of newestRecords(auditPlace(variables), { bot })) {
    if (rows.length === limit) break;
    rows.push(record);
  }
  return listOf(rows.reverse(), { fields: recordFields, columns: recordColumns, empty: 'No records.' });
}
