import type { Ms } from '../../exchange/engine/model.ts';
import { readList } from './definitions.ts';
import type { Network } from './network.ts';
import type { Ask, UnknownRows, Venue, VenueMarket } from './protocols/venue.ts';

/**
 * From one time that the list is read to the next, at connections and misfits; and how long subscriptions wait for it.
 */
const soonMs = 5_000;
const mostWaitMs = 2_000;

/** Reads a venue's list of markets again while its feed runs: one request at a time. */
export class ListWatch {
  /** The parts of the list that perp doesn't recognize. */
  unknown: readonly UnknownRows[] = [];
  /** The markets by their ids, once it was read again. */
  latest: ReadonlyMap<string, VenueMarket> = new Map();
  private readonly venue: Venue;
  private readonly ask: Ask;
  private readonly network: Network;
  private readonly listed: (markets: ReadonlyMap<string, VenueMarket>, isPartial: boolean) => void;
  private readAt: Ms;
  private reading: Promise<void> | null = null;
  private isDue = false;

  /** `listed` receives the markets by their ids. `isPartial`: others may be listed, too. */
  constructor(venue: Venue, ask: Ask, network: Network, listed: ListWatch['listed']) {
    this.venue = venue;
    this.ask = ask;
    this.network = network;
    this.listed = listed;
    this.readAt = network.uptime();
  }

  /**
   * A connection is open: reads the list. `waits`: `run` waits for that, but not for long, and may be called twice.
   */
  connected(waits: boolean, run: () => void): void {
    if (waits) {
      this.network.after(mostWaitMs, run);
      void this.read(0).then(run);
    } else {
      run();
      this.readSoon();
    }
  }

  /** Reads the list now, or a moment after it was last read. */
  readSoon(): void {
    const waitMs = this.readAt + soonMs - this.network.uptime();
    if (this.isDue) return;
    this.isDue = true;
    this.network.after(Math.max(0, waitMs), () => {
      this.isDue = false;
      void this.read(0);
    });
  }

  /** Reads the list, unless that was done within this time; resolves once that is over. */
  read(withinMs: Ms): Promise<void> {
    const now = this.network.uptime();
    if (this.reading !== null) return this.reading;
    if (now - this.readAt < withinMs) return Promise.resolve();
    this.readAt = now;
    this.reading = readList(this.venue, this.ask)
      .then(
        ({ markets, unknown, isPartial = false }) => {
          this.unknown = unknown;
          this.latest = new Map(markets.map((market) => [market.definition.marketId, market]));
          this.listed(this.latest, isPartial);
        },
        // The markets known so far stay.
        () => {},
      )
      .finally(() => {
        this.reading = null;
      });
    return this.reading;
  }
}
