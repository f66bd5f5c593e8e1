import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Ms } from '../../exchange/engine/model.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import { isBeingWritten, partFiles, TapeError } from '../tape/parts.ts';
import type { GapSummary, PartSummary } from '../tape/summary.ts';
import { summariesOf } from '../tape/tape-source.ts';

/** A market on a tape, across all parts. */
export interface TapeMarket {
  marketId: string;
  books: number;
  deltas: number;
  prints: number;
  gaps: GapSummary[];
  /** When it was first known. */
  from: Ms;
  /** Total length of the gaps, excluding those in which the market was not subscribed. */
  gapMs: Ms;
  /** The share of its subscribed time in which it was known; null if there was none. */
  known: number | null;
}

/** A tape on disk. */
export interface TapeInfo {
  /** The name to open it by. */
  tape: string;
  parts: number;
  /** Size on disk. */
  bytes: number;
  from: Ms;
  to: Ms;
  lines: number;
  markets: TapeMarket[];
  /** Whether a process is writing it now. */
  isRecording: boolean;
  /** Why its contents can't be read; null if they can. */
  problem: string | null;
}

/** The tapes in a folder, by name; none if the folder does not exist. */
export function listTapes(folder: string): TapeInfo[] {
  return tapeNames(folder).map((name) => tapeInfo(join(folder, name)));
}

/**
 * Recordings in a folder that aren't tapes, because perp didn't record them there: each has to be read for its
 * contents.
 */
export function listRecordings(folder: string): TapeInfo[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  const isRecording = (name: string) =>
    /\.jsonl(?:\.gz)?$/.test(name) && !names.includes(`${name.replace(/(?:\.part\d+)?\.jsonl(?:\.gz)?$/, '')}.lock`);
  return names
    .filter(isRecording)
    .sort()
    .map((name) => {
      const info = tapeInfo(join(folder, name));
      const isEmpty = info.problem === null && info.markets.length === 0;
      return isEmpty ? { ...info, problem: 'it has no market, so it is not a recording' } : info;
    });
}

/**
 * The file of a recording that a user has named: a path, or the name of a tape in the folder of those that simulations
 * on live markets have kept. Throws a TapeError if a mere name is neither.
 */
export function tapeFile(name: string, keptFolder: string): string {
  if (existsSync(name) || basename(name) !== name || partFiles(name).length > 0) return name;
  const kept = join(keptFolder, name.replace(/\.jsonl(\.gz)?$/, ''));
  const parts = partFiles(`${kept}.jsonl`);
  if (parts.length === 0) throw new TapeError(name, `is neither a file here nor a tape in ${keptFolder}`);
  return parts.some(({ isGzip }) => isGzip) ? `${kept}.jsonl.gz` : `${kept}.jsonl`;
}

/** The contents of a tape. */
export function tapeInfo(tape: string): TapeInfo {
  const files = partFiles(tape);
  const bytes = files.reduce((sum, { file }) => sum + statSync(file).size, 0);
  const parts = new Set(files.map(({ number }) => number)).size;
  const about = { tape, parts, bytes, isRecording: isBeingWritten(tape) };
  try {
    const summaries = summariesOf(tape);
    const [from, to] = [summaries[0]?.from ?? 0, summaries.at(-1)?.to ?? 0];
    const lines = summaries.reduce((sum, summary) => sum + summary.lines, 0);
    return { ...about, from, to, lines, markets: marketsOf(summaries), problem: null };
  } catch (error) {
    return { ...about, from: 0, to: 0, lines: 0, markets: [], problem: messageOf(error) };
  }
}

/** The names by which a folder's tapes are opened. Unlike other recordings, a tape has a summary file. */
function tapeNames(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const tapes = names.filter((name) => name.endsWith('.lock')).map((name) => name.slice(0, -'.lock'.length));
  return tapes
    .map((stem) => {
      const own = names.filter(
        (name) => name === `${stem}.jsonl` || name.startsWith(`${stem}.part`) || name === `${stem}.jsonl.gz`,
      );
      return own.some((name) => name.endsWith('.gz')) ? `${stem}.jsonl.gz` : own.length > 0 ? `${stem}.jsonl` : null;
    })
    .filter((name) => name !== null)
    .sort();
}

/** The markets of a tape, across its parts. */
export function marketsOf(summaries: readonly PartSummary[]): TapeMarket[] {
  const markets = new Map<string, TapeMarket>();
  const end = summaries.at(-1)?.to ?? 0;
  for (const summary of summaries) {
    for (const [marketId, { from = summary.from, books, deltas, prints, gaps }] of Object.entries(summary.markets)) {
      const blank = { marketId, from, books: 0, deltas: 0, prints: 0, gaps: [], gapMs: 0, known: null };
      const market: TapeMarket = markets.get(marketId) ?? blank;
      markets.set(marketId, market);
      market.books += books;
      market.deltas += deltas;
      market.prints += prints;
      for (const gap of gaps) {
        // A gap that continues is repeated at the start of the next part.
        const known = market.gaps.findIndex(({ from }) => from === gap.from);
        if (known >= 0) market.gaps[known] = gap;
        else market.gaps.push(gap);
      }
    }
  }
  for (const market of markets.values()) {
    market.gapMs = gapMs(market, market.from, end, (reason) => reason !== 'unsubscribed');
    const subscribedMs = end - market.from - gapMs(market, market.from, end, (reason) => reason === 'unsubscribed');
    market.known = subscribedMs > 0 ? (subscribedMs - market.gapMs) / subscribedMs : null;
  }
  return [...markets.values()];
}

/** How long a market was known between two times, ms. */
export function knownMs(market: TapeMarket, from: Ms, to: Ms): Ms {
  const since = Math.max(from, market.from);
  return Math.max(0, to - since) - gapMs(market, since, to, () => true);
}

function gapMs({ gaps }: TapeMarket, from: Ms, to: Ms, counts: (reason: string) => boolean): Ms {
  return gaps
    .filter(({ reason }) => counts(reason))
    .reduce((sum, gap) => sum + Math.max(0, Math.min(gap.to ?? to, to) - Math.max(gap.from, from)), 0);
}
