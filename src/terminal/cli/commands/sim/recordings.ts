import { statSync } from 'node:fs';
import { usageFailure } from '../../../../base/failure/failure.ts';
import { draftFolder } from '../../../../base/files/folders.ts';
import { counted, dateTime, quantity, shellSafe, stretch, usd } from '../../../../base/text/format.ts';
import { type Console, defineCommand, type InputOf } from '../../../console/console.ts';
import { outOption, rangeOptions } from '../../../console/grammar/option-groups.ts';
import {
  blank,
  fields,
  line,
  nothingWritten,
  type RecordResult,
  type Result,
  recordOf,
  span,
} from '../../../console/output/result.ts';
import { reportAside, writeOut } from '../../../console/where.ts';

const importFile = defineCommand({
  summary: "Convert a venue's market data file into a recording",
  description:
    'Detects the format: archives of Binance, Bybit and OKX, Tardis CSV, captures of Binance and Hyperliquid, plain or as gzip, ZIP or LZ4; or a folder of perp sim export. Market details missing from the file come from the options or the default catalog. The sheet at the end shows the market in USD, which reveals a wrong unit.',
  args: [{ name: 'file', kind: 'file', summary: 'file as published by the venue or data vendor' }],
  options: {
    out: {
      short: 'o',
      value: 'FILE',
      kind: 'file',
      summary: 'the recording, or - for standard output; compressed if the name ends in .gz',
    },
    check: { summary: 'read the file and print its sheet without writing anything' },
    force: { summary: 'replace an existing recording' },
    'market-id': { value: 'ID', summary: 'market id, such as binance:BTCUSDT' },
    'size-decimals': { value: 'N', kind: 'amount', maximum: 12, summary: 'decimals of a lot' },
    tick: { value: 'PRICE', kind: 'text', summary: 'step of limit prices, such as 0.1' },
    'max-leverage': { value: 'N', kind: 'count', maximum: 1000, summary: 'maximum leverage' },
    category: { value: 'CATEGORY', summary: 'category, such as crypto' },
    'contract-size': { value: 'SIZE', kind: 'text', summary: 'base units of one contract, if sizes are in contracts' },
    'any-scale': { summary: "accept lots or depth far from the catalog's" },
  },
  examples: [
    ['perp sim import btcusdt.gz -o friday.jsonl.gz', 'create a recording'],
    ['perp sim import btcusdt.gz -o - | gzip > friday.jsonl.gz', 'through a pipe'],
    ['perp order place BTC buy 1 --books friday.jsonl.gz --state friday', 'trade on it'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input): Promise<Result> {
    const out = input.check ? null : input.out;
    if (out === undefined) throw usageFailure('Name the recording with -o FILE, or add --check to write nothing.');
    if (statSync(input.file, { throwIfNoEntry: false })?.isDirectory() === true)
      return importTables(console, input, out);
    const { importRecording } = await import('../../../../service/live/tapes.ts');
    const { marketId, sizeDecimals, tick, maxLeverage, category, contractSize } = input;
    const isStandardOutput = out === '-';
    const options = {
      ...(marketId === undefined ? {} : { marketId: marketId.replace(':', '|') }),
      ...(sizeDecimals === undefined ? {} : { sizeDecimals }),
      ...(tick === undefined ? {} : { tick }),
      ...(maxLeverage === undefined ? {} : { maxLeverage }),
      ...(category === undefined ? {} : { category }),
      ...(contractSize === undefined ? {} : { contractSize }),
      anyScale: input.anyScale,
      dryRun: console.settings.dryRun,
      replaces: input.force,
      draftFolder: draftFolder(console.variables),
    };
    const writesNothing = options.dryRun || out === null;
    const what = writesNothing ? 'Reading' : 'Importing';
    const report = await console.person.during(what, (say) => {
      const onProgress = (share: number) => say(`${what}, ${Math.floor(100 * share)}%`);
      const destination = isStandardOutput ? (text: string) => writeOut(console, text) : out;
      return importRecording(input.file, destination, { ...options, onProgress });
    });
    const result = resultOf(out, input.file, report, options.dryRun);
    return isStandardOutput && !writesNothing ? reportAside(console, result) : result;
  },
});

/** Recreates a recording from a folder that perp sim export wrote. */
async function importTables(
  console: Console,
  input: InputOf<typeof importFile>,
  place: string | null,
): Promise<Result> {
  const unused = (['marketId', 'sizeDecimals', 'tick', 'maxLeverage', 'category', 'contractSize'] as const).find(
    (option) => input[option] !== undefined,
  );
  if (unused !== undefined)
    throw usageFailure(
      `--${unused.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} does not apply to an export: it has its markets.`,
    );
  const { importExport } = await import('../../../../service/live/tapes.ts');
  const dryRun = console.settings.dryRun || place === null;
  const file = place ?? input.file;
  const isStandardOutput = place === '-';
  const out = isStandardOutput ? (text: string) => writeOut(console, text) : file;
  const { signal } = console;
  const options = { dryRun, replaces: input.force, draftFolder: draftFolder(console.variables), signal };
  const restored = await console.person.during(dryRun ? 'Reading' : 'Importing', () =>
    importExport(input.file, out, options),
  );
  const { markets, firstTime, lastTime, lines } = restored;
  const record = { file, format: 'perp export', markets, first_time: firstTime, last_time: lastTime, lines };
  const result = recordOf(record, () => [
    line({ text: file, tone: 'strong' }, '  perp export'),
    fields(
      ['markets', markets.map((id) => shellSafe(id)).join(' ')],
      ['time', span(firstTime, lastTime)],
      ['events', quantity(lines)],
    ),
    dryRun ? nothingWritten : [],
  ]);
  return isStandardOutput && !dryRun ? reportAside(console, result) : result;
}

type Report = Awaited<ReturnType<typeof import('../../../../service/live/tapes.ts').importRecording>>;

/** The rows that were read, and their destination: `out` is null if nothing was to be written. */
function resultOf(out: string | null, file: string, report: Report, isDryRun: boolean): RecordResult {
  const { market, format, unit, firstTime, lastTime, books, deltas, prints, marks, dropped, noted, moved, sheet } =
    report;
  const record = {
    file: out,
    format,
    market,
    unit,
    first_time: firstTime,
    last_time: lastTime,
    books,
    deltas,
    prints,
    marks,
    dropped,
    noted,
    moved: { events: moved.events, most_ms: moved.mostMs },
    sheet,
    notes: report.notes,
  };
  const value = (amount: number | null) => (amount === null ? 'not known' : `${usd(amount)} USD`);
  return recordOf(record, () => [
    line({ text: out ?? file, tone: 'strong' }, `  ${format}`),
    fields(
      ['market', market.market_id],
      ['time', span(firstTime, lastTime)],
      [
        'events',
        `${counted(books, 'book')}, ${counted(deltas, 'change')}, ${counted(prints, 'print')}${marks === 0 ? '' : `, ${marks} of the venue's own prices`}`,
      ],
      ['sizes in', unit],
      ['lot', `${market.size_decimals} decimals, ${value(sheet.lot_usd)}`],
      ['tick', market.tick],
      ['leverage', `up to ${market.max_leverage}x`],
      ['best level', value(sheet.top_usd)],
      ['1% depth', value(sheet.depth_usd)],
      ['spread', sheet.spread_bps === null ? 'not known' : `${quantity(Number(sheet.spread_bps.toPrecision(3)))} bps`],
      ['prices', sheet.low === null ? 'not known' : `${quantity(sheet.low)} to ${quantity(sheet.high!)}`],
      [
        'longest gap',
        sheet.largest_gap_at === null
          ? 'none'
          : `${stretch(sheet.largest_gap_ms)} from ${dateTime(sheet.largest_gap_at)}`,
      ],
      [
        'moved',
        moved.events === 0
          ? 'none'
          : `${counted(moved.events, 'event')} to its neighbors' time, by ${stretch(moved.mostMs)} at most`,
      ],
      ['prints outside the book', quantity(sheet.prints_outside)],
      ...Object.entries(dropped).map(([what, count]) => ['dropped', `${count} ${what}`] as const),
      ...Object.entries(noted).map(([what, count]) => ['noted', `${count} ${what}`] as const),
    ),
    report.notes.length === 0 ? [] : [blank, ...report.notes.map((note) => line(note))],
    isDryRun ? nothingWritten : [],
    out === null && !isDryRun ? line({ text: 'Checked: nothing was written.', tone: 'faint' }) : [],
  ]);
}

const merge = defineCommand({
  summary: 'Merge recordings into one, by time',
  description:
    'The files may contain different markets, different times of one market, or its books and its prints. Two files with a book of the same market at the same time are refused.',
  args: [{ name: 'file', kind: 'file', repeat: true, summary: 'recordings, as created by perp sim import' }],
  options: {
    out: outOption('FILE', 'the recording, - for standard output; gzip if its name ends in .gz'),
    force: { summary: 'replace an existing recording' },
  },
  examples: [
    ['perp sim merge btc.jsonl.gz eth.jsonl.gz -o both.jsonl.gz', 'two markets'],
    ['perp sim merge monday.jsonl.gz tuesday.jsonl.gz -o week.jsonl.gz', 'one day after the other'],
    ['perp sim merge book.jsonl.gz trades.jsonl.gz -o btc.jsonl.gz', 'a book and its prints'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { mergeRecordings } = await import('../../../../service/live/tapes.ts');
    const { dryRun } = console.settings;
    const isStandardOutput = input.out === '-';
    const { firstTime, lastTime, markets } = await console.person.during(dryRun ? 'Reading' : 'Merging', () =>
      mergeRecordings(input.file, isStandardOutput ? (text) => writeOut(console, text) : input.out, {
        dryRun,
        replaces: input.force,
        draftFolder: draftFolder(console.variables),
      }),
    );
    const record = { file: input.out, first_time: firstTime, last_time: lastTime, markets };
    const result = recordOf(record, () => [
      line({ text: input.out, tone: 'strong' }),
      fields(
        ['time', span(firstTime, lastTime)],
        ...markets.map(({ market, files, books, deltas, prints }) => {
          const events = `${counted(books, 'book')}, ${counted(deltas, 'change')}, ${counted(prints, 'print')}`;
          return [
            market.symbol,
            `${shellSafe(market.market_id)}: ${events}, from ${counted(files.length, 'file')}`,
          ] as const;
        }),
      ),
      dryRun ? nothingWritten : [],
    ]);
    return isStandardOutput && !dryRun ? reportAside(console, result) : result;
  },
});

const exportTape = defineCommand({
  summary: 'Export a tape as tables for other programs',
  description:
    'Writes a folder with the tables lines, books and trades as Parquet or CSV, and export.json. Prices and sizes are exact decimals, times are in microseconds. perp sim import FOLDER turns it back into a recording.',
  args: [{ name: 'tape', kind: 'file', summary: 'the tape' }],
  options: {
    to: { value: 'FORMAT', choices: ['parquet', 'csv'], required: true, summary: 'format of the tables' },
    out: outOption('FOLDER', 'the folder, which must not exist yet'),
    ...rangeOptions,
  },
  examples: [
    ['perp sim export day.jsonl.gz --to parquet -o day', 'day/books.parquet and other files'],
    ['perp sim export day.jsonl.gz --to csv -o btc --market BTC --from 14:00', 'one market, starting at a time'],
  ],
  simulationOnly: true,
  changesMore: true,
  async run(console, input) {
    const { exportTables } = await import('../../../../service/live/tapes.ts');
    const { tape, from, until, market, to, out } = input;
    if (out === '-') throw usageFailure('-o must name a folder: an export has several files.', 'For example: -o day');
    const { dryRun } = console.settings;
    const options = { dryRun, draftFolder: draftFolder(console.variables), signal: console.signal };
    const range = { from, until, markets: market };
    const { folder, firstTime, lastTime, rows } = await console.person.during(dryRun ? 'Reading' : 'Exporting', () =>
      exportTables(tape, range, out, to, options),
    );
    const record = { folder, format: to, first_time: firstTime, last_time: lastTime, rows };
    return recordOf(record, () => [
      line({ text: folder, tone: 'strong' }, `  ${to}`),
      fields(
        ['time', span(firstTime, lastTime)],
        ...Object.entries(rows).map(([table, count]) => [table, `${quantity(count)} rows`] as const),
      ),
      dryRun ? nothingWritten : [],
    ]);
  },
});

export const words = { import: importFile, merge, export: exportTape };
