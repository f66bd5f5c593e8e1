import { isJsonObject } from '../../base/terms/json-object.ts';
import type { WireResponse } from '../../wire/contract/wire.ts';
import { newRequestId } from '../../wire/hosting/read-request.ts';
import type { Bot } from './bot.ts';

type Fields = Record<string, unknown>;

/** An answer of the service with the ids of a bot. Records of others have no client order id. */
export function withOwnIds(bot: Bot, answer: WireResponse): WireResponse {
  if (answer.status < 400) return { ...answer, body: named(bot, answer.body) };
  const error = isJsonObject(answer.body) ? answer.body.error : undefined;
  if (!isJsonObject(error)) return answer;
  const { client_order_id: mapped } = error;
  const own = typeof mapped === 'string' ? bot.original(mapped) : undefined;
  const refusal = named(bot, error) as Fields;
  const isInMessage = typeof mapped === 'string' && own !== undefined && typeof refusal.message === 'string';
  if (isInMessage) refusal.message = (refusal.message as string).replaceAll(mapped, own);
  return { ...answer, body: { ...(answer.body as Fields), error: refusal } };
}

/** An answer once more, with its own request id: a client takes one that comes twice for an old answer. */
export function onceMore({ status, headers, body }: WireResponse): WireResponse {
  const requestId = newRequestId();
  const { error } = body as Fields;
  const refusal = isJsonObject(error) && { error: { ...error, request_id: requestId } };
  return { status, headers: { ...headers, 'x-request-id': requestId }, body: { ...(body as Fields), ...refusal } };
}

/** Orders are shown under the ids that their bot gave them, wherever they are in a value. */
export function named(bot: Bot, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => named(bot, item));
  if (!isJsonObject(value)) return value;
  const copy: Fields = {};
  for (const [name, field] of Object.entries(value)) {
    const shown = name === 'client_order_id' && typeof field === 'string' ? bot.original(field) : named(bot, field);
    if (shown !== undefined) copy[name] = shown;
  }
  return copy;
}

/** A list without the rows of which `isVisible` says so. */
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
