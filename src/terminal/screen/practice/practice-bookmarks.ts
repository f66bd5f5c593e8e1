import { join } from 'node:path';

type Named = Readonly<Record<string, number>>;
type OfTapes = Pick<typeof import('../../../service/live/recording.ts'), 'readBookmarks' | 'setBookmark'>;

/** Named times to start at again: the bookmarks of a tape; those of a seed are kept as if its markets were one. */
export class Bookmarks {
  readonly #ofTapes: OfTapes;
  readonly #tape: string;

  constructor(ofTapes: OfTapes, stateFolder: string, { tape, seed }: { tape: string | null; seed: number }) {
    this.#ofTapes = ofTapes;
    this.#tape = tape ?? join(stateFolder, 'practice', `seed-${seed}.jsonl`);
  }

  /** All of them, by name; Unix ms of the market itself. Throws for a file that can't be read. */
  get all(): Named {
    return this.#ofTapes.readBookmarks(this.#tape);
  }

  /** Throws for an invalid name, and if it can't be written. */
  add(name: string, time: number): void {
    this.#ofTapes.setBookmark(this.#tape, name, time);
  }
}
