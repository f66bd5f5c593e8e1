import { createHash } from 'node:crypto';
import type { Ms } from '../../exchange/engine/model.ts';
import { LineFile } from '../../exchange/markets/recorded/lines.ts';
import { quoted, RecordingError } from '../../exchange/markets/recorded/recording-error.ts';
import { type LevelTexts, LiveBook } from './live-book.ts';
import { type PartFile, partFiles, TapeError } from './parts.ts';
import { readLineOf } from './summary.ts';
import { definitionIn, lineOf, markOf, type TapeLine, TapeLines } from './tape-lines.ts';
import { summariesOf } from './tape-source.ts';

/** Which lines of a tape: from one time to another, both inclusive, Unix ms, and of these markets. */
export interface Selection {
  from?: Ms | undefined;
  to?: Ms | undefined;
  /** Ids; all markets if absent. */
  markets?: ReadonlySet<string> | undefined;
}

/** A line of a tape as text, in the order of the tape. */
interface TapeTextLine {
  /** With its line end. */
  text: string;
  time: Ms;
  content: TapeLine;
  /** It repeats the state at the start of a part, and is not an event. */
  isState: boolean;
  /** For errors. */
  file: string;
  line: number;
}

/**
 * The lines of a tape from the part in which `from` lies, to the time `to`; marks are left out. Bounded memory. Throws
 * a RecordingError for a line that is not a tape's, and a TapeError if there is no such tape.
 */
export async function* tapeText(tape: string, { from, to, markets }: Selection): AsyncGenerator<TapeTextLine> {
  for (const { number, file } of partsIn(tape, from, to)) {
    const source = new LineFile(file);
    let isState = number > 1;
    for await (const text of source.lines()) {
      // A recorder that was killed leaves it, and one that is running may be writing it.
      if (!source.isComplete) break;
      const read = readLineOf(text);
      if (read === null) throw new RecordingError(file, source.lineNumber, `is not a line of a tape: ${quoted(text)}`);
      if (to !== undefined && read.time > to) return;
      if (read.part !== null) isState = false;
      const { content, time } = read;
      if (content === null || markets?.has(content.marketId) === false) continue;
      yield { text: `${text}\n`, time, content, isState, file, line: source.lineNumber };
    }
  }
}

function partsIn(tape: string, from = 0, to = Number.POSITIVE_INFINITY): PartFile[] {
  const summaries = summariesOf(tape);
  if (summaries.length === 0) throw new TapeError(tape, 'there is no such tape');
  const files = partFiles(tape);
  return summaries.flatMap(({ number, from: begins }, at) => {
    const ends = summaries[at + 1]?.from ?? Number.POSITIVE_INFINITY;
    const file = files.find((one) => one.number === number);
    return file === undefined || begins > to || ends <= from ? [] : [file];
  });
}

/** A tape's events as text, each once and in order, with the line of each market before them. */
export async function* eventText(tape: string, selection: Selection): AsyncGenerator<string> {
  const { from = 0 } = selection;
  const named = new Map<string, string>();
  for await (const { text, time, content, isState } of tapeText(tape, selection)) {
    const isNew = content.kind === 'market' && named.get(content.marketId) !== content.text;
    if (isNew) named.set(content.marketId, content.text);
    if (isNew || (!isState && time >= from && content.kind !== 'market')) yield text;
  }
}

/** A market's known state at one moment of a tape. */
interface Standing {
  lines: TapeLines;
  market: TapeLine;
  book: LiveBook;
  /** When its book last changed; null before the first. */
  time: Ms | null;
  /** The gap that it is in. */
  gap: { time: Ms; content: TapeLine } | null;
  /** The venue's own prices, none since a gap. */
  marks: { time: Ms; content: TapeLine } | null;
}

/**
 * A part of a tape as its own tape: the state at `from`, then the events after it, then the hash of all that. Throws
 * a RecordingError also for a stretch without a market.
 */
export async function* sliceText(tape: string, selection: Selection): AsyncGenerator<string> {
  const { from } = selection;
  const hash = createHash('sha256');
  const hashed = (text: string) => {
    hash.update(text);
    return text;
  };
  const standing = new Map<string, Standing>();
  let begun = false;
  let last = from ?? 0;
  for await (const one of tapeText(tape, selection)) {
    if (!begun && (from === undefined || one.time <= from)) {
      // Without a start, the first line starts the slice.
      if (from === undefined && one.content.kind !== 'market') {
        begun = true;
        for (const text of stateText(standing, one.time)) yield hashed(text);
        yield hashed(one.text);
      } else apply(standing, one);
      last = one.time;
      continue;
    }
    if (!begun) for (const text of stateText(standing, from!)) yield hashed(text);
    begun = true;
    last = one.time;
    if (one.isState) continue;
    yield hashed(one.text);
  }
  if (!begun && standing.size === 0) throw new RecordingError(tape, null, 'no market is on it in that stretch');
  if (!begun) for (const text of stateText(standing, from ?? last)) yield hashed(text);
  yield markOf(Math.max(last, from ?? 0), { sha256: hash.digest('hex') });
}

function apply(standing: Map<string, Standing>, { time, content }: TapeTextLine): void {
  const known = standing.get(content.marketId);
  if (content.kind === 'market') {
    // A new tick, or new lots: the units stay.
    if (known !== undefined) {
      known.market = content;
      return;
    }
    const definition = definitionIn(content);
    const lines = new TapeLines(definition);
    standing.set(content.marketId, {
      lines,
      market: content,
      book: new LiveBook(definition),
      time: null,
      gap: null,
      marks: null,
    });
  } else if (known === undefined) return;
  else if (content.kind === 'gap') {
    known.gap ??= { time, content };
    known.marks = null;
  } else if (content.kind === 'marks') known.marks = known.gap === null ? { time, content: untimed(content) } : null;
  else if (content.kind === 'book' || content.kind === 'delta') {
    known.book.take(content.kind, levelTexts(content.text));
    known.time = time;
    if (content.kind === 'book') known.gap = null;
  }
}

/** The lines of the state at a time, as at the start of a tape's part. */
function stateText(standing: ReadonlyMap<string, Standing>, now: Ms): string[] {
  const entries = [...standing.values()].flatMap(({ lines, book, time, gap, marks }) =>
    gap !== null
      ? [gap]
      : time === null
        ? []
        : [{ time, content: lines.book('book', book.full()) }, ...(marks === null ? [] : [marks])],
  );
  entries.sort((one, other) => one.time - other.time);
  const first = entries[0]?.time ?? now;
  return [
    ...[...standing.values()].map(({ market }) => lineOf(first, market.text)),
    ...entries.map(({ time, content }) => lineOf(time, content.text)),
    markOf(now, { part: 1 }),
  ];
}

/** Marks as a state: without the times of the event. */
function untimed({ text, ...content }: TapeLine): TapeLine {
  return { ...content, text: text.replace(/,"received_us":\d+\}$/, '}').replace(/,"exchange_us":\d+\}$/, '}') };
}

/** The levels in a book's line. */
export function levelTexts(text: string): LevelTexts {
  const [bids, asks] = [text.indexOf('"bids":'), text.indexOf(',"asks":')];
  return {
    bids: text.slice(bids + '"bids":'.length, asks),
    asks: text.slice(asks + ',"asks":'.length, text.lastIndexOf(']') + 1),
  };
}
