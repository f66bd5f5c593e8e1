import { existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import {
  checkComplete,
  linesIn,
  type PartFile,
  partFile,
  partFiles,
  TapeError,
  textOf,
  unfinishedSuffix,
} from './parts.ts';
import { countLine, emptyPart, type PartSummary, readLineOf, readSummaries } from './summary.ts';

/** How many ids of prints to look up for each market, and how far back and in how many parts. */
const maxPrintIds = 2_000;
const printIdsMs = 10 * 60_000;
const printIdsParts = 8;

/** A print line is recognized within this many bytes: only its time and its market come before. */
const printHead = 512;

interface PrintLine {
  market_id: string;
  trade: { id: string };
}

/**
 * Makes a tape ready for writing: cuts off an incomplete last line, removes unfinished compressed files. Returns its
 * finished parts, oldest first, and the numbers of those that still have to be compressed; the last part if it is to be
 * continued; the time of the last line, null if there is none; and the ids of each market's last prints. Throws a
 * TapeError.
 */
export function resumeTape(tape: string) {
  const parts = tidiedParts(tape);
  const known = readSummaries(tape);
  const last = parts.at(-1);
  const isOpen = last !== undefined && !last.isGzip;
  const finished = (isOpen ? parts.slice(0, -1) : parts).map(
    (part) => known.find(({ number }) => number === part.number) ?? countPart(part).count,
  );
  if (parts.length > 0) checkIsTape(parts[0]!);
  const plain = parts.filter(({ isGzip }, at) => !isGzip && at < parts.length - 1).map(({ number }) => number);
  const end = finished.at(-1)?.to ?? 0;
  const recent = finished.filter(({ to }) => to >= end - printIdsMs).length + (isOpen ? 1 : 0);
  const printIds = lastPrintIds(parts.slice(-Math.min(printIdsParts, Math.max(1, recent))));
  if (!isOpen) return { finished, plain, open: null, lastTime: finished.at(-1)?.to ?? null, printIds };
  const { count, bytes } = countPart(last);
  if (statSync(last.file).size > bytes) truncateSync(last.file, bytes);
  const lastTime = count.lines > 0 ? count.to : (finished.at(-1)?.to ?? null);
  return { finished, plain, open: { count, bytes }, lastTime, printIds };
}

/**
 * Counts a part's contents, and the bytes up to the end of its last valid line. Stops at the first line that is not a
 * tape's.
 */
export function countPart(part: PartFile): { count: PartSummary; bytes: number } {
  const text = readPart(part);
  let bytes = 0;
  let count: PartSummary | null = null;
  for (const [at, end] of linesIn(text)) {
    const read = readLineOf(text.toString('utf8', at, end));
    if (read === null) break;
    count ??= emptyPart(part.number, read.time);
    if (read.content !== null) countLine(count, read.time, read.content, end + 1 - at);
    // The lines before the mark are the state at the start; the part starts with the mark.
    else if (read.part !== null) count.from = read.time;
    count.to = read.time;
    // A part that continues after its hash isn't closed.
    if (read.sha256 === null) delete count.sha256;
    else count.sha256 = read.sha256;
    bytes = end + 1;
  }
  return { count: count ?? emptyPart(part.number, 0), bytes };
}

/** Ids of the last prints in some parts, by market. */
function lastPrintIds(parts: readonly PartFile[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const part of parts) {
    const text = readPart(part);
    for (const [at, end] of linesIn(text)) {
      // Most lines are books; parsing them all would be slow.
      const isPrint = text.subarray(at, Math.min(end, at + printHead)).includes('"trade":{');
      if (!isPrint) continue;
      const { market_id: marketId, trade } = JSON.parse(text.toString('utf8', at, end)) as PrintLine;
      const known = ids.get(marketId) ?? [];
      ids.set(marketId, known);
      known.push(trade.id);
      if (known.length > 2 * maxPrintIds) known.splice(0, maxPrintIds);
    }
  }
  return ids;
}

/** The parts of a tape, each once: a compressed part is complete, so a plain file beside it is left over. */
function tidiedParts(tape: string): PartFile[] {
  const parts: PartFile[] = [];
  for (const part of partFiles(tape)) {
    rmSync(`${partFile(tape, part.number, true)}${unfinishedSuffix}`, { force: true });
    if (parts.at(-1)?.number === part.number) rmSync(part.file);
    else parts.push(part);
  }
  checkComplete(tape, parts);
  return parts;
}

/** A tape identifies itself in its first line; other recordings must not be written to. */
function checkIsTape({ file, isGzip }: PartFile): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  const head = readPart({ file, isGzip });
  const end = head.indexOf('\n');
  const first = end < 0 ? null : readLineOf(head.toString('utf8', 0, end));
  if (end >= 0 && (first === null || first.content !== null)) {
    throw new TapeError(file, 'exists and is not a tape of live markets; choose another file');
  }
}

function readPart(part: Pick<PartFile, 'file' | 'isGzip'>): Buffer {
  try {
    return textOf(part);
  } catch (error) {
    throw new TapeError(part.file, `can't be read: ${messageOf(error)}`, { cause: error });
  }
}
