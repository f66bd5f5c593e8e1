import type { Context } from '../../context/context.ts';
import { notFoundFailure, usageFailure } from '../../failure/failure.ts';
import { defineCommand, type InputOf } from '../../grammar/spec.ts';
import { removeFile } from '../../intents/journal-file.ts';
import {
  type Damage,
  journalFolder,
  type KeptWrite,
  settleKeptWrite,
  unsettledWrites,
} from '../../intents/journals.ts';
import { keyOf } from '../../intents/note.ts';
import { line, type Result, recordOf } from '../../output/result.ts';
import { quoted } from '../../text/quoted.ts';
import { type SettledRow, settledList, settledRecord } from '../../writes/settled-view.ts';
import { recordOfWrite, type SettledWrite, Settler } from '../../writes/settlement.ts';
import { dryRunResult } from '../../writes/write.ts';

export const command = defineCommand({
  summary: 'Find out what came of writes without an answer, and settle them',
  description:
    'An order that is found under its client order id has happened, and nothing is sent. Any other write that has an idempotency key is sent again under it: that does it now if it never arrived, and changes nothing if it did; on a terminal you are asked first. The rest is read back. Each is settled where it was sent, whatever --env says. Exits 0 when all are settled, whichever way, and 8 while the outcome of one is still not known.',
  args: [{ name: 'key', optional: true, summary: 'which one (default: all): its key as perp pending list shows it' }],
  options: { forget: { summary: 'take it off the list as it is, without sending anything; needs KEY' } },
  examples: [
    ['perp pending resume', 'settle everything'],
    ['perp pending resume 6f1c2e0a-8f1e-4c55-9d3b-0c2a7f9f4e11', 'settle one'],
    ['perp pending resume write-9f31c2a07b44 --forget', 'it was looked after by hand'],
  ],
  changesMore: true,
});

export async function run(context: Context, input: InputOf<typeof command>): Promise<Result> {
  const { key, forget } = input;
  const { writes, damages } = unsettledWrites(journalFolder(context.variables));
  const wanted = writes.filter(({ note }) => key === undefined || key === keyOf(note));
  const damaged = damages.filter(({ file }) => key === undefined || key === file);
  if (key !== undefined && wanted.length + damaged.length === 0) {
    const hint = 'perp pending list shows those there are; what is settled is not kept.';
    throw notFoundFailure(`No unsettled write has the key ${quoted(key)}.`, hint);
  }
  const { dryRun } = context.settings;
  if (!forget && dryRun) return requests(wanted);
  if (!forget) return report([...(await settled(context, wanted)), ...damaged.map(damagedNote)], key);
  if (key === undefined) throw usageFailure('--forget needs a KEY.', 'perp pending list shows the keys.');
  if (dryRun) return recordOf({ forget: key }, () => [line(`Dry run: ${key} would be taken off the list.`)]);
  return report(forgotten(wanted, damaged, writes), key);
}

/** What would be sent, where looking for the order does not already show that it happened. */
function requests(wanted: readonly KeptWrite[]): Result {
  return wanted.length === 0 ? settledList([]) : dryRunResult(wanted.map(({ note }) => note.intent));
}

/** One record where one was asked for, else a list. */
function report(rows: readonly SettledRow[], key: string | undefined): Result {
  return key !== undefined && rows.length === 1 ? settledRecord(rows[0]!) : settledList(rows);
}

async function settled(context: Context, writes: readonly KeptWrite[]): Promise<SettledWrite[]> {
  const settler = new Settler(context);
  const rows: SettledWrite[] = [];
  try {
    for (const kept of writes) rows.push(await settler.settle(kept));
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
        `${file} holds another write that is not settled.`,
        `First: perp pending resume ${keyOf(open.note)}`,
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
