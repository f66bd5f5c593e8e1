import type { Timing } from './timing.ts';

/**
 * Delays that double from `firstMs` to `maxMs`, each shortened by a random amount of up to half, so that clients
 * spread out.
 */
export class Backoff {
  private failures = 0;
  private readonly firstMs: number;
  private readonly maxMs: number;
  private readonly random: () => number;

  constructor(firstMs: number, maxMs: number, random: () => number) {
    this.firstMs = firstMs;
    this.maxMs = maxMs;
    this.random = random;
  }

  /** How long to wait after one more failure, ms. */
  next(): number {
    const whole = Math.min(this.maxMs, this.firstMs * 2 ** Math.min(this.failures, 30));
    this.failures += 1;
    return Math.round(whole * (0.5 + this.random() / 2));
  }

  /** Call after a success. */
  reset(): void {
    this.failures = 0;
  }
}

/** One connection. It is never opened again, and reports nothing after `close`. */
interface Link {
  close(): void;
}

/** Events of a connection: that it is open, and that it has ended without being closed. */
export interface LinkReport<End> {
  opened(): void;
  lost(end: End): void;
}

/** The owner of a lasting link. */
interface LinkOwner<L extends Link, End> {
  /** Starts to open a connection; it reports later, never before this returns. */
  open(report: LinkReport<End>): L;
  /** A connection is open: the current one, or its replacement (`next`). */
  opened?(link: L): void;
  /** There is no connection any longer, or none could be opened: call `retry`, or `close`. */
  lost(link: L, end: End): void;
  /** The replacement was lost; the current connection continues. */
  replacementLost?(end: End): void;
  /** Whether a replacement can serve alone now that this connection is lost; without this, each can. */
  takesOver?(replacement: L, lost: L): boolean;
  /** The replacement has become the current connection. */
  promoted?(link: L): void;
}

/** How soon connections are opened again. */
interface LinkDelays {
  /** Delays between attempts: the first, and the longest. */
  firstMs: number;
  longestMs: number;
  /** A connection that takes longer than this to open is raced by another; null: never. */
  raceMs: number | null;
}

/**
 * A lasting connection: reopened with growing delays, or when the server allows it, and replaced by a second one that
 * overlaps with it. A connection that is slow to open is raced by another.
 */
export class PersistentLink<L extends Link, End> {
  /** The connection in use; null while there is none. */
  current: L | null = null;
  /** Its replacement, while there are two. */
  next: L | null = null;
  private readonly timing: Timing;
  private readonly delays: LinkDelays;
  private readonly owner: LinkOwner<L, End>;
  private readonly waits: Backoff;
  /** Connections that are being opened; the first that opens is used. */
  private readonly attempts = new Set<L>();
  private notBefore = Number.NEGATIVE_INFINITY;
  private cancelOpening = () => {};
  private isClosed = false;

  constructor(timing: Timing, delays: LinkDelays, owner: LinkOwner<L, End>) {
    this.timing = timing;
    this.delays = delays;
    this.owner = owner;
    this.waits = new Backoff(delays.firstMs, delays.longestMs, () => timing.random());
  }

  /** Every connection, including those being opened. */
  get links(): L[] {
    return [this.current, this.next, ...this.attempts].filter((link) => link !== null);
  }

  /** How long the server asks to wait before the next connection, ms; 0 if it does not ask. */
  get waitMs(): number {
    return Math.max(0, this.notBefore - this.timing.uptime());
  }

  /** Opens a connection now. */
  open(): void {
    if (this.isClosed || this.current !== null) return;
    const attempt = this.newLink();
    this.attempts.add(attempt);
    if (this.delays.raceMs !== null) this.openIn(this.delays.raceMs);
  }

  /** Opens a connection after a delay that grows with each failure; returns it, ms. */
  retry(): number {
    return this.openIn(this.waits.next());
  }

  /** Opens a connection in this many milliseconds, or when the server allows it; returns the delay. */
  openIn(ms: number): number {
    this.cancelOpening();
    if (this.isClosed) return 0;
    const wait = Math.max(ms, this.waitMs);
    this.cancelOpening = this.timing.after(wait, () => this.open());
    return wait;
  }

  /** The server refuses further connections for this long. */
  holdOff(ms: number): void {
    this.notBefore = Math.max(this.notBefore, this.timing.uptime() + ms);
  }

  /** A connection has worked: the next delay is the first again. */
  worked(): void {
    this.waits.reset();
  }

  /** Opens a second connection beside the current one, unless there are two already. */
  replace(): void {
    if (this.isClosed || this.next !== null || this.current === null) return;
    this.next = this.newLink();
  }

  /** The replacement takes over, and the current connection is closed. */
  promote(): void {
    if (this.next === null) return;
    this.current?.close();
    this.current = this.next;
    this.next = null;
    this.owner.promoted?.(this.current);
  }

  /** Gives up the replacement; another is opened no sooner than after a growing delay. */
  dropReplacement(): void {
    this.next?.close();
    this.next = null;
    this.holdOff(this.waits.next());
  }

  /** Closes every connection; `retry` or `openIn` opens another. */
  drop(): void {
    for (const link of this.links) link.close();
    this.attempts.clear();
    this.current = null;
    this.next = null;
  }

  close(): void {
    this.isClosed = true;
    this.cancelOpening();
    this.drop();
  }

  private newLink(): L {
    const link: L = this.owner.open({
      opened: () => this.opened(link),
      lost: (end) => this.lost(link, end),
    });
    return link;
  }

  /** The first attempt that opens is the connection. */
  private opened(link: L): void {
    if (this.attempts.delete(link)) {
      this.cancelOpening();
      for (const other of this.attempts) other.close();
      this.attempts.clear();
      this.current = link;
    }
    this.owner.opened?.(link);
  }

  private lost(link: L, end: End): void {
    if (this.attempts.delete(link)) this.owner.lost(link, end);
    else if (link === this.next) {
      this.next = null;
      this.owner.replacementLost?.(end);
    } else if (link === this.current) {
      this.current = null;
      if (this.next !== null && this.owner.takesOver?.(this.next, link) !== false) this.promote();
      else {
        this.drop();
        this.owner.lost(link, end);
      }
    }
  }
}
