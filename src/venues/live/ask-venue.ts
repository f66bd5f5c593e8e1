import { titleOf } from '../../base/terms/venues.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import { LiveBook } from '../tape/live-book.ts';
import { type MarketsCache, marketsOf, type VenueMarkets } from './definitions.ts';
import { Link } from './link.ts';
import type { VenueChoice } from './live-feeds.ts';
import type { Network } from './network.ts';
import { type Ask, urlOf, VenueError } from './protocols/venue.ts';
import { answerMs, RestClient, unreadable } from './rest-client.ts';
import { VenueClock } from './venue-clock.ts';

const headerResolutionMs = 500;

/** A market's book at one moment, from its venue's REST API. */
interface BookNow {
  /** Price units and lots as [price, size, ...], best level first. */
  bids: number[];
  asks: number[];
}

/** How a venue responds. */
export type VenueCheck = Awaited<ReturnType<typeof checkVenue>>;

/** The markets that a venue lists, without opening a feed. Throws a VenueError. */
export async function listMarkets(
  { venue, address }: VenueChoice,
  network: Network,
  cache: MarketsCache | null,
): Promise<VenueMarkets> {
  return await marketsOf(venue, address.restUrl, askOf({ venue, address }, network), network.now(), cache);
}

/** Sends a venue requests without a feed. */
function askOf({ venue, address }: VenueChoice, network: Network): Ask {
  return new RestClient(venue, address.restUrl, network, () => {}, answerMs).ask;
}

/**
 * A market's current book, from a single request without a feed. Throws a VenueError, including for an unlisted market.
 */
export async function askBook(
  choice: VenueChoice,
  marketId: string,
  network: Network,
  cache: MarketsCache | null,
): Promise<BookNow> {
  const { venue } = choice;
  const { markets } = await listMarkets(choice, network, cache);
  const market = markets.find(({ definition }) => definition.marketId === marketId);
  if (market === undefined) throw new VenueError(venue.name, null, `${titleOf(venue.name)} does not list ${marketId}`);
  if (venue.rest.book === undefined)
    throw new VenueError(venue.name, null, `${titleOf(venue.name)} offers books only on its stream`);
  try {
    const message = await venue.rest.book(askOf(choice, network), market, 'full');
    const book = new LiveBook(market.definition);
    book.take('book', message);
    const [bids, asks]: [number[], number[]] = [[], []];
    book.bids.write(bids);
    book.asks.write(asks);
    return { bids, asks };
  } catch (error) {
    throw unreadable(venue, error);
  }
}

/**
 * Tests both interfaces of a venue: one REST request, and one connection until it answers a ping. Waits up to
 * `maxWaitMs` for each. Tells the milliseconds until both answers (null if there was none), and those by which the
 * venue's clock is ahead of ours (null if unknown).
 */
export async function checkVenue({ venue, address }: VenueChoice, network: Network, maxWaitMs = answerMs) {
  const clock = new VenueClock(network);
  const startedAt = network.uptime();
  const rest = new RestClient(
    venue,
    address.restUrl,
    network,
    (time, askedMsAgo) => clock.learn(time, askedMsAgo, headerResolutionMs),
    maxWaitMs,
  );
  const asked = venue.rest.time === undefined ? venue.rest.markets(rest.ask) : venue.rest.time(rest.ask);
  const restSide = asked.then(
    (answer) => {
      if (typeof answer === 'number') clock.learn(answer, network.uptime() - startedAt, 0);
      return { restMs: network.uptime() - startedAt, restProblem: null };
    },
    (error: unknown) => ({ restMs: null, restProblem: messageOf(unreadable(venue, error)) }),
  );
  const [restResult, streamResult] = await Promise.all([restSide, checkStream({ venue, address }, network, maxWaitMs)]);
  return { venue: venue.name, ...restResult, ...streamResult, skewMs: clock.aheadMs };
}

function checkStream({ venue, address }: VenueChoice, network: Network, maxWaitMs: Ms) {
  const startedAt = network.uptime();
  const [path] = Object.values(venue.paths);
  return new Promise<{ streamMs: Ms | null; streamProblem: string | null }>((resolve) => {
    const done = (problem: string | null) => {
      cancel();
      link.close();
      resolve({ streamMs: problem === null ? network.uptime() - startedAt : null, streamProblem: problem });
    };
    const cancel = network.after(maxWaitMs, () => done(`no answer within ${maxWaitMs} ms`));
    const link: Link = new Link(venue, urlOf(address.wsUrl, path!), network, {
      open: () => link.send(venue.heartbeat(1)),
      frame: () => done(null),
      lost: (reason) => done(reason),
    });
  });
}
