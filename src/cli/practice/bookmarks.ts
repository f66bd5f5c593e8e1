import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { usageFailure } from '../../ground/failure/failure.ts';
import { readRegularFile, writePrivateFile } from '../../ground/files/private-files.ts';
import { jsonObjectIn } from '../../terms/json-object.ts';

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

  /** Throws for a file that can't be read: what it has must not be replaced. */
  #bySeed(): Readonly<Record<string, Named>> {
    if (!existsSync(this.#file)) return {};
    const kept = jsonObjectIn(readRegularFile(this.#file).text);
    if (kept === null || !Object.values(kept).every(isNamed))
      throw usageFailure(`${this.#file} is not a bookmarks file.`, 'Move it aside.');
    return kept as Record<string, Named>;
  }
}

function isNamed(value: unknown): value is Named {
  return typeof value === 'object' && value !== null && Object.values(value).every(Number.isSafeInteger);
}
