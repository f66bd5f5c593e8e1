import type { Ms } from '../../engine/model.ts';
import type { Outside, Socket } from './outside.ts';
import type { StreamRules, Venue } from './venue.ts';

/** Time limits for opening a connection, and for the answer to a heartbeat or a subscription. */
const openMs = 15_000;
const answerMs = 10_000;
/** After this many failed attempts, a subscription moves to another connection. */
const maxTries = 3;

interface Subscription {
  /** Id of its request. */
  id: number;
  askedAt: Ms;
  tries: number;
  isConfirmed: boolean;
}

/** One WebSocket to a venue, with its subscriptions, heartbeat and rate limit. It is never reopened. */
export class Link {
  /** When it opened; null if it has not yet. */
  openedAt: Ms | null = null;
  private readonly venue: Venue;
  private readonly rules: StreamRules;
  private readonly outside: Outside;
  private readonly socket: Socket;
  private readonly startedAt: Ms;
  private readonly subscriptions = new Map<string, Subscription>();
  /** Frames waiting to be sent. */
  private readonly outbox: string[] = [];
  private readonly sent: Ms[] = [];
  private isSending = false;
  private isOver = false;
  private heardAt: Ms;
  private heartbeatAt: Ms;
  private lastId = 0;

  /** `onFrame` receives every text frame; `onLost` is called once when the connection ends, unless it was abandoned. */
  constructor(
    venue: Venue,
    url: string,
    outside: Outside,
    on: { open: () => void; frame: (text: string) => void; lost: (reason: string) => void },
  ) {
    this.venue = venue;
    this.rules = venue.stream;
    this.outside = outside;
    this.startedAt = outside.now();
    this.heardAt = this.startedAt;
    this.heartbeatAt = this.startedAt;
    this.onLost = on.lost;
    this.socket = outside.connect(url, {
      onOpen: () => {
        this.openedAt = outside.now();
        this.heardAt = this.openedAt;
        on.open();
      },
      onFrame: (text) => {
        this.heardAt = outside.now();
        if (!this.isOver) on.frame(text);
      },
      onClose: (reason) => this.end(reason),
    });
  }

  private readonly onLost: (reason: string) => void;

  /** Whether every requested topic is confirmed. */
  get isComplete(): boolean {
    if (this.openedAt === null) return false;
    for (const { isConfirmed } of this.subscriptions.values()) if (!isConfirmed) return false;
    return true;
  }

  get confirmedCount(): number {
    let count = 0;
    for (const { isConfirmed } of this.subscriptions.values()) if (isConfirmed) count += 1;
    return count;
  }

  /** Milliseconds since it opened; 0 before. */
  get age(): Ms {
    return this.openedAt === null ? 0 : this.outside.now() - this.openedAt;
  }

  /** Requests topics, with as many per request as the venue allows. */
  subscribe(topics: readonly string[]): void {
    for (let at = 0; at < topics.length; at += this.rules.topicsPerRequest) {
      this.ask(topics.slice(at, at + this.rules.topicsPerRequest));
    }
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) {
      const known = this.subscriptions.get(topic);
      if (known === undefined) continue;
      this.subscriptions.delete(topic);
      this.send(this.venue.unsubscribe([topic], this.nextId(), known.id));
    }
  }

  /** Marks topics as confirmed, by name or by the id of their request; returns those that are new. */
  confirm(id: number | null, topics: readonly string[]): string[] {
    const fresh: string[] = [];
    for (const topic of this.named(id, topics)) {
      const subscription = this.subscriptions.get(topic);
      if (subscription === undefined || subscription.isConfirmed) continue;
      subscription.isConfirmed = true;
      fresh.push(topic);
    }
    return fresh;
  }

  /** Requests topics again that the venue reports as missing or ended. */
  askAgain(topics: readonly string[]): void {
    for (const topic of topics) if (this.subscriptions.has(topic)) this.ask([topic]);
  }

  /**
   * The topics of a refused request: returns those that were requested alone. The others are requested again, one by
   * one.
   */
  refuse(id: number | null, topics: readonly string[]): string[] {
    const named = this.named(id, topics);
    if (topics.length === 0 && named.length > 1) {
      this.askAgain(named);
      return [];
    }
    for (const topic of named) this.subscriptions.delete(topic);
    // One bad topic fails the whole request.
    const others = this.named(id, []).filter((topic) => this.subscriptions.get(topic)?.isConfirmed === false);
    this.askAgain(others);
    return named;
  }

  /** Confirmed topics, by name or by the id of their request. */
  named(id: number | null, topics: readonly string[]): string[] {
    if (topics.length > 0) return topics.filter((topic) => this.subscriptions.has(topic));
    return [...this.subscriptions].filter(([, subscription]) => subscription.id === id).map(([topic]) => topic);
  }

  /** Confirmed topics that are missing in the venue's own list. */
  missingIn(listed: readonly string[]): string[] {
    const has = new Set(listed);
    const missing = [...this.subscriptions].filter(([topic, one]) => one.isConfirmed && !has.has(topic));
    return missing.map(([topic]) => topic);
  }

  send(frame: string): void {
    this.outbox.push(frame);
    if (!this.isSending) this.sendNext();
  }

  /** Call every second: sends heartbeats and detects a dead connection. */
  tick(): void {
    if (this.isOver) return;
    const now = this.outside.now();
    const problem = this.problemAt(now);
    if (problem !== null) this.end(problem);
    else if (this.openedAt !== null) this.keepAlive(now);
  }

  /** When the last heartbeat was sent. */
  get pingedAt(): Ms {
    return this.heartbeatAt;
  }

  /** Abandons the connection without calling `onLost`. */
  abandon(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.socket.abandon();
  }

  /** Why the connection is unusable; null if it is usable. */
  private problemAt(now: Ms): string | null {
    if (this.openedAt === null) return now - this.startedAt > openMs ? 'it took too long to connect' : null;
    if (now - this.heardAt > this.rules.heartbeatMs + answerMs)
      return 'nothing was received, not even an answer to a ping';
    for (const [topic, subscription] of this.subscriptions) {
      const isLate = !subscription.isConfirmed && now - subscription.askedAt >= answerMs;
      if (isLate && subscription.tries >= maxTries) return `${topic} was requested ${maxTries} times without an answer`;
    }
    return null;
  }

  private keepAlive(now: Ms): void {
    if (now - this.heartbeatAt >= this.rules.heartbeatMs) {
      this.heartbeatAt = now;
      this.send(this.venue.heartbeat(this.nextId()));
    }
    for (const [topic, { isConfirmed, askedAt }] of this.subscriptions) {
      if (!isConfirmed && now - askedAt >= answerMs) this.ask([topic]);
    }
  }

  private end(reason: string): void {
    if (this.isOver) return;
    this.abandon();
    this.onLost(reason);
  }

  private ask(topics: readonly string[]): void {
    const id = this.nextId();
    const askedAt = this.outside.now();
    for (const topic of topics) {
      const tries = (this.subscriptions.get(topic)?.tries ?? 0) + 1;
      this.subscriptions.set(topic, { id, askedAt, tries, isConfirmed: false });
    }
    this.send(this.venue.subscribe(topics, id));
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Sends as fast as the venue's limit of frames per second allows. */
  private sendNext(): void {
    this.isSending = false;
    while (this.outbox.length > 0 && this.openedAt !== null && !this.isOver) {
      const now = this.outside.now();
      while (this.sent.length > 0 && this.sent[0]! <= now - 1000) this.sent.shift();
      if (this.sent.length >= this.rules.framesPerSecond) {
        this.isSending = true;
        this.outside.after(this.sent[0]! + 1000 - now, () => this.sendNext());
        return;
      }
      this.sent.push(now);
      this.socket.send(this.outbox.shift()!);
    }
  }
}
