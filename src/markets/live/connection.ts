import type { Ms } from '../../engine/model.ts';
import { LineProblem } from '../recorded/recording-error.ts';
import { Backoff } from './backoff.ts';
import { Link } from './link.ts';
import type { Outside } from './outside.ts';
import type { BookMessage, TradesMessage, Venue, VenueMessage } from './venue.ts';

/** A connection that stays open this long counts as a success. */
const steadyMs = 60_000;
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
  /** The venue refused this topic. */
  refused(topic: string, reason: string): void;
  /** The venue's clock, read between two times of ours. */
  time(venue: Ms, sentAt: Ms, answeredAt: Ms): void;
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
  problem: string | null;
}

/**
 * A lasting connection. When it is lost, it is reopened with growing delays and all subscriptions are restored. It is
 * replaced without a gap before the venue closes it, or when the venue announces that it will.
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
  private link: Link | null = null;
  private next: { link: Link; since: Ms; completeAt: Ms | null } | null = null;
  private replaceNotBefore: Ms = 0;
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
    this.waits = new Backoff(500, 30_000, () => outside.random());
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
      state: link?.openedAt == null ? 'connecting' : this.next === null ? 'open' : 'replacing',
      wanted: wanted.size,
      confirmed: link?.confirmedCount ?? 0,
      frames,
      garbled,
      reconnects,
      ageMs: link?.age ?? 0,
      problem,
    };
  }

  add(topics: readonly string[]): void {
    const fresh = topics.filter((topic) => !this.wanted.has(topic));
    for (const topic of fresh) this.wanted.add(topic);
    for (const link of this.links()) if (link.openedAt !== null) link.subscribe(fresh);
  }

  remove(topics: readonly string[]): void {
    for (const topic of topics) this.wanted.delete(topic);
    for (const link of this.links()) link.unsubscribe(topics);
  }

  /** Subscribes to a topic again, for the data that the venue sends at the start. */
  renew(topic: string): void {
    if (!this.wanted.has(topic)) return;
    for (const link of this.links()) {
      if (link.openedAt === null) continue;
      link.unsubscribe([topic]);
      link.subscribe([topic]);
    }
  }

  /** Drops the connection and opens another. */
  reconnect(reason: string): void {
    for (const link of this.links()) link.abandon();
    this.next = null;
    this.fail(reason);
  }

  /** Call every second. */
  tick(): void {
    const now = this.outside.now();
    for (const link of this.links()) link.tick();
    const { link, next } = this;
    if (link !== null && link.age >= steadyMs) this.waits.reset();
    if (next !== null) {
      if (next.link.isComplete) next.completeAt ??= now;
      if (next.completeAt !== null && now - next.completeAt >= overlapMs) this.promote();
      else if (now - next.since > replaceMs) this.dropNext(`the replacement did not get its subscriptions`);
      return;
    }
    const { lifetimeMs } = this.venue.stream;
    const isAged = lifetimeMs !== null && (link?.age ?? 0) >= lifetimeMs - beforeCutMs * (1 + this.spread);
    if (isAged && now >= this.replaceNotBefore) this.replace();
  }

  close(): void {
    this.isClosed = true;
    for (const link of this.links()) link.abandon();
    this.link = null;
    this.next = null;
  }

  private links(): Link[] {
    return [this.link, this.next?.link ?? null].filter((link) => link !== null);
  }

  private open(): void {
    if (this.isClosed) return;
    this.link = this.newLink();
  }

  /** Opens a second connection in parallel. The first is closed once the second has all subscriptions. */
  private replace(): void {
    if (this.next !== null || this.link?.openedAt == null) return;
    this.next = { link: this.newLink(), since: this.outside.now(), completeAt: null };
  }

  private promote(): void {
    this.link?.abandon();
    this.link = this.next!.link;
    this.next = null;
    this.reconnects += 1;
  }

  private dropNext(reason: string): void {
    this.next?.link.abandon();
    this.next = null;
    this.problem = reason;
    this.replaceNotBefore = this.outside.now() + this.waits.next();
  }

  private newLink(): Link {
    const link: Link = new Link(this.venue, this.url, this.outside, {
      open: () => link.subscribe([...this.wanted]),
      frame: (text) => this.takeFrame(link, text),
      lost: (reason) => this.loseLink(link, reason),
    });
    return link;
  }

  private loseLink(link: Link, reason: string): void {
    if (link === this.next?.link) this.dropNext(reason);
    else if (link !== this.link) return;
    // A replacement with all subscriptions takes over at once.
    else if (this.next?.link.isComplete === true) this.promote();
    else this.reconnect(reason);
  }

  private fail(reason: string): void {
    this.problem = reason;
    if (this.link === null) return;
    this.link = null;
    this.reconnects += 1;
    this.events.lost(reason);
    this.outside.after(this.waits.next(), () => this.open());
  }

  private takeFrame(link: Link, text: string): void {
    this.frames += 1;
    try {
      this.venue.decode(text, this.name, (message) => this.take(link, message));
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      this.garbled += 1;
      // Its data is lost, and it is unknown which market it was for.
      link.abandon();
      this.loseLink(link, `a frame could not be parsed: ${error.message}`);
    }
  }

  private take(link: Link, message: VenueMessage): void {
    switch (message.kind) {
      case 'book':
      case 'trades':
        if (this.wanted.has(message.topic)) this.events.message(message);
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
        for (const topic of link.refuse(message.id, message.topics)) {
          this.wanted.delete(topic);
          this.events.refused(topic, message.reason);
        }
        return;
      case 'alive':
        if (message.time !== null) this.events.time(message.time, link.pingedAt, this.outside.now());
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
