import { hash } from 'node:crypto';
import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { type EnvironmentName, environments, isSamePlace } from '../../base/files/folders.ts';
import { checkedLine, checkedText } from '../../base/files/private-files.ts';
import { isJsonObject, jsonObjectIn } from '../../base/terms/json-object.ts';
import { dateTime, marketName, quantity } from '../../base/text/format.ts';
import { withoutCredentials, withoutSecrets } from '../../base/text/plain-text.ts';
import { type Intent, payloadHash } from '../../wire/client/intent.ts';
import { writeOf } from '../../wire/client/writes.ts';
import { operations } from '../../wire/contract/operations.ts';

/** The destination of an access, as far as the opened service or host reports it; a setting alone never makes one. */
export interface Destination {
  environment: EnvironmentName;
  /** For a host. */
  baseUrl?: string | undefined;
  /** The login and settings in use. */
  profile?: string | undefined;
  /** For the simulation: the name of its state, served or not. */
  state?: string | undefined;
  /** The name of the place, however it is reached: see `placesOf`. A write of an earlier version has none. */
  place?: string | undefined;
  /** For a simulation, even one that answers as a host: the source of its prices: `synthetic`, `live books`. */
  prices?: string | undefined;
}

/** The source of a simulation's prices in words; `firstTime` is the first moment of a recording, Unix ms. */
export function pricesInWords(source: string, firstTime: number | null): string {
  if (source === 'live') return 'live books';
  if (source !== 'recorded') return source;
  return firstTime === null ? 'tape' : `tape of ${new Date(firstTime).toISOString().slice(0, 10)}`;
}

/** The same for an answer; undefined if it doesn't identify a simulation, as each of a simulation's answers does. */
export function pricesOfAnswer(headers: Readonly<Record<string, string>>): string | undefined {
  const source = headers['x-market-source'];
  return source === 'synthetic' || source === 'recorded' || source === 'live' ? pricesInWords(source, null) : undefined;
}

/**
 * The name of a destination: `SIM default, synthetic`, `SANDBOX`, `LIVE api.example.com acc_1, profile prop`. Only a
 * live one names the account. A simulation at the address of live keeps the name and the questions of live, with a
 * remark.
 */
export function destinationName(
  { environment, baseUrl, profile, state, prices }: Destination,
  account?: string,
): string {
  const ofProfile = profile === undefined ? '' : `, profile ${profile}`;
  if (environment === 'sandbox') return `SANDBOX${ofProfile}`;
  if (environment === 'live') {
    const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).host : undefined;
    const words = ['LIVE', host, account].filter((part) => part !== undefined).join(' ');
    const name = withoutCredentials(`${words}${ofProfile}`);
    return prices === undefined ? name : `${name} (a simulation, ${prices})`;
  }
  return `SIM${state === undefined ? '' : ` ${state}`}${prices === undefined ? '' : `, ${prices}`}${ofProfile}`;
}

/**
 * The name with its account, for people: `SIM default, synthetic, account acc_1`. Live stands between stars, which are
 * seen without colors, too: `*** LIVE api.example.com acc_1 ***`.
 */
export function destinationText(destination: Destination, account?: string): string {
  const name = destinationName(destination, account);
  if (destination.environment === 'live') return `*** ${name} ***`;
  return account === undefined ? name : withoutCredentials(`${name}, account ${account}`);
}

/** The destination of a command's requests, and their account if they all concern the same one. */
export interface Where {
  readonly destination: Destination;
  readonly account: string | undefined;
}

/** The account that an answer or a request names. */
export function accountIn(...parts: readonly unknown[]): string | undefined {
  for (const part of parts) {
    const account = (part as { account_id?: unknown } | null | undefined)?.account_id;
    if (typeof account === 'string') return account;
  }
  return undefined;
}

/** The account that a request names. */
export function accountOf({ path, query, body }: { path?: unknown; query?: unknown; body?: unknown }) {
  return accountIn(body, path, query);
}

/** Whether two writes go to the same place, no matter who sends them. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  if (one.place !== undefined && other.place !== undefined) return one.place === other.place;
  return one.environment === other.environment && isSamePlace(one.baseUrl, other.baseUrl) && one.state === other.state;
}

/** Whether two writes go to the same place as the same profile: one's answer can settle the other. */
export function isSameLogin(one: Destination, other: Destination): boolean {
  return isSameDestination(one, other) && one.profile === other.profile;
}

/** A write as stored while its outcome is unknown; never contains a credential. */
export interface Note extends Destination {
  format: 1;
  id: string;
  /** When it was about to be sent, Unix ms. */
  time: number;
  /** Until when the process that sent it may still be trying, Unix ms. */
  until: number;
  pid: number;
  account?: string | undefined;
  /** Hash of the command as given. Its payload may differ next time, as prices and positions change. */
  commandHash?: string | undefined;
  /** Kept before its turn; a separate line records when it was sent. */
  ahead?: true;
  intent: Intent;
  /** The resource before the write, if reading back needs it. */
  before?: unknown;
}

/**
 * One line of an intent file: a write is about to be sent (opened), a write kept ahead is sent now (released), its
 * answer arrived but was not shown yet (answered), its outcome was shown (closed), a strategy is another write's
 * (not_it).
 */
export type IntentEvent =
  | { kind: 'opened'; note: Note }
  | { kind: 'released' | 'answered' | 'closed'; id: string }
  | { kind: 'not_it'; id: string; made: string };

/**
 * An event as one line of text with a leading checksum, because damaged writes must not be sent. Never contains a known
 * secret: a write that contains one is refused with a failure, and the stored resource is cleaned.
 */
export function lineOf(event: IntentEvent): string {
  const more = event.kind === 'not_it' && { made: event.made };
  const text = { [event.kind]: event.kind === 'opened' ? withoutSecret(event.note) : event.id, ...more };
  return checkedLine(JSON.stringify(text));
}

/** Parses a line without its newline; undefined if it is damaged or of an unknown format. */
export function eventOf(line: string): IntentEvent | undefined {
  const text = checkedText(line);
  if (text === undefined) return undefined;
  const value = jsonObjectIn(text) ?? {};
  if (isNote(value.opened)) return { kind: 'opened', note: value.opened };
  for (const kind of ['released', 'answered', 'closed'] as const) {
    const id = value[kind];
    if (typeof id === 'string') return { kind, id };
  }
  const { not_it: id, made } = value;
  if (typeof id === 'string' && typeof made === 'string') return { kind: 'not_it', id, made };
  return undefined;
}

/** A command as given: its words, arguments and options. */
export interface Given {
  path: string;
  input: Readonly<Record<string, unknown>>;
}

/** A hash of the command as given: the same words give the same hash, no matter what request results. */
export function commandHashOf({ path, input }: Given): string {
  const given: [name: string, value: unknown][] = [];
  for (const name of Object.keys(input).sort()) if (input[name] !== undefined) given.push([name, input[name]]);
  return hash('sha256', JSON.stringify([path, given]), 'hex').slice(0, 32);
}

/** The name of a kept write: its idempotency key, or the id of its note. */
export function keyOf({ id, intent }: Note): string {
  return intent.idempotencyKey ?? id;
}

/** Throws a failure for a write that contains a known secret where an account, name, key or address belongs. */
export function refuseSecret(intent: Intent, baseUrl: string | undefined): void {
  const { target, path, body, idempotencyKey, clientOrderId } = intent;
  const texts = [target, ...Object.values(path), body, idempotencyKey, clientOrderId, baseUrl];
  if (texts.every((text) => text === undefined || withoutSecrets(text) === text)) return;
  throw usageFailure(
    'A value of the request is the credential itself, so it was neither sent nor stored.',
    'Check the account, ids, keys and address; perp accounts lists the accounts.',
  );
}

function withoutSecret(note: Note): Note {
  const { before, ...own } = note;
  refuseSecret(own.intent, own.baseUrl);
  return before === undefined ? own : { ...own, before: JSON.parse(withoutSecrets(JSON.stringify(before))) as unknown };
}

function isNote(value: unknown): value is Note {
  if (!isJsonObject(value) || value.format !== 1 || !isIntent(value.intent)) return false;
  const { id, environment, time, until, pid } = value;
  const isDated = [time, until, pid].every((number) => typeof number === 'number' && Number.isFinite(number));
  return typeof id === 'string' && environments.some((name) => name === environment) && isDated;
}

/** Whether a value is an intact intent: its stored hash matches the request that would be sent again. */
function isIntent(value: unknown): value is Intent {
  if (!isJsonObject(value)) return false;
  const { operationId, method, target, path, body, payloadHash: wanted, idempotencyKey } = value;
  if (typeof operationId !== 'string' || !Object.hasOwn(operations, operationId) || !isJsonObject(path)) return false;
  if (typeof method !== 'string' || typeof target !== 'string' || !isTextOrAbsent(body, idempotencyKey)) return false;
  try {
    return payloadHash(method, target, body === undefined ? undefined : JSON.parse(body as string)) === wanted;
  } catch {
    return false;
  }
}

function isTextOrAbsent(...values: unknown[]): boolean {
  return values.every((value) => value === undefined || typeof value === 'string');
}

/** Whether sending the write again under another key could do it a second time. */
export function canHappenTwice(intent: Intent): boolean {
  const secondTime = writeOf(intent.operationId)?.secondTime;
  return secondTime !== 'nothing' && secondTime !== 'total';
}

/** `The same write was sent at 2026-11-20 22:10:03Z, and its outcome is unknown.` */
export function unsettledSentence(note: Note): string {
  return `The same write was sent at ${dateTime(note.time)}, and its outcome is unknown.`;
}

/** The refusal of a write that might be done twice (exit 6). */
export function repetitionFailure(note: Note): Failure {
  return new Failure({
    code: 'unsettled_write',
    message: `${unsettledSentence(note)} Nothing was sent.`,
    hint: `perp pending resume ${keyOf(note)} settles it; --new sends it anyway.`,
    idempotencyKey: note.intent.idempotencyKey,
  });
}

/** A write in one line: `place limit buy 0.05 BTC at 61000`. */
export function wordsOf({ operationId, body, path }: Intent): string {
  return wordsFor(operationId, jsonObjectIn(body ?? '') ?? {}, Object.values(path));
}

/** The same for a request that someone else wrote: its body may be anything. */
export function requestWords(operationId: string, target: string, body: string | undefined): string {
  const [, , , id] = target.split('?', 1)[0]!.split('/');
  return wordsFor(operationId, jsonObjectIn(body ?? '') ?? {}, id === undefined ? [] : [id]);
}

function wordsFor(operationId: string, wanted: Readonly<Record<string, unknown>>, ids: readonly string[]): string {
  const price = wanted.limit_price ?? wanted.price;
  const to = wanted.extra_margin ?? wanted.stopped_at;
  const parts = [
    writeOf(operationId)?.words ?? operationId,
    ...ids,
    wanted.strategy,
    wanted.type,
    wanted.side,
    wanted.size,
    typeof wanted.market_id === 'string' ? marketName(wanted.market_id) : undefined,
    ...(price === undefined ? [] : ['at', price]),
    ...(to === undefined ? [] : ['to', to]),
  ];
  return parts
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => (typeof part === 'number' ? quantity(part) : part))
    .join(' ');
}
