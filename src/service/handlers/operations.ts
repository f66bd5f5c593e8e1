import type { Done, Outcome, Refused } from '../../exchange/engine/commands.ts';
import type { Environment } from '../../exchange/engine/model.ts';
import type { ValidationIssue } from '../../wire/contract/errors.ts';
import type { KnownOperationId, ReadRequestOf, ResponseOf } from '../../wire/contract/operations.ts';
import { Failure, type FailureFacts, keyConflict } from '../../wire/hosting/failure.ts';
import { requestHash } from '../../wire/hosting/read-request.ts';
import type { Principal } from '../simulation/keys.ts';
import type { Simulation, Turn } from '../simulation/simulation.ts';

/** The parts of a request that every handler gets besides path, query and body. */
export interface CallContext {
  readonly operationId: string;
  /** Who makes the request; an anonymous reader if the operation needs no credential. */
  readonly principal: Principal;
  /** The host that was asked. */
  readonly environment: Environment;
  /** The key of an idempotent operation, else empty. */
  readonly idempotencyKey: string;
  /** Every query parameter as it was sent. */
  readonly search: URLSearchParams;
  readonly simulation: Simulation;
  readonly urls: HostUrls;
}

/** A checked request of one operation, as its handler gets it. */
export type Call<Id extends KnownOperationId> = ReadRequestOf<Id> & CallContext;

/** Addresses of the two hosts, for messages that name the right one. */
export type HostUrls = Readonly<Record<Environment, string>>;

/** A handler's answer; a refusal is thrown as a `Failure`. */
export interface Answer<Body = unknown> {
  status: 200 | 201 | 202;
  body: Body;
  headers?: Record<string, string>;
  /** It was done, and the weather keeps the answer from its client (simulation 6.4). */
  isLost?: true;
  /** Slow work in pieces: the answer is sent when it is done, with the body that it returns. */
  after?: () => Promise<Body>;
}

/** Does one operation at one moment of the exchange: a GET only reads, others commit their changes. */
export type Handler<Id extends KnownOperationId> = (call: Call<Id>, turn: Turn) => Answer<ResponseOf<Id>>;

/** 200 with `{ data }`. */
export function found<T>(data: T): Answer<{ data: T }> {
  return { status: 200, body: { data } };
}

/** 201 with `{ data }`. */
export function made<T>(data: T): Answer<{ data: T }> {
  return { status: 201, body: { data } };
}

/** The result of an engine command; a refusal is thrown in wire form (simulation 8.2). */
export function done(outcome: Outcome): Done {
  if (!outcome.ok) throw refusal(outcome);
  return outcome;
}

/** An engine refusal as an answer. */
export function refusal(refused: Refused): Failure {
  const { code, message, ruleId, details, order } = refused;
  const facts: FailureFacts = {
    ...(ruleId !== undefined && { ruleId }),
    ...(order !== undefined && { orderId: order.id }),
    ...(order !== undefined && order.clientOrderId !== null && { clientOrderId: order.clientOrderId }),
    ...(code === 'unavailable' && { retryAfterSeconds: 1 }),
  };
  if (details === undefined) return new Failure(code, message, facts);
  const isTradeRejection = code === 'rule_violation' || code === 'cooldown';
  return new Failure(code, message, { ...facts, details: isTradeRejection ? details : issuesOf(details) });
}

/**
 * Like `done`, for operations whose 422 is not a trade rejection: facts become issues of fields (contract:
 * ErrorEnvelope).
 */
export function doneWithoutRejection(outcome: Outcome): Done {
  if (outcome.ok) return outcome;
  const { code, message, facts } = refusal(outcome);
  const { details, ...rest } = facts;
  if (details === undefined || Array.isArray(details)) throw new Failure(code, message, facts);
  throw new Failure(code, message, { ...rest, details: issuesOf(details) });
}

/** The engine names fields if it can; other facts are reported as if they were fields. */
function issuesOf(details: Record<string, unknown>): ValidationIssue[] {
  if (Array.isArray(details.issues)) return details.issues as ValidationIssue[];
  return Object.entries(details).map(([field, issue]) => ({ field, issue: String(issue) }));
}

/** The result of an idempotent operation: the answer, and the resource that a replay shows. */
interface Effect<Body> {
  resourceKind: string;
  resourceId: string;
  answer: Answer<Body>;
  /** The parts of the answer that the resource does not show. */
  kept?: unknown;
}

/** A trade rejection as stored for its replay. */
interface KeptRejection {
  code: 'rule_violation' | 'cooldown';
  message: string;
  facts: FailureFacts;
}

/**
 * Runs `act` once for every owner, operation and key (simulation 8.3). A replay shows the resource as it is now, or
 * repeats the rejection of an order that was kept; any other refusal leaves the key free. The outcome is committed
 * together with the effect.
 */
export function once<Body>(
  call: CallContext & { readonly path?: unknown; readonly body?: unknown },
  { requests, exchange }: Turn,
  { act, replay }: { act: () => Effect<Body>; replay: (resourceId: string, kept: unknown) => Answer<Body> },
): Answer<Body> {
  const { principal, idempotencyKey: key } = call;
  const operation = `${principal.environment}:${call.operationId}`;
  const hash = requestHash(call.path, call.body);
  const known = requests.idempotency(principal.owner, operation, key);
  if (known !== null) {
    if (known.payloadHash !== hash) throw keyConflict();
    if (known.status === 422) throw kept(known.outcome as KeptRejection);
    return replay(known.resourceId!, known.outcome);
  }
  const remember = (status: number, resourceKind: string, resourceId: string, outcome: unknown) =>
    requests.remember({
      owner: principal.owner,
      operation,
      key,
      payloadHash: hash,
      resourceKind,
      resourceId,
      status,
      outcome,
      createdAt: exchange.time,
    });
  try {
    const { answer, resourceKind, resourceId, kept = null } = act();
    remember(answer.status, resourceKind, resourceId, kept);
    return answer;
  } catch (error) {
    if (error instanceof Failure && error.status === 422 && error.facts.orderId !== undefined) {
      const { code, message, facts } = error;
      remember(422, 'order', error.facts.orderId, { code, message, facts });
    }
    throw error;
  }
}

function kept({ code, message, facts }: KeptRejection): Failure {
  return new Failure(code, message, facts);
}
