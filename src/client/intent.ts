import { hash } from 'node:crypto';
import { isRecord } from '../contract/json.ts';
import type { Operation } from '../contract/operation.ts';

/** A request line and a body, ready to be sent as often as it takes. */
export interface FormedRequest {
  target: string;
  path: Record<string, string>;
  body: string | undefined;
}

/**
 * A write as it is about to leave: plain JSON, complete enough that another process can repeat or settle it after this
 * one is gone.
 */
export interface Intent {
  operationId: string;
  method: Operation['method'];
  /** Path and query as on the request line. */
  target: string;
  /** The path's parameters, decoded. */
  path: Record<string, string>;
  /** The body's exact text: a repetition under the same key sends the same bytes. */
  body?: string;
  /** Equal for writes that ask for the same thing, whatever their key and client order id: see `payloadHash`. Empty on a read. */
  payloadHash: string;
  idempotencyKey?: string;
  clientOrderId?: string;
}

/** What is known of an intent in the end. While neither is known, `afterAnswer` is not called. */
export type IntentOutcome = { kind: 'done'; status: number; body: unknown } | { kind: 'not_done'; error: Error };

/**
 * Keeps intents where a crash can't lose them. `beforeSend` is awaited before the first byte of a write leaves, and
 * when it throws nothing is sent; `afterAnswer` is awaited once it is known what the write did, and may fail without
 * consequence. An intent without `afterAnswer` is one whose outcome is not known.
 */
export interface IntentKeeper {
  beforeSend(intent: Intent): void | Promise<void>;
  afterAnswer(intent: Intent, outcome: IntentOutcome): void | Promise<void>;
}

/** The intent of a formed request; of a read nobody keeps it, and loading the hashes would be most of its work. */
export function intentOf(operation: Operation, request: FormedRequest, idempotencyKey: string | undefined): Intent {
  const body: unknown = request.body === undefined ? undefined : JSON.parse(request.body);
  const clientOrderId = isRecord(body) ? body.client_order_id : undefined;
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
 * SHA-256, in hex, of method, target and body with sorted keys, without `client_order_id`: that is a name, often a fresh
 * one on each attempt, and not part of what is wanted.
 */
export function payloadHash(method: string, target: string, body: unknown): string {
  const { client_order_id: _, ...wanted } = isRecord(body) ? body : {};
  return hash('sha256', `${method} ${target}\n${JSON.stringify(sorted(wanted))}`, 'hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  // Without a prototype, a key named __proto__ is a key like any other.
  const copy: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(value).sort()) copy[key] = sorted(value[key]);
  return copy;
}
