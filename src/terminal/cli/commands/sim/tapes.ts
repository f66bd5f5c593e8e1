import { statSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodes, notFoundFailure, usageFailure } from '../../../../base/failure/failure.ts';
import { draftFolder, stateFolder } from '../../../../base/files/folders.ts';
import { counted, dateTime, quantity, shareText, shellSafe, stretch } from '../../../../base/text/format.ts';
import { quoted } from '../../../../base/text/plain-text.ts';
import { defineCommand } from '../../../console/console.ts';
import { outOption, rangeOptions } from '../../../console/grammar/option-groups.ts';
import { type Column, fields, line, listOf, nothingWritten, recordOf } from '../../../console/output/result.ts';
import { reportAside, writeOut } from '../../../console/where.ts';

const list = defineCommand({
  summary: 'List tapes and recordings with their markets, gaps and size',
  description: 'Without FOLDER, lists those in the current folder and those recorded by perp sim serve --books live.',
  args: [{ name: 'folder', kind: 'file', optional: true, summary: 'folder of the tapes' }],
  examples: [
    ['perp sim tapes', 'the tapes recorded here and by simulations on live markets'],
    ['perp sim tapes list /data --json', 'another folder, for scripts'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { listRecordings, listTapes } = await import('../../../../service/live/recording.ts');
    const { folder: named } = input;
    if (named !== undefined) checkFolder(named);
    const folders = named === undefined ? ['.', join(stateFolder(console.variables), 'tapes')] : [named];
    // JSON lines in the current folder may be anything; those in a named folder are shown with their fault.
    const recordings = listRecordings(folders[0]!).filter(({ problem }) => named !== undefined || problem === null);
    const rows = [...folders.flatMap((folder) => listTapes(folder)), ...recordings].map(rowOf);
    const fields = ['file', 'from', 'to', 'parts', 'bytes', 'lines', 'recording', 'problem', 'markets'];
    return listOf(rows, { fields, columns, empty: 'No tapes. Record one with perp sim record.' });
  },
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

function checkFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined)
    throw notFoundFailure(`There is no folder ${quoted(folder)}.`, 'Name the folder of the tapes.');
  if (found.isDirectory()) return;
  throw usageFailure(
    `${quoted(folder)} is a file, not a folder.`,
    'Name its folder, or check the file itself: perp sim tapes verify FILE.',
  );
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

/** The share of the time in which all its markets were known: that of the least known one. */
function knownText({ markets }: Tape): string {
  const shares = markets.map(({ known }) => known).filter((known) => known !== null);
  return shares.length === 0 ? '' : shareText(Math.min(...shares));
}

const cat = defineCommand({
  summary: "Print a tape's events, one JSON object per line",
  description:
    'Prints all parts in order, each event once, after a line for each market. Output from the start of a tape is a recording; for a later start, perp sim tapes slice adds the state at that time.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: rangeOptions,
  examples: [
    ['perp sim tapes cat day.jsonl.gz | grep gap', 'its gaps'],
    ['perp sim tapes cat day.jsonl.gz --from 14:00 --until 14:05 --market BTC', 'five minutes of a market'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { printTape } = await import('../../../../service/live/tapes.ts');
    const { tape, from, until, market } = input;
    await printTape(tape, { from, until, markets: market }, (text) => writeOut(console, text));
    return { kind: 'text', text: '' };
  },
});

const slice = defineCommand({
  summary: 'Cut a period out of a tape',
  description:
    'The result is a tape in one file: the state of each market at the start, the events after it, and a hash.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: {
    out: outOption('FILE', 'the new tape, or - for standard output; compressed if the name ends in .gz'),
    force: { summary: 'replace an existing file' },
    ...rangeOptions,
  },
  examples: [
    ['perp sim tapes slice day.jsonl.gz --from 14:00 --until 15:00 -o hour.jsonl.gz', 'an hour'],
    ['perp sim tapes slice day.jsonl.gz --market BTC -o btc.jsonl.gz', 'a market'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { sliceTape } = await import('../../../../service/live/tapes.ts');
    const { tape, from, until, market, force, out } = input;
    const isStandardOutput = out === '-';
    const destination = isStandardOutput ? (text: string) => writeOut(console, text) : out;
    const range = { from, until, markets: market };
    const { dryRun } = console.settings;
    const options = { replaces: force, draftFolder: draftFolder(console.variables), dryRun, signal: console.signal };
    const cut = await console.person.during(dryRun ? 'Reading' : 'Slicing', () =>
      sliceTape(tape, range, destination, options),
    );
    const result = recordOf({ file: out, from: cut.from, until: cut.until }, () => [
      line({ text: out, tone: 'strong' }),
      fields(['time', `${dateTime(cut.from)} to ${dateTime(cut.until)} (${stretch(cut.until - cut.from)})`]),
      dryRun ? nothingWritten : [],
    ]);
    return isStandardOutput && !dryRun ? reportAside(console, result) : result;
  },
});

const verify = defineCommand({
  summary: 'Read every line of a tape and check it against its hashes',
  description:
    'Each part ends with the SHA-256 of its lines, and the next part repeats it. A part without a hash can be read but not verified: an earlier version wrote it, its recorder was killed, or it is being written. Exits 7 if a part is damaged or missing.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  examples: [
    ['perp sim tapes verify day.jsonl.gz', 'every part of it'],
    ['perp sim tapes verify day.jsonl.gz --json', 'for scripts'],
  ],
  simulationOnly: true,
  async run(console, input) {
    const { verifyTape } = await import('../../../../service/live/tapes.ts');
    const parts = await console.person.during('Verifying', async (say) => {
      const found: Part[] = [];
      for (const part of verifyTape(input.tape)) {
        found.push(part);
        say(`Verifying, ${counted(found.length, 'part')}`);
        // Ctrl-C is received between two parts.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return found;
    });
    const fields = ['number', 'file', 'lines', 'proof', 'problem', 'sha256'];
    const isDamaged = parts.some(({ proof }) => proof === 'damaged');
    return {
      ...listOf(parts, { fields, columns: verifyColumns, empty: '' }),
      exit: isDamaged ? exitCodes.unavailable : exitCodes.done,
    };
  },
});

type Verified = ReturnType<typeof import('../../../../service/live/tapes.ts').verifyTape>;
type Part = Verified extends Generator<infer One> ? One : never;

const verifyColumns: readonly Column<Part>[] = [
  { header: 'PART', cell: ({ number }) => String(number), align: 'right' },
  { header: 'FILE', cell: ({ file }) => file },
  { header: 'LINES', cell: ({ lines }) => quantity(lines), align: 'right' },
  {
    header: 'PROOF',
    cell: ({ proof }) => ({ text: proof, tone: proof === 'verified' ? 'good' : proof === 'damaged' ? 'bad' : 'warn' }),
  },
  { header: '', cell: ({ problem }) => problem ?? '' },
];

export const commands = { list, cat, slice, verify };
