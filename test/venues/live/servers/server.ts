import type { ServerSocket, VirtualAnswer, VirtualServer } from '../virtual-world.ts';
import type { ModelChange, ModelMarket } from './model.ts';

/** A venue's protocol over a model of its markets. */
export interface Dialect {
  /** Answers a client's frame. */
  frame(server: VenueServer, socket: ServerSocket, text: string): void;
  /** The answer to a subscription that the venue does not want now; null for other frames. */
  refusal(text: string): string | null;
  /** Frames about a change, for a client with these subscriptions. */
  publish(market: ModelMarket, change: ModelChange, subscribed: ReadonlySet<string>, url: string): string[];
  /** A market has changed, whether anybody is told or not. */
  changed?(market: ModelMarket, change: ModelChange): void;
  /** The answer to a request; null if there is no such path. */
  request(server: VenueServer, path: string, body: string | undefined): unknown;
}

/** Faults on the server's side; tests set and clear them. */
export interface ServerTroubles {
  /** Answers requests instead of the venue. */
  answer: ((ordinary: () => VirtualAnswer, path: string) => VirtualAnswer | null) | null;
  /** Requests get the previous answer again: books are old. */
  staleBooks: boolean;
  /** Nothing is published, although all subscriptions exist. */
  isSilent: boolean;
  /** Pings of any kind are not answered. */
  ignoresPings: boolean;
  /** Whether a subscription is refused. */
  refuses: (() => boolean) | null;
  /** A notice that greets every connection. */
  greeting: string | null;
}

/** A venue that works. */
export const noTroubles: ServerTroubles = {
  answer: null,
  staleBooks: false,
  isSilent: false,
  ignoresPings: false,
  refuses: null,
  greeting: null,
};

/** A test's venue: markets that move on request, and clients that are notified in the venue's protocol. */
export class VenueServer implements VirtualServer {
  readonly markets: ModelMarket[];
  readonly troubles: ServerTroubles = { ...noTroubles };
  readonly requests: string[] = [];
  /** Number of connections opened so far. */
  connections = 0;
  readonly subscriptions = new Map<ServerSocket, Set<string>>();
  private readonly dialect: Dialect;
  private readonly now: () => number;
  /** The last answer to each request for a book. */
  private readonly books = new Map<string, string>();

  constructor(dialect: Dialect, markets: ModelMarket[], now: () => number) {
    this.dialect = dialect;
    this.markets = markets;
    this.now = now;
  }

  get time(): number {
    return this.now();
  }

  market(name: string): ModelMarket | undefined {
    return this.markets.find(
      ({ coin, number }) => coin.toLowerCase() === name.toLowerCase() || String(number) === name,
    );
  }

  onConnect(socket: ServerSocket): void {
    this.connections += 1;
    this.subscriptions.set(socket, new Set());
    if (this.troubles.greeting !== null) socket.send(this.troubles.greeting);
  }

  onClose(socket: ServerSocket): void {
    this.subscriptions.delete(socket);
  }

  onFrame(socket: ServerSocket, text: string): void {
    if (!this.subscriptions.has(socket)) return;
    const refusal = this.troubles.refuses === null ? null : this.dialect.refusal(text);
    if (refusal !== null && this.troubles.refuses!()) socket.send(refusal);
    else this.dialect.frame(this, socket, text);
  }

  onRequest(path: string, body: string | undefined): VirtualAnswer | null {
    this.requests.push(path);
    const ordinary = () => this.answer(path, body);
    return this.troubles.answer === null ? ordinary() : this.troubles.answer(ordinary, path);
  }

  private answer(path: string, body: string | undefined): VirtualAnswer {
    const answer = this.dialect.request(this, path, body);
    if (answer === undefined) return { status: 404, body: '{}' };
    const headers = { date: new Date(Math.floor(this.time / 1000) * 1000).toUTCString() };
    const key = `${path} ${body}`;
    const text = (this.troubles.staleBooks ? this.books.get(key) : undefined) ?? JSON.stringify(answer);
    this.books.set(key, text);
    return { status: 200, body: text, headers };
  }

  /** Moves a market and notifies all subscribers. */
  step(market: ModelMarket): void {
    const change = market.step(this.time);
    this.dialect.changed?.(market, change);
    if (this.troubles.isSilent) return;
    for (const [socket, subscribed] of this.subscriptions) {
      for (const frame of this.dialect.publish(market, change, subscribed, socket.url)) socket.send(frame);
    }
  }
}
