import type { Ms } from '../../engine/model.ts';
import { LineProblem } from '../recorded/recording-error.ts';
import { Backoff } from './backoff.ts';
import { Link } from './link.ts';
import type { Outside } from './outside.ts';
import type { BookMessage, TradesMessage, Venue, VenueMessage } from './venue.ts';

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

/** Callbacks of a connection. */
export interface ConnectionEvents {
  message(message: BookMessage | TradesMessage): void;
  /** The venue confirmed a topic for the first time on the current connection. */
  began(topic: string): void;
  /** The connection was lost; it reopens automatically. */
  lost(reason: string): void;
  /** The venue ended this topic; it is requested again. */
  ended(topic: string): void;
  /** The venue refused this topic; it is requested again after a while. */
  refused(topic: string, reason: string): void;
  /** The venue's clock, and how long ago the request for it was sent, ms. */
  time(venue: Ms, askedMsAgo: Ms): void;
}

/** The status of a connection. */
export interface ConnectionStatus {
  name: string;
  state: 'connecting' | 'open' | 'replacing';
  /** Requested topics, and those that the venue has confirmed. */
  wanted: number;
  confirmed: number;
  frames: number;
  /** Frames that could not be parsed. */
  garbled: number;
  reconnects: number;
  /** Milliseconds since it opened. */
  ageMs: Ms;
  /** How long the server wants no other connection, ms; 0 if it did not ask to wait. */
  waitMs: Ms;
  problem: string | null;
}

/**
 * A lasting connection. When it is lost, it is opened again with growing delays, or when the server allows it, and all
 * subscriptions are restored. A connection that is slow to open is raced by another. It is replaced without a gap
 * before the venue closes it, or when the venue announces that it will.
 */
export class Connection {
  readonly name: string;
  readonly wanted = new Set<string>();
  private readonly venue: Venue;
  private readonly url: string;
  private readonly outside: Outside;
  private readonly events: ConnectionEvents;
  private readonly waits: Backoff;
  /**
   * Share of the replacement period at which this connection is replaced, so that connections are not all replaced at
   * once.
   */
  private readonly spread: number;
  /** The open connection; null while there is none. */
  private link: Link | null = null;
  /** Connections that are being opened; the first that opens is used. */
  private readonly attempts = new Set<Link>();
  private cancelAttempt = () => {};
  /** Before this, the server does not want another connection. */
  private notBefore: Ms = Number.NEGATIVE_INFINITY;
  private next: { link: Link; since: Ms; completeAt: Ms | null } | null = null;
  private isClosed = false;
  private frames = 0;
  private garbled = 0;
  private reconnects = 0;
  private problem: string | null = null;

  constructor(venue: Venue, name: string, url: string, outside: Outside, events: ConnectionEvents) {
    this.venue = venue;
    this.name = name;
    this.url = url;
    this.outside = outside;
    this.events = events;
    this.waits = new Backoff(reopenMs, maxReopenMs, () => outside.random());
    this.spread = outside.random();
    this.open();
  }

  get isOverlapping(): boolean {
    return this.next?.link.openedAt != null;
  }

  get status(): ConnectionStatus {
    const { name, wanted, frames, garbled, reconnects, problem, link } = this;
    return {
      name,
      state: link === null ? 'connecting' : this.next === null ? 'open' : 'replacing',
      wanted: wanted.size,
      confirmed: link?.confirmedCount ?? 0,
      frames,
      garbled,
      reconnects,
      ageMs: link?.age ?? 0,
      waitMs: Math.max(0, this.notBefore - this.outside.uptime()),
      problem,
    };
  }

  add(topics: readonly string[]): void {
    const fresh = topics.filter((topic) => !this.wanted.has(topic));
    for (const topic of fresh) this.wanted.add(topic);
    for (const link of this.openLinks()) link.subscribe(fresh);
  }

  remove(topics: readonly string[]): void {
    for (const topic of topics) this.wanted.delete(topic);
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
    this.next?.link.abandon();
    this.next = null;
    this.problem = reason;
    if (this.link === null) return;
    this.link.abandon();
    this.link = null;
    this.reconnects += 1;
    this.events.lost(reason);
    this.openIn(this.waits.next());
  }

  /** Call twice a second. `wasAway`: this process was not running since the last call. */
  tick(wasAway: boolean): void {
    for (const link of this.links()) link.tick(wasAway);
    const { link, next } = this;
    if (link !== null && link.age >= steadyMs) this.waits.reset();
    if (next !== null) this.tickNext(next);
    else if (link !== null && this.isAged(link) && this.outside.uptime() >= this.notBefore) this.replace();
  }

  close(): void {
    this.isClosed = true;
    this.cancelAttempt();
    for (const link of this.links()) link.abandon();
    this.attempts.clear();
    this.link = null;
    this.next = null;
  }

  private tickNext(next: NonNullable<Connection['next']>): void {
    const now = this.outside.uptime();
    if (next.link.covers(this.link)) next.completeAt ??= now;
    if (next.completeAt !== null && now - next.completeAt >= overlapMs) this.promote();
    else if (now - next.since > replaceMs) this.dropNext('the replacement did not get its subscriptions', 0);
  }

  private isAged({ age }: Link): boolean {
    const { lifetimeMs } = this.venue.stream;
    return lifetimeMs !== null && age >= lifetimeMs - beforeCutMs * (1 + this.spread);
  }

  private openLinks(): Link[] {
    return [this.link, this.next?.link ?? null].filter((link) => link !== null && link.openedAt !== null) as Link[];
  }

  private links(): Link[] {
    return [this.link, this.next?.link ?? null, ...this.attempts].filter((link) => link !== null);
  }

  /** Opens a connection, and another one if it is slow. */
  private open(): void {
    if (this.isClosed || this.link !== null) return;
    const attempt = this.newLink(() => this.use(attempt));
    this.attempts.add(attempt);
    this.openIn(maxReopenMs);
  }

  private openIn(wait: Ms): void {
    this.cancelAttempt();
    if (this.isClosed) return;
    const until = Math.max(wait, this.notBefore - this.outside.uptime());
    this.cancelAttempt = this.outside.after(until, () => this.open());
  }

  /** The first attempt that opens is the connection. */
  private use(link: Link): void {
    this.cancelAttempt();
    this.attempts.delete(link);
    for (const other of this.attempts) other.abandon();
    this.attempts.clear();
    this.link = link;
    link.subscribe([...this.wanted]);
  }

  /** Opens a second connection in parallel. The first is closed once the second has all subscriptions. */
  private replace(): void {
    if (this.next !== null || this.link === null) return;
    const link = this.newLink(() => link.subscribe([...this.wanted]));
    this.next = { link, since: this.outside.uptime(), completeAt: null };
  }

  private promote(): void {
    this.link?.abandon();
    this.link = this.next!.link;
    this.next = null;
    this.reconnects += 1;
  }

  private dropNext(reason: string, retryAfterMs: Ms): void {
    this.next?.link.abandon();
    this.next = null;
    this.problem = reason;
    this.wait(Math.max(retryAfterMs, this.waits.next()));
  }

  private wait(ms: Ms): void {
    this.notBefore = Math.max(this.notBefore, this.outside.uptime() + ms);
  }

  private newLink(onOpen: () => void): Link {
    const link: Link = new Link(this.venue, this.url, this.outside, {
      open: onOpen,
      frame: (text) => this.takeFrame(link, text),
      lost: (reason, retryAfterMs) => this.loseLink(link, reason, retryAfterMs),
    });
    return link;
  }

  private loseLink(link: Link, reason: string, retryAfterMs: Ms): void {
    if (retryAfterMs > 0) this.wait(retryAfterMs);
    if (this.attempts.delete(link)) {
      this.problem = reason;
      this.openIn(this.waits.next());
    } else if (link === this.next?.link) this.dropNext(reason, retryAfterMs);
    else if (link !== this.link) return;
    // A replacement with all subscriptions takes over at once.
    else if (this.next?.link.covers(link) === true) this.promote();
    else this.reconnect(reason);
  }

  private takeFrame(link: Link, text: string): void {
    this.frames += 1;
    // A greeting or another notice, not data.
    if (!text.includes('{')) return;
    try {
      this.venue.decode(text, this.name, (message) => this.take(link, message));
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.garbled += 1;
      // Its data is lost, and it is unknown which market it was for.
      link.abandon();
      this.loseLink(link, `a frame could not be parsed: ${error.message}`, 0);
    }
  }

  private take(link: Link, message: VenueMessage): void {
    switch (message.kind) {
      case 'book':
      case 'trades':
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
    if (link === this.link) for (const topic of topics) this.events.ended(topic);
  }

  private reportConfirmed(link: Link, topics: readonly string[]): void {
    // On a replacement, the streams continue; they do not start.
    if (link === this.link) for (const topic of topics) this.events.began(topic);
  }
}
