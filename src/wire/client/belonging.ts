import { isJsonObject } from '../../base/terms/json-object.ts';
import type { Operation } from '../contract/operation.ts';
import { pathNames } from '../contract/target.ts';
import type { WireResponse } from '../contract/wire.ts';
import { refusalOf } from './client-errors.ts';
import type { Intent } from './intent.ts';
import { type Made, writeOf } from './writes.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Why an answer can't belong to this request: it has the wrong shape, is about another resource, or echoes another
 * request. Undefined if it can. (When a connection delivers one answer twice, every later request on it gets the answer
 * to the request before it.) Only the fields that identify the resource are compared; others may be absent, null or
 * new.
 */
export function answerMismatch(operation: Operation, intent: Intent, answer: WireResponse): string | undefined {
  const { status, body } = answer;
  if (status >= 400) return refusalMismatch(intent, body);
  if (status >= 300) return undefined;
  const data = isJsonObject(body) ? body.data : undefined;
  return (
    shapeMismatch(operation, data) ??
    rowsMismatch(intent, data) ??
    misfitOfName(operation, intent, data) ??
    resourceMismatch(intent, status, data)
  );
}

/** The same check for a resource from another source, such as a write's order found in a list later. */
export function resourceMismatch(intent: Intent, status: number, data: unknown): string | undefined {
  const { made, confirms } = writeOf(intent.operationId) ?? {};
  if (!isJsonObject(data)) return undefined;
  const why = made === undefined ? undefined : otherwiseMade(made, intent, status, data);
  if (why !== undefined) return `${why}: it belongs to another request`;
  return confirms?.(data) === false ? 'the answer does not confirm that it was done' : undefined;
}

/** A refusal may name the client order id that it refused. */
function refusalMismatch({ clientOrderId }: Intent, body: unknown): string | undefined {
  const { client_order_id: given } = refusalOf(body);
  if (clientOrderId === undefined || typeof given !== 'string' || given === clientOrderId) return undefined;
  return `the refusal is about ${shown(given)}, not ${shown(clientOrderId)}: it belongs to another request`;
}

/** The contract says whether `data` is a resource or a list of resources. */
function shapeMismatch(operation: Operation, data: unknown): string | undefined {
  const wanted = operation.success.properties?.data?.type;
  if (wanted === 'array')
    return Array.isArray(data) && data.every(isJsonObject) ? undefined : 'the answer is not a list';
  return wanted === 'object' && !isJsonObject(data) ? 'the answer is not a resource' : undefined;
}

/**
 * The answer must be about the resource that the path names: its field of the same name must match or, for the resource
 * itself, its id. A path may also name an order by its client order id.
 */
function misfitOfName(operation: Operation, { path }: Intent, data: unknown): string | undefined {
  const parameter = pathNames(operation).at(-1);
  if (parameter === undefined || !isJsonObject(data)) return undefined;
  const { properties = {} } = operation.success.properties?.data ?? {};
  const field = Object.hasOwn(properties, parameter) ? parameter : 'id';
  if (!Object.hasOwn(properties, field) || (field === 'id' && operation.responses[201] !== undefined)) return undefined;
  const wanted = path[parameter];
  const given = data[field];
  if (given === wanted && typeof given === 'string') return undefined;
  if (parameter === 'order_id' && typeof given === 'string' && data.client_order_id === wanted) return undefined;
  return `the answer is about ${shown(given)}, not ${shown(wanted)}: it belongs to another request`;
}

/** The rows of a list must have the requested account or client order id. */
function rowsMismatch({ target }: Intent, data: unknown): string | undefined {
  const at = target.indexOf('?');
  if (!Array.isArray(data) || at < 0) return undefined;
  const query = new URLSearchParams(target.slice(at));
  for (const field of ['account_id', 'client_order_id']) {
    const wanted = query.get(field);
    const other = wanted === null ? undefined : data.find((row) => isOther(row[field], wanted));
    if (other !== undefined) return `a ${field} in the list is ${shown(other[field])}, not ${shown(wanted)}`;
  }
  return undefined;
}

function isOther(given: unknown, wanted: string): boolean {
  return typeof given === 'string' && given !== wanted;
}

function otherwiseMade(made: Made, intent: Intent, status: number, data: Fields): string | undefined {
  if (typeof data.id !== 'string' || data.id === '') return `the answer's id is ${shown(data.id)}`;
  const body = (intent.body === undefined ? {} : JSON.parse(intent.body)) as Fields;
  for (const [field, wanted] of Object.entries(made.repeats?.(body) ?? {})) {
    if (wanted !== undefined && data[field] !== wanted)
      return `the answer's ${field} is ${shown(data[field])}, not ${shown(wanted)}`;
  }
  const [field = '', word] = made.otherWord?.(body) ?? [];
  if (word !== undefined && data[field] === word) return `the answer's ${field} is ${shown(word)}`;
  // A replay shows the order as it is now: an amendment or a fill may have changed its size.
  return status === 201 ? otherSize(made, body, data) : undefined;
}

/** A reducing order may have been cut to the position. The `size` of a working order is its remainder. */
function otherSize({ sizes = [], reduces }: Made, body: Fields, data: Fields): string | undefined {
  const wanted = body.size;
  const filled = typeof data.filled_size === 'number' ? data.filled_size : 0;
  const given = sizes.map((field) => data[field]).filter((size) => typeof size === 'number');
  if (typeof wanted !== 'number' || given.length === 0) return undefined;
  const isAsWanted = [...given, given.at(-1)! + filled].some((size) => isNear(size, wanted));
  if (isAsWanted || (reduces?.(body) === true && Math.max(...given) < wanted)) return undefined;
  return `the answer's size is ${shown(given[0])}, not ${shown(wanted)}`;
}

/** Equal up to the rounding of binary fractions. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-9 * Math.abs(other);
}

/** A value as JSON, cut after `most` characters. */
export function shown(value: unknown, most = 80): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > most ? `${text.slice(0, most)}...` : text;
}
