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
    this.#before?.();
    try {
      this.#prepared ??= this.#prepare();
      return { changes: Number(this.#prepared.run(...parameters).changes) };
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  /** Executes it without a result, with parameters by position: `get` does not look up how many rows have changed. */
  write(parameters: readonly SQLInputValue[]): void {
    this.#before?.();
    try {
      this.#prepared ??= this.#prepare();
      this.#prepared.get(...parameters);
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  row(...parameters: SQLInputValue[]): SQLOutputValue[] | undefined {
    this.#before?.();
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.get(...parameters) as unknown as SQLOutputValue[] | undefined;
    } catch (error) {
      throw translated(error, this.#file);
    }
  }

  rows(...parameters: SQLInputValue[]): SQLOutputValue[][] {
    this.#before?.();
    try {
      this.#prepared ??= this.#prepare();
      return this.#prepared.all(...parameters) as unknown as SQLOutputValue[][];
    } catch (error) {
      throw translated(error, this.#file);
    }
  }
}
