import type { MarketDefinition, Ms } from '../../engine/model.ts';
import type { UpdateIds } from '../import/update-chain.ts';
import type { LevelTexts } from './live-book.ts';

/** Whose public feed it is. `service` is the market stream of the trading service itself, for every market it lists. */
export type VenueName = 'binance' | 'bybit' | 'hyperliquid' | 'lighter' | 'service';

/** A market as its venue lists it. */
export interface VenueMarket {
  readonly definition: MarketDefinition;
  /** The market's name in the venue's channels and requests: `btcusdt`, `BTCUSDT`, `0`. */
  readonly channel: string;
  /** Smallest order, in base units; null: the venue does not say. */
  readonly minSize: string | null;
  /** Smallest order, in quote units; null: the venue does not say. */
  readonly minNotional: string | null;
}

/** A stream of one market, by the name that its messages carry, on one of the venue's connections. */
export interface Topic {
  readonly connection: string;
  readonly name: string;
}

/** A whole book, or changed levels. Times are the venue's, Unix ms. */
export interface BookMessage extends LevelTexts {
  kind: 'book';
  topic: string;
  isFull: boolean;
  /** Its place in the venue's sequence; null: the venue has none. */
  ids: UpdateIds | null;
  time: Ms;
}

export interface TradesMessage {
  kind: 'trades';
  topic: string;
  trades: readonly Trade[];
}

/** One print as the venue tells it. */
export interface Trade {
  /** Unique in its market. */
  id: string;
  /** Where ids count up by one: the number; null: they do not. */
  number: number | null;
  /** Of a print that stands for several: the number of the first. */
  firstNumber?: number;
  time: Ms;
  price: string;
  size: string;
  /** The aggressor's. */
  side: 'buy' | 'sell';
  /** It did not come from the book: a block trade, an auto-deleveraging. */
  isOutside: boolean;
}

/** What one frame says. */
export type VenueMessage =
  | BookMessage
  | TradesMessage
  /** A subscription stands: by the id of the request, or by its topics. */
  | { kind: 'confirmed'; id: number | null; topics: readonly string[] }
  /** A subscription will not be. */
  | { kind: 'refused'; id: number | null; topics: readonly string[]; reason: string }
  /** The venue ended these; they may be subscribed again. */
  | { kind: 'ended'; id: number | null; topics: readonly string[] }
  /** All topics that the connection has, as the venue counts them. */
  | { kind: 'listed'; topics: readonly string[] }
  /** The answer to a heartbeat, perhaps with the venue's time. */
  | { kind: 'alive'; time: Ms | null }
  /** The venue asks for this frame. */
  | { kind: 'asked'; frame: string }
  /** The venue is about to close the connection. */
  | { kind: 'draining' }
  | { kind: 'ignored' };

/** What a venue's connections ask for. */
export interface StreamRules {
  /** How many topics one request may name. */
  readonly topicsPerRequest: number;
  readonly topicsPerConnection: number;
  readonly framesPerSecond: number;
  /** How often `heartbeat` is sent. */
  readonly heartbeatMs: Ms;
  /** The venue cuts a connection of this age; null: it is not known to. */
  readonly lifetimeMs: Ms | null;
}

/** A request to a venue's REST side. */
export interface RestRequest {
  readonly path: string;
  /** JSON; makes it a POST. */
  readonly body?: string;
  /** What it costs of the venue's budget. */
  readonly weight: number;
}

/** Asks the venue, within its budget; rejects with a VenueError. */
export type Ask = (request: RestRequest) => Promise<unknown>;

/** Prints of a market's past. */
export interface History {
  trades: readonly Trade[];
  /** Whether these are all prints of the time asked for, or some are missing. */
  isWhole: boolean;
}

/** Which prints are missing: of this time, and between these numbers (exclusive) where prints are numbered. */
export interface Missing {
  readonly from: Ms;
  readonly to: Ms;
  readonly afterNumber: number | null;
  readonly beforeNumber: number | null;
  /** Ids of prints known from before: an answer that reaches back to one of them is whole. */
  readonly known: ReadonlySet<string>;
}

/** The REST side of a venue. */
export interface VenueRest {
  readonly weightPerMinute: number;
  /** The answer's header that counts the weight used in this minute; null: the venue has none. */
  readonly weightHeader: string | null;
  /** Every market that the venue trades now. */
  markets(ask: Ask): Promise<VenueMarket[]>;
  /** A whole book. `isTop`: a few best levels are enough. Absent: the venue gives books to streams alone. */
  book?(ask: Ask, market: VenueMarket, isTop: boolean): Promise<BookMessage>;
  /** Absent: prints of the past cannot be asked for. */
  history?(ask: Ask, market: VenueMarket, missing: Missing): Promise<History>;
  /** The venue's clock, Unix ms; absent: only the Date header of its answers tells. */
  time?(ask: Ask): Promise<Ms>;
}

/**
 * What perp knows of a venue's feed: a translator of frames, without connections, clocks or memory. Functions that read
 * throw a LineProblem for what makes no sense.
 */
export interface Venue {
  readonly name: VenueName;
  /** Its connections, and what each adds to the base address. */
  readonly connections: readonly { readonly name: string; readonly path: string }[];
  readonly stream: StreamRules;
  /** Whether ids of trades are numbers that count up by one. */
  readonly numbersTrades: boolean;
  /** Whether full books come over REST; else the stream begins with one. */
  readonly needsRestBook: boolean;
  readonly rest: VenueRest;
  topics(market: VenueMarket): { readonly books: readonly Topic[]; readonly trades: Topic };
  subscribe(topics: readonly string[], id: number): string;
  /** `as` is the id that the topics were subscribed with. */
  unsubscribe(topics: readonly string[], id: number, as: number): string;
  /** A frame that the venue answers; `id` as for a request. */
  heartbeat(id: number): string;
  /** Translates a frame that came over one of the connections. */
  decode(frame: string, connection: string, take: (message: VenueMessage) => void): void;
  /** Where several topics make one book: puts the books of one market together. Absent: each message is the book. */
  assembler?(): (message: BookMessage) => BookMessage;
}

/** A venue that could not be asked, or answered with an error. */
export class VenueError extends Error {
  override readonly name = 'VenueError';
  readonly venue: VenueName;
  /** HTTP status; null: there was no answer. */
  readonly status: number | null;

  constructor(venue: VenueName, status: number | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.venue = venue;
    this.status = status;
  }
}

/** A venue's base address and a path of its own, put together. */
export function urlOf(base: string, path: string): string {
  return `${base.endsWith('/') ? base.slice(0, -1) : base}${path}`;
}
