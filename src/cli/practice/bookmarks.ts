import { join } from 'node:path';
import { readRegularFile, writePrivateFile } from '../../ground/files/private-files.ts';

type Named = Readonly<Record<string, number>>;
type OfTapes = Pick<typeof import('../../service/live/recording.ts'), 'readBookmarks' | 'setBookmark'>;

/** Named times to start at again: the bookmarks of a tape; those of a seed are in a file of perp's own. */
export class Bookmarks {
  readonly #ofTapes: OfTapes;
  readonly #tape: string | null;
  readonly #file: string;
  readonly #seed: string;

  constructor(ofTapes: OfTapes, stateFolder: string, books: { tape: string | null; seed: number }) {
    this.#ofTapes = ofTapes;
    this.#tape = books.tape;
    this.#seed = String(books.seed);
    this.#file = join(stateFolder, 'practice', 'bookmarks.json');
  }

  /** All of them, by name; Unix ms of the market itself. */
  get all(): Named {
    return this.#tape === null ? (this.#bySeed()[this.#seed] ?? {}) : this.#ofTapes.readBookmarks(this.#tape);
  }

  /** Throws for an invalid name, and if it can't be written. */
  add(name: string, time: number): void {
    if (this.#tape !== null) {
      this.#ofTapes.setBookmark(this.#tape, name, time);
      return;
    }
    const bySeed = this.#bySeed();
    const own = { ...bySeed[this.#seed], [name]: time };
    writePrivateFile(this.#file, `${JSON.stringify({ ...bySeed, [this.#seed]: own }, null, 1)}\n`);
  }

  #bySeed(): Readonly<Record<string, Named>> {
    try {
      const kept: unknown = JSON.parse(readRegularFile(this.#file).text);
      if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return {};
      return Object.fromEntries(Object.entries(kept).filter(([, named]) => isNamed(named)));
    } catch {
      return {};
    }
  }
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && Object.values(value).every(Number.isSafeInteger);
}
