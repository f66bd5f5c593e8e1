import type { WasSent } from '../terms/sent.ts';

/** The process's exit statuses, as `perp help exit-codes` prints them. */
const exits = {
  done: [0, 'done'],
  bug: [1, 'a bug in perp'],
  usage: [2, 'wrong usage or invalid input'],
  notFound: [3, 'not found'],
  notAllowed: [4, 'not logged in, or not allowed'],
  rejected: [5, 'rejected by a trading rule, or the order ended rejected'],
  conflict: [6, 'conflict with the current state'],
  unavailable: [7, 'unavailable or rate limited after all retries; nothing was changed'],
  outcomeUnknown: [8, 'outcome unknown: a write was sent, but no matching answer arrived'],
  incomplete: [9, 'partly done: part of a bulk operation, a batch or several writes was left undone'],
  unsigned: [10, 'the audit log is complete, but some records are not signed'],
  interrupted: [130, 'interrupted or declined'],
} as const;

/** One line per exit status. */
export const exitCodeMeanings = Object.values(exits);

/** One of the process's exit statuses. */
export type ExitCode = (typeof exitCodeMeanings)[number][0];

/** The process's exit statuses. Scripts branch on them, so a number's meaning never changes. */
export const exitCodes = Object.fromEntries(Object.entries(exits).map(([name, [code]]) => [name, code])) as {
  readonly [Name in keyof typeof exits]: (typeof exits)[Name][0];
};

/**
 * The exit status for a stream's permanent end, by the HTTP status of its handshake or by its close code. All others
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
  // A proxy's statement about a credential means nothing.
  if (front !== undefined) return exitCodes.unavailable;
  if (status === 401 || status === 403 || status === 404) return exitCodeForStatus(status);
  return exitCodeByClose[code] ?? exitCodes.unavailable;
}

/** The close codes after which reconnecting can't help. The service's own are in wire/contract/streams.ts. */
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

/** perp's own error codes: whether the request was sent, the exit status, and what happened. */
export const ownCodes = {
  access_denied: ['no', exitCodes.notAllowed, 'The login was declined in the browser.'],
  already_decided: ['no', exitCodes.conflict, 'Another person has decided on the request.'],
  another_run: ['no', exitCodes.conflict, 'The simulation has begun another run.'],
  approval_pending: ['no', exitCodes.unavailable, 'The bot must ask again before its order can be decided.'],
  audit_damaged: ['no', exitCodes.unavailable, 'The audit log is damaged.'],
  bad_answer: ['yes', exitCodes.unavailable, "The answer doesn't match the API."],
  bug: ['unknown', exitCodes.bug, 'A bug in perp.'],
  changed: ['no', exitCodes.conflict, 'The mandate has changed since it was read.'],
  closed: ['no', exitCodes.conflict, 'The client or stream is already closed.'],
  config: ['no', exitCodes.usage, 'A setting is invalid.'],
  config_exposed: ['no', exitCodes.notAllowed, 'Another user could have written the config file.'],
  conflict: ['no', exitCodes.conflict, 'It conflicts with the current state.'],
  credential: ['no', exitCodes.notAllowed, "The credential can't be used."],
  damaged_journal: ['no', exitCodes.conflict, 'The journal of trades is damaged.'],
  exists: ['no', exitCodes.conflict, 'The file exists.'],
  exit_conflict: ['no', exitCodes.rejected, 'Exits contradict each other or cover more than there is.'],
  exit_side: ['no', exitCodes.rejected, 'An exit is on the wrong side of the price.'],
  expired: ['no', exitCodes.conflict, 'The request for approval has expired.'],
  far_stop: ['no', exitCodes.rejected, 'The stop is far from the price.'],
  file_busy: ['no', exitCodes.conflict, 'Another process is writing the file.'],
  foreign_answer: ['yes', exitCodes.unavailable, 'A proxy or page in front of the service answered.'],
  gate: ['no', exitCodes.unavailable, 'The gate could not carry out the request.'],
  gate_file: ['no', exitCodes.notAllowed, "A file of the gate can't be trusted."],
  gate_in_charge: ['no', exitCodes.conflict, 'Another gate is in charge of the account.'],
  gate_runs: ['no', exitCodes.conflict, 'A gate is already running.'],
  gate_silent: ['no', exitCodes.unavailable, 'The gate did not respond.'],
  guard_in_charge: ['no', exitCodes.conflict, 'Another guard is in charge of the account.'],
  guard_lock: ['no', exitCodes.rejected, 'A guard has locked the account.'],
  idempotency_key_reused: ['no', exitCodes.conflict, 'The key was used for another request.'],
  idle_timeout: ['no', exitCodes.unavailable, 'Nothing arrived in time.'],
  incomplete: ['unknown', exitCodes.outcomeUnknown, 'An operation in several parts stopped early.'],
  insecure_file: ['no', exitCodes.notAllowed, 'Other users could read or write the file.'],
  insecure_storage: ['no', exitCodes.notAllowed, 'Other users could read or write the stored login.'],
  insufficient_depth: ['no', exitCodes.rejected, "The visible book can't fill the size."],
  interrupted: ['no', exitCodes.interrupted, 'The user declined or pressed Ctrl-C.'],
  invalid_arguments: ['no', exitCodes.usage, "The tool's arguments are invalid."],
  invalid_grant: ['no', exitCodes.notAllowed, 'The login code is no longer valid.'],
  invalid_request: ['no', exitCodes.usage, 'The request breaks the contract.'],
  keychain_missing: ['no', exitCodes.unavailable, 'There is no keychain.'],
  keychain_refused: ['no', exitCodes.unavailable, 'The keychain refused.'],
  keychain_silent: ['no', exitCodes.unavailable, 'The keychain did not answer.'],
  leverage_mismatch: ['no', exitCodes.rejected, 'The open position has another leverage or margin mode.'],
  lock_unchecked: ['no', exitCodes.unavailable, 'It is not known whether the account is locked.'],
  login_in_progress: ['no', exitCodes.conflict, 'Another login is in progress.'],
  login_refused: ['no', exitCodes.notAllowed, 'The host refused the login.'],
  login_timeout: ['no', exitCodes.unavailable, 'Nobody approved the login in time.'],
  mandate: ['no', exitCodes.notAllowed, 'The mandate does not allow it.'],
  mandate_refused: ['no', exitCodes.rejected, 'The mandate refuses the order.'],
  mandate_file: ['no', exitCodes.usage, 'The mandate file is invalid.'],
  never_met: ['no', exitCodes.rejected, 'The condition can no longer be met.'],
  no_answer: ['yes', exitCodes.unavailable, 'No answer arrived, and nothing was done.'],
  no_connection: ['no', exitCodes.unavailable, 'There is no connection.'],
  no_copy_stop: ['no', exitCodes.notFound, 'Copying has not been stopped.'],
  no_equity: ['no', exitCodes.unavailable, 'The equity of the account is not known.'],
  no_gate: ['no', exitCodes.unavailable, 'No gate is running.'],
  no_home: ['no', exitCodes.usage, 'There is no home folder.'],
  no_price: ['no', exitCodes.unavailable, 'There is no price.'],
  no_receiver: ['no', exitCodes.unavailable, "The browser's answer can't be received."],
  no_room: ['no', exitCodes.rejected, 'A floor leaves no room for a loss.'],
  no_size: ['no', exitCodes.rejected, 'No size fits.'],
  not_a_gate: ['no', exitCodes.notAllowed, 'The address is not that of a gate.'],
  not_found: ['no', exitCodes.notFound, 'It does not exist.'],
  not_kept: ['no', exitCodes.unavailable, 'The write could not be saved to disk.'],
  not_logged: ['no', exitCodes.unavailable, 'The audit log could not be written.'],
  not_met: ['no', exitCodes.unavailable, 'The condition was not met in time.'],
  not_signed: ['no', exitCodes.notAllowed, 'Nobody has signed the mandate.'],
  not_written: ['no', exitCodes.unavailable, 'A file could not be written.'],
  nothing_recorded: ['no', exitCodes.unavailable, 'Nothing was recorded.'],
  other_login: ['no', exitCodes.notAllowed, 'The write belongs to another login.'],
  outcome_unknown: ['unknown', exitCodes.outcomeUnknown, 'A write was sent, and no matching answer arrived.'],
  person_needed: ['no', exitCodes.notAllowed, 'Only a person at a terminal can do this.'],
  plans: ['no', exitCodes.usage, 'The plans file is invalid.'],
  port_taken: ['no', exitCodes.conflict, 'The port is in use.'],
  position_changed: ['no', exitCodes.conflict, 'The position has changed.'],
  practice_unreadable: ['no', exitCodes.conflict, "The practice can't be read."],
  profile_exists: ['no', exitCodes.conflict, 'The profile exists.'],
  profile_needed: ['no', exitCodes.conflict, 'The profile is in use.'],
  program: ['no', exitCodes.unavailable, 'The program could not be started.'],
  read_only: ['no', exitCodes.notAllowed, 'No mandate allows changes.'],
  recording: ['no', exitCodes.usage, 'The recording is invalid.'],
  rule_violation: ['no', exitCodes.rejected, 'A trading rule refuses it.'],
  rules: ['no', exitCodes.usage, 'The rules file is invalid.'],
  secret_exposed: ['no', exitCodes.notAllowed, "Other users could read the owner's secret."],
  secret_unusable: ['no', exitCodes.notAllowed, "The owner's secret can't be used."],
  session_missing: ['no', exitCodes.unavailable, 'The stored session is gone.'],
  state_mismatch: ['no', exitCodes.notAllowed, 'The answer belongs to another login.'],
  stop_required: ['no', exitCodes.rejected, "The account's policy requires a stop."],
  store_busy: ['no', exitCodes.unavailable, 'Another process is writing the simulation.'],
  store_corrupt: ['no', exitCodes.unavailable, "The simulation's file is damaged."],
  store_foreign: ['no', exitCodes.unavailable, 'The file is not a simulation.'],
  store_full: ['no', exitCodes.unavailable, 'The disk is full.'],
  store_in_doubt: ['unknown', exitCodes.outcomeUnknown, 'The simulation may have stored the command.'],
  store_io: ['no', exitCodes.unavailable, "The simulation's file could not be read or written."],
  store_moved: ['no', exitCodes.unavailable, "The simulation's file was moved."],
  store_newer: ['no', exitCodes.unavailable, 'A newer version wrote the simulation.'],
  store_no_locks: ['no', exitCodes.unavailable, 'The file system has no locks.'],
  store_outdated: ['no', exitCodes.unavailable, 'An old version wrote the simulation.'],
  store_read_only: ['no', exitCodes.unavailable, "The simulation can't be written."],
  store_special: ['no', exitCodes.unavailable, 'The path is not an ordinary file.'],
  stream_ended: ['no', exitCodes.unavailable, 'A stream has ended for good.'],
  stream_not_accepted: ['no', exitCodes.unavailable, 'The service does not accept the stream.'],
  stream_refused: ['no', exitCodes.notFound, 'The stream refused the subscription.'],
  tape: ['no', exitCodes.usage, 'The tape is invalid.'],
  terminated: ['no', exitCodes.interrupted, 'The system asked the process to end.'],
  too_many_calls: ['no', exitCodes.unavailable, 'Too many calls run at once.'],
  too_slow: ['no', exitCodes.unavailable, 'The reader of a stream is too slow.'],
  unauthorized: ['no', exitCodes.notAllowed, 'There is no credential, or it is not accepted.'],
  unavailable: ['no', exitCodes.unavailable, "It can't be done at the moment."],
  unknown: ['no', exitCodes.unavailable, 'The effects of an order are not known.'],
  unknown_floor: ['no', exitCodes.rejected, "A floor can't be compared."],
  unsettled_write: ['no', exitCodes.conflict, 'An earlier write is not settled.'],
  usage: ['no', exitCodes.usage, 'The command line is invalid.'],
  void: ['no', exitCodes.conflict, 'The request for approval is void.'],
  waits_for_approval: ['no', exitCodes.unavailable, 'The order is waiting for a person.'],
  worker: ['no', exitCodes.unavailable, 'A lab worker ended.'],
  worst_case_breach: ['no', exitCodes.rejected, 'The worst case would reach a floor.'],
  wrong_environment: ['no', exitCodes.notAllowed, 'The key belongs to the other environment.'],
} as const satisfies Readonly<Record<string, readonly [sent: WasSent, exit: ExitCode, sentence: string]>>;

/** One of perp's own error codes. */
export type OwnCode = keyof typeof ownCodes;

declare const ofHost: unique symbol;

/**
 * A code in the words of a host or of the system: open text, which is shown but never compared. It is a string, but the
 * compiler doesn't know that.
 */
export interface HostCode {
  readonly [ofHost]: true;
}

/** A code to be shown. */
export function codeText(code: string | HostCode): string {
  return code as unknown as string;
}

/** A host's or the system's word as its code. */
export function hostCode(word: string): HostCode {
  return word as unknown as HostCode;
}

/** The parts of an error report. */
export interface FailureFacts {
  exit: ExitCode;
  /** Machine-readable: one of perp's own, or the host's. */
  code: OwnCode | HostCode;
  sent: WasSent;
  /** The problem and its cause, in one or two sentences. */
  message: string;
  /** The next thing to do. */
  hint?: string | undefined;
  status?: number | undefined;
  requestId?: string | undefined;
  ruleId?: string | undefined;
  details?: unknown;
  /** Fields in the details have API names, because the request was written with them. */
  isOfWire?: true | undefined;
  retryable?: boolean | undefined;
  /** The delay that the refusing side requests. */
  retryAfterMs?: number | undefined;
  idempotencyKey?: string | undefined;
  /** The destination of the command's requests: `SIM default, synthetic`. */
  destination?: string | undefined;
}

/** perp's own failure: its code's text isn't repeated. */
type OwnFacts = Omit<FailureFacts, 'exit' | 'code' | 'sent'> & { code: OwnCode; exit?: never; sent?: never };

/** An expected failure: printed as what, why and what next, and sets the exit status. Anything else thrown is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;

  constructor(facts: OwnFacts | FailureFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.facts = facts.sent === undefined ? { ...factsOfCode(facts.code), ...facts } : facts;
  }
}

/** The meaning of one of perp's own codes. */
export function factsOfCode(code: OwnCode): { code: OwnCode; exit: ExitCode; sent: WasSent } {
  const [sent, exit] = ownCodes[code];
  return { code, exit, sent };
}

/** The code of perp's own failure; undefined for any other error, no matter what a host calls it. */
export function ownCodeOf(error: unknown): OwnCode | undefined {
  const code = error instanceof Failure ? error.facts.code : undefined;
  return code !== undefined && isOwnCode(codeText(code)) ? (code as OwnCode) : undefined;
}

/** Whether a text is one of perp's own codes. */
export function isOwnCode(code: string): code is OwnCode {
  return Object.hasOwn(ownCodes, code);
}

/** The command line itself is wrong (exit 2). */
export function usageFailure(message: string, hint?: string, details?: unknown): Failure {
  return new Failure({ code: 'usage', message, hint, details });
}

/** Something named on the command line does not exist (exit 3). */
export function notFoundFailure(message: string, hint?: string): Failure {
  return new Failure({ code: 'not_found', message, hint });
}

/** The user declined or pressed Ctrl-C, or the system asked the process to end (exit 130). */
export function interruptedFailure(message: string, signal?: NodeJS.Signals): Failure {
  const code = signal === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new Failure({ code, message });
}

/** Whether an error means that something does not exist. */
export function isNotFound(error: unknown): boolean {
  if (error instanceof Failure) return ownCodeOf(error) === 'not_found';
  return error instanceof Error && error.name === 'ApiError' && (error as Error & { status?: number }).status === 404;
}
