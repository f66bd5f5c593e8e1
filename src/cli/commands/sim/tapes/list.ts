import { join } from 'node:path';
import type { Console } from '../../../../console/console.ts';
import { defineCommand, type InputOf } from '../../../../console/grammar/spec.ts';
import { type Column, listOf, type Result } from '../../../../console/output/result.ts';
import { stateFolder } from '../../../../ground/files/folders.ts';
import { dateTime, shareText, shellSafe, stretch } from '../../../../ground/text/format.ts';

export const command = defineCommand({
  summary: 'List recorded tapes with their markets, gaps and size',
  description:
    'Without FOLDER, lists the tapes in the current folder and those recorded by perp sim serve --books live.',
  args: [{ name: 'folder', kind: 'file', optional: true, summary: 'folder of the tapes' }],
  examples: [
    ['perp sim tapes', 'the tapes recorded here and by simulations on live markets'],
    ['perp sim tapes list /data --json', 'another folder, for scripts'],
  ],
  simulationOnly: true,
});

type Tape = ReturnType<typeof rowOf>;

const columns: readonly Column<Tape>[] = [
  { header: 'TAPE', cell: ({ file }) => file },
  { header: 'FROM', cell: ({ from }) => (from === null ? '' : dateTime(from)) },
  {
    header: 'LENGTH',
    cell: ({ from, to }) => (from === null || to === null ? '' : stretch(to - from)),
    align: 'right',
  },
  { header: 'MARKETS', cell: ({ markets }) => markets.map(({ market_id: id }) => shellSafe(id)).join(' '), keep: 3 },
  { header: 'KNOWN', cell: knownText, align: 'right', keep: 4 },
  { header: 'GAPS', cell: gapText, keep: 4 },
  { header: 'PARTS', cell: ({ parts }) => String(parts), align: 'right', keep: 1 },
  { header: 'SIZE', cell: ({ bytes }) => `${(bytes / 1e6).toFixed(1)} MB`, align: 'right', keep: 2 },
  {
    header: '',
    cell: ({ problem, recording }) =>
      problem !== null ? { text: problem, tone: 'bad' } : recording ? { text: 'recording', tone: 'good' } : '',
    keep: 5,
  },
];

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const { listTapes } = await import('../../../../service/live/recording.ts');
  const folders = input.folder === undefined ? ['.', join(stateFolder(console.variables), 'tapes')] : [input.folder];
  const rows = folders.flatMap((folder) => listTapes(folder)).map(rowOf);
  const fields = ['file', 'from', 'to', 'parts', 'bytes', 'lines', 'recording', 'problem', 'markets'];
  return listOf(rows, { fields, columns, empty: 'No tapes. Record one with perp sim record.' });
}

type Info = ReturnType<typeof import('../../../../service/live/recording.ts').listTapes>[number];

function rowOf({ tape, from, to, parts, bytes, lines, isRecording, problem, markets }: Info) {
  const isKnown = problem === null && lines > 0;
  return {
    file: tape,
    from: isKnown ? from : null,
    to: isKnown ? to : null,
    parts,
    bytes,
    lines,
    recording: isRecording,
    problem,
    markets: markets.map((market) => ({
      market_id: market.marketId,
      books: market.books,
      deltas: market.deltas,
      prints: market.prints,
      gaps: market.gaps,
      gap_ms: market.gapMs,
      known: market.known,
    })),
  };
}

function gapText({ markets }: Tape): string {
  if (markets.length === 0) return '';
  const gapMs = markets.reduce((sum, market) => sum + market.gap_ms, 0);
  const count = markets.reduce(
    (sum, { gaps }) => sum + gaps.filter(({ reason }) => reason !== 'unsubscribed').length,
    0,
  );
  return count === 0 ? 'none' : `${count}, ${stretch(gapMs)}`;
}

/** The share of the time for which all its markets were known; that of the least known one. */
function knownText({ markets }: Tape): string {
  const shares = markets.map(({ known }) => known).filter((known) => known !== null);
  return shares.length === 0 ? '' : shareText(Math.min(...shares));
}
