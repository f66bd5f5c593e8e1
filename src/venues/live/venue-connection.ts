import { type LinkReport, PersistentLink } from '../../base/sockets/persistent-link.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { LineProblem } from '../../exchange/markets/recorded/recording-error.ts';
import { Link } from './link.ts';
import type { Network } from './network.ts';
import type { BookMessage, MarketOf, MarksMessage, TradesMessage, Venue, VenueMessage } from './protocols/venue.ts';

/** A connection that stays open this long counts as a success. */
const steadyMs = 2_000;
/** Delays before a lost connection is opened again. */
const reopenMs = 500;
const maxReopenMs = 2_500;
/** How long before the venue's own limit a connection is replaced, and the time over which replacements are spread. */
const beforeCutMs = 30 * 60_000;
/** How long the older of two connections stays open after the newer one has all subscriptions. */
const overlapMs = 3_000;
/** How long a replacement may take to get them. */
const replaceMs = 60_000;

/** Why a link was lost. */
interface LinkLoss {
  reason: string;
}

/** Callbacks of a connection. */
interface VenueConnectionEvents {
  readonly marketOf: MarketOf;
  message(message: BookMessage | TradesMessage | MarksMessage): void;
  /** The venue confirmed a topic for the first time on the current connection. */
  began(topic: string): void;
  /** A connection has opened; `subscribe` requests its topics. */
  opened(subscribe: () => void): void;
  /** The connection was lost; it reopens automatically. */
  lost(reason: string): void;
  /** The venue ended this topic; it is requested again. */
  ended(topic: string): void;
  /** The venue refused this topic; it is requested again after a while. */
  refused(topic: string, reason: string): void;
  /** The venue's clock, and how long ago the request for it was sent, ms. */
  time(venue: Ms, askedMsAgo: Ms): void;
}

/**
 * A lasting connection. When it is lost, it is opened again with growing delays, or when the server allows it, and all
 * subscriptions are restored. A connection that is slow to open is raced by another. It is replaced without a gap
 * before the venue closes it, or when the venue announces that it will.
 */
export class VenueConnection {
  readonly name: string;
  readonly wanted = new Set<string>();
  private readonly optional = new Set<string>();
  private readonly venue: Venue;
  private readonly url: string;
  private readonly network: Network;
  private readonly events: VenueConnectionEvents;
  private readonly lasting: PersistentLink<Link, LinkLoss>;
  /**
   * Share of the replacement period at which this connection is replaced, so that connections are not all replaced at
   * once.
   */
  private readonly spread: number;
  /** Since when there is a replacement, and since when it has all subscriptions. */
  private nextSince: Ms = 0;
  private completeAt: Ms | null = null;
  private frames = 0;
  private garbled = 0;
  private reconnects = 0;
  private problem: string | null = null;

  constructor(venue: Venue, name: string, url: string, network: Network, events: VenueConnectionEvents) {
    this.venue = venue;
    this.name = name;
    this.url = url;
    this.network = network;
    this.events = events;
    this.spread = network.random();
    const delays = { firstMs: reopenMs, longestMs: maxReopenMs, raceMs: maxReopenMs };
    this.lasting = new PersistentLink(network, delays, {
      open: (report) => this.newLink(report),
      opened: (link) => this.events.opened(() => link.subscribe([...this.wanted])),
      lost: (link, loss) => this.lose(link, loss),
      replacementLost: ({ reason }) => this.dropReplacement(reason),
      // A replacement with all subscriptions takes over at once.
      takesOver: (replacement, lost) => replacement.covers(lost),
      promoted: () => {
        this.reconnects += 1;
      },
    });
    this.lasting.open();
  }

  get isOverlapping(): boolean {
    return this.lasting.next?.openedAt != null;
  }

  /**
   * Its status: topics that are requested and those that the venue has confirmed, frames that could not be parsed, and
   * how long the server asks to wait before the next connection, ms; 0 if it does not ask.
   */
  get status() {
    const { name, wanted, frames, garbled, reconnects, problem } = this;
    const { current, next, waitMs } = this.lasting;
    return {
      ...{ name, state: current === null ? 'connecting' : next === null ? 'open' : 'replacing', wanted: wanted.size },
      ...{ confirmed: current?.confirmedCount ?? 0, frames, garbled, reconnects, ageMs: current?.age ?? 0 },
      ...{ waitMs, problem },
    };
  }

  /** `isOptional`: if the venue never answers, the connection is kept. */
  add(topics: readonly string[], isOptional = false): void {
    const fresh = topics.filter((topic) => !this.wanted.has(topic));
    if (isOptional) for (const topic of fresh) this.optional.add(topic);
    for (const topic of fresh) this.wanted.add(topic);
    for (const link of this.openLinks()) link.subscribe(fresh);
  }

  remove(topics: readonly string[]): void {
    for (const topic of topics) {
      this.wanted.delete(topic);
      this.optional.delete(topic);
    }
    for (const link of this.openLinks()) link.unsubscribe(topics);
  }

  /** Subscribes to a topic again, for the data that the venue sends at the start. */
  renew(topic: string): void {
    if (!this.wanted.has(topic)) return;
    for (const link of this.openLinks()) {
      link.unsubscribe([topic]);
      link.subscribe([topic]);
    }
  }

  /** Drops the connection and opens another. */
  reconnect(reason: string): void {
    this.problem = reason;
    if (this.lasting.current === null) return;
    this.lasting.drop();
    this.reopen(reason);
  }

  /** Call twice a second. `wasAway`: this process was not running since the last call. */
  tick(wasAway: boolean): void {
    for (const link of this.lasting.links) link.tick(wasAway);
    const { current, next, waitMs } = this.lasting;
    if (current !== null && current.age >= steadyMs) this.lasting.worked();
    if (next !== null) this.tickNext(next);
    else if (current !== null && this.isAged(current) && waitMs === 0) this.replace();
  }

  close(): void {
    this.lasting.close();
  }

  private tickNext(next: Link): void {
    const now = this.network.uptime();
    if (next.covers(this.lasting.current)) this.completeAt ??= now;
    if (this.completeAt !== null && now - this.completeAt >= overlapMs) this.lasting.promote();
    else if (now - this.nextSince > replaceMs) this.dropReplacement('the replacement did not get its subscriptions');
  }

  private isAged({ age }: Link): boolean {
    const { lifetimeMs = Number.POSITIVE_INFINITY } = this.venue.stream;
    return age >= lifetimeMs - beforeCutMs * (1 + this.spread);
  }

  private openLinks(): Link[] {
    const { current, next } = this.lasting;
    return [current, next].filter((link) => link !== null && link.openedAt !== null) as Link[];
  }

  /** Opens a second connection in parallel. The first is closed once the second has all subscriptions. */
  private replace(): void {
    if (this.lasting.next !== null) return;
    this.nextSince = this.network.uptime();
    this.completeAt = null;
    this.lasting.replace();
  }

  private dropReplacement(reason: string): void {
    this.problem = reason;
    this.lasting.dropReplacement();
  }

  private newLink(report: LinkReport<LinkLoss>): Link {
    const link: Link = new Link(this.venue, this.url, this.network, {
      open: () => report.opened(),
      frame: (text) => this.takeFrame(link, text),
      isOptional: (topic) => this.optional.has(topic),
      unanswered: (topic) => this.events.refused(topic, 'the venue does not answer the request for it'),
      lost: (reason, retryAfterMs) => {
        if (retryAfterMs > 0) this.lasting.holdOff(retryAfterMs);
        report.lost({ reason });
      },
    });
    return link;
  }

  private lose({ openedAt }: Link, { reason }: LinkLoss): void {
    if (openedAt !== null) this.reopen(reason);
    else {
      this.problem = reason;
      this.lasting.retry();
    }
  }

  private reopen(reason: string): void {
    this.problem = reason;
    this.reconnects += 1;
    this.events.lost(reason);
    this.lasting.retry();
  }

  private takeFrame(link: Link, text: string): void {
    this.frames += 1;
    // A greeting or another notice, not data.
    if (!text.includes('{')) return;
    try {
      this.venue.decode(text, this.name, (message) => this.take(link, message), this.events.marketOf);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.garbled += 1;
      // Its data is lost, and its market is unknown.
      link.end(`a frame could not be parsed: ${error.message}`);
    }
  }

  private take(link: Link, message: VenueMessage): void {
    switch (message.kind) {
      case 'book':
      case 'trades':
      case 'marks':
        if (!this.wanted.has(message.topic)) return;
        // Its data confirms a topic whose answer was lost.
        this.reportConfirmed(link, link.confirm(null, [message.topic]));
        this.events.message(message);
        return;
      case 'confirmed':
        this.reportConfirmed(link, link.confirm(message.id, message.topics));
        return;
      case 'listed':
        this.askAgain(link, link.missingIn(message.topics));
        return;
      case 'ended':
        this.askAgain(link, link.named(message.id, message.topics));
        return;
      case 'refused':
        for (const topic of link.refuse(message.id, message.topics)) this.events.refused(topic, message.reason);
        return;
      case 'alive':
        if (message.time !== null) this.events.time(message.time, link.pingAge);
        return;
      case 'asked':
        link.send(message.frame);
        return;
      case 'draining':
        this.replace();
        return;
      case 'ignored':
    }
  }

  private askAgain(link: Link, topics: readonly string[]): void {
    link.askAgain(topics);
    if (link === this.lasting.current) for (const topic of topics) this.events.ended(topic);
  }

  private reportConfirmed(link: Link, topics: readonly string[]): void {
    // On a replacement, the streams continue; they do not start.
    if (link === this.lasting.current) for (const topic of topics) this.events.began(topic);
  }
}
