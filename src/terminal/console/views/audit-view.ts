import { dateTime, word } from '../../../base/text/format.ts';
import type { KeptRecord } from '../../../desk/audit/record.ts';
import { requestWords } from '../../../desk/intents/note.ts';
import type { Cell, Column } from '../output/result.ts';

/** The fields of a record in CSV. */
export const recordFields = [
  ...['seq', 'time', 'kind', 'bot', 'write', 'account', 'operation', 'request.method', 'request.target'],
  ...['request.body', 'request.key', 'request.clientOrderId', 'decision', 'term', 'approval', 'by', 'outcome'],
  ...['status', 'code', 'ids', 'why', 'event', 'says', 'mandate.name', 'mandate.hash', 'prev'],
];

/** The table of records. */
export const recordColumns: readonly Column<KeptRecord>[] = [
  { header: '#', cell: ({ seq }) => String(seq), align: 'right', keep: 2 },
  { header: 'TIME', cell: ({ time }) => dateTime(time) },
  { header: 'BOT', cell: ({ bot }) => bot ?? '' },
  { header: 'RECORD', cell: resultCell },
  { header: 'WHAT', cell: whatOf },
  { header: 'WRITE', cell: (record) => ('write' in record ? record.write : ''), keep: 1 },
];

function resultCell(record: KeptRecord): Cell {
  if (record.kind === 'event') return record.event;
  if (record.kind === 'outcome') {
    const tone = record.outcome === 'done' ? 'good' : record.outcome === 'unknown' ? 'warn' : 'bad';
    return { text: record.outcome, tone };
  }
  const { decision } = record;
  return { text: word(decision), tone: decision === 'allowed' || decision === 'approved' ? 'good' : 'warn' };
}

function whatOf(record: KeptRecord): string {
  if (record.kind === 'event') return record.says;
  const why = record.why === undefined ? '' : `: ${record.why}`;
  if (record.kind === 'asked') {
    const { operation, request, term, approval } = record;
    const by = term === undefined ? '' : ` (${term})`;
    const waits = approval === undefined ? '' : ` (approval ${approval.slice(0, 8)})`;
    return `${requestWords(operation, request.target, request.body)}${by}${waits}${why}`;
  }
  if (record.kind === 'decided')
    return `approval ${record.approval.slice(0, 8)}${record.by === undefined ? '' : ` by ${record.by}`}${why}`;
  const { status, code, ids = [] } = record;
  return [status, code, ...ids].filter((part) => part !== undefined).join(' ') + why;
}
