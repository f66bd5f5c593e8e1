import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { translated } from './errors.ts';

/** A statement that is prepared when first used, so startup pays only for what it uses. */
export class Statement {
  readonly #file: string;
  readonly #prepare: () => StatementSync;
  readonly #before: (() => void) | undefined;
  #prepared: StatementSync | undefined;

  /** `before` is called before each execution. */
  constructor(file: string, prepare: () => StatementSync, before?: () => void) {
    this.#file = file;
    this.#prepare = prepare;
    this.#before = before;
  }

  /** Prepared again at the next use, because the file is being reopened. */
  forget(): void {
    this.#prepared = undefined;
  }

  /** Executes it; returns the number of changed rows. */
  run(...parameters: SQLInputValue[]): { changes: number } {
    return { changes: Number(this.#use((prepared) => prepared.run(...parameters)).changes) };
  }

  /** Executes it without a result, with parameters by position: `get` does not look up how many rows have changed. */
  write(parameters: readonly SQLInputValue[]): void {
    this.#use((prepared) => prepared.get(...parameters));
  }

  row(...parameters: SQLInputValue[]): SQLOutputValue[] | undefined {
    return this.#use((prepared) => prepared.get(...parameters)) as unknown as SQLOutputValue[] | undefined;
  }

  rows(...parameters: SQLInputValue[]): SQLOutputValue[][] {
    return this.#use((prepared) => prepared.all(...parameters)) as unknown as SQLOutputValue[][];
  }

  #use<T>(work: (prepared: StatementSync) => T): T {
    this.#before?.();
    try {
      this.#prepared ??= this.#prepare();
      return work(this.#prepared);
    } catch (error) {
      throw translated(error, this.#file);
    }
  }
}
