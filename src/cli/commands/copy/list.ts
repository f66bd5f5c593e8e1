import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { fieldsOf } from '../../../console/output/csv.ts';
import { type Cell, type Column, listOf, type Result } from '../../../console/output/result.ts';
import { CopyTradingConfiguration } from '../../../contract/copy.ts';
import { allGroups, followersOf } from '../../../desk/resolve/copy-group.ts';
import { dateTime, word } from '../../../ground/text/format.ts';

/** Wire names of a group's fields, used as CSV columns. */
export const copyFields = fieldsOf(CopyTradingConfiguration);

/** The table of copy groups. */
export const copyColumns: readonly Column<CopyTradingConfiguration>[] = [
  { header: 'ID', cell: (group) => group.config_id },
  { header: 'STATE', cell: stateOf },
  { header: 'LEAD', cell: (group) => group.source_account_id },
  { header: 'FOLLOWERS', cell: followersOf },
  { header: 'UPDATED', cell: (group) => dateTime(group.updated_at), keep: 1 },
  {
    header: 'STOPPED',
    cell: (group) =>
      group.stopped_at === undefined ? '' : `${dateTime(group.stopped_at)} ${word(group.stop_reason ?? '')}`.trim(),
    keep: 2,
  },
];

function stateOf(group: CopyTradingConfiguration): Cell {
  if (group.enabled) return { text: 'enabled', tone: 'good' };
  if (group.stop_cleanup_pending === true) return { text: 'stopping', tone: 'warn' };
  return { text: 'disabled', tone: 'faint' };
}

export const command = defineCommand({
  summary: 'List copy groups, including disabled ones',
  examples: [['perp copy', 'all of them']],
});

export async function run(console: Console): Promise<Result> {
  return listOf(await allGroups(console), { fields: copyFields, columns: copyColumns, empty: 'No copy groups.' });
}
