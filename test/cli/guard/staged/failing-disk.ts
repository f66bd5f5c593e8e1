import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const writing = ['openSync', 'mkdirSync', 'renameSync', 'writeFileSync', 'appendFileSync'] as const;

/** A disk that fails every write below a folder while a code is set; `restore` puts the real one back. */
export class FailingDisk implements Disposable {
  code: string | undefined;
  readonly #real = new Map<string, unknown>();

  constructor(folder: string) {
    for (const name of writing) {
      const real = fs[name] as (...parameters: unknown[]) => unknown;
      this.#real.set(name, real);
      Object.assign(fs, {
        [name]: (...parameters: unknown[]) => {
          const [path, flags] = parameters;
          const isRead = name === 'openSync' && (flags === 'r' || flags === undefined);
          if (this.code !== undefined && !isRead && String(path).startsWith(folder))
            throw Object.assign(new Error(`${this.code}: staged, ${name} '${path}'`), {
              code: this.code,
              syscall: name,
            });
          return real(...parameters);
        },
      });
    }
    syncBuiltinESMExports();
  }

  [Symbol.dispose](): void {
    Object.assign(fs, Object.fromEntries(this.#real));
    syncBuiltinESMExports();
  }
}
