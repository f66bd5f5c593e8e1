import { Backoff } from '../../base/sockets/persistent-link.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import type { Network, Socket } from './network.ts';
import type { StreamRules, Venue } from './protocols/venue.ts';

/** Time limits for opening a connection, and for the answer to a subscription. */
const openMs = 15_000;
const answerMs = 2_500;
/**
 * After this much silence a ping is sent; after this much more, the connection is dead. Messages that are up to five
 * seconds late are still used.
 */
const quietMs = 1_000;
const deadMs = 5_000;
/** After this many requests without an answer, a subscription moves to another connection. */
const maxTries = 3;
/** How often a heartbeat is sent: venues disconnect a client after 30 s of silence or more. */
const heartbeatMs = 20_000;
/** Delays before a refused subscription is requested again. */
const refusedMs = 500;
const maxRefusedMs = 3_000;

interface Subscription {
  /** Id of its request. */
  id: number;
  /** When its request left; null while it waits to be sent. */
  askedAt: Ms | null;
  tries: number;
  isConfirmed: boolean;
  /** When it is requested again after a refusal; null if it was not refused. */
  againAt: Ms | null;
  readonly refusals: Backoff;
}

interface Outgoing {
  frame: string;
  onSent?: () => void;
}

/** Callbacks of a link. */
interface LinkEvents {
  open(): void;
  /** A text frame. */
  frame(text: string): void;
  /** Whether the connection is of use without this topic. Absent: no. */
  isOptional?(topic: string): boolean;
  /** An optional topic was requested several times without an answer; it is requested again after a while. */
  unanswered?(topic: string): void;
  /** The connection has ended, unless it was closed; called once. */
  lost(reason: string, retryAfterMs: Ms): void;
}

/**
 * One WebSocket to a venue, with its subscriptions, heartbeat and rate limit. It is never reopened. A requested topic
 * stays requested until it is unsubscribed: it is asked for again when the answer is lost, and after a refusal.
 */
export class Link {
  /** When it opened, by the clock for durations; null if it has not yet. */
  openedAt: Ms | null = null;
  private readonly venue: Venue;
  private readonly rules: StreamRules;
  private readonly network: Network;
  private readonly events: LinkEvents;
  private readonly socket: Socket;
  private readonly startedAt: Ms;
  private readonly subscriptions = new Map<string, Subscription>();
  private readonly outbox: Outgoing[] = [];
  private readonly sent: Ms[] = [];
  private isSending = false;
  private isOver = false;
  private heardAt: Ms;
  private pingedAt: Ms;
  /** When a ping of the protocol was last sent. */
  private protocolPingedAt: Ms;
  private lastId = 0;

  constructor(venue: Venue, url: string, network: Network, events: LinkEvents) {
    this.venue = venue;
    this.rules = venue.stream;
    this.network = network;
    this.events = events;
    this.startedAt = network.uptime();
    this.heardAt = this.startedAt;
    this.pingedAt = this.startedAt;
    this.protocolPingedAt = this.startedAt;
    this.socket = network.connect(url, {
      onOpen: () => {
        this.openedAt = network.uptime();
        this.heardAt = this.openedAt;
        events.open();
      },
      onFrame: (text) => {
        this.heardAt = network.uptime();
        if (!this.isOver) events.frame(text);
      },
      onClose: (reason, retryAfterMs) => this.end(reason, retryAfterMs),
    });
  }

  get confirmedCount(): number {
    let count = 0;
    for (const { isConfirmed } of this.subscriptions.values()) if (isConfirmed) count += 1;
    return count;
  }

  /** Milliseconds since it opened; 0 before. */
  get age(): Ms {
    return this.openedAt === null ? 0 : this.network.uptime() - this.openedAt;
  }

  /** Milliseconds since the last ping. */
  get pingAge(): Ms {
    return this.network.uptime() - this.pingedAt;
  }

  /** Whether it is open and has every subscription that another link has. */
  covers(other: Link | null): boolean {
    if (this.openedAt === null) return false;
    for (const [topic, { isConfirmed }] of other?.subscriptions ?? [])
      if (isConfirmed && this.subscriptions.get(topic)?.isConfirmed !== true) return false;
    return true;
  }

  /** Requests topics that are not subscribed, with as many per request as the venue allows. */
  subscribe(wanted: readonly string[]): void {
    if (!this.isOver) this.askAll(wanted.filter((topic) => !this.subscriptions.has(topic)));
  }

  private askAll(topics: readonly string[]): void {
    for (let at = 0; at < topics.length; at += this.rules.topicsPerRequest) {
      this.ask(topics.slice(at, at + this.rules.topicsPerRequest));
    }
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) {
      const known = this.subscriptions.get(topic);
      if (known === undefined) continue;
      this.subscriptions.delete(topic);
      this.send(this.venue.request('unsubscribe', [topic], this.nextId(), known.id));
    }
  }

  /**
   * Marks topics as confirmed, by name or by the id of their request; returns those that are new. An answer that names
   * neither is about the oldest request.
   */
  confirm(id: number | null, topics: readonly string[]): string[] {
    const fresh: string[] = [];
    const named = id === null && topics.length === 0 ? this.oldestAsked() : this.named(id, topics);
    for (const topic of named) {
      const subscription = this.subscriptions.get(topic)!;
      if (subscription.isConfirmed) continue;
      Object.assign(subscription, { isConfirmed: true, againAt: null });
      subscription.refusals.reset();
      fresh.push(topic);
    }
    return fresh;
  }

  /** Requests topics again that the venue reports as missing or ended. */
  askAgain(topics: readonly string[]): void {
    for (const topic of topics) if (this.subscriptions.has(topic)) this.ask([topic]);
  }

  /**
   * The topics of a refused request. One bad topic fails a whole request, so those that were requested together are
   * requested again one by one. A topic that was requested alone is returned, and requested again after a while. An
   * answer that names neither request nor topic is about the oldest request.
   */
  refuse(id: number | null, topics: readonly string[]): string[] {
    const named = id === null && topics.length === 0 ? this.oldestAsked() : this.named(id, topics);
    const together = this.named(id, []).filter((topic) => this.subscriptions.get(topic)?.isConfirmed === false);
    if (topics.length === 0 && named.length > 1) {
      this.askAgain(named);
      return [];
    }
    for (const topic of named) {
      const subscription = this.subscriptions.get(topic)!;
      subscription.isConfirmed = false;
      subscription.againAt = this.network.uptime() + subscription.refusals.next();
    }
    this.askAgain(together.filter((topic) => !named.includes(topic)));
    return named;
  }

  /** Requested topics, by name or by the id of their request. */
  named(id: number | null, topics: readonly string[]): string[] {
    if (topics.length > 0) return topics.filter((topic) => this.subscriptions.has(topic));
    return [...this.subscriptions].filter(([, subscription]) => subscription.id === id).map(([topic]) => topic);
  }

  private oldestAsked(): string[] {
    const asked = [...this.subscriptions].filter(([, { isConfirmed, askedAt }]) => !isConfirmed && askedAt !== null);
    const [oldest] = asked.sort(([, one], [, other]) => one.askedAt! - other.askedAt!);
    return oldest === undefined ? [] : [oldest[0]];
  }

  /** Confirmed topics that are missing in the venue's own list. */
  missingIn(listed: readonly string[]): string[] {
    const has = new Set(listed);
    const missing = [...this.subscriptions].filter(([topic, one]) => one.isConfirmed && !has.has(topic));
    return missing.map(([topic]) => topic);
  }

  send(frame: string, onSent?: () => void): void {
    this.outbox.push(onSent === undefined ? { frame } : { frame, onSent });
    if (!this.isSending) this.sendNext();
  }

  /**
   * Call twice a second: sends what is due and detects a dead connection. `wasAway`: this process was not running since
   * the last call, so a silence since then proves nothing.
   */
  tick(wasAway: boolean): void {
    if (this.isOver) return;
    const now = this.network.uptime();
    if (wasAway) this.heardAt = now;
    const problem = this.problemAt(now);
    if (problem !== null) this.end(problem);
    else if (this.openedAt !== null) this.keepAlive(now);
  }

  /** Ends the connection without reporting it as lost. */
  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.socket.abandon();
  }

  /** Ends the connection and reports it as lost. */
  end(reason: string, retryAfterMs: Ms = 0): void {
    if (this.isOver) return;
    this.close();
    this.events.lost(reason, retryAfterMs);
  }

  /** Why the connection is unusable; null if it is usable. */
  private problemAt(now: Ms): string | null {
    if (this.openedAt === null) return now - this.startedAt > openMs ? 'it took too long to connect' : null;
    if (now - this.heardAt > quietMs + deadMs) return 'nothing was received, not even an answer to a ping';
    for (const [topic, one] of this.subscriptions) {
      if (isUnanswered(one, now) && one.tries >= maxTries && !this.isOptional(topic))
        return `${topic} was requested ${maxTries} times without an answer`;
    }
    return null;
  }

  private keepAlive(now: Ms): void {
    const isQuiet = now - this.heardAt >= quietMs && this.pingedAt <= this.heardAt;
    if (isQuiet || now - this.pingedAt >= heartbeatMs) {
      this.pingedAt = now;
      this.send(this.venue.heartbeat(this.nextId()));
    }
    if (now - this.protocolPingedAt >= (this.rules.pingMs ?? Number.POSITIVE_INFINITY)) {
      this.protocolPingedAt = now;
      this.socket.ping?.();
    }
    const unanswered: string[] = [];
    for (const [topic, one] of this.subscriptions) {
      const isDue = one.againAt === null ? isUnanswered(one, now) : now >= one.againAt;
      if (isDue && one.againAt === null && one.tries >= maxTries && this.isOptional(topic)) {
        one.againAt = now + maxRefusedMs + one.refusals.next();
        this.events.unanswered?.(topic);
        // One bad topic may fail a whole request without an answer.
      } else if (isDue && one.againAt === null && one.tries === 1) unanswered.push(topic);
      else if (isDue) this.ask([topic]);
    }
    this.askAll(unanswered);
  }

  private isOptional(topic: string): boolean {
    return this.events.isOptional?.(topic) === true;
  }

  private ask(topics: readonly string[]): void {
    const id = this.nextId();
    const asked: Subscription[] = [];
    for (const topic of topics) {
      const known = this.subscriptions.get(topic);
      const refusals = known?.refusals ?? new Backoff(refusedMs, maxRefusedMs, () => this.network.random());
      const isRepeated = known !== undefined && !known.isConfirmed && known.againAt === null;
      const tries = isRepeated ? known.tries + 1 : 1;
      const subscription = { id, askedAt: null, tries, isConfirmed: false, againAt: null, refusals };
      this.subscriptions.set(topic, subscription);
      asked.push(subscription);
    }
    this.send(this.venue.request('subscribe', topics, id, id), () => {
      for (const subscription of asked) subscription.askedAt = this.network.uptime();
    });
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Sends as fast as the venue's limit of frames per second allows. */
  private sendNext(): void {
    this.isSending = false;
    while (this.outbox.length > 0 && this.openedAt !== null && !this.isOver) {
      const now = this.network.uptime();
      while (this.sent.length > 0 && this.sent[0]! <= now - 1000) this.sent.shift();
      if (this.sent.length >= this.rules.framesPerSecond) {
        this.isSending = true;
        this.network.after(this.sent[0]! + 1000 - now, () => this.sendNext());
        return;
      }
      this.sent.push(now);
      const { frame, onSent } = this.outbox.shift()!;
      this.socket.send(frame);
      onSent?.();
    }
  }
}

function isUnanswered({ isConfirmed, askedAt, againAt }: Subscription, now: Ms): boolean {
  return !isConfirmed && againAt === null && askedAt !== null && now - askedAt >= answerMs;
}
