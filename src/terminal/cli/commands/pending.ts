import { notFoundFailure, usageFailure } from '../../../base/failure/failure.ts';
import { dateTime } from '../../../base/text/format.ts';
import { quoted } from '../../../base/text/plain-text.ts';
import { removeFile } from '../../../desk/intents/intent-file.ts';
import {
  type Damage,
  intentFolder,
  type KeptWrite,
  settleKeptWrite,
  unsettledWrites,
} from '../../../desk/intents/intent-files.ts';
import { keyOf, type Note } from '../../../desk/intents/note.ts';
import { isAwaited, recordOfWrite, type SettledWrite, type WriteRecord } from '../../../desk/writes/settlement.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Column, line, listOf, type Result, recordOf } from '../../console/output/result.ts';
import { type SettledRow, settledList, settledRecord, settlerOf, writeFields } from '../writes/settle-instead.ts';
import { dryRunResult } from '../writes/write.ts';

const list = defineCommand({
  summary: 'List writes with an unknown outcome',
  description:
    'Writes are kept on this machine before sending, and removed once their outcome is known. A write that remains was sent or about to be sent, but got no answer because perp, the network or the service stopped. Lists writes to every environment.',
  examples: [
    ['perp pending list', 'unsettled writes'],
    ['perp pending resume', 'settle them'],
  ],
  async run(console) {
    const { writes, damages } = unsettledWrites(intentFolder(console.variables));
    const now = console.outside.now();
    const rows: Row[] = [...writes.map(({ note }) => rowOf(note, now)), ...damages.map(damageRow)];
    return listOf(rows, { fields, columns, empty: 'Every write is settled.' });
  },
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

const fields = ['key', 'status', ...writeFields, 'client_order_id', 'sent_at', 'computed.destination'];

function rowOf(note: Note, now: number): Row {
  return { ...recordOfWrite(note), status: isAwaited(note, now) ? 'under_way' : 'unknown' };
}

function damageRow({ file, reason }: Damage): Row {
  return { key: file, status: 'damaged', what: reason };
}

const resume = defineCommand({
  summary: 'Settle writes with an unknown outcome',
  description:
    'Looks for the effect first: an order by its client order id, a TWAP or ladder in its list, a write without a key by what it changes. If the effect is there, nothing is sent. If it is absent after the arrival window, the write did not happen; one with an idempotency key is then sent again under it. On a terminal, perp asks first. Each write is settled in the environment it was sent to, whatever --env says. Exits 0 when all are settled, done or not, and 8 while one is still unknown.',
  args: [{ name: 'key', optional: true, summary: 'key of the write, from perp pending list (default: all)' }],
  options: { forget: { summary: 'remove it from the list without sending anything; needs KEY' } },
  examples: [
    ['perp pending resume', 'settle everything'],
    ['perp pending resume 6f1c2e0a-8f1e-4c55-9d3b-0c2a7f9f4e11', 'settle one'],
    ['perp pending resume write-9f31c2a07b44 --forget', 'resolved manually'],
  ],
  changesMore: true,
  async run(console, input) {
    const { key, forget } = input;
    const { writes, damages } = unsettledWrites(intentFolder(console.variables));
    const wanted = writes.filter(({ note }) => key === undefined || key === keyOf(note));
    const damaged = damages.filter(({ file }) => key === undefined || key === file);
    if (key !== undefined && wanted.length + damaged.length === 0) {
      const hint = 'perp pending list shows the unsettled writes; settled ones are removed.';
      throw notFoundFailure(`No unsettled write has the key ${quoted(key)}.`, hint);
    }
    const { dryRun } = console.settings;
    if (!forget && dryRun) return requests(wanted);
    if (!forget) return report([...(await settled(console, wanted)), ...damaged.map(damagedNote)], key);
    if (key === undefined) throw usageFailure('--forget needs a KEY.', 'perp pending list shows the keys.');
    if (dryRun) return recordOf({ forget: key }, () => [line(`Dry run: ${key} would be removed from the list.`)]);
    return report(forgotten(wanted, damaged, writes), key);
  },
});

/** The request that would be sent, unless it is found first. */
function requests(wanted: readonly KeptWrite[]): Result {
  return wanted.length === 0 ? settledList([]) : dryRunResult(wanted.map(({ note }) => note.intent));
}

/** One record if one was requested, else a list. */
function report(rows: readonly SettledRow[], key: string | undefined): Result {
  return key !== undefined && rows.length === 1 ? settledRecord(rows[0]!) : settledList(rows);
}

async function settled(console: Console, writes: readonly KeptWrite[]): Promise<SettledWrite[]> {
  const settler = settlerOf(console);
  const rows: SettledWrite[] = [];
  try {
    for (const kept of writes)
      rows.push(await console.person.during('Looking up the outcome', () => settler.settle(kept)));
  } finally {
    await settler.close();
  }
  return rows;
}

function forgotten(wanted: readonly KeptWrite[], damaged: readonly Damage[], all: readonly KeptWrite[]): SettledRow[] {
  for (const kept of wanted) settleKeptWrite(kept);
  for (const { file } of damaged) {
    const open = all.find((kept) => kept.file === file);
    if (open === undefined) removeFile(file);
    else
      throw usageFailure(
        `${file} contains another unsettled write.`,
        `Settle it first: perp pending resume ${keyOf(open.note)}`,
      );
  }
  return [
    ...wanted.map(({ note }) => ({
      ...recordOfWrite(note),
      outcome: 'forgotten' as const,
      reason: 'nothing was sent',
    })),
    ...damaged.map(({ file, reason }) => ({ key: file, outcome: 'forgotten' as const, reason })),
  ];
}

function damagedNote({ file, reason }: Damage): SettledRow {
  return { key: file, outcome: 'damaged', reason };
}

export const commands = { list, resume };
