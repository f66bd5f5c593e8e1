import type { VenueName } from '../../../base/terms/venues.ts';
import type { MarketDefinition, Ms } from '../../../exchange/engine/model.ts';
import type { LevelTexts } from '../../tape/live-book.ts';
import type { Trade } from '../../tape/tape-lines.ts';

/** A market as its venue lists it. */
export interface VenueMarket {
  readonly definition: MarketDefinition;
  /** The market's name in the venue's channels and requests: `btcusdt`, `BTCUSDT` or `0`. */
  readonly channel: string;
  /** Base units per contract, where the venue gives sizes in contracts; null where it gives base units. */
  readonly contractSize: string | null;
}

/** A venue's list of markets. */
export interface VenueList {
  readonly markets: readonly VenueMarket[];
  /** The parts that perp doesn't recognize: a field with a value of unknown meaning, or unreadable rows. */
  readonly unknown: readonly UnknownRows[];
  /** Part of it could not be read: a market that is missing may still be listed. */
  readonly isPartial?: boolean;
}

/** Rows of a list with the same unknown value: `contractType OPTION_PERPETUAL`. */
export interface UnknownRows {
  readonly what: string;
  readonly rows: number;
  /** The name of one of them. */
  readonly example: string;
}

/** The same in words. */
export function unknownText({ what, rows, example }: UnknownRows): string {
  return `${what}: ${rows === 1 ? example : `${rows} markets, such as ${example}`}`;
}

/** Knows the subscribed markets by their names in the venue's channels. */
export type MarketOf = (channel: string) => VenueMarket | undefined;

/** An update's place in the venue's sequence. */
export interface UpdateIds {
  /** The first and last id that the update covers. */
  first: number;
  last: number;
  /** Id of the update before it. */
  previous: number;
}

/** A whole book, or changed levels. Times are the venue's, in Unix ms. */
export interface BookMessage extends LevelTexts {
  kind: 'book';
  topic: string;
  isFull: boolean;
  /** Its place in the venue's sequence; null if the venue has no sequence. */
  ids: UpdateIds | null;
  time: Ms;
  /** When it was received, by our clock, Unix microseconds. */
  receivedUs?: number;
}

/** Trades of one topic, oldest first. */
export interface TradesMessage {
  kind: 'trades';
  topic: string;
  trades: readonly Trade[];
}

/**
 * Some of these prices of one topic, as the venue sent them: absent ones are unchanged, and unusable ones become
 * unknown. The time is the venue's; 0 if it gives none.
 */
export interface MarksMessage {
  kind: 'marks';
  mark?: unknown;
  index?: unknown;
  fundingRate?: unknown;
  fundingHours?: unknown;
  nextFundingAt?: unknown;
  /** The volume of the venue's last day; only trades increase it. */
  volume?: unknown;
  topic: string;
  time: Ms;
}

/** The messages that a frame can contain. */
export type VenueMessage =
  | BookMessage
  | TradesMessage
  | MarksMessage
  /** Topics are subscribed, given by the id of the request or by name. */
  | { kind: 'confirmed'; id: number | null; topics: readonly string[] }
  /** A subscription was refused. */
  | { kind: 'refused'; id: number | null; topics: readonly string[]; reason: string }
  /** The venue ended these topics; they may be subscribed again. */
  | { kind: 'ended'; id: number | null; topics: readonly string[] }
  /** All topics of the connection, according to the venue. */
  | { kind: 'listed'; topics: readonly string[] }
  /** The answer to a heartbeat, sometimes with the venue's time. */
  | { kind: 'alive'; time: Ms | null }
  /** The venue requests this frame. */
  | { kind: 'asked'; frame: string }
  /** The venue is about to close the connection. */
  | { kind: 'draining' }
  | { kind: 'ignored' };

/** Limits and rules of a venue's connections. */
export interface StreamRules {
  /** Maximum number of topics in one request. */
  readonly topicsPerRequest: number;
  readonly topicsPerConnection: number;
  readonly framesPerSecond: number;
  /** How often the venue requires a ping of the WebSocket protocol; absent if never. */
  readonly pingMs?: Ms;
  /** The venue closes connections of this age; absent if no limit is known. */
  readonly lifetimeMs?: Ms;
}

/** A request to a venue's REST API. */
export interface RestRequest {
  readonly path: string;
  /** JSON; makes it a POST. */
  readonly body?: string;
  /** Its weight in the venue's budget; default 1. */
  readonly weight?: number;
  /** Whether the answer is long, such as a list of markets. */
  readonly isLong?: true;
}

/** A whole book from a venue's REST API, with its place in the sequence of its stream. */
export type RestBook = Pick<BookMessage, 'ids' | 'time' | 'bids' | 'asks'>;

/** Sends the venue a request within its budget; rejects with a VenueError. */
export type Ask = (request: RestRequest) => Promise<unknown>;

/**
 * How much of a book to request: all of it; a part that costs less, because many books are needed at once; or a few
 * best levels.
 */
export type BookDepth = 'full' | 'lean' | 'top';

/** The prints that are missing. */
export interface Missing {
  /** When the last print before them was made, in the venue's time. */
  readonly from: Ms;
  /** Its number, if prints are numbered. */
  readonly after: number | null;
  /** Ids of known earlier prints. */
  readonly known: ReadonlySet<string>;
}

/** A venue's REST API. */
interface VenueRest {
  readonly weightPerMinute: number;
  /** The answer's header with the weight used in this minute; absent if the venue has none. */
  readonly weightHeader?: string;
  /** All markets that the venue lists now. */
  markets(ask: Ask): Promise<VenueList>;
  /** A whole book. Absent if the venue has no books in its REST API. */
  book?(ask: Ask, market: VenueMarket, depth: BookDepth): Promise<RestBook>;
  /**
   * All prints up to now, in any order, reaching back to a known one if the venue's answers do. Known ones are
   * included: they show where the answer joins. Absent if the venue has no history of prints.
   */
  history?(ask: Ask, market: VenueMarket, missing: Missing): Promise<readonly Trade[]>;
  /** The venue's clock, Unix ms. If absent, only the Date header of its answers gives its time. */
  time?(ask: Ask): Promise<Ms>;
}

/**
 * A venue's protocol: it translates frames, without connections, clocks or state. Functions that parse throw a
 * LineProblem for invalid input.
 */
export interface Venue {
  readonly name: VenueName;
  /** The path that each of its connections adds to the base address. */
  readonly paths: Readonly<Record<string, string>>;
  readonly stream: StreamRules;
  /** Whether trade ids are numbers that count up by one. */
  readonly numbersTrades?: boolean;
  /** Whether full books come from REST; otherwise the stream starts with one. */
  readonly needsRestBook?: boolean;
  readonly rest: VenueRest;
  /** The topics of a channel, by the names that messages carry. */
  topics(channel: string): {
    readonly books: readonly string[];
    readonly trades: string;
    readonly marks: readonly string[];
  };
  /** The connection of a topic; absent if there is only one. */
  connectionOf?(topic: string): string;
  /** A request for topics, or one that ends them; `as` is the id under which they were subscribed. */
  request(verb: 'subscribe' | 'unsubscribe', topics: readonly string[], id: number, as: number): string;
  /** A frame that the venue answers; `id` as in a request. */
  heartbeat(id: number): string;
  /**
   * Translates a frame received on one of the connections. It asks `marketOf` for market facts such as a contract's
   * size and stores none itself, because the list of markets may come from a cache.
   */
  decode(frame: string, connection: string, take: (message: VenueMessage) => void, marketOf: MarketOf): void;
  /** If several topics make one book: combines the books of one market. If absent, each message is the book. */
  assembler?(): (message: BookMessage) => BookMessage;
}

/** A venue that could not be reached, or that answered with an error. */
export class VenueError extends Error {
  override readonly name = 'VenueError';
  readonly venue: VenueName;
  /** HTTP status; null if there was no answer. */
  readonly status: number | null;

  constructor(venue: VenueName, status: number | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.venue = venue;
    this.status = status;
  }
}

/** Joins a venue's base address, which may have a query for every address, and a path. */
export function urlOf(base: string, path: string): string {
  const at = base.indexOf('?');
  const [place, query] = at < 0 ? [base, ''] : [base.slice(0, at), base.slice(at + 1)];
  const joined = `${place.endsWith('/') ? place.slice(0, -1) : place}${path}`;
  return query === '' ? joined : `${joined}${joined.includes('?') ? '&' : '?'}${query}`;
}
