import { isJsonObject, type JsonObject } from '../../../base/terms/json-object.ts';
import { Account } from '../../contract/accounts.ts';
import { Order } from '../../contract/orders.ts';
import { Position } from '../../contract/positions.ts';
import type { Schema } from '../../contract/schema.ts';

/*
 * The fault in a frame, such as `events[0].price must be a decimal`; undefined if perp can use it. Operations, types,
 * fields and words that perp does not know are not wrong: services add them.
 */

/** The fault in a frame of the market stream. */
export function marketFrameIssue(frame: JsonObject): string | undefined {
  if (typeof frame.op !== 'string') return 'op must be text';
  const fields = own(marketFrames, frame.op);
  if (fields === undefined) return undefined;
  return (
    fieldsIssue(fields, frame, '') ??
    (frame.op === 'events' ? listIssue(eventIssue, frame.events, 'events') : undefined)
  );
}

/** The fault in a frame of the account stream. A null in place of an optional field of a resource is removed. */
export function accountFrameIssue(frame: JsonObject): string | undefined {
  if (typeof frame.type !== 'string') return 'type must be text';
  const fields = own(accountFrames, frame.type);
  return fields === undefined ? undefined : (fieldsIssue(fields, frame, '') ?? contentIssue(frame));
}

/** Whether perp knows this operation of the market stream, and every type of event in its frame. */
export function isKnownMarketFrame({ op, events }: JsonObject): boolean {
  const isKnownEvent = (event: unknown) => isJsonObject(event) && own(marketEvents, String(event.type)) !== undefined;
  return own(marketFrames, String(op)) !== undefined && (!Array.isArray(events) || events.every(isKnownEvent));
}

/** Whether perp knows this type of frame of the account stream. */
export function isKnownType(type: string): boolean {
  return own(accountFrames, type) !== undefined;
}

/** The fault in the result of a request to the market stream. */
export function resultIssue(method: string, result: unknown): string | undefined {
  if (method === 'ping') return isTime(result) ? undefined : 'the answer to ping must be a time';
  return method === 'candles.history' ? listIssue(candleIssue, result, 'result') : undefined;
}

type Check = (value: unknown) => boolean;
type Kind = readonly [check: Check, words: string];
type Fields = Readonly<Record<string, Kind>>;

/** The last moment that a JavaScript date can hold. */
const lastTime = 8.64e15;
const largestNumber = 1e15;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Math.abs(value) <= largestNumber;
const isWhole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => isWhole(value) && (value as number) <= lastTime;
const isFlag: Check = (value) => typeof value === 'boolean';
const isDecimal: Check = (value) => typeof value === 'string' && value.length <= 40 && /^-?\d+(\.\d+)?$/.test(value);
const isLevel: Check = (value) => isJsonObject(value) && isDecimal(value.px) && isDecimal(value.sz);

const text: Kind = [isText, 'text'];
const decimal: Kind = [isDecimal, 'a decimal'];
const time: Kind = [isTime, 'a time in Unix milliseconds'];
const id: Kind = [isWhole, 'a whole number'];
const flag: Kind = [isFlag, 'true or false'];
const list: Kind = [Array.isArray, 'a list'];
const levels: Kind = [(value) => Array.isArray(value) && value.every(isLevel), 'a list of levels with px and sz'];
const error: Kind = [(value) => isText(value) || isJsonObject(value), 'an error'];
const optional = ([check, words]: Kind): Kind => [(value) => value === undefined || check(value), words];
const nullable = ([check, words]: Kind): Kind => [
  (value) => value === undefined || value === null || check(value),
  `${words} or null`,
];

const marketFrames: Readonly<Record<string, Fields>> = {
  sub_ok: { id, sub: text, snapshotBoundary: optional(flag) },
  sub_err: { id, error },
  events: { sub: text, events: list },
  snapshot_end: { id },
  res: { id },
  err: { id: optional(id), error },
  end: { id },
  draining: {},
};

const figure = nullable([isNumber, 'a number']);
const ofMarket = { provider: text, symbol: text };
const candle: Fields = {
  ...ofMarket,
  interval: text,
  openTime: time,
  closeTime: time,
  open: decimal,
  high: decimal,
  low: decimal,
  close: decimal,
  volume: decimal,
  quoteVolume: nullable(decimal),
  trades: nullable(id),
  isFinal: flag,
};

const marketEvents: Readonly<Record<string, Fields>> = {
  tick: { ...ofMarket, kind: text, price: decimal, time },
  book: { ...ofMarket, bids: levels, asks: levels, time: optional(time) },
  trade: { ...ofMarket, tradeId: text, side: text, price: decimal, size: decimal, time },
  candle,
  marketStats: {
    ...ofMarket,
    markPx: figure,
    change24hPct: figure,
    fundingRate: figure,
    fundingIntervalHours: figure,
    openInterestUsd: figure,
    dayNtlVlm: figure,
    time: optional(time),
  },
  status: { provider: text, symbol: optional(text), status: text, time: optional(time) },
};

const numbered = { seq: optional(id), time: optional(time) };
const accountFrames: Readonly<Record<string, Fields>> = {
  hello: { stream_id: text, resumed: optional(flag) },
  snapshot: { ...numbered, account_id: optional(text), positions: list, orders: list },
  account: { ...numbered, account_id: text, event: text },
  position: { ...numbered, account_id: text, event: text },
  order: { ...numbered, account_id: text, event: text },
  fill: { ...numbered, account_id: text },
  snapshot_end: {},
  heartbeat: {},
  reconnect: {},
  error: { code: optional(text), message: optional(text) },
};

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function fieldsIssue(fields: Fields, value: JsonObject, at: string): string | undefined {
  for (const name in fields) {
    const [check, words] = fields[name]!;
    if (!check(value[name])) return `${at}${name} must be ${words}`;
  }
  return undefined;
}

type IssueOf = (value: unknown, at: string) => string | undefined;

function listIssue(issueOf: IssueOf, values: unknown, at: string): string | undefined {
  if (!Array.isArray(values)) return `${at} must be a list`;
  for (const [index, value] of values.entries()) {
    const issue = issueOf(value, `${at}[${index}]`);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function eventIssue(event: unknown, at: string): string | undefined {
  if (!isJsonObject(event)) return `${at} must be an object`;
  if (typeof event.type !== 'string') return `${at}.type must be text`;
  if (event.type === 'candle') return candleIssue(event, at);
  const fields = own(marketEvents, event.type);
  return fields === undefined ? undefined : fieldsIssue(fields, event, `${at}.`);
}

function candleIssue(event: unknown, at: string): string | undefined {
  if (!isJsonObject(event)) return `${at} must be an object`;
  const issue = fieldsIssue(candle, event, `${at}.`);
  if (issue !== undefined || (event.closeTime as number) >= (event.openTime as number)) return issue;
  return `${at}.closeTime must not be before openTime`;
}

/** The fault in the resources of an account stream frame. */
function contentIssue(frame: JsonObject): string | undefined {
  const { type } = frame;
  if (type === 'snapshot') {
    return (
      resourceIssue(Account, frame.account, 'account') ??
      listIssue((one, at) => resourceIssue(Position, one, at), frame.positions, 'positions') ??
      listIssue((one, at) => resourceIssue(Order, one, at), frame.orders, 'orders')
    );
  }
  if (type === 'account') return frame.event === 'removed' ? undefined : resourceIssue(Account, frame.account, type);
  if (type === 'position') return resourceIssue(Position, frame.position, type);
  if (type === 'order') return resourceIssue(Order, frame.order, type);
  return type === 'fill' ? resourceIssue(Order, frame.fill, type) : undefined;
}

/** A resource has an id; its other known fields may be absent, but have the contract's types. */
function resourceIssue(schema: Schema, value: unknown, at: string): string | undefined {
  if (!isJsonObject(value)) return `${at} must be an object`;
  if (typeof value.id !== 'string' || value.id === '') return `${at}.id must be text`;
  return partsIssue(schema, value, at);
}

function partsIssue({ properties = {}, required = [] }: Schema, value: JsonObject, at: string): string | undefined {
  for (const name in properties) {
    const part = value[name];
    if (part === undefined) continue;
    if (part === null && !required.includes(name)) {
      delete value[name];
      continue;
    }
    const issue = partIssue(properties[name]!, part, `${at}.${name}`, name);
    if (issue !== undefined) return issue;
  }
  return undefined;
}

function partIssue(
  { type, items, properties, required, enum: words }: Schema,
  part: unknown,
  at: string,
  name: string,
): string | undefined {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const wanted = types.find((one) => one !== 'null');
  if (part === null) return types.includes('null') || wanted === undefined ? undefined : `${at} must not be null`;
  if (wanted === 'string' && typeof part !== 'string') return `${at} must be text`;
  if ((wanted === 'number' || wanted === 'integer') && !isNumber(part)) return `${at} must be a number`;
  if (wanted === 'boolean' && typeof part !== 'boolean') return `${at} must be true or false`;
  if (wanted === 'array') {
    const issueOf: IssueOf = (one, of) => partIssue(items ?? {}, one, of, name);
    return listIssue(issueOf, part, at);
  }
  if (wanted === 'object')
    return isJsonObject(part) ? partsIssue({ properties, required } as Schema, part, at) : `${at} must be an object`;
  // Profit and loss depend on it; other words may be new ones.
  const isDecisive = name === 'side' && words !== undefined && !words.includes(part as string);
  return isDecisive ? `${at} must be ${words.join(' or ')}` : undefined;
}
