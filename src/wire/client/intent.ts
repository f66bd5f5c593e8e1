import { hash } from 'node:crypto';
import { isJsonObject } from '../../base/terms/json-object.ts';
import type { Operation } from '../contract/operation.ts';

/** A request line and a body, ready to be sent any number of times. */
export interface FormedRequest {
  target: string;
  path: Record<string, string>;
  body: string | undefined;
}

/**
 * A write that is about to be sent: plain JSON, complete enough for another process to retry or settle it after this
 * one has ended.
 */
export interface Intent {
  operationId: string;
  method: Operation['method'];
  /** Path and query as on the request line. */
  target: string;
  /** The path's parameters, decoded. */
  path: Record<string, string>;
  /** The body's exact text, so that a retry under the same key sends the same bytes. */
  body?: string;
  /**
   * Equal for equal writes, regardless of key and client order id: see `payloadHash`. Empty for a read, and for a write
   * that no keeper sees.
   */
  payloadHash: string;
  idempotencyKey?: string;
  clientOrderId?: string;
}

/** The final outcome of an intent. While it is unknown, `afterAnswer` is not called. */
export type IntentOutcome = { kind: 'done'; status: number; body: unknown } | { kind: 'not_done'; error: Error };

// biome-ignore lint/suspicious/noConfusingVoidType: a keeper that knows of no earlier attempt returns nothing.
type BeforeSend = { isRepetition: boolean } | void;

/**
 * Keeps intents where a crash can't lose them. `beforeSend` is awaited before the first byte of a write is sent; if it
 * throws, nothing is sent. It returns `isRepetition` if an earlier attempt under the same key got no answer.
 * `afterAnswer` is awaited once the outcome is known; its failure has no consequence. An intent without `afterAnswer`
 * is one whose outcome is unknown.
 */
export interface IntentKeeper {
  beforeSend(intent: Intent): BeforeSend | Promise<BeforeSend>;
  afterAnswer(intent: Intent, outcome: IntentOutcome): void | Promise<void>;
  /** The caller of a write still waits for its outcome, or (`false`) has ended without one. */
  waits?(intent: Intent, isWaiting: boolean): void;
}

/**
 * The intent of a formed request. A read has no hash: it is never kept, and loading the hash code would be most of the
 * work.
 */
export function intentOf(operation: Operation, request: FormedRequest, idempotencyKey: string | undefined): Intent {
  const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
  const clientOrderId = isJsonObject(body) ? body.client_order_id : undefined;
  return {
    operationId: operation.id,
    method: operation.method,
    target: request.target,
    path: request.path,
    ...(request.body === undefined ? {} : { body: request.body }),
    payloadHash: operation.method === 'GET' ? '' : payloadHash(operation.method, request.target, body),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(typeof clientOrderId === 'string' ? { clientOrderId } : {}),
  };
}

/**
 * SHA-256, in hex, of method, target and body with sorted keys, without `client_order_id`: that id is often new on each
 * attempt, and is not part of the intended write.
 */
export function payloadHash(method: string, target: string, body: unknown): string {
  const { client_order_id: _, ...wanted } = isJsonObject(body) ? body : {};
  return hash('sha256', `${method} ${target}\n${JSON.stringify(sorted(wanted))}`, 'hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  // Without a prototype, __proto__ is a key like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) copy[key] = sorted(value[key]);
  return copy;
}
