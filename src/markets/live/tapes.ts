import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ms } from '../../engine/model.ts';
import { messageOf } from '../recorded/recording-error.ts';
import { partFiles } from './tape/parts.ts';
import type { GapSummary, PartSummary } from './tape/summary.ts';
import { isBeingWritten } from './tape/tape-lock.ts';
import { summariesOf } from './tape/tape-source.ts';

/** A market on a tape, across all parts. */
export interface TapeMarket {
  marketId: string;
  books: number;
  deltas: number;
  prints: number;
  gaps: GapSummary[];
  /** Total length of the gaps, excluding those in which the market was not subscribed. */
  gapMs: Ms;
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

function marketsOf(summaries: readonly PartSummary[]): TapeMarket[] {
  const markets = new Map<string, TapeMarket>();
  const end = summaries.at(-1)?.to ?? 0;
  for (const summary of summaries) {
    for (const [marketId, { books, deltas, prints, gaps }] of Object.entries(summary.markets)) {
      const market = markets.get(marketId) ?? { marketId, books: 0, deltas: 0, prints: 0, gaps: [], gapMs: 0 };
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
    const missed = market.gaps.filter(({ reason }) => reason !== 'unsubscribed');
    market.gapMs = missed.reduce((sum, { from, to }) => sum + (to ?? end) - from, 0);
  }
  return [...markets.values()];
}
