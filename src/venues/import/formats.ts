import { LineProblem, quoted, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import type { Subject, VenueFormat } from '../tape/venue-events.ts';
import { ArchiveFile } from './archive.ts';
import { binanceFormat } from './binance-files.ts';
import { bybitFormat } from './bybit-files.ts';
import {
  binanceAggTradesFormat,
  binanceBookTickerFormat,
  binanceTradesFormat,
  bybitTradesFormat,
  okxTradesFormat,
} from './csv-archives.ts';
import { hyperliquidFormat } from './hyperliquid-files.ts';
import { refusedFormats } from './refused.ts';
import { hasColumns } from './rows.ts';
import {
  tardisBookFormat,
  tardisQuotesFormat,
  tardisSnapshotFormat,
  tardisTickerFormat,
  tardisTradesFormat,
} from './tardis.ts';

/** In the order in which they are tried. */
export const formats: readonly VenueFormat[] = [
  binanceFormat,
  binanceAggTradesFormat,
  binanceTradesFormat,
  binanceBookTickerFormat,
  bybitFormat,
  bybitTradesFormat,
  okxTradesFormat,
  tardisSnapshotFormat,
  tardisBookFormat,
  tardisTradesFormat,
  tardisQuotesFormat,
  tardisTickerFormat,
  hyperliquidFormat,
];

/** Number of lines to check: a stream may start with messages that do not identify it. */
const headLines = 200;

/** A file's format and subject; throws a RecordingError that names the format, or those tried. */
export async function detect(file: string): Promise<Subject & { format: VenueFormat }> {
  const { head, name } = await headOf(file);
  const [first] = head;
  if (first === undefined) throw new RecordingError(file, null, 'the file is empty');
  const refused = refusedFormats.find(({ isIt }) => isIt(first));
  if (refused !== undefined) throw new RecordingError(file, null, `it is ${refused.what}; ${refused.instead}`);
  for (const format of formats) {
    const about = placed(file, () => format.identify(head, name));
    if (about?.coin === '') throw new RecordingError(file, null, 'there is only a header in the file');
    if (about !== null) return { format, ...about };
  }
  const names = formats.map((format) => format.name).join(', ');
  throw new RecordingError(file, null, nearMiss(first) ?? `${unknownContents(first)}; tried: ${names}`);
}

/** Runs code that may find that the file, its line or an option is wrong. */
export function placed<T>(file: string, work: () => T, line: number | null = null): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LineProblem) throw new RecordingError(file, line, error.message);
    throw error;
  }
}

/** The columns that a header lacks, if it has most columns of a format; null if no format is close. */
function nearMiss(header: string): string | null {
  const missing = formats.flatMap(({ name, columns = [] }) => {
    const lacks = columns.filter((column) => !hasColumns(header, [column]));
    return lacks.length * 2 < columns.length ? [{ name, lacks }] : [];
  });
  const [nearest] = missing.sort((one, other) => one.lacks.length - other.lacks.length);
  if (nearest === undefined) return null;
  return `it looks like ${nearest.name}, but there is no column ${nearest.lacks.join(', ')}`;
}

async function headOf(file: string): Promise<{ head: string[]; name: string }> {
  const head: string[] = [];
  const archive = new ArchiveFile(file);
  for await (const line of archive.lines()) {
    head.push(line);
    if (head.length === headLines) break;
  }
  return { head, name: archive.name };
}

function unknownContents(first: string): string {
  if (/^\{"time":\d+,"market(_id)?":/.test(first)) return 'the file is already a recording';
  return `unknown file format: ${quoted(first)}`;
}
