/** An update's place in the venue's sequence. */
export interface UpdateIds {
  /** Ids that the update covers, first and last. */
  first: number;
  last: number;
  /** Id of the update before it. */
  previous: number;
}

/**
 * What to do with an update: `apply` it, ignore it because the book has it already (`stale`), or stop, because something
 * before it is missing (`gap`). After a gap nothing applies until the next full book.
 */
export type Step = 'apply' | 'stale' | 'gap';

/**
 * Joins a market's updates to its full book by the rule that all sequenced venues share: each update names its
 * predecessor. The first update after a full book may overlap it, as Binance's do: then it covers the book's id.
 *
 * Binance USD-M gives U, u and pu; Bybit counts u up by one; Lighter gives begin_nonce and nonce.
 */
export class UpdateChain {
  /** Id of the full book or of the update applied last; null: there is no book to go on from. */
  last: number | null = null;
  /** No update was applied since the full book. */
  private joining = false;

  /** A full book with this id replaces everything. */
  restart(id: number): void {
    this.last = id;
    this.joining = true;
  }

  /** What becomes of the update. Only `apply` and `gap` change the chain. */
  step({ first, last, previous }: UpdateIds): Step {
    const step = this.judge(first, last, previous);
    if (step === 'apply') {
      this.last = last;
      this.joining = false;
    } else if (step === 'gap') this.last = null;
    return step;
  }

  /** What `step` would say, without taking the step. */
  judge(first: number, last: number, previous: number): Step {
    if (this.last === null) return 'gap';
    if (previous === this.last) return 'apply';
    if (this.joining && first <= this.last && this.last <= last) return 'apply';
    return last <= this.last ? 'stale' : 'gap';
  }
}
