import { exitCodes, usageFailure } from '../../../base/failure/failure.ts';
import { existingOwnerSecret } from '../../../base/files/owner-secret.ts';
import { counted, quantity } from '../../../base/text/format.ts';
import type { KeptRecord } from '../../../desk/audit/record.ts';
import type { Comparison } from '../../../desk/audit/verify.ts';
import { pastMoment } from '../../../desk/resolve/time.ts';
import { type Console, defineCommand } from '../../console/console.ts';
import { type Blocks, blank, fields, line, listOf, recordOf, tableOf } from '../../console/output/result.ts';
import { recordColumns, recordFields } from '../../console/views/audit-view.ts';
import { extentOptions, narrowOptions } from '../reading/lists.ts';

const show = defineCommand({
  summary: 'List bot requests, decisions and outcomes, newest first',
  description:
    "Texts in requests come from bots. Times come from this machine's clock. perp audit verify checks that the records are intact.",
  options: {
    bot: { value: 'BOT', kind: 'word', summary: 'only records of this bot' },
    since: narrowOptions.since,
    find: { value: 'TEXT', summary: 'only records that contain this: an order id, a key, an approval' },
    ...extentOptions,
  },
  examples: [
    ['perp audit show', 'the last 50 records'],
    ['perp audit show --bot alpha --since today', 'what one bot did today'],
    ['perp audit show --find ord_00000003a --json', 'every record that names one order'],
  ],
  async run(console, input) {
    const { auditPlace, newestRecords } = await import('../../../desk/audit/chain.ts');
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
  },
});

const defaultLimit = 50;

type Check = ReturnType<typeof import('../../../desk/audit/verify.ts').verifyAudit>;

const verify = defineCommand({
  summary: 'Check the audit log for altered, missing or added records',
  description:
    "Each record contains the SHA-256 of the one before, and the owner's secret signs the last one in a separate file. Anyone with that secret could forge a whole log; to detect that, keep the last line of a check elsewhere and pass it to a later check as --head. If records were never signed, because a gate was killed or someone else wrote them, it counts them and exits 10; records up to --head are exempt. --against also compares the log with the service: each order with a bot's id needs its record, and the reverse. Exits 7 if anything is wrong.",
  options: {
    head: { value: 'NUMBER:HASH', kind: 'word', summary: 'the last record of an earlier check' },
    against: { summary: "compare the log with the service's own orders" },
  },
  examples: [
    ['perp audit verify', 'the log of this machine'],
    ['perp audit verify --against --env live', "also compare it with the host's orders"],
    ['perp audit verify --json', 'for scripts'],
  ],
  async run(console, input) {
    const { auditPlace } = await import('../../../desk/audit/chain.ts');
    const { verifyAudit } = await import('../../../desk/audit/verify.ts');
    const place = auditPlace(console.variables);
    const known = input.head === undefined ? undefined : headIn(input.head);
    const check = await signedCheck(() => verifyAudit(place, existingOwnerSecret(console.variables), known));
    const against = input.against === true ? await compared(console, place) : undefined;
    const isSound = check.damages.length === 0;
    const differs = against !== undefined && against.unrecorded.length + against.missing.length > 0;
    const record = { folder: place.folder, is_sound: isSound, ...check, ...(against !== undefined && { against }) };
    const blocks = () => [
      isSound ? soundBlocks(check) : damageBlocks(check, place.folder),
      against === undefined ? [] : againstBlocks(against),
    ];
    const isSigned = check.unsigned + check.taken_over === 0;
    return recordOf(
      record,
      blocks,
      !isSound || differs ? exitCodes.unavailable : isSigned ? exitCodes.done : exitCodes.unsigned,
    );
  },
});

/** A running gate signs within a second. */
async function signedCheck(check: () => Check): Promise<Check> {
  const until = performance.now() + 1_500;
  for (;;) {
    const found = check();
    if (found.unsigned === 0 || found.damages.length > 0 || performance.now() > until) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function compared(console: Console, place: { folder: string }): Promise<Comparison> {
  const { newestRecords } = await import('../../../desk/audit/chain.ts');
  const { compareWithService } = await import('../../../desk/audit/verify.ts');
  return await compareWithService(console, newestRecords(place));
}

function againstBlocks({
  matched,
  unrecorded,
  missing,
  cant_tell: cantTell,
  of_other_runs: others,
}: Comparison): Blocks {
  return [
    blank,
    fields(
      ['orders with their record', quantity(matched)],
      ['without a record', { text: quantity(unrecorded.length), tone: unrecorded.length > 0 ? 'bad' : 'faint' }],
      ['recorded, not there', { text: quantity(missing.length), tone: missing.length > 0 ? 'bad' : 'faint' }],
      ["can't tell", quantity(cantTell)],
      ['of another run', quantity(others)],
    ),
    ...[...unrecorded.map(({ order_id: id }) => id), ...missing.map(({ client_order_id: id }) => id)]
      .slice(0, 20)
      .map((id) => line({ text: `  ${id}`, tone: 'bad' })),
  ];
}

function headIn(text: string): { seq: number; hash: string } {
  const [, seq, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw usageFailure(`--head is not a record number and hash.`, 'Write it as perp audit verify prints it.');
  return { seq: Number(seq), hash };
}

function soundBlocks(check: Check): Blocks {
  if (check.records === 0 && check.last.seq === 0) return [line('The audit log is empty.')];
  return [
    line(headline(check)),
    sums(check),
    ...notes(check).map((text) => line({ text, tone: 'warn' })),
    blank,
    line(`--head ${check.last.seq}:${check.last.hash}`),
  ];
}

/**
 * Anyone with write access to the folder can add a record that continues the chain; only a signature says who wrote it.
 */
function headline({ unsigned, taken_over: takenOver }: Check): { text: string; tone: 'good' | 'warn' } {
  const count = unsigned + takenOver;
  if (count === 0) return { text: 'Every record is intact.', tone: 'good' };
  const text = `The chain is whole, but ${counted(count, 'record')} had no signature: so who wrote ${count === 1 ? 'it' : 'them'} is unknown.`;
  return { text, tone: 'warn' };
}

function damageBlocks(check: Check, folder: string): Blocks {
  return [
    line({ text: `The audit log in ${folder} has been altered.`, tone: 'bad' }),
    tableOf(check.damages, [
      { header: 'FILE', cell: ({ file }) => file ?? 'the log' },
      { header: 'LINE', cell: ({ line: at }) => (at === null ? '' : quantity(at)), align: 'right' },
      { header: 'WHAT', cell: ({ says }) => says },
    ]),
    sums(check),
  ];
}

function sums({ records, files, bytes, head, last }: Check): Blocks {
  const signed = head === null ? { text: 'no', tone: 'bad' as const } : `up to record ${quantity(head.seq)}`;
  return [
    fields(
      ['records', quantity(records)],
      ['last', quantity(last.seq)],
      ['files', `${quantity(files)}, ${quantity(Number((bytes / 1e6).toPrecision(3)))} MB`],
      ['signed', signed],
    ),
  ];
}

function notes({ unsigned, incomplete, clock_steps: steps }: Check): string[] {
  return [
    ...(unsigned > 0
      ? [`Not signed at the end: ${counted(unsigned, 'record')}. A running gate signs within a second.`]
      : []),
    ...(incomplete > 0 ? ['The last line is incomplete: a gate is writing it, or was stopped while writing.'] : []),
    ...(steps > 0
      ? [`This machine's clock was set back ${counted(steps, 'time')}; records are in the order of writing.`]
      : []),
  ];
}

export const commands = { show, verify };
