import type { SettledWrite, WriteOutcome } from '../../desk/writes/settlement.ts';
import { type ExitCode, exitCodes } from '../../ground/failure/exit-codes.ts';
import {
  type Column,
  fields,
  type ListResult,
  line,
  listOf,
  type RecordResult,
  recordOf,
  type Tone,
} from '../output/result.ts';

/** The outcome of a write, or an unreadable note. */
export type SettledRow = SettledWrite | { key: string; outcome: 'damaged' | 'forgotten'; reason: string };

/** The outcome of one write. */
export function settledRecord(row: SettledRow): RecordResult {
  const [words, tone] = outcomeWords[row.outcome];
  const what = 'what' in row ? `: ${row.what}` : '';
  const where = 'computed' in row ? row.computed.destination : undefined;
  const headline = { text: words.charAt(0).toUpperCase() + words.slice(1), tone };
  return recordOf(
    row,
    () => [line(headline, what), fields(['why', row.reason], ['key', row.key], ['on', where])],
    exitOf([row]),
  );
}

/** The outcomes of several writes. */
export function settledList(rows: readonly SettledRow[]): ListResult {
  return { ...listOf(rows, { fields: rowFields, columns, empty: 'Every write is settled.' }), exit: exitOf(rows) };
}

const outcomeWords: Readonly<Record<WriteOutcome | 'damaged', readonly [string, Tone]>> = {
  done: ['happened', 'good'],
  not_done: ['did not happen', 'strong'],
  unknown: ['still unknown', 'warn'],
  under_way: ['under way', 'warn'],
  forgotten: ['forgotten', 'faint'],
  damaged: ['damaged', 'bad'],
};

const columns: readonly Column<SettledRow>[] = [
  { header: 'WHAT', cell: (row) => ('what' in row ? row.what : '') },
  { header: 'OUTCOME', cell: ({ outcome }) => ({ text: outcomeWords[outcome][0], tone: outcomeWords[outcome][1] }) },
  { header: 'WHY', cell: ({ reason }) => reason },
  { header: 'WHERE', cell: (row) => ('computed' in row ? row.computed.destination : ''), keep: 2 },
  { header: 'KEY', cell: ({ key }) => key, keep: 1 },
];

const rowFields = [
  'key',
  'outcome',
  'reason',
  'operation',
  'what',
  'environment',
  'base_url',
  'state',
  'account_id',
  'computed.destination',
];

function exitOf(rows: readonly SettledRow[]): ExitCode {
  const open: readonly SettledRow['outcome'][] = ['unknown', 'under_way', 'damaged'];
  return rows.some(({ outcome }) => open.includes(outcome)) ? exitCodes.outcomeUnknown : exitCodes.done;
}
