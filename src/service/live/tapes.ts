import type { Ms } from '../../exchange/engine/model.ts';
import {
  type ExportFormat,
  type ExportOptions,
  type ExportReport,
  exportTape,
} from '../../venues/export/export-tape.ts';
import { placeOn } from '../../venues/live/practice.ts';
import { chooseMarkets } from '../../venues/live/record.ts';
import { partFiles, TapeError } from '../../venues/tape/parts.ts';
import { extentOf } from '../../venues/tape/tape-source.ts';
import { eventText, type Selection, sliceText } from '../../venues/tape/tape-text.ts';
import {
  type Destination,
  type TapeWritingOptions,
  writeRecording,
  writeTape,
} from '../../venues/tape/write-recording.ts';

export { importExport } from '../../venues/export/import-export.ts';
export { importFile as importRecording } from '../../venues/import/import-file.ts';
export { mergeRecordings } from '../../venues/import/merge.ts';
export { verifyTape } from '../../venues/tape/verify.ts';

/** Which part of a tape: between two bookmarks or times, and of these markets (ids, symbols or coins; all if empty). */
export interface TapeRange {
  from?: string | undefined;
  until?: string | undefined;
  markets: readonly string[];
}

/** Passes a tape's events on as text. Throws a TapeError or a RecordingError. */
export async function printTape(tape: string, range: TapeRange, out: (text: string) => Promise<void>): Promise<void> {
  await writeRecording(out, eventText(tape, selectionOf(tape, range)), {});
}

/** Writes a stretch of a tape as its own tape; returns its start and end. Throws a TapeError or a RecordingError. */
export async function sliceTape(
  tape: string,
  range: TapeRange,
  out: Destination,
  options: TapeWritingOptions,
): Promise<{ from: Ms; until: Ms }> {
  const selection = selectionOf(tape, range);
  const sources = partFiles(tape).map(({ file }) => file);
  await writeTape(out, sliceText(tape, selection), options, sources);
  const { firstTime, lastTime } = extentOf(tape);
  return { from: selection.from ?? firstTime, until: selection.to ?? lastTime };
}

/** Exports a tape as tables. Throws a TapeError or a RecordingError. */
export function exportTables(
  tape: string,
  range: TapeRange,
  folder: string,
  format: ExportFormat,
  options: ExportOptions,
): Promise<ExportReport> {
  return exportTape(tape, folder, format, selectionOf(tape, range), options);
}

function selectionOf(tape: string, { from, until, markets }: TapeRange): Selection {
  const extent = extentOf(tape);
  const place = (text: string | undefined) => {
    const time = text === undefined ? undefined : placeOn({ tape, ...extent }, text);
    if (time === null) {
      const [first, last] = [extent.firstTime, extent.lastTime].map((ms) => new Date(ms).toISOString());
      throw new TapeError(
        tape,
        `${JSON.stringify(text)} is no bookmark or time on it: it runs from ${first} to ${last}`,
      );
    }
    return time;
  };
  const selection = { from: place(from), to: place(until) };
  if (selection.from !== undefined && selection.to !== undefined && selection.from > selection.to)
    throw new TapeError(tape, 'the end is before the start');
  if (markets.length === 0) return selection;
  return { ...selection, markets: new Set(chooseMarkets(tape, extent.definitions, markets)) };
}
