/** How long work in pieces goes on before the event loop takes its turn, ms. */
const sliceMs = 1.5;
/** How long one client's work runs, slice by slice, before the next client's turn, ms. */
const turnMs = 100;
/** How many items one client completes in a turn of the event loop before the others are served. */
const shareOfTurn = 16;

/** Work in pieces of a millisecond or two each: it yields after each of them, or to wait for another client's work. */
export type Pieces<T = void> = Generator<unknown, T>;

/** Quick work, which may return pieces that later work waits for. */
type Work = () => Pieces | undefined;

interface Lane {
  /** Waiting in the order of arrival. */
  readonly waiting: Work[];
  /** The event that waiting work waits for. */
  current: Pieces | null;
  /** Beside it. */
  readonly pieces: Pieces[];
  /** How much was done in this turn of the event loop. */
  done: number;
}

/**
 * Shares the event loop between clients: each gets the same part, no matter what it requests. Quick work runs
 * immediately, up to a share of each turn; the rest waits in order. Slow work runs in pieces, one client after another,
 * so the event loop keeps turning.
 */
export class Turns {
  /** How long work that can stop at any moment may take at once, ms. */
  readonly longestMs: number = 5;
  readonly #lanes = new Map<object, Lane>();
  /** How long the first client's turn has lasted, ms. */
  #spentMs = 0;
  readonly #onBug: (error: unknown) => void;
  #isScheduled = false;

  /** `onBug` gets what work throws. */
  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug;
  }

  /** Does a client's work now, or in one of its next turns if it has used its share or has earlier work waiting. */
  take(client: object, work: Work): void {
    const lane = this.#lane(client);
    if (lane.waiting.length > 0 || lane.current !== null || lane.done >= shareOfTurn) lane.waiting.push(work);
    else this.#begin(lane, work);
  }

  /** Whether a client may do quick work now; otherwise it waits for its turn with `take`. */
  admits(client: object): boolean {
    const lane = this.#lane(client);
    if (lane.waiting.length > 0 || lane.current !== null || lane.done >= shareOfTurn) return false;
    lane.done += 1;
    return true;
  }

  /** Resolves on the client's turn, after all its earlier requests. */
  whenTurn(client: object): Promise<void> {
    return new Promise((resolve) => this.take(client, () => void resolve()));
  }

  /** Does a client's work in pieces, one after the other, alongside its quick work. */
  spread(client: object, pieces: Pieces): void {
    this.#lane(client).pieces.push(pieces);
  }

  /** How much of a client's quick work is waiting. */
  waitingOf(client: object): number {
    return this.#lanes.get(client)?.waiting.length ?? 0;
  }

  /** Forgets everything that a client waits for. */
  forget(client: object): void {
    const lane = this.#lanes.get(client);
    if (lane === undefined) return;
    const dropped = [lane.current, ...lane.pieces];
    lane.waiting.length = 0;
    lane.current = null;
    lane.pieces.length = 0;
    for (const pieces of dropped) pieces?.return();
  }

  #lane(client: object): Lane {
    let lane = this.#lanes.get(client);
    if (lane === undefined) {
      lane = { waiting: [], current: null, pieces: [], done: 0 };
      this.#lanes.set(client, lane);
    }
    this.#schedule();
    return lane;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#turn();
      if (this.#lanes.size > 0) this.#schedule();
    });
  }

  /** One turn: everybody's waiting work up to the share, then pieces in a circle until the time is over. */
  #turn(): void {
    const endsAt = performance.now() + sliceMs;
    for (const [client, lane] of this.#lanes) {
      lane.done = 0;
      while (lane.current === null && lane.waiting.length > 0 && lane.done < shareOfTurn && performance.now() < endsAt)
        this.#begin(lane, lane.waiting.shift()!);
      if (lane.waiting.length === 0 && lane.current === null && lane.pieces.length === 0) this.#lanes.delete(client);
    }
    for (let now = performance.now(); now < endsAt; ) {
      const first = this.#lanes.entries().find(([, lane]) => lane.current !== null || lane.pieces.length > 0);
      if (first === undefined) return;
      const isOver = this.#step(first[1]);
      const endedAt = performance.now();
      this.#spentMs += endedAt - now;
      now = endedAt;
      if (isOver || this.#spentMs >= turnMs) this.#rotate(...first);
    }
  }

  /** It is the next client's turn; this one comes last. */
  #rotate(client: object, lane: Lane): void {
    this.#spentMs = 0;
    this.#lanes.delete(client);
    this.#lanes.set(client, lane);
  }

  #begin(lane: Lane, work: Work): void {
    lane.done += 1;
    this.#guarded(() => {
      const pieces = work();
      if (pieces !== undefined && pieces.next().done !== true) lane.current = pieces;
    });
  }

  /**
   * The next piece: first the pieces that other work of the client waits for; returns whether they are done or waiting.
   */
  #step(lane: Lane): boolean {
    const pieces = lane.current ?? lane.pieces[0]!;
    const isCurrent = pieces === lane.current;
    // Outside the lane while it runs, because it may end its own client.
    if (isCurrent) lane.current = null;
    else lane.pieces.shift();
    const next = this.#guarded(() => pieces.next());
    if (next === undefined || next.done === true) return true;
    if (isCurrent) lane.current = pieces;
    else lane.pieces.unshift(pieces);
    return next.value === 'wait';
  }

  /** The result of work; undefined if it threw, which is reported. */
  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#onBug(error);
      return undefined;
    }
  }
}

/** How work gets its turns. */
export type Sharing = Pick<Turns, 'longestMs' | 'take' | 'spread' | 'forget' | 'waitingOf'>;

/** Work in pieces, all at once. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}
