import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { requestFields } from '../terms/order-fields.ts';
import type { WasSent } from '../terms/sent.ts';
import { dateTime, ended, sentence, stretch, withMarketNames } from '../text/format.ts';
import { type Place, withPlace } from '../text/place-options.ts';
import { jsonText, plain, plainLines, wrapLines } from '../text/plain-text.ts';
import {
  exitCodeForStatus,
  exitCodeForStreamEnd,
  exitCodes,
  type Failure,
  type FailureFacts,
  factsOfCode,
  hostCode,
  isOwnCode,
  type OwnCode,
} from './failure.ts';
import { hintFor, hintTaken } from './hints.ts';

/** The option or argument that sets a wire field, if the name alone doesn't say it. */
const names: Readonly<Record<string, string>> = {
  account_id: '--account',
  chase_cap_price: '--chase-cap',
  duration_minutes: '--duration',
  end_price: '--to',
  gtd_expires_at: '--expires',
  margin_mode: '--margin',
  marketable_limit_acknowledged: '--cross-ok',
  price: 'the price',
  replace_overlapping_exits: '--replace-exits',
  rung_count: '--rungs',
  side: 'SIDE',
  size: 'SIZE',
  slice_interval_seconds: '--interval',
  slippage_tolerance_bps: '--slippage',
  start_price: '--from',
  stop_loss_price: '--stop-loss',
  take_profit_price: '--take-profit',
  target_position_id: '--target-position',
  time_in_force: '--tif',
  trigger_market_id: '--trigger-market',
};

/** Other fields whose options have their names. */
const sameAsOption = new Set([
  ...requestFields.map(({ asked }) => asked).filter((asked) => asked !== 'market_id' && !(asked in names)),
  ...['distribution', 'max_price', 'min_price', 'randomize', 'strategy'],
]);

/** The option or argument for a wire field; fields without one keep their name. */
export function optionOfField(field: string): string {
  return names[field] ?? (sameAsOption.has(field) ? asFlag(field) : field);
}

const fieldsByOption: ReadonlyMap<string, string> = new Map([
  ...Object.entries(names).map(([field, option]) => [option, field] as const),
  ...[...sameAsOption].map((field) => [asFlag(field), field] as const),
]);

const optionIn = /(--[a-z-]+)(?: [A-Z]+\b)?/g;

/**
 * A hint for a program, which has fields in place of options, and no commands: without clauses that name a command, a
 * variable or an option that isn't a field. Undefined if nothing is left.
 */
export function hintInFields(hint: string): string | undefined {
  const isOfFields = (clause: string) =>
    !/\bperp [a-z]|PERP_/.test(clause) &&
    [...clause.matchAll(optionIn)].every(([, option]) => fieldsByOption.has(option!));
  const clauses = hint.split(/(?<=[.;]) /).filter(isOfFields);
  if (clauses.length === 0) return undefined;
  const text = clauses.join(' ').replace(optionIn, (_, option: string) => fieldsByOption.get(option)!);
  return text.endsWith(';') ? `${text.slice(0, -1)}.` : text;
}

function asFlag(name: string): string {
  return `--${name.replaceAll('_', '-')}`;
}

/** The fields of lower layers' errors. */
type Thrown = Error & {
  readonly code?: string;
  readonly kind?: string;
  readonly hint?: string;
  readonly requestId?: string;
  readonly ruleId?: string;
  readonly idempotencyKey?: string;
  readonly status?: number;
  readonly details?: unknown;
  readonly issues?: unknown;
  readonly retryable?: boolean;
  readonly sent?: WasSent;
  readonly retryAfterMs?: number;
  readonly wayOut?: string;
  readonly end?: { readonly code: number; readonly status?: number; readonly front?: { readonly wayOut: string } };
};

type Facts = Omit<FailureFacts, 'message'> & { readonly message?: string };

/**
 * The meaning of each kind of error. Matched by name, not class: the bundle has copies of the classes, and loading one
 * just to compare would cost time.
 */
const factsByName: ReadonlyMap<string, (error: Thrown) => Facts> = new Map<string, (error: Thrown) => Facts>([
  ['ApiError', apiFacts],
  ['RequestError', requestFacts],
  // It did not finish and its intent stays open, so the rest is unknown.
  ['BulkIncompleteError', () => withHint('incomplete')],
  ['SimulationError', simulationFacts],
  ['StoreError', storeFacts],
  // The message starts with a file name, so it is not capitalized.
  ['RecordingError', ({ message }) => ({ ...factsOfCode('recording'), message: ended(message) })],
  ['TapeError', ({ message }) => ({ ...factsOfCode('tape'), message: ended(message) })],
  ['VenueError', ({ message }) => ({ ...factsOfCode('unavailable'), message: ended(message), retryable: true })],
  ['ConnectionError', ({ retryable }) => ({ ...withHint('no_connection'), retryable })],
  ['NoAnswerError', () => ({ ...withHint('no_answer'), retryable: true })],
  ['StreamEndError', streamEndFacts],
  ['OutcomeUnknownError', () => withHint('outcome_unknown')],
  ['ProtocolError', ({ status }) => ({ ...withHint('bad_answer'), status })],
  ['CredentialError', () => withHint('credential')],
  ['AbortError', () => ({ ...factsOfCode('interrupted'), message: 'Interrupted.' })],
]);

/** A failed command's destination, by its error: in words, and as options. */
const destinations = new WeakMap<object, Gone>();

interface Gone {
  readonly destination: string | undefined;
  readonly place: Place;
  /** Whether the command has this option. */
  readonly takes: (flag: string) => boolean;
}

/** Errors about requests written with API names. */
const ofWire = new WeakSet<object>();

/** Marks an error as one about a request written with API names, which it keeps. */
export function markOfWire(error: unknown): void {
  if (error instanceof Error) ofWire.add(error);
}

/** Records the destination of a failed command; commands in its hint get the same one. */
export function storeDestination(
  error: unknown,
  destination: string | undefined,
  place: Place,
  takes: Gone['takes'] = () => true,
): void {
  if (error instanceof Error) destinations.set(error, { destination, place, takes });
}

/** The facts of any thrown value: perp's own failures, API errors, connection errors; everything else is a bug. */
export function factsOf(error: unknown): FailureFacts {
  const facts = ownFacts(error);
  const { destination, place, takes } = (error instanceof Error ? destinations.get(error) : undefined) ?? {};
  const own = facts.hint === undefined || takes === undefined ? facts.hint : hintTaken(facts.hint, facts.ruleId, takes);
  const hint = own === undefined || place === undefined ? own : withPlace(own, place);
  const isOfWire = error instanceof Error && ofWire.has(error) ? ({ isOfWire: true } as const) : {};
  return {
    ...facts,
    ...isOfWire,
    ...(hint === undefined ? {} : { hint }),
    ...(destination === undefined ? {} : { destination }),
  };
}

function ownFacts(error: unknown): FailureFacts {
  if (!(error instanceof Error)) return bug(new Error(String(error)));
  if (error.name === 'Failure') return (error as Failure).facts;
  const thrown: Thrown = error;
  const facts = factsByName.get(error.name)?.(thrown);
  if (facts === undefined) return 'syscall' in error ? systemFacts(error, thrown.code ?? 'EIO') : bug(error);
  const { requestId, idempotencyKey } = thrown;
  return { message: sentence(error.message), requestId, idempotencyKey, ...facts };
}

function withHint(code: OwnCode): Facts {
  return { ...factsOfCode(code), hint: hintFor(code) };
}

function apiFacts({ status, code = 'unknown', ruleId, details, ...thrown }: Thrown): Facts {
  const { retryable, retryAfterMs, wayOut, sent = 'yes' } = thrown;
  return {
    exit: wayOut === undefined ? exitCodeForStatus(status ?? 0) : exitCodes.unavailable,
    code: hostCode(code),
    sent,
    status,
    ruleId,
    details,
    retryable,
    retryAfterMs,
    hint: wayOut ?? hintFor(code, ruleId),
  };
}

function streamEndFacts({ end = { code: 1006 } }: Thrown): Facts {
  const exit = exitCodeForStreamEnd(end);
  const hint = end.front?.wayOut ?? hintFor(exit === exitCodes.notAllowed ? 'unauthorized' : 'stream_ended');
  return { ...factsOfCode('stream_ended'), exit, status: end.status, hint, retryable: exit === exitCodes.unavailable };
}

function requestFacts({ issues }: Thrown): Facts {
  return { ...factsOfCode('invalid_request'), message: 'The request is invalid.', details: issues };
}

function simulationFacts({ kind, hint }: Thrown): Facts {
  if (kind === 'missing') return { hint, ...factsOfCode('not_found') };
  if (kind === 'conflict') return { hint, ...factsOfCode('conflict') };
  if (kind === 'unavailable') return { hint, ...factsOfCode('unavailable'), retryable: true };
  return { hint, ...factsOfCode('usage') };
}

function storeFacts({ kind = 'io' }: Thrown): Facts {
  const code = `store_${kind}`;
  return withHint(isOwnCode(code) ? code : 'store_io');
}

/** An error from the operating system: a folder, a disk, a port. */
function systemFacts(error: Error, code: string): FailureFacts {
  const exit = code === 'EADDRINUSE' ? exitCodes.conflict : exitCodes.unavailable;
  const { port } = error as { port?: unknown };
  const message =
    code === 'EADDRINUSE' && typeof port === 'number' ? `Port ${port} is in use.` : sentence(error.message);
  return { exit, code: hostCode(code.toLowerCase()), sent: 'no', message, hint: hintFor(code) };
}

function bug(error: Error): FailureFacts {
  const place = thrownAt(error);
  return {
    ...factsOfCode('bug'),
    message: `A bug in perp${place === undefined ? '' : ` at ${place}`}: ${error.message}`,
    hint: 'Please report it with the output of the same command with --debug.',
  };
}

/**
 * The problem, its cause, the next step, and the request id. With `json`, the same as one JSON object; otherwise text
 * that wraps between words at `width` columns.
 */
export function failureReport(facts: FailureFacts, json: boolean, width = Number.POSITIVE_INFINITY): string {
  return json ? `${jsonText({ error: wireFacts(facts) })}\n` : wrapLines(textReport(facts), width);
}

/** The fields of a JSON error object. */
export function wireFacts(facts: FailureFacts): Record<string, unknown> {
  const { code, message, status, requestId, ruleId, details, retryable, hint, idempotencyKey, destination } = facts;
  const { sent, retryAfterMs } = facts;
  return {
    code,
    message,
    sent,
    status,
    request_id: requestId,
    rule_id: ruleId,
    details,
    retryable,
    retry_after_seconds: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
    hint,
    idempotency_key: idempotencyKey,
    destination,
  };
}

/** Failures after which the user continues with the same key. */
const keepsItsKey = new Set<number>([exitCodes.outcomeUnknown, exitCodes.incomplete, exitCodes.unavailable]);

function textReport(facts: FailureFacts): string {
  // Declining or pressing Ctrl-C is not an error.
  const opening = facts.exit === exitCodes.interrupted ? '' : 'Error: ';
  const nameOf = facts.isOfWire === true ? (field: string) => field : optionOfField;
  const message = withMarketNames(facts.message).replace(/\b[a-z]{2,20}(?:_[a-z]{2,20}){1,5}\b/g, nameOf);
  const lines = [opening + plainLines(message)];
  for (const detail of detailLines(facts.details, nameOf)) lines.push(`  ${plain(detail)}`);
  if (facts.ruleId !== undefined) lines.push(`  rule: ${plain(facts.ruleId)}`);
  if (facts.hint !== undefined) lines.push(plainLines(facts.hint));
  if (facts.retryAfterMs !== undefined && facts.retryAfterMs > 0)
    lines.push(`It asks to wait ${stretch(facts.retryAfterMs)} (${Math.ceil(facts.retryAfterMs / 1_000)} s).`);
  if (facts.idempotencyKey !== undefined && keepsItsKey.has(facts.exit)) {
    lines.push(`  idempotency key: ${plain(facts.idempotencyKey)}`);
  }
  if (facts.requestId !== undefined) lines.push(`  request id: ${plain(facts.requestId)}`);
  if (facts.destination !== undefined && facts.exit !== exitCodes.interrupted)
    lines.push(`  on ${plain(facts.destination)}`);
  return `${lines.join('\n')}\n`;
}

/** API words that perp writes differently. */
const valueWords: Readonly<Record<string, string>> = { sl: 'stop-loss', tp: 'take-profit' };

function factText(name: string, value: unknown): string {
  const word = name === 'group' ? valueWords[String(value)] : undefined;
  if (word !== undefined) return word;
  if (typeof value === 'number' && /(?:^|_)(?:at|time|since|until)$/.test(name) && value > earliest)
    return dateTime(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Smaller numbers are not times, Unix ms. */
const earliest = Date.UTC(1990, 0, 1);

/** `--tif gtd requires --expires`, `--duration must be at least 5m`: the issue in the words of the command line. */
function issueText(of: string, issue: string, nameOf: (field: string) => string): string {
  const name = nameOf(of);
  const [, field, value] = /^is required for (type|time_in_force) (\w+)$/.exec(issue) ?? [];
  if (field !== undefined) return `${nameOf(field)} ${value} requires ${name}`;
  const unit = name === of ? '' : (/_([ms])(?:inutes|econds)$/.exec(of)?.[1] ?? '');
  return `${name} ${issue.replace(/\d+/, (number) => number + unit)}`;
}

/** `field: issue` for each invalid field, `name: value` for each fact of a rule. */
function detailLines(details: unknown, nameOf: (field: string) => string): string[] {
  if (Array.isArray(details)) {
    return details.map((detail) => {
      const { field, issue } = (detail ?? {}) as { field?: unknown; issue?: unknown };
      return field === undefined ? JSON.stringify(detail) : issueText(String(field), String(issue), nameOf);
    });
  }
  if (typeof details !== 'object' || details === null) return [];
  return Object.entries(details).map(([name, value]) => {
    return `${name.replaceAll('_', ' ')}: ${factText(name, value)}`;
  });
}

/**
 * An error's stack with places in the bundle mapped to the sources, `src/terminal/cli/run-command.ts:105:9`, if a
 * source map is next to the bundle. Node's own option would read every map at every start.
 */
export function sourceStack({ stack = '' }: Error): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack
    .split('\n')
    .map((line) => {
      const place = placeIn(line);
      return place === undefined ? line : line.replace(place, () => sourcePlace(place, maps));
    })
    .join('\n');
}

/**
 * Where perp's own code threw it: file and line of the source, or the place in the bundle if it has no source map;
 * undefined if the stack doesn't say.
 */
export function thrownAt(error: Error): string | undefined {
  for (const line of sourceStack(error).split('\n')) {
    const own = line.slice(line.search(/\b(?:src|dist)\//));
    const [, place, position, column] = /^((?:src|dist)\/[\w/.-]+)(:\d+)(:\d+)\)?$/.exec(own) ?? [];
    if (place !== undefined) return `${place}${position}${place.startsWith('dist/') ? column : ''}`;
  }
  return undefined;
}

/** `file:///.../run.js:1:4711` in a line such as `    at report (file:///.../run.js:1:4711)`. */
function placeIn(line: string): string | undefined {
  const start = line.indexOf('file:///');
  if (start < 0 || !line.trimStart().startsWith('at ')) return undefined;
  return line.slice(start, line.endsWith(')') ? -1 : undefined);
}

function sourcePlace(place: string, maps: Map<string, SourceMap | undefined>): string {
  const parts = place.split(':');
  const [line, column] = parts.splice(-2).map(Number);
  const url = parts.join(':');
  if (!maps.has(url)) maps.set(url, mapBeside(url));
  const origin = maps.get(url)?.findOrigin(line!, column!);
  if (origin === undefined || !('fileName' in origin)) return inPackage(place);
  return `${inPackage(origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`;
}

/** The path without the folders above the package, which are private. */
function inPackage(path: string): string {
  const start = Math.max(...['/src/', '/dist/', '/node_modules/'].map((folder) => path.lastIndexOf(folder)));
  return path.slice(start + 1);
}

function mapBeside(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
