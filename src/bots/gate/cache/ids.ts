import { hash } from 'node:crypto';

/*
 * Bots share one credential, so their ids share one namespace at the service. Each id of a bot becomes one of the
 * service's, one to one: `gate-BOT_ID`. An underscore can't be in a bot's name, so no two bots have a prefix in common.
 * An id longer than the service accepts, or one that begins with an underscore, becomes `gate-BOT__hHASH`; an order to which its bot gave no id is `gate-BOT__nHASH`, of its key.
 */

/** The longest client order id and idempotency key (API 8). */
const longest = 128;

/** How all ids of a bot begin at the service. */
export function prefixOf(bot: string): string {
  return `gate-${bot}_`;
}

/** The bot that an id of the service carries; undefined: none. */
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

/**
 * A bot's id, from the service's; undefined: it is not this bot's, the bot gave none, or it is a hash whose original
 * `known` does not have.
 */
export function originalId(
  bot: string,
  mapped: string,
  known: (mapped: string) => string | undefined,
): string | undefined {
  const prefix = prefixOf(bot);
  if (!mapped.startsWith(prefix)) return undefined;
  const rest = mapped.slice(prefix.length);
  return rest.startsWith('_') ? (rest.startsWith('_h') ? known(mapped) : undefined) : rest;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}
