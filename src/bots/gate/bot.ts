import type { Mandate } from '../../desk/mandate/mandate.ts';
import { mappedId, originalId, prefixOf } from './cache/ids.ts';

/** The maximum number of hashed ids remembered. */
const mostHashed = 20_000;

/** A bot of the gate: its permissions, its accounts, and its ids. */
export class Bot {
  readonly name: string;
  /** Undefined: it has no mandate in force. */
  readonly #mandate: () => Mandate | undefined;
  /** Ids that became hashes, by the service's id. */
  readonly #hashed = new Map<string, string>();

  constructor(name: string, mandate: () => Mandate | undefined) {
    this.name = name;
    this.#mandate = mandate;
  }

  get mandate(): Mandate | undefined {
    return this.#mandate();
  }

  get accounts(): readonly string[] {
    return this.mandate?.accounts ?? [];
  }

  sees(account: unknown): boolean {
    return typeof account === 'string' && this.accounts.includes(account);
  }

  /** The service's id for an id of this bot. */
  mapped(id: string): string {
    const mapped = mappedId(this.name, id);
    if (mapped !== prefixOf(this.name) + id) this.remember(mapped, id);
    return mapped;
  }

  /** Remembers what became a hash. */
  remember(mapped: string, id: string): void {
    this.#hashed.set(mapped, id);
    if (this.#hashed.size > mostHashed) this.#hashed.delete(this.#hashed.keys().next().value!);
  }

  /** This bot's id for the service's; undefined: it belongs to another bot, or the bot gave none. */
  original(mapped: string): string | undefined {
    return originalId(this.name, mapped, (hash) => this.#hashed.get(hash));
  }
}
