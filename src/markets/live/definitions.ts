import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ms } from '../../engine/model.ts';
import { writePrivateFile } from '../../ground/files/private-files.ts';
import { parseMarketLine } from '../recorded/line.ts';
import { LineProblem } from '../recorded/recording-error.ts';
import { unreadable } from './rest-client.ts';
import { TapeLines } from './tape-lines.ts';
import type { Ask, Venue, VenueMarket } from './venue.ts';

/** The markets that a venue lists, and how old the list is. */
export interface VenueMarkets {
  markets: readonly VenueMarket[];
  /** Milliseconds since the venue was asked; 0 if it was asked now. */
  ageMs: Ms;
  /** Why the list could not be refreshed; null if it was, or if that was not needed. */
  problem: string | null;
}

/** Where the lists of venues are cached, and for how long they are valid. */
export interface MarketsCache {
  folder: string;
  maxAgeMs: Ms;
}

/** The version of the cached form of a list: lists of other versions are asked for again. */
const keptVersion = 2;

interface Kept {
  version: typeof keptVersion;
  at: Ms;
  restUrl: string;
  markets: VenueMarket[];
}

/** How long a venue's list of markets is valid by default. */
export const marketsMaxAgeMs = 12 * 3_600_000;

/**
 * The markets that a venue lists: from the cache while it is valid, otherwise from the venue. If the venue does not
 * answer, an older list is used. Throws a VenueError if there is none.
 */
export async function marketsOf(
  venue: Venue,
  restUrl: string,
  ask: Ask,
  now: Ms,
  cache: MarketsCache | null,
): Promise<VenueMarkets> {
  const kept = cache === null ? null : readKept(cache.folder, venue, restUrl);
  const ageMs = kept === null ? Number.POSITIVE_INFINITY : now - kept.at;
  if (kept !== null && ageMs >= 0 && ageMs <= cache!.maxAgeMs) return { markets: kept.markets, ageMs, problem: null };
  try {
    const markets = (await venue.rest.markets(ask)).filter(canBeRecorded);
    if (cache !== null) keep(cache.folder, venue, { version: keptVersion, at: now, restUrl, markets });
    return { markets, ageMs: 0, problem: null };
  } catch (error) {
    const problem = unreadable(venue, error);
    if (kept === null) throw problem;
    return { markets: kept.markets, ageMs: Math.max(0, ageMs), problem: problem.message };
  }
}

/** Whether a recording can contain the market: its names, decimals and tick must be valid in a line. */
function canBeRecorded({ definition }: VenueMarket): boolean {
  try {
    parseMarketLine(`{"time":0${new TapeLines(definition).market().text}`);
    return true;
  } catch (error) {
    if (error instanceof LineProblem) return false;
    throw error;
  }
}

const fileOf = (folder: string, { name }: Venue) => join(folder, `markets-${name}.json`);

function readKept(folder: string, venue: Venue, restUrl: string): Kept | null {
  try {
    const kept = JSON.parse(readFileSync(fileOf(folder, venue), 'utf8')) as Kept;
    const isSame = kept.version === keptVersion && kept.restUrl === restUrl;
    return isSame && Array.isArray(kept.markets) && kept.markets.every(canBeRecorded) ? kept : null;
  } catch {
    return null;
  }
}

function keep(folder: string, venue: Venue, kept: Kept): void {
  try {
    writePrivateFile(fileOf(folder, venue), JSON.stringify(kept), 'quick');
  } catch {
    // Without a cache, the only cost is one more request next time.
  }
}
