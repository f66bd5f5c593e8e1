import type { Console } from '../../../console/console.ts';
import { defineCommand } from '../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../console/output/result.ts';
import { type Damage, intentFolder, unsettledWrites } from '../../../desk/intents/intent-files.ts';
import type { Note } from '../../../desk/intents/note.ts';
import { isUnderWay, recordOfWrite, type WriteRecord } from '../../../desk/writes/settlement.ts';
import { dateTime } from '../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List writes with an unknown outcome',
  description:
    'Writes are kept on this machine before sending, and removed once their outcome is known. A write that remains was sent, or was about to be, but got no answer because perp, the network or the service stopped. Lists writes to every environment.',
  examples: [
    ['perp pending list', 'unsettled writes'],
    ['perp pending resume', 'settle them'],
  ],
});

/** A row of the list: a write, or an unreadable note. */
type Row = (WriteRecord & { status: 'unknown' | 'under_way' }) | { key: string; status: 'damaged'; what: string };

const columns: readonly Column<Row>[] = [
  { header: 'SENT', cell: (row) => ('sent_at' in row ? dateTime(row.sent_at) : ''), keep: 1 },
  { header: 'WHAT', cell: ({ what }) => what },
  { header: 'WHERE', cell: (row) => ('computed' in row ? row.computed.destination : ''), keep: 2 },
  { header: 'OUTCOME', cell: ({ status }) => ({ text: status.replace('_', ' '), tone: 'warn' }), keep: 3 },
  { header: 'KEY', cell: ({ key }) => key },
];

const fields = [
  'key',
  'status',
  'operation',
  'what',
  'environment',
  'profile',
  'base_url',
  'state',
  'account_id',
  'client_order_id',
  'sent_at',
  'computed.destination',
];

export async function run(console: Console): Promise<Result> {
  const { writes, damages } = unsettledWrites(intentFolder(console.variables));
  const now = console.outside.now();
  const rows: Row[] = [...writes.map(({ note }) => rowOf(note, now)), ...damages.map(damageRow)];
  return listOf(rows, { fields, columns, empty: 'Every write is settled.' });
}

function rowOf(note: Note, now: number): Row {
  return { ...recordOfWrite(note), status: isUnderWay(note, now) ? 'under_way' : 'unknown' };
}

function damageRow({ file, reason }: Damage): Row {
  return { key: file, status: 'damaged', what: reason };
}
