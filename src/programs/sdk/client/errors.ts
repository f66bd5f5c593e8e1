import { codeText, exitCodes, type FailureFacts, type OwnCode } from '../../../base/failure/failure.ts';
import { factsOf, hintInFields } from '../../../base/failure/report.ts';
import { isIssue } from '../../../wire/client/client-errors.ts';
import type { KnownCode } from './operations.generated.ts';

/** A field at fault, by its name on the wire, and its problem. */
export interface FieldIssue {
  readonly field: string;
  readonly issue: string;
}

/** Facts about a failed call. `nothing`: it changed nothing. `unknown`: a write may have happened. */
export type CallOutcome = 'nothing' | 'unknown';

/** Whether a request was sent. `yes`: it was, and refused or certainly not done. `unknown`: it may have been done. */
export type CallSent = 'no' | 'yes' | 'unknown';

/** A failed call: the problem, the field at fault, and the solution. */
export class PerpError extends Error {
  override readonly name = 'PerpError';
  /**
   * The API's code (`rule_violation`, `not_found`), or one of perp's own (`no_connection`, `outcome_unknown`). A host
   * may have others.
   */
  readonly code!: KnownCode | (string & {});
  /** What to do next, if anything is known to help. */
  readonly hint!: string | undefined;
  /** The fields at fault; empty if none is. */
  readonly issues!: readonly FieldIssue[];
  /** The first field at fault. */
  readonly field!: string | undefined;
  /** Whether anything may have changed. */
  readonly outcome!: CallOutcome;
  /** Whether the request was sent. */
  readonly sent!: CallSent;
  /** The HTTP status, if the service answered. */
  readonly status!: number | undefined;
  /** The trading rule that refused it, and its facts. */
  readonly ruleId!: string | undefined;
  readonly details!: unknown;
  /** The rejected order, if the service recorded one. */
  readonly orderId!: string | undefined;
  /** The same call may succeed later. */
  readonly retryable!: boolean;
  readonly requestId!: string | undefined;
  readonly idempotencyKey!: string | undefined;
  /** How long the service asks not to be called, ms. */
  readonly retryAfterMs!: number | undefined;

  static {
    // Minified code has another name for it, and Node prints that one for an uncaught error.
    Object.defineProperty(PerpError, 'name', { value: 'PerpError' });
  }

  constructor(facts: ErrorFacts, options?: { cause?: unknown }) {
    const { message, issues = [], sent = 'no', retryable = false, ...rest } = facts;
    const named = issues.map(({ field, issue }) => `${field} ${issue}`).join('; ');
    super(named === '' ? message : `${message} ${named}.`, options);
    const outcome = sent === 'unknown' ? 'unknown' : 'nothing';
    Object.assign(this, { ...rest, issues, field: issues[0]?.field, sent, outcome, retryable });
  }

  /** All fields of the error, including its message. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** The fields of a {@link PerpError}. */
export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly issues?: readonly FieldIssue[] | undefined;
  readonly sent?: CallSent | undefined;
  readonly status?: number | undefined;
  readonly ruleId?: string | undefined;
  readonly details?: unknown;
  readonly orderId?: string | undefined;
  readonly retryable?: boolean | undefined;
  readonly requestId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * Anything that a call threw, as the error that its caller sees; what the caller's signal threw stays as it is.
 * @internal
 */
export function perpErrorOf(error: unknown): unknown {
  if (error instanceof PerpError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError' || error.name === 'TimeoutError') return error;
  const facts = factsOf(error);
  const { code, message, status, ruleId, details, requestId, idempotencyKey, retryable } = facts;
  // A bug, or a mistake in the caller's own code: it is passed on unchanged.
  if (facts.exit === exitCodes.bug) return error;
  const { orderId, retryAfterMs } = error as { orderId?: unknown; retryAfterMs?: unknown };
  return new PerpError(
    {
      code: codeText(code),
      message,
      status,
      ruleId,
      details,
      requestId,
      idempotencyKey,
      retryable,
      hint: hintHere(facts),
      issues: Array.isArray(details) ? details.filter(isIssue) : [],
      sent: facts.sent,
      orderId: typeof orderId === 'string' ? orderId : undefined,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
    },
    { cause: error },
  );
}

const settleFirst = 'Call client.settle(): it checks for the write, and sends it again only if absent.';

/** Solutions that are calls of the library. */
const ownHints: Readonly<Record<string, string>> = {
  credential: 'Pass `connect` a key without spaces or non-ASCII characters.',
  incomplete: 'Repeat the call with the same idempotencyKey to continue.',
  not_found: "Check the id against the client's lists.",
  outcome_unknown: settleFirst,
  unauthorized: 'Pass `connect` a key that this host accepts.',
  unsettled_write: settleFirst,
};

/** A hint that helps in a program, which has fields and methods. */
function hintHere({ code, status, hint }: FailureFacts): string | undefined {
  const own = status === 401 ? 'unauthorized' : codeText(code);
  return Object.hasOwn(ownHints, own) ? ownHints[own] : hint && hintInFields(hint);
}

/**
 * An error of perp's own.
 * @internal
 */
export function ownError(facts: ErrorFacts & { readonly code: OwnCode }, options?: { cause?: unknown }): PerpError {
  return new PerpError(facts, options);
}

/**
 * The value of an option, or an error that names it.
 * @internal
 */
export function usable<T>(field: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    const issue = cause instanceof Error ? cause.message : String(cause);
    throw ownError({ code: 'usage', message: "The client can't be created:", issues: [{ field, issue }] }, { cause });
  }
}

/**
 * The error of a call after `close`.
 * @internal
 */
export function closedError(what: 'client' | 'simulation'): PerpError {
  return ownError({ code: 'closed', message: `The ${what} was closed.`, hint: 'Open another one.' });
}
