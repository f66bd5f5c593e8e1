/** The process's exit statuses. Scripts branch on them, so a number's meaning never changes. */
export const exitCodes = {
  done: 0,
  bug: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  rejected: 5,
  conflict: 6,
  unavailable: 7,
  outcomeUnknown: 8,
  incomplete: 9,
  unsigned: 10,
  interrupted: 130,
} as const;

/** One of the process's exit statuses. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** One line per exit status, as `perp help exit-codes` prints it. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.bug, 'a bug in perp'],
  [exitCodes.usage, 'wrong usage or invalid input'],
  [exitCodes.notFound, 'not found'],
  [exitCodes.notAllowed, 'not logged in, or not allowed'],
  [exitCodes.rejected, 'rejected by a trading rule, or the order ended rejected'],
  [exitCodes.conflict, 'conflict with the current state'],
  [exitCodes.unavailable, 'unavailable or rate limited after all retries; nothing was changed'],
  [exitCodes.outcomeUnknown, 'outcome unknown: a write was sent, but no matching answer arrived'],
  [exitCodes.incomplete, 'done in part: something of a bulk operation, a batch or several writes was left undone'],
  [exitCodes.unsigned, 'the audit log is whole, but some of its records were not signed'],
  [exitCodes.interrupted, 'interrupted or declined'],
];

/**
 * The exit status for how a stream ended for good, by the HTTP status of its handshake or by its close code. All others
 * mean unavailable.
 */
export function exitCodeForStreamEnd({
  code,
  status,
  front,
}: {
  code: number;
  status?: number | undefined;
  front?: unknown;
}): ExitCode {
  // What something in front of the service says about a credential means nothing.
  if (front !== undefined) return exitCodes.unavailable;
  if (status === 401 || status === 403 || status === 404) return exitCodeForStatus(status);
  return exitCodeByClose[code] ?? exitCodes.unavailable;
}

/** The close codes after which connecting again can't help. The service's own are in wire/contract/streams.ts. */
const exitCodeByClose: Readonly<Record<number, ExitCode>> = { 4003: exitCodes.notAllowed };

/** The exit status for an HTTP error status of the API. */
export function exitCodeForStatus(status: number): ExitCode {
  if (status === 404) return exitCodes.notFound;
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 422) return exitCodes.rejected;
  if (status === 409) return exitCodes.conflict;
  if (status === 429 || status >= 500) return exitCodes.unavailable;
  return exitCodes.usage;
}

/** What an error report is made of. */
export interface FailureFacts {
  exit: ExitCode;
  /** Machine-readable: the API's error code, or one of ours (`usage`, `ambiguous_market`, ...). */
  code: string;
  /** What happened and why, in one or two sentences. */
  message: string;
  /** What to do next. */
  hint?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  ruleId?: string | undefined;
  details?: unknown;
  /** Fields in the details have the names of the API, because the request was written with them. */
  isOfWire?: true | undefined;
  retryable?: boolean | undefined;
  /** How long the one who refused asks to wait. */
  retryAfterMs?: number | undefined;
  idempotencyKey?: string | undefined;
  /** Where the command's requests went: `SIM default, synthetic`. */
  destination?: string | undefined;
}

/** An expected failure: printed as what, why and what next, and sets the exit status. Anything else thrown is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.facts = facts;
  }
}

/** The command line itself is wrong (exit 2). */
export function usageFailure(message: string, hint?: string, details?: unknown): Failure {
  return new Failure({ exit: exitCodes.usage, code: 'usage', message, hint, details });
}

/** Something named on the command line does not exist (exit 3). */
export function notFoundFailure(message: string, hint?: string): Failure {
  return new Failure({ exit: exitCodes.notFound, code: 'not_found', message, hint });
}

/** The user declined or pressed Ctrl-C, or the system asked the process to end (exit 130). */
export function interruptedFailure(message: string, signal?: NodeJS.Signals): Failure {
  const code = signal === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new Failure({ exit: exitCodes.interrupted, code, message });
}

/** Whether an error means that something does not exist. */
export function isNotFound(error: unknown): boolean {
  if (error instanceof Failure) return error.facts.code === 'not_found';
  return error instanceof Error && error.name === 'ApiError' && (error as Error & { status?: number }).status === 404;
}
