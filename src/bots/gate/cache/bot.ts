import { hash } from 'node:crypto';
import { type Mandate, minuteMs } from '../../../desk/mandate/mandate.ts';

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
    if (mapped === prefixOf(this.name) + id) return mapped;
    this.#hashed.set(mapped, id);
    if (this.#hashed.size > mostHashed) this.#hashed.delete(this.#hashed.keys().next().value!);
    return mapped;
  }

  /**
   * This bot's id for the service's; undefined: it belongs to another bot, the bot gave none, or it is a hash that isn't
   * remembered.
   */
  original(mapped: string): string | undefined {
    const prefix = prefixOf(this.name);
    if (!mapped.startsWith(prefix)) return undefined;
    const rest = mapped.slice(prefix.length);
    return rest.startsWith('_') ? this.#hashed.get(mapped) : rest;
  }
}

/*
 * Bots share one credential, so their ids share one namespace at the service. Each id of a bot becomes one of the
 * service's, one to one: `gate-BOT_ID`. An underscore can't be in a bot's name, so no two bots have a prefix in common.
 * An id longer than the service accepts, or one that begins with an underscore, becomes `gate-BOT__hHASH`; an order to which its bot gave no id is `gate-BOT__nHASH`, of its key.
 */

/** The longest client order id and idempotency key (API 8). */
const longest = 128;

/** The prefix of all of a bot's ids at the service. */
export function prefixOf(bot: string): string {
  return `gate-${bot}_`;
}

/** The bot in a service id; undefined if there is none. */
export function botOf(id: string): string | undefined {
  return /^gate-([a-z0-9-]{1,24})_/.exec(id)?.[1];
}

/** The service's id for a bot's id: a client order id, or an idempotency key. */
export function mappedId(bot: string, id: string): string {
  const mapped = prefixOf(bot) + id;
  if (mapped.length <= longest && !id.startsWith('_')) return mapped;
  return `${prefixOf(bot)}_h${digest(id)}`;
}

/** The client order id of an order that its bot sent without one, by this operation under this key. */
export function unnamedId(bot: string, operation: string, idempotencyKey: string): string {
  return `${prefixOf(bot)}_n${digest(`${operation} ${idempotencyKey}`)}`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The moments of the last minute, by bot; the oldest first. */
export class LastMinute {
  readonly #times = new Map<string, number[]>();

  /** Those of a bot; a new one is added at the end. `now`: ms. */
  of(bot: string, now: number): number[] {
    const times = this.#times.get(bot) ?? [];
    this.#times.set(bot, times);
    const past = times.findIndex((at) => at > now - minuteMs);
    if (past !== 0) times.splice(0, past < 0 ? times.length : past);
    return times;
  }
}
