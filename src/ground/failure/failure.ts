import { type ExitCode, exitCodes } from './exit-codes.ts';

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
  retryable?: boolean | undefined;
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
