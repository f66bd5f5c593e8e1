import type { MarketDefinition, Ms } from '../../exchange/engine/model.ts';
import { TapeError } from '../tape/parts.ts';
import { LiveFeeds, type LiveFeedsOptions, type LiveStatus } from './live-feeds.ts';
import type { VenueError } from './protocols/venue.ts';
import { knownMs, marketsOf, type TapeMarket } from './tapes.ts';

const progressMs = 1_000;

/** The markets to record, and for how long. */
interface RecordOptions extends LiveFeedsOptions {
  /** Ids of the markets, or their symbols or coins where only one market has them. */
  markets: readonly string[];
  /** Duration, ms; null: until `signal` aborts. */
  forMs: Ms | null;
  /** Ends the recording early. */
  signal?: AbortSignal;
  /** Called every second. */
  onProgress?(progress: RecordProgress): void;
}

/** The progress of a recording. */
export interface RecordProgress extends LiveStatus {
  elapsedMs: Ms;
  /** How many of the requested markets have every change recorded now. */
  live: number;
  wanted: number;
}

/** The outcome of a recording. */
export interface RecordEnd extends RecordProgress {
  /** Each requested market: events on the tape since the start, and the share of the time that it was known. */
  recorded: readonly { marketId: string; events: number; known: number; problem: string | null }[];
}

/**
 * Records live markets on a tape for the given time or until the signal aborts; everything is then safely on disk.
 * After any interruption, another call continues the tape. Throws a VenueError, or a TapeError (including for an
 * unlisted market). A disk that fills up while recording is reported in the progress.
 */
export async function recordMarkets(options: RecordOptions): Promise<RecordEnd> {
  const { network, forMs, signal } = options;
  let ids: string[] = [];
  const onListed = (definitions: readonly MarketDefinition[], refused: readonly VenueError[]) => {
    try {
      ids = chooseMarkets(options.tape, definitions, options.markets);
    } catch (error) {
      // The market may be one of a venue that did not answer.
      throw refused[0] ?? error;
    }
  };
  const feeds = await LiveFeeds.open({ ...options, onListed });
  try {
    feeds.writer.listener = { part() {}, lines() {}, repaired: () => feeds.repaired() };
    const startedAt = network.uptime();
    const from = feeds.now();
    const before = new Map(marketsOf(feeds.writer.summaries).map((market) => [market.marketId, eventsOf(market)]));
    const progress = (): RecordProgress => ({
      ...feeds.status(),
      elapsedMs: Math.round(network.uptime() - startedAt),
      live: ids.filter((marketId) => feeds.isLive(marketId)).length,
      wanted: ids.length,
    });
    for (const marketId of ids) feeds.want(marketId);
    await new Promise<void>((resolve) => {
      const cancels: (() => void)[] = [];
      const end = () => {
        for (const cancel of cancels) cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const report = () => {
        options.onProgress?.(progress());
        cancels[0] = network.after(progressMs, report);
      };
      cancels[0] = network.after(progressMs, report);
      if (forMs !== null) cancels[1] = network.after(forMs, end);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end);
    });
    const end = progress();
    const to = feeds.now();
    const knownTo = end.tape.failedAt ?? to;
    const after = new Map(marketsOf(feeds.writer.summaries).map((market) => [market.marketId, market]));
    const recorded = ids.map((marketId) => {
      const market = after.get(marketId);
      const events = market === undefined ? 0 : eventsOf(market) - (before.get(marketId) ?? 0);
      const known = market === undefined || to <= from ? 0 : knownMs(market, from, knownTo) / (to - from);
      return { marketId, events, known, problem: problemOf(end, marketId) };
    });
    return { ...end, recorded };
  } finally {
    await feeds.close();
  }
}

function eventsOf({ books, deltas, prints }: TapeMarket): number {
  return books + deltas + prints;
}

/**
 * Why a market is not known at the end: that of the tape or of its venue's connections, or its own; null if it is
 * known.
 */
function problemOf({ feeds, tape }: LiveStatus, marketId: string): string | null {
  if (tape.failedAt !== null) return tape.problem;
  const feed = feeds.find(({ markets }) => markets.some((market) => market.marketId === marketId));
  const market = feed?.markets.find((one) => one.marketId === marketId);
  if (market === undefined || market.state === 'live') return null;
  const connection = feed!.connections.find(({ problem }) => problem !== null);
  return connection?.problem ?? market.problem ?? 'no data has arrived';
}

/** Market ids by id, symbol or coin; throws a TapeError that names the first that is not exactly one market. */
export function chooseMarkets(
  tape: string,
  definitions: readonly MarketDefinition[],
  names: readonly string[],
): string[] {
  const chosen = new Set<string>();
  for (const name of names) {
    const wanted = name.toLowerCase();
    const isNamed = ({ marketId, symbol, coin }: MarketDefinition) =>
      // binance:BTCUSDT means binance|BTCUSDT but needs no quotes in a shell.
      [marketId, marketId.replace('|', ':'), symbol, coin].some((one) => one.toLowerCase() === wanted);
    const found = definitions.filter(isNamed).map(({ marketId }) => marketId);
    const exact = found.find((marketId) => marketId.toLowerCase() === wanted) ?? (found.length === 1 ? found[0] : null);
    if (found.length === 0) throw new TapeError(tape, `there is no market ${JSON.stringify(name)}`);
    if (exact == null)
      throw new TapeError(tape, `${JSON.stringify(name)} matches ${found.join(', ')}: choose one of them`);
    chosen.add(exact);
  }
  return [...chosen];
}
