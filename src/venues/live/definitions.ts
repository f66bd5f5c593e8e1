import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from '../../base/files/private-files.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { parseMarketLine } from '../../exchange/markets/recorded/line.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import { TapeLines } from '../tape/tape-lines.ts';
import type { Network } from './network.ts';
import type { Ask, UnknownRows, Venue, VenueList, VenueMarket } from './protocols/venue.ts';
import { unreadable } from './rest-client.ts';

/** The markets that a venue lists, and how old the list is. */
export interface VenueMarkets extends VenueList {
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
const keptVersion = 5;

interface Kept extends Pick<VenueList, 'markets' | 'unknown'> {
  version: typeof keptVersion;
  at: Ms;
  restUrl: string;
}

/** How long a venue's list of markets is valid by default: a command that needs it twice asks once. */
export const marketsMaxAgeMs = 60_000;

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
  const listed = ({ markets, unknown }: VenueList, age: Ms, problem: string | null = null) => {
    return { markets, unknown, ageMs: age, problem };
  };
  if (kept !== null && ageMs >= 0 && ageMs <= cache!.maxAgeMs) return listed(kept, ageMs);
  try {
    const list = await readList(venue, ask);
    const { markets, unknown } = list;
    if (cache !== null) keep(cache.folder, venue, { version: keptVersion, at: now, restUrl, markets, unknown });
    return listed(list, 0);
  } catch (error) {
    const problem = unreadable(venue, error);
    if (kept === null) throw problem;
    return listed(kept, Math.max(0, ageMs), problem.message);
  }
}

/** The venue's list now, of which a recording can hold every market. */
export async function readList(venue: Venue, ask: Ask): Promise<VenueList> {
  const list = await venue.rest.markets(ask);
  const { markets, unknown } = list;
  const usable = markets.filter(canBeRecorded);
  const lost = markets.length - usable.length;
  const [example] = markets.filter((market) => !usable.includes(market));
  if (lost === 0) return list;
  const what = 'with a name or a grid that a recording cannot hold';
  const row = { what, rows: lost, example: example!.definition.coin };
  return { markets: usable, unknown: [...unknown, row], isPartial: true };
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

/** Intervals between readings of the list, at connections and misfits; and how long subscriptions wait for it. */
const soonMs = 5_000;
const mostWaitMs = 2_000;

/**
 * Reads a venue's list of markets again while its feed runs: one request at a time. `listed` receives the markets by
 * their ids. `isPartial`: others may be listed, too.
 */
export function listWatch(
  venue: Venue,
  ask: Ask,
  network: Network,
  listed: (markets: ReadonlyMap<string, VenueMarket>, isPartial: boolean) => void,
) {
  let readAt = network.uptime();
  let reading: Promise<void> | null = null;
  let isDue = false;
  const watch = {
    /** The parts of the list that perp doesn't recognize. */
    unknown: [] as readonly UnknownRows[],
    /** The markets by their ids, once it was read again. */
    latest: new Map() as ReadonlyMap<string, VenueMarket>,
    /**
     * A connection is open: reads the list. `waits`: `run` waits for that, but not for long, and may be called twice.
     */
    connected(waits: boolean, run: () => void): void {
      if (waits) {
        network.after(mostWaitMs, run);
        void watch.read(0).then(run);
      } else {
        run();
        watch.readSoon();
      }
    },
    /** Reads the list now, or a moment after it was last read. */
    readSoon(): void {
      if (isDue) return;
      isDue = true;
      network.after(Math.max(0, readAt + soonMs - network.uptime()), () => {
        isDue = false;
        void watch.read(0);
      });
    },
    /** Reads the list, unless that was done within this time; resolves once that is over. */
    read(withinMs: Ms): Promise<void> {
      const now = network.uptime();
      if (reading === null && now - readAt < withinMs) return Promise.resolve();
      if (reading === null) readAt = now;
      reading ??= readList(venue, ask)
        .then(
          ({ markets, unknown, isPartial = false }) => {
            watch.unknown = unknown;
            watch.latest = new Map(markets.map((market) => [market.definition.marketId, market]));
            listed(watch.latest, isPartial);
          },
          // The markets known so far stay.
          () => {},
        )
        .finally(() => {
          reading = null;
        });
      return reading;
    },
  };
  return watch;
}
