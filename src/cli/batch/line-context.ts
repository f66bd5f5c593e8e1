import type { Connection } from '../connection.ts';
import { Context, type Outside } from '../context.ts';
import { usageFailure } from '../failure.ts';
import { plainPalette } from '../output/palette.ts';
import type { Settings } from '../settings.ts';

/** Names that commands look up are read again after this time. */
const knownForMs = 30_000;

/** What the commands of one batch have in common: a connection, and what names mean. */
export class BatchMemory {
  readonly context: Context;
  readonly outside: Outside;
  readonly #known = new Map<string, { value: Promise<unknown>; at: number }>();

  constructor(context: Context) {
    this.context = context;
    const { io } = context;
    const nobodyThere = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false };
    this.outside = {
      ...context.outside,
      io: {
        ...nobodyThere,
        columns: Number.POSITIVE_INFINITY,
        out: () => {},
        err: (text) => io.err(text),
        readInput: async () => {
          throw usageFailure("Standard input is not a command's own in a batch.", 'Name a file.');
        },
      },
    };
  }

  /** What was read not long ago, else what is read now. */
  recall<T>(name: string, read: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#known.get(name);
    if (known !== undefined && now - known.at < knownForMs) return known.value as Promise<T>;
    const value = read();
    this.#known.set(name, { value, at: now });
    value.catch(() => this.#known.delete(name));
    return value;
  }
}

/** What one command of a batch gets: settings of its own, nobody to ask, and the connection of the batch. */
export class LineContext extends Context {
  readonly #memory: BatchMemory;
  readonly #looksAnew: boolean;

  /** A command that shows markets or accounts (`looksAnew`) reads them; one that only names them recalls them. */
  constructor(memory: BatchMemory, settings: Settings, looksAnew: boolean) {
    const { registry } = memory.context;
    super({
      settings,
      registry,
      outside: memory.outside,
      interruption: () => memory.context.signal,
      palette: plainPalette,
    });
    this.#memory = memory;
    this.#looksAnew = looksAnew;
  }

  override async connection(): Promise<Connection> {
    const connection = await this.#memory.context.connection();
    connection.intents.isDeliberate = this.settings.fresh;
    return connection;
  }

  override once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const isLasting = name === 'markets' || name === 'accounts';
    return isLasting && !this.#looksAnew ? this.#memory.recall(name, work) : super.once(name, work);
  }

  /** The connection is the batch's. */
  override async close(): Promise<void> {}
}
