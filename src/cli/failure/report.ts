import { jsonText, plain, plainLines } from '../text/plain-text.ts';
import { ended, sentence } from '../text/sentence.ts';
import { exitCodeForStatus, exitCodes } from './exit-codes.ts';
import type { Failure, FailureFacts } from './failure.ts';
import { flagOfField } from './flag-names.ts';
import { hintFor } from './hints.ts';

/** What is known of anything that was thrown: failures of ours, of the API, of the connection; the rest are bugs. */
export function factsOf(error: unknown): FailureFacts {
  if (!(error instanceof Error)) return bug(new Error(String(error)));
  // By name, not by class: the bundle's entry has a copy of its own, and the client is not loaded just to look.
  if (error.name === 'Failure') return (error as Failure).facts;
  const fields = error as Error &
    Partial<Record<'code' | 'requestId' | 'ruleId' | 'idempotencyKey', string>> & {
      status?: number;
      details?: unknown;
      retryable?: boolean;
    };
  const shared = {
    message: sentence(error.message),
    requestId: fields.requestId,
    idempotencyKey: fields.idempotencyKey,
  };
  switch (error.name) {
    case 'ApiError': {
      const facts = { ...shared, exit: exitCodeForStatus(fields.status ?? 0), code: fields.code ?? 'unknown' };
      const { status, ruleId, details, retryable } = fields;
      return { ...facts, status, ruleId, details, retryable, hint: hintFor(facts.code, ruleId) };
    }
    case 'RequestError': {
      const { issues } = error as Error & { issues?: unknown };
      return { exit: exitCodes.usage, code: 'invalid_request', message: 'The request is not valid.', details: issues };
    }
    case 'BulkIncompleteError':
      // It did not finish, and its intent stays open: what is left is not known.
      return { ...shared, exit: exitCodes.outcomeUnknown, code: 'incomplete', hint: hintFor('incomplete') };
    case 'SimulationError': {
      const { kind, hint } = error as Error & { kind?: string; hint?: string };
      if (kind === 'missing') return { ...shared, hint, exit: exitCodes.notFound, code: 'not_found' };
      const conflict = kind === 'conflict';
      return {
        ...shared,
        hint,
        exit: conflict ? exitCodes.conflict : exitCodes.usage,
        code: conflict ? 'conflict' : 'usage',
      };
    }
    case 'StoreError': {
      const kind = (error as Error & { kind?: string }).kind ?? 'io';
      const exit = kind === 'in_doubt' ? exitCodes.outcomeUnknown : exitCodes.unavailable;
      return { ...shared, exit, code: `store_${kind}`, hint: hintFor(`store_${kind}`) };
    }
    case 'RecordingError':
      // It begins with the file's name, which stays as it is written.
      return { ...shared, message: ended(error.message), exit: exitCodes.usage, code: 'recording' };
    case 'ConnectionError':
      return {
        ...shared,
        exit: exitCodes.unavailable,
        code: 'no_connection',
        retryable: fields.retryable,
        hint: hintFor('no_connection'),
      };
    case 'NoAnswerError':
      return { ...shared, exit: exitCodes.unavailable, code: 'no_answer', retryable: true, hint: hintFor('no_answer') };
    case 'OutcomeUnknownError':
      return { ...shared, exit: exitCodes.outcomeUnknown, code: 'outcome_unknown', hint: hintFor('outcome_unknown') };
    case 'ProtocolError':
      return {
        ...shared,
        exit: exitCodes.unavailable,
        code: 'bad_answer',
        status: fields.status,
        hint: hintFor('bad_answer'),
      };
    case 'CredentialError':
      return { ...shared, exit: exitCodes.notAllowed, code: 'credential', hint: hintFor('unauthorized') };
    case 'ExitPromptError':
    case 'AbortError':
    case 'AbortPromptError':
      return { exit: exitCodes.interrupted, code: 'interrupted', message: 'Interrupted.' };
    default:
      return 'syscall' in fields ? systemFacts(error, fields.code ?? 'EIO') : bug(error);
  }
}

/** The machine refused: a folder, a disk, a port. */
function systemFacts(error: Error, code: string): FailureFacts {
  const exit = code === 'EADDRINUSE' ? exitCodes.conflict : exitCodes.unavailable;
  return { exit, code: code.toLowerCase(), message: sentence(error.message), hint: hintFor(code) };
}

function bug(error: Error): FailureFacts {
  return {
    exit: exitCodes.bug,
    code: 'bug',
    message: `A bug in perp: ${error.message}`,
    hint: 'Please report it, with the output of the same command under --debug.',
  };
}

/** What happened, why, what to do next, and the request id; or with `json` the same as one JSON object. */
export function failureReport(facts: FailureFacts, json: boolean): string {
  return json ? `${jsonText({ error: wireFacts(facts) })}\n` : textReport(facts);
}

/** The fields of an error object, as programs read them. */
export function wireFacts(facts: FailureFacts): Record<string, unknown> {
  const { code, message, status, requestId, ruleId, details, retryable, hint, idempotencyKey } = facts;
  return {
    code,
    message,
    status,
    request_id: requestId,
    rule_id: ruleId,
    details,
    retryable,
    hint,
    idempotency_key: idempotencyKey,
  };
}

/** Failures after which the same key is how to go on. */
const keepsItsKey = new Set<number>([exitCodes.outcomeUnknown, exitCodes.incomplete, exitCodes.unavailable]);

function textReport(facts: FailureFacts): string {
  // Who said no, or pressed Ctrl-C, made no mistake.
  const opening = facts.exit === exitCodes.interrupted ? '' : 'Error: ';
  const lines = [opening + plainLines(facts.message)];
  for (const detail of detailLines(facts.details)) lines.push(`  ${plain(detail)}`);
  if (facts.ruleId !== undefined) lines.push(`  rule: ${plain(facts.ruleId)}`);
  if (facts.hint !== undefined) lines.push(plainLines(facts.hint));
  if (facts.idempotencyKey !== undefined && keepsItsKey.has(facts.exit)) {
    lines.push(`  idempotency key: ${plain(facts.idempotencyKey)}`);
  }
  if (facts.requestId !== undefined) lines.push(`  request id: ${plain(facts.requestId)}`);
  return `${lines.join('\n')}\n`;
}

/** `field: issue` for every offending field, `name: value` for the facts of a rule. */
function detailLines(details: unknown): string[] {
  if (Array.isArray(details)) {
    return details.map((detail) => {
      const { field, issue } = (detail ?? {}) as { field?: unknown; issue?: unknown };
      return field === undefined ? JSON.stringify(detail) : `${flagOfField(String(field))} ${String(issue)}`;
    });
  }
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).map(([name, value]) => {
    return `${name.replaceAll('_', ' ')}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  });
}
