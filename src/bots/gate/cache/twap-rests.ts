import type { TwapOrder } from '../../../wire/contract/strategies.ts';

/** A running TWAP, and how much of it the frames have shown to be filled. */
interface Running {
  twap: TwapOrder;
  /** Base asset: never more than what positions show. */
  filled: number;
  /** The filled size in a reading, base asset, and its time: it counts once frames have surely shown it. */
  read: { readonly filled: number; readonly at: number };
  /** An answer or reading says that it has ended with this much filled, base asset, and when. */
  ended: { readonly filled: number; readonly at: number } | undefined;
}

/** Fills of strategies whose parents are not known yet. */
const rememberedTwaps = 1_000;
/** Sums of doubles are as exact, as a share. */
const rounding = 1e-9;

/**
 * The running TWAPs of all accounts. No stream reports them, and a reading may be ahead of the frames: then a slice
 * would be missing both in the rest and in the position. So what is filled counts by the fills that frames have shown,
 * and by a reading only once frames have surely shown it, too.
 */
export class TwapRests {
  readonly #running = new Map<string, Running>();
  /** The filled size shown in frames, by parent; the oldest first. */
  readonly #fills = new Map<string, number>();
  /** The accounts that have been read. */
  readonly #read = new Set<string>();

  /** The running TWAPs of an account with the rest that still counts; undefined: they have not been read. */
  of(account: string): TwapOrder[] | undefined {
    if (!this.#read.has(account)) return undefined;
    return [...this.#running.values()].flatMap(({ twap, filled }) =>
      twap.account_id === account && filled < twap.total_size * (1 - rounding)
        ? [{ ...twap, status: 'running', filled_size: filled }]
        : [],
    );
  }

  /** No account has been read anymore. */
  forget(): void {
    this.#read.clear();
  }

  /** There are none of an earlier run of the service. */
  startAnew(): void {
    this.#running.clear();
    this.#fills.clear();
    this.#read.clear();
  }

  /** Whether a parent is known to be running. */
  knows(id: string): boolean {
    return this.#running.has(id);
  }

  /** A fill of a slice, as a frame showed it. */
  filled(id: string, size: number): void {
    const sum = (this.#fills.get(id) ?? 0) + size;
    this.#fills.delete(id);
    this.#fills.set(id, sum);
    for (const oldest of this.#fills.keys()) {
      if (this.#fills.size <= rememberedTwaps) break;
      this.#fills.delete(oldest);
    }
    const known = this.#running.get(id);
    if (known === undefined) return;
    known.filled += size;
    this.#endIfShown(id, known);
  }

  /** The answer to the write that started it. */
  started(twap: TwapOrder, now: number): void {
    if (this.#running.has(twap.id) || hasEnded(twap)) return;
    this.#add(twap, this.#fills.get(twap.id) ?? 0, now);
  }

  /** The answer to the write that canceled it. */
  canceled(twap: TwapOrder, now: number): void {
    const known = this.#running.get(twap.id);
    if (known === undefined || !hasEnded(twap)) return;
    known.ended = { filled: twap.filled_size, at: now };
    this.#endIfShown(twap.id, known);
  }

  /**
   * A reading is about to begin: returns what takes its answer, the active TWAPs of an account. `precedes`: the stream
   * has not begun, so its snapshots will show all that is filled by now. `isShown`: whether frames have surely shown
   * what was read at a time.
   */
  reading(
    account: string,
    now: number,
    isShown: (at: number) => boolean,
  ): (active: readonly TwapOrder[], precedes: boolean) => void {
    const before = [...this.#running.values()].filter(({ twap }) => twap.account_id === account);
    return (active, precedes) => {
      this.#read.add(account);
      const found = new Map(active.map((twap) => [twap.id, twap]));
      for (const known of before) this.#compare(known, found.get(known.twap.id), now, isShown);
      for (const twap of active)
        if (!this.#running.has(twap.id))
          this.#add(twap, precedes ? twap.filled_size : (this.#fills.get(twap.id) ?? 0), now);
    };
  }

  #add(twap: TwapOrder, filled: number, at: number): void {
    this.#running.set(twap.id, { twap, filled, read: { filled, at }, ended: undefined });
  }

  /** Its value in a reading that began after it was known. */
  #compare(known: Running, found: TwapOrder | undefined, now: number, isShown: (at: number) => boolean): void {
    const { twap, read, ended } = known;
    if (this.#running.get(twap.id) !== known) return;
    if (isShown(read.at)) {
      known.filled = Math.max(known.filled, read.filled);
      if (found !== undefined) known.read = { filled: found.filled_size, at: now };
    }
    if (found !== undefined && !hasEnded(found)) known.twap = found;
    else if (ended === undefined) known.ended = { filled: found?.filled_size ?? twap.total_size, at: now };
    else if (isShown(ended.at)) this.#running.delete(twap.id);
    this.#endIfShown(twap.id, known);
  }

  #endIfShown(id: string, { filled, ended }: Running): void {
    if (ended !== undefined && filled >= ended.filled * (1 - rounding)) this.#running.delete(id);
  }
}

function hasEnded({ status }: TwapOrder): boolean {
  return status !== 'running' && status !== 'canceling';
}
