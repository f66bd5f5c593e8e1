import { isJsonObject } from '../../base/terms/json-object.ts';
import { isPathValue } from '../../wire/contract/target.ts';
import type { WireResponse } from '../../wire/contract/wire.ts';
import { notFound } from '../../wire/hosting/failure.ts';
import { newRequestId } from '../../wire/hosting/read-request.ts';
import { type AskedRead, type AskedWrite, type Named, readOf, targetOf } from './asked.ts';
import type { AccountCache } from './cache/account-cache.ts';
import type { Bot } from './cache/bot.ts';
import { handling } from './cache/handling.ts';
import type { ReadLimits, Upstream } from './upstream.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A write whose account is known and belongs to its bot. */
export interface Reached {
  /** The accounts that it concerns; several only for a change of copy groups. */
  readonly accounts: readonly string[];
  /** With the service's ids. */
  readonly path: Readonly<Record<string, string>>;
  /** The order or position in its path, as it was before. */
  readonly before?: unknown;
  /** The order in its path has ended: the service refuses to change it, regardless of the mandate. */
  readonly isOver?: boolean;
}

/** A copy group, as far as its members matter. */
interface Group {
  config_id?: unknown;
  source_account_id?: unknown;
  targets?: unknown;
}

const none = new URLSearchParams();

/** Keeps each bot to its accounts: finds the account of a request, and treats any other account as nonexistent. */
export class Reach {
  readonly #upstream: Upstream;
  readonly #cache: AccountCache;

  constructor(upstream: Upstream, cache: AccountCache) {
    this.#upstream = upstream;
    this.#cache = cache;
  }

  /** The answer to a read, with the bot's ids; null: a reader without a key. Throws failures. */
  async read(bot: Bot | null, asked: AskedRead, limits: ReadLimits): Promise<WireResponse> {
    const { confined } = handling[asked.id];
    if (confined === 'open') return await this.#forwarded(asked, asked.search, limits);
    if (bot === null) throw new Error(`${asked.id} needs a bot`);
    const answer = await this.#readOf(bot, asked, limits);
    return withOwnIds(bot, answer);
  }

  async #readOf(bot: Bot, asked: AskedRead, limits: ReadLimits): Promise<WireResponse> {
    const { confined } = handling[asked.id];
    switch (confined) {
      case 'accounts':
        return filtered(await this.#forwarded(asked, none, limits), ({ id }) => bot.sees(id));
      case 'groups':
        return filtered(await this.#forwarded(asked, none, limits), (group) => isSeen(bot, group));
      case 'rows':
      case 'account': {
        const answer = await this.#forwarded(asked, confinedSearch(bot, asked, this.#cache.markets), limits);
        return filtered(answer, ({ account_id }) => bot.sees(account_id));
      }
      case 'order':
        return await this.#order(bot, asked.path.order_id!, limits);
      case 'position':
      case 'TWAP order':
      case 'scaled order': {
        const answer = await this.#forwarded(asked, none, limits);
        return seenOr404(bot, answer, confined);
      }
      default:
        throw new Error(`${asked.id} is not a read`);
    }
  }

  /** Finds the subject of a write. Throws a 404 if that is not the bot's. */
  async write(bot: Bot, asked: AskedWrite, limits: ReadLimits): Promise<Reached> {
    const { path, body = {} } = asked;
    const { confined } = handling[asked.id];
    switch (confined) {
      case 'account': {
        const account = path.account_id ?? body.account_id;
        if (!bot.sees(account)) throw notFound('account');
        if (body.target_position_id !== undefined) await this.#position(bot, String(body.target_position_id), limits);
        return { accounts: [account as string], path };
      }
      case 'order': {
        const before = await this.#orderBefore(bot, path.order_id!, limits);
        const order_id = before.id === path.order_id ? path.order_id! : bot.mapped(path.order_id!);
        const isOver = before.status !== 'pending' && before.status !== 'resting';
        return { accounts: [String(before.account_id)], path: { ...path, order_id }, before, isOver };
      }
      case 'position': {
        const before = await this.#position(bot, path.position_id!, limits);
        await this.#exitsOf(bot, body, limits);
        return { accounts: [String(before.account_id)], path, before };
      }
      case 'TWAP order':
      case 'scaled order': {
        const read = confined === 'TWAP order' ? 'getTwapOrder' : 'getScaledOrder';
        const before = resourceOf(seenOr404(bot, await this.#forwarded(readOf(read, path), none, limits), confined));
        if (before === undefined) throw notFound(confined);
        return { accounts: [String(before.account_id)], path, before };
      }
      case 'copy-trading group':
      case 'members':
        return { accounts: await this.#membersOf(bot, asked, limits), path };
      default:
        throw new Error(`${asked.id} is not a write for bots`);
    }
  }

  async #forwarded(name: Named, search: URLSearchParams, limits: ReadLimits): Promise<WireResponse> {
    const { operation, path } = name;
    // A body may contain names that no path can.
    if (!Object.values(path).every(isPathValue)) return { status: 404, headers: {}, body: {} };
    return await this.#upstream.read({ operation, path, target: targetOf(name, search) }, limits);
  }

  /** An order by the service's id or by the bot's. */
  async #order(bot: Bot, id: string, limits: ReadLimits): Promise<WireResponse> {
    for (const order_id of [id, bot.mapped(id)]) {
      const answer = await this.#forwarded(readOf('getOrder', { order_id }), none, limits);
      const order = resourceOf(answer);
      if (order === undefined && answer.status !== 404) return answer;
      const isIt = order !== undefined && (order_id === id ? order.id === id : order.client_order_id === order_id);
      if (isIt && bot.sees(order.account_id)) return answer;
    }
    throw notFound('order');
  }

  async #orderBefore(bot: Bot, id: string, limits: ReadLimits): Promise<Fields> {
    const working = this.#cache.orderOf(id);
    if (working?.id === id && bot.sees(working.account_id)) return working;
    return resourceIn(await this.#order(bot, id, limits));
  }

  async #position(bot: Bot, position_id: string, limits: ReadLimits): Promise<Fields> {
    const open = this.#cache.positionOf(position_id);
    if (open !== undefined && bot.sees(open.account_id)) return open;
    const answer = await this.#forwarded(readOf('getPosition', { position_id }), none, limits);
    return resourceIn(seenOr404(bot, answer, 'position'));
  }

  /** The orders that a batch of exits changes must be the bot's. */
  async #exitsOf(bot: Bot, body: Fields, limits: ReadLimits): Promise<void> {
    if (!Array.isArray(body.operations)) return;
    for (const { order_id } of body.operations as readonly { order_id?: string }[])
      if (order_id !== undefined) await this.#orderBefore(bot, order_id, limits);
  }

  /** The leads of the groups that a write is about. */
  async #membersOf(bot: Bot, { id, path, body = {} }: AskedWrite, limits: ReadLimits): Promise<string[]> {
    const listed = await this.#forwarded(readOf('listCopyTradingConfigurations', {}), none, limits);
    const rows = rowsIn(listed);
    if (rows === undefined) throw new Refused(withOwnIds(bot, listed));
    const seen = new Map(rows.filter((group) => isSeen(bot, group)).map((group) => [group.config_id, group]));
    const leadOf = (config_id: unknown) => {
      const group = seen.get(config_id);
      if (group === undefined) throw notFound('copy-trading group');
      return String(group.source_account_id);
    };
    if (id === 'disableCopyTradingConfiguration') return [leadOf(path.config_id)];
    const leads = new Set<string>();
    for (const group of (body.groups ?? []) as readonly Group[]) {
      if (group.config_id !== undefined) leads.add(leadOf(group.config_id));
      if (!isSeen(bot, group)) throw notFound('account');
      leads.add(String(group.source_account_id));
    }
    for (const config_id of (body.deleted_config_ids ?? []) as readonly unknown[]) leads.add(leadOf(config_id));
    return [...leads];
  }
}

/** The service's refusal of a read that a write needs: the answer to the write. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly answer: WireResponse;

  constructor(answer: WireResponse) {
    super('the service refused a read');
    this.answer = answer;
  }
}

/** The query of a list, with the service's ids; a list of everything becomes one of the bot's only account. */
function confinedSearch(bot: Bot, { id, path, search }: AskedRead, markets: AccountCache['markets']): URLSearchParams {
  const given = [...search.getAll('account_id'), ...(path.account_id === undefined ? [] : [path.account_id])];
  const isKnown = path.market_id === undefined || markets.has(path.market_id);
  if (!given.every((account) => bot.sees(account))) throw notFound(isKnown ? 'account' : 'market');
  const mapped = new URLSearchParams();
  for (const [name, value] of search) mapped.append(name, name === 'client_order_id' ? bot.mapped(value) : value);
  const [only, ...others] = bot.accounts;
  const isOfAll = id === 'listOrders' && given.length === 0 && !search.has('client_order_id');
  if (isOfAll && only !== undefined && others.length === 0) mapped.set('account_id', only);
  return mapped;
}

function seenOr404(bot: Bot, answer: WireResponse, what: string): WireResponse {
  const resource = resourceOf(answer);
  if (resource === undefined && answer.status !== 404) return answer;
  if (!bot.sees(resource?.account_id)) throw notFound(what);
  return answer;
}

function resourceIn(answer: WireResponse): Fields {
  const resource = resourceOf(answer);
  if (resource === undefined) throw new Refused(answer);
  return resource;
}

function isSeen(bot: Bot, { source_account_id: lead, targets }: Group): boolean {
  const followers = Array.isArray(targets) ? targets : [];
  return bot.sees(lead) && followers.every(({ account_id }: { account_id?: unknown }) => bot.sees(account_id));
}

/** A service answer with the ids of a bot. Records of others have no client order id. */
export function withOwnIds(bot: Bot, answer: WireResponse): WireResponse {
  if (answer.status < 400) return { ...answer, body: named(bot, answer.body) };
  const error = isJsonObject(answer.body) ? answer.body.error : undefined;
  if (!isJsonObject(error)) return answer;
  const { client_order_id: mapped } = error;
  const own = typeof mapped === 'string' ? bot.original(mapped) : undefined;
  const refusal = named(bot, error) as Record<string, unknown>;
  const isInMessage = typeof mapped === 'string' && own !== undefined && typeof refusal.message === 'string';
  if (isInMessage) refusal.message = (refusal.message as string).replaceAll(mapped, own);
  return { ...answer, body: { ...(answer.body as Fields), error: refusal } };
}

/** A repeated answer, with its own request id: a client takes one that comes twice for an old answer. */
export function onceMore({ status, headers, body }: WireResponse): WireResponse {
  const requestId = newRequestId();
  const { error } = body as Fields;
  const refusal = isJsonObject(error) && { error: { ...error, request_id: requestId } };
  return { status, headers: { ...headers, 'x-request-id': requestId }, body: { ...(body as Fields), ...refusal } };
}

/** Orders appear under the ids that their bot gave them, anywhere in a value. */
export function named(bot: Bot, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => named(bot, item));
  if (!isJsonObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const shown = name === 'client_order_id' && typeof field === 'string' ? bot.original(field) : named(bot, field);
    if (shown !== undefined) copy[name] = shown;
  }
  return copy;
}

/** A list with only the rows for which `isVisible` is true. */
export function filtered(answer: WireResponse, isVisible: (row: Fields) => boolean): WireResponse {
  const { body } = answer;
  if (answer.status >= 300 || !isJsonObject(body) || !Array.isArray(body.data)) return answer;
  return { ...answer, body: { ...body, data: body.data.filter((row) => isJsonObject(row) && isVisible(row)) } };
}

/** The resource in an answer; undefined if it isn't one. */
export function resourceOf({ status, body }: WireResponse): Fields | undefined {
  if (status >= 300 || !isJsonObject(body) || !isJsonObject(body.data)) return undefined;
  return body.data;
}

/** The rows in an answer; undefined if it is not a list. */
export function rowsIn({ status, body }: WireResponse): readonly Fields[] | undefined {
  if (status >= 300 || !isJsonObject(body) || !Array.isArray(body.data)) return undefined;
  return body.data.filter(isJsonObject);
}

/** The request id that an error names, for an answer without the header. */
export function idIn({ body }: WireResponse): string | undefined {
  const error = isJsonObject(body) && isJsonObject(body.error) ? body.error : undefined;
  return typeof error?.request_id === 'string' ? error.request_id : undefined;
}
