import { readFileSync } from 'node:fs';
import { writePrivateFile } from '../../base/files/private-files.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { GapReason } from '../../exchange/markets/recorded/line.ts';
import { besideTape } from './parts.ts';
import type { TapeLine } from './tape-lines.ts';

/** The gap that a tape leaves a market in. */
export interface StandingGap {
  since: Ms;
  reason: GapReason;
  /** When the market's last print on the tape was made; null if there is none. */
  lastPrintAt: Ms | null;
  /** Ids of its last prints. */
  printIds: readonly string[];
}

/** The state of a market on the tape: its book, and the venue's own prices, if they are known. */
export interface Standing {
  book: TapeLine;
  marks?: TapeLine | null;
}

/** A gap on a tape. */
export interface GapSummary {
  from: Ms;
  /** Null if it continues at the end of the part. */
  to: Ms | null;
  reason: string;
  /** The gap's prints from the venue's history, and how complete they are; null if not stated. */
  prints: number | null;
  history: string | null;
}

/** The contents of a tape's part for one market. */
interface MarketSummary {
  /** Its market line, after the time. */
  market: string;
  /** Those that it replaced within this part, oldest first, and until when each was valid; absent if none. */
  replaced?: { market: string; until: Ms }[];
  /** Time of the first one; absent in summaries of an earlier version. */
  from?: Ms;
  books: number;
  deltas: number;
  prints: number;
  /** Lines with the venue's own prices; absent in summaries of an earlier version. */
  marks?: number;
  /** Their total size, in base units. */
  volume: number;
  /** When its last print was made; null if there is none. */
  lastPrintAt: Ms | null;
  gaps: GapSummary[];
}

/** The contents of a tape's part. */
export interface PartSummary {
  number: number;
  /** Size of the text, before compression. */
  bytes: number;
  lines: number;
  from: Ms;
  to: Ms;
  markets: Record<string, MarketSummary>;
  /** The hash in its last line; absent if it was not closed, or written by an earlier version. */
  sha256?: string;
}

/** A part without contents. */
export function emptyPart(number: number, from: Ms): PartSummary {
  return { number, bytes: 0, lines: 0, from, to: from, markets: {} };
}

/** Counts a line of a part with its size in bytes. */
export function countLine(summary: PartSummary, time: Ms, { kind, marketId, text }: TapeLine, bytes: number): void {
  summary.lines += 1;
  summary.bytes += bytes;
  summary.to = time;
  if (kind === 'market') {
    // A later line is a new definition, which the next part starts with.
    const known = summary.markets[marketId];
    if (known !== undefined) {
      known.replaced = [...(known.replaced ?? []), { market: known.market, until: time }];
      known.market = text;
    } else
      summary.markets[marketId] = {
        market: text,
        from: time,
        books: 0,
        deltas: 0,
        prints: 0,
        volume: 0,
        lastPrintAt: null,
        gaps: [],
      };
    return;
  }
  const market = summary.markets[marketId];
  if (market === undefined) return;
  if (kind === 'delta') market.deltas += 1;
  else if (kind === 'marks') market.marks = (market.marks ?? 0) + 1;
  else if (kind === 'trade') {
    market.prints += 1;
    market.volume += Number(/"size":"([\d.]+)"/.exec(text)?.[1] ?? 0);
    market.lastPrintAt = Math.max(market.lastPrintAt ?? 0, Number(/"traded_at":(\d+)/.exec(text)?.[1] ?? time));
  } else if (kind === 'book') {
    market.books += 1;
    endGap(market, time);
  } else countGap(market, time, text);
}

function countGap(market: MarketSummary, time: Ms, text: string): void {
  const { gap } = JSON.parse(`{"time":0${text}`) as {
    gap: { reason?: string; since?: Ms; prints?: number; history?: string };
  };
  if (gap.reason !== undefined) {
    const open = openGap(market);
    // Another line of the same gap dates it back.
    if (open !== null) open.from = Math.min(open.from, gap.since ?? time);
    else market.gaps.push({ from: gap.since ?? time, to: null, reason: gap.reason, prints: null, history: null });
    return;
  }
  const open = openGap(market);
  if (open === null) return;
  open.prints = gap.prints ?? null;
  open.history = gap.history ?? null;
  endGap(market, time);
}

/** The gap that a market is in; null if there is none. */
export function openGap(market: MarketSummary): GapSummary | null {
  const last = market.gaps.at(-1);
  return last?.to === null ? last : null;
}

function endGap(market: MarketSummary, time: Ms): void {
  const open = openGap(market);
  if (open !== null) open.to = time;
}

/** A line of a tape: content, or a mark (`content` is null), such as the one at the start of a part. */
export interface ReadLine {
  time: Ms;
  content: TapeLine | null;
  part: number | null;
  /** The hash of the part up to this line, if this line states it. */
  sha256: string | null;
}

interface MarketText {
  market: { market_id: string };
}

/** Identifies a line of a tape without reading its levels; null if it belongs to no tape. */
export function readLineOf(line: string): ReadLine | null {
  const [head, time, id, field] =
    /^\{"time":(\d+)(?:,"market_id":("(?:[^"\\]|\\.)*"))?,"(market|tape|delta|bids|trade|marks|gap)":/.exec(line) ?? [];
  if (head === undefined) return null;
  const text = line.slice(`{"time":${time}`.length);
  if (field === 'tape') {
    const part = /"part":(\d+)/.exec(text)?.[1];
    const sha256 = hashIn(text, 'sha256');
    return { time: Number(time), content: null, part: part === undefined ? null : Number(part), sha256 };
  }
  const isEnd = field === 'gap' && text.includes('"ended":true');
  const kind = isEnd ? 'gapEnd' : field === 'bids' ? 'book' : (field as Exclude<TapeLine['kind'], 'book' | 'gapEnd'>);
  const marketId = kind === 'market' ? (JSON.parse(line) as MarketText).market.market_id : (JSON.parse(id!) as string);
  return { time: Number(time), content: { kind, marketId, text }, part: null, sha256: null };
}

/** A hash in a mark of a tape, by its field; null if the mark has none. */
export function hashIn(mark: string, field: 'sha256' | 'previous_sha256'): string | null {
  const at = mark.indexOf(`"${field}":"`);
  if (at < 0) return null;
  const hash = mark.slice(at + field.length + 4, mark.indexOf('"', at + field.length + 4));
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/** The summaries stored with a tape; empty if there are none or they are damaged. */
export function readSummaries(tape: string): PartSummary[] {
  try {
    const kept = JSON.parse(readFileSync(besideTape(tape, 'summary.json'), 'utf8')) as { parts: PartSummary[] };
    return Array.isArray(kept.parts) ? kept.parts : [];
  } catch {
    return [];
  }
}

/** Stores summaries with a tape. They only save time: missing ones are recreated. */
export function writeSummaries(tape: string, parts: readonly PartSummary[]): void {
  const file = besideTape(tape, 'summary.json');
  writePrivateFile(file, `${JSON.stringify({ parts })}\n`, 'quick');
}
