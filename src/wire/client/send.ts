import { isJsonObject } from '../../base/terms/json-object.ts';
import type { Operation } from '../contract/operation.ts';
import type { Schema } from '../contract/schema.ts';
import type { Transport, WireRequest, WireResponse } from '../contract/wire.ts';
import { answerMismatch, shown } from './belonging.ts';
import { ApiError, OutcomeUnknownError, ProtocolError } from './client-errors.ts';
import type { Intent } from './intent.ts';
import { isWithdrawn, type Prove, sendProven } from './proven-send.ts';
import {
  judgeAnswer,
  judgeFailure,
  leavesKeyFree,
  mayBeSecondDelivery,
  mayRepeatBlindly,
  type RetrySchedule,
  settlesEarlierAttempt,
  type Verdict,
} from './retry.ts';

/** One attempt at a request, for debugging: it has no headers and no bodies, so no secrets. */
export interface Attempt {
  operationId: string;
  method: string;
  target: string;
  /** From 1. */
  attempt: number;
  durationMs: number;
  status?: number;
  requestId?: string;
  /** Why it did not succeed. */
  error?: string;
  /** The wait before the next attempt, if there is one. */
  retryInMs?: number;
}

/** A transport that can also abandon connections that are no longer trusted. */
export type RenewableTransport = Transport & { renew?: () => void };

/** Everything that sending needs besides the request. */
export interface Carrier {
  transport: RenewableTransport;
  schedule: RetrySchedule;
  timeoutMs: number;
  /** The service keeps idempotency keys as long as what was done under them. */
  keepsKeys: boolean;
  /** The service is in this process: see `ClientOptions`. */
  isInProcess?: boolean | undefined;
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** The answer of a success with its numbers read. */
export interface ReadAnswer extends WireResponse {
  /** The first field that isn't the number it has to be; only a write's answer has one. */
  readonly flaw?: string | undefined;
}

/** One request, to be sent until its outcome is known, as long as that is safe. */
interface Sending {
  operation: Operation;
  intent: Intent;
  request: WireRequest;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Why the outcome of an earlier attempt, in this process or another, is unknown. */
  unclear?: Error | undefined;
  /** That attempt was looked up, and has done nothing. */
  isAbsent?: boolean | undefined;
  /** Asked at each attempt, in the turn in which it leaves. */
  prove: Prove;
}

/**
 * Sends a request, and sends it again while that is safe and may help; resolves with the answer of a success. Rejects
 * with the refusal, with why nothing was done, or with OutcomeUnknownError when a write may have been done.
 *
 *     attempt ──► done ────────────────────────────────────────────► answer
 *        ▲  ├──► refused ──► does it settle an unclear one before? ─► its error, else outcome unknown
 *        │  │       ├ may it belong to a second delivery? ─► outcome unknown
 *        │  │       └ it does once that would have arrived: later
 *        │  ├──► later: nothing was done ─────► time left? ──no─────► its error, or an unclear one's
 *        │  └──► unclear: may have been done ─► may be repeated? ─no► outcome unknown (of a read: its error)
 *        └──── wait, the same bytes again ◄──── yes
 */
export async function sendUntilKnown(carrier: Carrier, sending: Sending): Promise<ReadAnswer> {
  const { operation, signal } = sending;
  const { schedule } = carrier;
  const begun = schedule.now();
  let unclear = sending.unclear;
  /** An earlier attempt may still be in flight. */
  let mayArrive = unclear !== undefined && schedule.arrivalMs > 0;
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = Math.max(1, Math.min(sending.timeoutMs ?? carrier.timeoutMs, schedule.remainingMs(begun)));
    const started = schedule.now();
    let verdict = await attemptOnce(carrier, sending, timeoutMs);
    const measured = { attempt, durationMs: schedule.now() - started };
    if (verdict.kind === 'done') {
      report(carrier, sending, measured, verdict, undefined);
      return verdict.answer;
    }
    const isBlind = mayRepeatBlindly(operation, carrier.keepsKeys);
    if (verdict.kind === 'unclear') {
      unclear = verdict.error;
      mayArrive = schedule.arrivalMs > 0;
    } else if (
      verdict.kind === 'refused' &&
      mayArrive &&
      isBlind &&
      operation.idempotent &&
      leavesKeyFree(verdict.error)
    ) {
      verdict = { kind: 'later', error: verdict.error, afterMs: schedule.arrivalMs };
      mayArrive = false;
    }
    const delayMs = waitBeforeNext(verdict, isBlind, signal, () =>
      schedule.delayMs(attempt, begun, verdictDelay(verdict)),
    );
    report(carrier, sending, measured, verdict, delayMs);
    if (delayMs === undefined) throw conclusion(carrier, sending, verdict, { unclear, begun });
    await schedule.sleep(delayMs, signal);
    if (signal?.aborted) throw conclusion(carrier, sending, verdict, { unclear, begun });
  }
}

async function attemptOnce(carrier: Carrier, sending: Sending, timeoutMs: number): Promise<Verdict> {
  try {
    const limits = { timeoutMs, signal: sending.signal };
    const answer = await sendProven(carrier.transport, sending.request, limits, sending.prove);
    const verdict = judgeAnswer(answer, carrier.schedule.now(), sending.intent.idempotencyKey, sending.operation);
    if (carrier.isInProcess || (verdict.kind !== 'done' && verdict.kind !== 'refused')) return verdict;
    const { operation, intent } = sending;
    const isDone = verdict.kind === 'done';
    const { body, flaw } = isDone ? readNumbers(operation, answer.body) : { body: answer.body, flaw: undefined };
    const read = { ...answer, body, flaw };
    const why = answerMismatch(operation, intent, read);
    if (why === undefined && operation.method === 'GET' && flaw !== undefined)
      return { kind: 'refused', error: new ProtocolError(`the answer can't be read: ${flaw}`, answer) };
    if (why === undefined) return isDone ? { kind: 'done', answer: read } : verdict;
    carrier.transport.renew?.();
    return { kind: 'unclear', error: new ProtocolError(why, answer) };
  } catch (error) {
    return isWithdrawn(error) ? { kind: 'refused', error: error as Error } : judgeFailure(error);
  }
}

/** The wait before the next attempt; undefined if there is none. */
function waitBeforeNext(
  verdict: Exclude<Verdict, { kind: 'done' }>,
  isBlind: boolean,
  signal: AbortSignal | undefined,
  delayMs: () => number | undefined,
): number | undefined {
  if (signal?.aborted || verdict.kind === 'refused') return undefined;
  if (verdict.kind === 'unclear' && !isBlind) return undefined;
  return delayMs();
}

function verdictDelay(verdict: Verdict): number | undefined {
  return verdict.kind === 'later' || verdict.kind === 'unclear' ? verdict.afterMs : undefined;
}

/** The error that correctly describes a request that ended without success. */
function conclusion(
  { schedule, keepsKeys }: Carrier,
  { operation, intent, signal, ...sending }: Sending,
  verdict: Exclude<Verdict, { kind: 'done' }>,
  { unclear, begun }: { unclear: Error | undefined; begun: number },
): Error {
  if (isWithdrawn(verdict.error)) {
    const isUnsent = unclear === undefined || (sending.isAbsent === true && unclear === sending.unclear);
    return isUnsent ? verdict.error : new OutcomeUnknownError(intent, unclear, undefined, begun);
  }
  if (
    verdict.kind === 'refused' &&
    unclear === undefined &&
    schedule.arrivalMs > 0 &&
    mayBeSecondDelivery(operation, intent, verdict)
  )
    return new OutcomeUnknownError(intent, verdict.error, verdict.error, begun);
  const isSettled =
    verdict.kind === 'refused' &&
    !(verdict.error instanceof ApiError && verdict.error.wayOut !== undefined) &&
    settlesEarlierAttempt(operation, verdict.status, mayRepeatBlindly(operation, keepsKeys));
  if (operation.method !== 'GET' && unclear !== undefined && !isSettled)
    return new OutcomeUnknownError(intent, unclear, verdict.kind === 'refused' ? verdict.error : undefined, begun);
  const isAnswered = verdict.kind === 'refused' && verdict.status !== undefined;
  if (isAnswered || !signal?.aborted) return verdict.error;
  return signal.reason instanceof Error ? signal.reason : new Error('stopped', { cause: signal.reason });
}

function report(
  carrier: Carrier,
  sending: Sending,
  measured: { attempt: number; durationMs: number },
  verdict: Verdict,
  retryInMs: number | undefined,
): void {
  if (carrier.onAttempt === undefined) return;
  const { status, requestId } =
    verdict.kind === 'done'
      ? { status: verdict.answer.status, requestId: verdict.answer.headers['x-request-id'] }
      : (verdict.error as { status?: number; requestId?: string });
  try {
    carrier.onAttempt({
      operationId: sending.operation.id,
      method: sending.request.method,
      target: sending.request.target,
      ...measured,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(verdict.kind === 'done' ? {} : { error: verdict.error.message }),
      ...(retryInMs === undefined ? {} : { retryInMs }),
    });
  } catch {
    // A failing listener (a closed stderr) must not turn an answered write into a failed one.
  }
}

/** Numbers without which a resource would be misrepresented: an order of nothing, a position at no price. */
const essential: ReadonlySet<string> = new Set(['size', 'total_size', 'entry_price', 'balance']);
/** Reads whose flaws are tolerated: their lists aren't traded on. */
const lenient: ReadonlySet<string> = new Set(['listMarkets', 'getMarket', 'getAccountTradingPolicy']);
const numeral = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Converts the numbers of a success to the contract's types: a numeral in a string is its number, and null in place of
 * a required number, or of an optional object, is treated as absent. The rest of the body is left as received. `flaw`: the
 * first field that can't be read as the number it has to be.
 */
export function readNumbers(operation: Operation, body: unknown): { body: unknown; flaw: string | undefined } {
  const flaws: string[] = [];
  const read = readValue(operation.success, body, '', flaws);
  return { body: read, flaw: lenient.has(operation.id) ? undefined : flaws[0] };
}

function readValue(schema: Schema, value: unknown, at: string, flaws: string[]): unknown {
  if (takesNumbersOnly(schema)) return numberOf(schema, value, at, flaws);
  if (Array.isArray(value)) return schema.items === undefined ? value : listOf(schema.items, value, at, flaws);
  if (!isJsonObject(value)) return value;
  const branch = schema.oneOf === undefined ? schema : branchOf(schema.oneOf, value);
  return branch === undefined ? value : objectOf(branch, value, at, flaws);
}

function listOf(items: Schema, values: readonly unknown[], at: string, flaws: string[]): unknown {
  const read = values.map((value, index) => readValue(items, value, `${at}[${index}]`, flaws));
  return read.some((value, index) => value !== values[index]) ? read : values;
}

/** The same object unless a field had to be read differently. */
function objectOf(schema: Schema, value: Record<string, unknown>, at: string, flaws: string[]): unknown {
  const { properties = {}, required = [], additionalProperties } = schema;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    const part = value[name];
    if (typeof own !== 'object' || isAsReceived(own, part)) continue;
    const isNone = part === null && isOptionalPart(own) && !required.includes(name);
    const read = isNone ? undefined : readValue(own, part, pathOf(at, name), flaws);
    if (read === part) continue;
    copy ??= { ...value };
    if (read === undefined) delete copy[name];
    else copy[name] = read;
  }
  for (const name of essential)
    if (value[name] === undefined && required.includes(name))
      flaws.push(`${pathOf(at, name)} must be a number, not absent`);
  return copy ?? value;
}

/** Most fields: numbers, and texts in place of texts. */
function isAsReceived(schema: Schema, value: unknown): boolean {
  if (typeof value === 'string') return !takesNumbersOnly(schema);
  return typeof value === 'number' || value === undefined;
}

function pathOf(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}

/** An object or a list, such as an account's risk: null in its place is its absence. */
function isOptionalPart({ type }: Schema): boolean {
  return type === 'object' || type === 'array';
}

/** Undefined for a number that is absent. */
function numberOf({ type }: Schema, value: unknown, at: string, flaws: string[]): unknown {
  if (typeof value === 'number') return value;
  if (typeof value === 'string' && numeral.test(value.trim()) && Number.isFinite(Number(value))) return Number(value);
  if (value === null) {
    if (Array.isArray(type) && type.includes('null')) return null;
    if (!essential.has(at.slice(at.lastIndexOf('.') + 1))) return undefined;
  }
  flaws.push(`${at} must be a number, not ${shown(value, 40)}`);
  return value;
}

function takesNumbersOnly({ type }: Schema): boolean {
  if (typeof type === 'string') return isNumeric.has(type) && type !== 'null';
  const types = type ?? [];
  return types.some((one) => one === 'number' || one === 'integer') && types.every((one) => isNumeric.has(one));
}

const isNumeric: ReadonlySet<string> = new Set(['number', 'integer', 'null']);

/** The branch of a union that an object belongs to, by its literal. */
function branchOf(branches: readonly Schema[], value: Record<string, unknown>): Schema | undefined {
  const objects = branches.filter(({ type }) => type === 'object');
  if (objects.length === 1) return objects[0];
  return objects.find(({ properties = {} }) =>
    Object.entries(properties).some(([name, { const: word }]) => word !== undefined && value[name] === word),
  );
}
