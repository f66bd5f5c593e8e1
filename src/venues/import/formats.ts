import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import type { Subject, VenueFormat } from '../tape/venue-events.ts';
import { binanceFormat } from './binance-files.ts';
import { bybitFormat } from './bybit-files.ts';
import { hyperliquidFormat } from './hyperliquid-files.ts';
import { tardisBookFormat, tardisSnapshotFormat, tardisTradesFormat } from './tardis.ts';

/** In the order in which they are tried. */
const formats: readonly VenueFormat[] = [
  binanceFormat,
  bybitFormat,
  tardisSnapshotFormat,
  tardisBookFormat,
  tardisTradesFormat,
  hyperliquidFormat,
];

/** Number of lines to check: a stream may start with messages that do not identify it. */
const headLines = 200;

/** A file's format and subject; throws a RecordingError that names the formats tried. */
export async function detect(file: string): Promise<Subject & { format: VenueFormat }> {
  const head = await headOf(file);
  if (head.length === 0) throw new RecordingError(file, null, 'the file is empty');
  for (const format of formats) {
    const about = format.identify(head);
    if (about !== null) return { format, ...about };
  }
  throw new RecordingError(
    file,
    null,
    `${unknownContents(head[0]!)}; tried: ${formats.map(({ name }) => name).join(', ')}`,
  );
}

async function headOf(file: string): Promise<string[]> {
  const head: string[] = [];
  for await (const line of new LineFile(file).lines()) {
    head.push(line);
    if (head.length === headLines) break;
  }
  return head;
}

function unknownContents(first: string): string {
  if (first.startsWith('PK')) return 'the file is a ZIP archive: unpack it first';
  if (/^\{"time":\d+,"market(_id)?":/.test(first)) return 'the file is already a recording';
  return 'unknown file format';
}
