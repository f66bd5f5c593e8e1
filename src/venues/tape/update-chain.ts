/** An update's place in the venue's sequence. */
export interface UpdateIds {
  /** The first and last id that the update covers. */
  first: number;
  last: number;
  /** Id of the update before it. */
  previous: number;
}

/**
 * How to treat an update: `apply` it; ignore it because the book already includes it (`stale`); or stop because an
 * update before it is missing (`gap`). After a gap, nothing applies until the next full book.
 */
type Verdict = 'apply' | 'stale' | 'gap';

/**
 * Joins a market's updates to its full book by the rule that all sequenced venues share: each update names its
 * predecessor. The first update after a full book may overlap it, as with Binance: it then covers the book's id.
 *
 * Binance USD-M gives U, u and pu; Bybit counts u up by one; Lighter gives begin_nonce and nonce.
 */
export class UpdateChain {
  /** Id of the full book or of the last update applied; null if there is no book to continue from. */
  last: number | null = null;
  /** Whether no update has been applied since the full book. */
  private joining = false;

  /** A full book with this id replaces everything. */
  restart(id: number): void {
    this.last = id;
    this.joining = true;
  }

  /** Judges an update and advances the chain. Only `apply` and `gap` change it. */
  follow({ first, last, previous }: UpdateIds): Verdict {
    const verdict = this.judge(first, last, previous);
    if (verdict === 'apply') {
      this.last = last;
      this.joining = false;
    } else if (verdict === 'gap') this.last = null;
    return verdict;
  }

  /** Judges an update without advancing the chain. */
  judge(first: number, last: number, previous: number): Verdict {
    if (this.last === null) return 'gap';
    if (previous === this.last) return 'apply';
    if (this.joining && first <= this.last && this.last <= last) return 'apply';
    return last <= this.last ? 'stale' : 'gap';
  }
}
