import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const writing = ['openSync', 'mkdirSync', 'renameSync', 'writeFileSync', 'appendFileSync'] as const;

const filling = ['writeSync', 'fsyncSync'] as const;

/** A disk that fails every write below a folder while a code is set; disposing puts the real one back. */
export class FailingDisk implements Disposable {
  code: string | undefined;
  /** Whether files can still be opened, and only what is written into them fails, as on a full disk. */
  opensFiles = false;
  /** Descriptors of files below the folder. */
  readonly #opened = new Set<number>();
  readonly #real = new Map<string, unknown>();

  constructor(folder: string) {
    for (const name of writing)
      this.#replace(name, (real, [path, flags]) => {
        const isRead = name === 'openSync' && (flags === 'r' || flags === undefined);
        const isHit = !isRead && String(path).startsWith(folder);
        if (isHit && !(this.opensFiles && ['openSync', 'mkdirSync'].includes(name))) this.#fail(name, path);
        const made = real();
        if (isHit && name === 'openSync') this.#opened.add(made as number);
        return made;
      });
    for (const name of filling)
      this.#replace(name, (real, [descriptor]) => {
        if (this.#opened.has(descriptor as number)) this.#fail(name, descriptor);
        return real();
      });
    this.#replace('closeSync', (real, [descriptor]) => {
      this.#opened.delete(descriptor as number);
      return real();
    });
    syncBuiltinESMExports();
  }

  #replace(name: string, call: (real: () => unknown, parameters: unknown[]) => unknown): void {
    const real = (fs as unknown as Record<string, (...parameters: unknown[]) => unknown>)[name]!;
    this.#real.set(name, real);
    Object.assign(fs, { [name]: (...parameters: unknown[]) => call(() => real(...parameters), parameters) });
  }

  #fail(syscall: string, what: unknown): void {
    const { code } = this;
    if (code !== undefined) throw Object.assign(new Error(`${code}: staged, ${syscall} '${what}'`), { code, syscall });
  }

  [Symbol.dispose](): void {
    Object.assign(fs, Object.fromEntries(this.#real));
    syncBuiltinESMExports();
  }
}
