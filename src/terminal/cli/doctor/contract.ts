import { factsOf } from '../../../base/failure/report.ts';
import { isJsonObject, type JsonObject, jsonObjectIn } from '../../../base/terms/json-object.ts';
import { counted } from '../../../base/text/format.ts';
import { type Arguments, authorization, formRequest } from '../../../wire/client/form-request.ts';
import {
  accountFrameIssue,
  isKnownMarketFrame,
  isKnownType,
  marketFrameIssue,
} from '../../../wire/client/streams/frame-checks.ts';
import { Account } from '../../../wire/contract/accounts.ts';
import type { Operation } from '../../../wire/contract/operation.ts';
import { type OperationId, operations } from '../../../wire/contract/operations.ts';
import { Order } from '../../../wire/contract/orders.ts';
import { Position } from '../../../wire/contract/positions.ts';
import { array, object, type Schema } from '../../../wire/contract/schema.ts';
import { streamPaths } from '../../../wire/contract/streams.ts';
import { pathNames } from '../../../wire/contract/target.ts';
import { validate } from '../../../wire/contract/validate.ts';
import type { StreamTransport } from '../../../wire/contract/wire.ts';
import type { Console } from '../../console/console.ts';
import { type Finding, fail, maxWaitMs, ok, warn, withoutAddress } from './finding.ts';

type ReadId = { [Id in OperationId]: (typeof operations)[Id]['method'] extends 'GET' ? Id : never }[OperationId];

/** The names in braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** Which earlier answer names a resource: the operation, and the field of its first row. */
const named: Readonly<Record<NamesIn<(typeof operations)[ReadId]['path']>, readonly [from: ReadId, field: string]>> = {
  account_id: ['listAccounts', 'id'],
  market_id: ['listMarkets', 'market_id'],
  position_id: ['listOpenPositions', 'id'],
  order_id: ['listOrders', 'id'],
  twap_order_id: ['listActiveTwapOrders', 'id'],
  scaled_order_id: ['listScaledOrders', 'id'],
};

type Query = Readonly<Record<string, string | number>>;
/** Lists that are read in another way than without a query. */
const queries: { readonly [Id in ReadId]?: readonly Query[] } = {
  listOpenPositions: [{}, { status: 'closed', limit: 20 }],
  listOrders: [{ limit: 20 }],
  listFills: [{ limit: 20 }],
};

/** Every read of the contract, in its order, in which lists come before what they name. */
const reads = Object.values<Operation>(operations)
  .filter(({ method }) => method === 'GET')
  .flatMap((operation) =>
    (queries[operation.id as ReadId] ?? [{}]).map((query: Query) => ({
      operation,
      query,
      names: pathNames(operation) as (keyof typeof named)[],
      isOfAccount: operation.query?.properties.account_id !== undefined,
    })),
  );

type Read = (typeof reads)[number];

/** The latest answers, by operation. */
type Answers = Map<string, unknown>;

/**
 * Compares what the environment answers with the contract: every read, and the first frames of both streams. Sends the
 * credential, and no write. Each difference is one finding.
 */
export async function compareWithContract(console: Console): Promise<Finding[]> {
  const answers: Answers = new Map();
  const findings: Finding[] = [];
  const { ask, close } = await asker(console);
  try {
    for (const read of reads) findings.push(...(await compared(console, ask, read, answers)));
  } finally {
    await close();
  }
  const { market, account } = await (await console.access()).streams();
  const symbol = firstRow(answers.get('listMarkets'));
  const subscriptions = (['ticks', 'books', 'trades', 'candles', 'marketStats'] as const).map((channel, at) => ({
    op: 'sub',
    id: at + 1,
    channel,
    payload: {
      symbols: [symbol.coin],
      providers: [symbol.provider],
      ...(channel === 'candles' && { intervals: ['1m'] }),
    },
  }));
  const heard = await Promise.all([
    market === undefined
      ? [withoutAddress('market stream')]
      : listened(console, 'market stream', [market, streamPaths.marketData], subscriptions, marketDrift),
    account === undefined
      ? [withoutAddress('account stream')]
      : listened(console, 'account stream', [account.transport, account.path], [], accountDrift),
  ]);
  return [...findings, ...heard.flat()];
}

function marketDrift(frame: JsonObject): string[] {
  const issue = marketFrameIssue(frame);
  if (issue !== undefined) return [issue];
  return isKnownMarketFrame(frame)
    ? []
    : [`op ${JSON.stringify(frame.op)} or one of its events is not in the contract`];
}

const snapshot = object({ account: Account, positions: array(Position), orders: array(Order) });

function accountDrift(frame: JsonObject): string[] {
  const issue = accountFrameIssue(structuredClone(frame));
  if (issue !== undefined) return [issue];
  if (!isKnownType(String(frame.type))) return [`type ${JSON.stringify(frame.type)} is not in the contract`];
  return frame.type === 'snapshot' ? validate(snapshot, frame).map(({ field, issue: text }) => `${field} ${text}`) : [];
}

/** Asks one read; the answer is as received. */
type Ask = (operation: Operation, given: Arguments) => Promise<{ status: number; body: unknown }>;

/** On a host, answers before the client has read them, because it accepts more than the contract says. */
async function asker(console: Console): Promise<{ ask: Ask; close(): Promise<void> }> {
  const { environment, baseUrl } = console.settings;
  const { credential } = await console.access();
  if (environment === 'sim' || baseUrl === undefined || credential === undefined) {
    const ask: Ask = ({ id }, given) => console.call(id as 'listAccounts', given as never);
    return { ask, close: async () => {} };
  }
  const { httpTransport } = await import('../../../wire/client/http-transport.ts');
  const transport = httpTransport(baseUrl);
  const headers = {
    accept: 'application/json',
    authorization: authorization((await credential()).text),
    'user-agent': `perp/${console.registry.version}`,
  };
  const { signal, settings } = console;
  const ask: Ask = (operation, given) =>
    transport(
      { method: 'GET', target: formRequest(operation, given).target, headers },
      { timeoutMs: settings.timeoutMs, signal },
    );
  return { ask, close: () => transport.close() };
}

async function compared(console: Console, ask: Ask, read: Read, answers: Answers): Promise<Finding[]> {
  const { operation, isOfAccount } = read;
  const isOfEnded = read.query.status === 'closed';
  const check = `${operation.method} ${operation.path}${isOfEnded ? '?status=closed' : ''}`;
  const path: Record<string, string> = {};
  for (const name of read.names) {
    const [from, field] = named[name];
    const value = firstRow(answers.get(from))[field];
    if (typeof value !== 'string') return [warn(check, `Not compared: ${from} listed none.`)];
    path[name] = value;
  }
  const account = firstRow(answers.get('listAccounts')).id;
  if (isOfAccount && typeof account !== 'string') return [warn(check, 'Not compared: there is no account.')];
  const query = { ...read.query, ...(isOfAccount && { account_id: account }) };
  try {
    const { status, body } = await ask(operation, { path, query });
    if (status >= 400) return [fail(check, `HTTP ${status}.`)];
    if (!isOfEnded) answers.set(operation.id, isJsonObject(body) ? body.data : undefined);
    return driftOf(operation, status, body, check);
  } catch (error) {
    console.signal.throwIfAborted();
    const { message, status } = factsOf(error);
    return [fail(check, status === undefined ? message : `HTTP ${status}: ${message}`)];
  }
}

function firstRow(data: unknown): Readonly<Record<string, unknown>> {
  const first: unknown = Array.isArray(data) ? data[0] : undefined;
  return isJsonObject(first) ? first : {};
}

/** Fields of an answer that violate the contract, and fields beyond it; the rows of a list are compared as one. */
function driftOf(operation: Operation, status: number, body: unknown, check: string): Finding[] {
  const response = operation.responses[status];
  if (response === undefined) return [warn(check, `HTTP ${status} is not in the contract.`)];
  const issues = validate(response.schema, body).map(({ field, issue }) => `${rowless(field)} ${issue}`);
  const unknown = unknownFields(response.schema, body, '').map((field) => `${field} is not in the contract`);
  const drifts = Map.groupBy([...issues, ...unknown], (text) => text);
  if (drifts.size === 0) return [ok(check, 'as in the contract')];
  return [...drifts].map(([text, all]) =>
    warn(check, `${text}${all.length === 1 ? '' : ` (${counted(all.length, 'time')})`}.`),
  );
}

function rowless(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '[]');
}

/** Fields that a schema does not name, where it names any. */
function unknownFields(
  { properties, items, additionalProperties, oneOf }: Schema,
  value: unknown,
  at: string,
): string[] {
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((one) => unknownFields(items, one, `${at}[]`));
  if (!isJsonObject(value) || oneOf !== undefined || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const field = at === '' ? name : `${at}.${name}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) return unknownFields(known, part, field);
    return additionalProperties === undefined ? [field] : [];
  });
}

/** How long to listen after everything has been accepted. */
const moreMs = 500;

/** Listens to a stream until it has accepted everything or the time is up, and reports what is not in the contract. */
async function listened(
  console: Console,
  check: string,
  [transport, target]: readonly [StreamTransport, string],
  requests: readonly object[],
  driftIn: (frame: JsonObject) => string[],
): Promise<Finding[]> {
  const drifts = new Set<string>();
  let isWhole = false;
  const awaited = new Set(requests.map((_, at) => at + 1));
  const over = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => over.resolve(undefined), maxWaitMs(console));
  const stream = transport(target, {
    opened: () => requests.forEach((request) => void stream.send(JSON.stringify(request))),
    text: (text) => {
      const frame = jsonObjectIn(text);
      for (const drift of frame === null ? ['a frame is not a JSON object'] : driftIn(frame))
        drifts.add(rowless(drift));
      if (frame?.op === 'sub_ok') awaited.delete(frame.id as number);
      if (frame?.op === 'sub_err') drifts.add(`a subscription was refused: ${JSON.stringify(frame.error)}`);
      if (isWhole || !(frame?.type === 'snapshot_end' || (requests.length > 0 && awaited.size === 0))) return;
      isWhole = true;
      setTimeout(() => over.resolve(undefined), moreMs);
    },
    closed: ({ reason, status }) => over.resolve(status === undefined ? reason || 'closed' : `HTTP ${status}`),
  });
  const ended = await over.promise;
  clearTimeout(timer);
  stream.close();
  if (!isWhole) return [fail(check, `Not accepted: ${ended ?? 'no answer in time'}.`)];
  if (drifts.size === 0) return [ok(check, 'as in the contract')];
  return [...drifts].map((text) => warn(check, `${text}.`));
}
