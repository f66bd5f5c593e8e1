import { statSync } from 'node:fs';
import { usageFailure } from '../../../../base/failure/failure.ts';
import { draftFolder } from '../../../../base/files/folders.ts';
import { counted, dateTime, quantity, shellSafe, stretch } from '../../../../base/text/format.ts';
import type { Console } from '../../../console/console.ts';
import { outOption } from '../../../console/grammar/option-groups.ts';
import { defineCommand, type InputOf } from '../../../console/grammar/spec.ts';
import { blank, fields, line, type RecordResult, type Result, recordOf } from '../../../console/output/result.ts';
import { reportAside, writeOut } from '../../../console/where.ts';

export const command = defineCommand({
  summary: "Convert a venue's market data file into a recording",
  description:
    'Detects the format: raw Binance USD-M streams, the Bybit order book archive, Tardis book snapshots, incremental books and trades, or Hyperliquid l2Book answers, with or without gzip; or a folder of perp sim export. Market details missing from the file come from the options or the default catalog.',
  args: [{ name: 'file', kind: 'file', summary: 'file as published by the venue or data vendor' }],
  options: {
    out: outOption('FILE', 'the recording, or - for standard output; compressed if the name ends in .gz'),
    force: { summary: 'replace an existing recording' },
    'market-id': { value: 'ID', summary: 'market id, such as binance:BTCUSDT' },
    'size-decimals': { value: 'N', kind: 'amount', maximum: 12, summary: 'decimals of a lot' },
    tick: { value: 'PRICE', kind: 'text', summary: 'step of limit prices, such as 0.1' },
    'max-leverage': { value: 'N', kind: 'count', maximum: 1000, summary: 'maximum leverage' },
    category: { value: 'CATEGORY', summary: 'category, such as crypto' },
  },
  examples: [
    ['perp sim import btcusdt.gz -o friday.jsonl.gz', 'create a recording'],
    ['perp sim import btcusdt.gz -o - | gzip > friday.jsonl.gz', 'through a pipe'],
    ['perp order place BTC buy 1 --books friday.jsonl.gz --state friday', 'trade on it'],
  ],
  simulationOnly: true,
  changesMore: true,
});

export async function run(console: Console, input: InputOf<typeof command>): Promise<Result> {
  if (statSync(input.file, { throwIfNoEntry: false })?.isDirectory() === true) return importTables(console, input);
  const { importRecording } = await import('../../../../service/public.ts');
  const { marketId, sizeDecimals, tick, maxLeverage, category } = input;
  const isStandardOutput = input.out === '-';
  const options = {
    ...(marketId === undefined ? {} : { marketId: marketId.replace(':', '|') }),
    ...(sizeDecimals === undefined ? {} : { sizeDecimals }),
    ...(tick === undefined ? {} : { tick }),
    ...(maxLeverage === undefined ? {} : { maxLeverage }),
    ...(category === undefined ? {} : { category }),
    dryRun: console.settings.dryRun,
    replaces: input.force,
    draftFolder: draftFolder(console.variables),
  };
  const what = options.dryRun ? 'Reading' : 'Importing';
  const report = await console.during(what, (say) => {
    const onProgress = (share: number) => say(`${what}, ${Math.floor(100 * share)}%`);
    const out = isStandardOutput ? (text: string) => writeOut(console, text) : input.out;
    return importRecording(input.file, out, { ...options, onProgress });
  });
  const result = resultOf(input.out, report, options.dryRun);
  if (!isStandardOutput || options.dryRun) return result;
  return reportAside(console, result);
}

/** Makes a recording again of a folder that perp sim export wrote. */
async function importTables(console: Console, input: InputOf<typeof command>): Promise<Result> {
  const unused = (['marketId', 'sizeDecimals', 'tick', 'maxLeverage', 'category'] as const).find(
    (option) => input[option] !== undefined,
  );
  if (unused !== undefined)
    throw usageFailure(
      `--${unused.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} does not apply to an export: it has its markets.`,
    );
  const { importExport } = await import('../../../../service/live/tapes.ts');
  const { dryRun } = console.settings;
  const isStandardOutput = input.out === '-';
  const out = isStandardOutput ? (text: string) => writeOut(console, text) : input.out;
  const { signal } = console;
  const options = { dryRun, replaces: input.force, draftFolder: draftFolder(console.variables), signal };
  const restored = await console.during(dryRun ? 'Reading' : 'Importing', () => importExport(input.file, out, options));
  const { markets, firstTime, lastTime, lines } = restored;
  const record = { file: input.out, format: 'perp export', markets, first_time: firstTime, last_time: lastTime, lines };
  const result = recordOf(record, () => [
    line({ text: input.out, tone: 'strong' }, '  perp export'),
    fields(
      ['markets', markets.map((id) => shellSafe(id)).join(' ')],
      [
        'time',
        firstTime === null || lastTime === null
          ? 'no events'
          : `${dateTime(firstTime)} to ${dateTime(lastTime)} (${stretch(lastTime - firstTime)})`,
      ],
      ['events', quantity(lines)],
    ),
    ...(dryRun ? [line({ text: 'Dry run: nothing was written.', tone: 'faint' })] : []),
  ]);
  return isStandardOutput && !dryRun ? reportAside(console, result) : result;
}

type Report = Awaited<ReturnType<typeof import('../../../../service/public.ts').importRecording>>;

function resultOf(out: string, report: Report, isDryRun: boolean): RecordResult {
  const { market, format, firstTime, lastTime, books, deltas, prints, dropped, notes } = report;
  const record = {
    file: out,
    format,
    market,
    first_time: firstTime,
    last_time: lastTime,
    books,
    deltas,
    prints,
    dropped,
    notes,
  };
  return recordOf(record, () => [
    line({ text: out, tone: 'strong' }, `  ${format}`),
    fields(
      ['market', market.market_id],
      ['time', `${dateTime(firstTime)} to ${dateTime(lastTime)} (${stretch(lastTime - firstTime)})`],
      ['events', `${counted(books, 'book')}, ${counted(deltas, 'change')}, ${counted(prints, 'print')}`],
      ['lot', `${market.size_decimals} decimals`],
      ['tick', market.tick],
      ['leverage', `up to ${market.max_leverage}x`],
      ...Object.entries(dropped).map(([what, count]) => ['dropped', `${count} ${what}`] as const),
    ),
    ...(notes.length === 0 ? [] : [blank, ...notes.map((note) => line(note))]),
    ...(isDryRun ? [line({ text: 'Dry run: nothing was written.', tone: 'faint' })] : []),
  ]);
}
