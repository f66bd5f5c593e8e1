import { hash } from 'node:crypto';
import type { Intent } from '../../client/intent.ts';
import { payloadHash } from '../../client/intent.ts';
import { operations } from '../../contract/operations.ts';
import { usageFailure } from '../failure/failure.ts';
import { type EnvironmentName, environments } from '../grammar/global-options.ts';
import { withoutSecrets } from '../text/secrets.ts';

/** Where a write goes: the same write to another place is another write. */
export interface Destination {
  environment: EnvironmentName;
  /** Of a host. */
  baseUrl?: string | undefined;
  /** Of the simulation: the name of its state, whether it is being served or not. */
  state?: string | undefined;
}

/** A write as it is kept while nobody knows what came of it; no credential is ever part of it. */
export interface Note extends Destination {
  format: 1;
  id: string;
  /** When it was about to leave, Unix ms. */
  time: number;
  /** Until then the process that sent it may still be trying, Unix ms. */
  until: number;
  pid: number;
  account?: string | undefined;
  /** Of the command as it was given: what it made of prices and positions may be another payload the next time. */
  wish?: string | undefined;
  /** Put down before its turn to be sent; a line of its own says when that came. */
  ahead?: true;
  intent: Intent;
  /** The resource before the write, where reading back needs it. */
  before?: unknown;
}

/**
 * One line of a journal: a write is about to leave; one put down ahead leaves now; its answer is there, but nobody has
 * seen it yet; what came of it is known to whoever asked for it.
 */
export type Entry = { kind: 'opened'; note: Note } | { kind: 'released' | 'answered' | 'closed'; id: string };

/**
 * An entry as one line of text, with a check sum in front: what is damaged must not be sent. A known secret never gets
 * into it: a write that has one in itself is refused with a failure, and what a host said of the resource is cleaned.
 */
export function lineOf(entry: Entry): string {
  const text = JSON.stringify({ [entry.kind]: entry.kind === 'opened' ? withoutSecret(entry.note) : entry.id });
  return `${checkSum(text)} ${text}\n`;
}

/** Reads a line without its end; undefined when it is damaged, or of a format that this version does not know. */
export function entryOf(line: string): Entry | undefined {
  const text = line.slice(checkSumLength + 1);
  if (line[checkSumLength] !== ' ' || line.slice(0, checkSumLength) !== checkSum(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (isNote(value.opened)) return { kind: 'opened', note: value.opened };
  for (const kind of ['released', 'answered', 'closed'] as const) {
    const id = value[kind];
    if (typeof id === 'string') return { kind, id };
  }
  return undefined;
}

/** A command as it was given: its words, its arguments and options. */
export interface Given {
  path: string;
  input: Readonly<Record<string, unknown>>;
}

/** What a command was asked to do, whatever it makes of it: the same words give the same wish. */
export function wishOf({ path, input }: Given): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return hash('sha256', JSON.stringify([path, given.sort(([one], [other]) => (one < other ? -1 : 1))]), 'hex').slice(
    0,
    32,
  );
}

/** What a person calls a kept write: its idempotency key, else the id of its note. */
export function keyOf({ id, intent }: Note): string {
  return intent.idempotencyKey ?? id;
}

/** Whether two writes go to the same place. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.environment === other.environment && one.baseUrl === other.baseUrl && one.state === other.state;
}

/** A failure for a write that has a known secret in it, where an account, a name, a key or the address should be. */
export function refuseSecret(intent: Intent, baseUrl: string | undefined): void {
  const { target, path, body, idempotencyKey, clientOrderId } = intent;
  const texts = [target, ...Object.values(path), body, idempotencyKey, clientOrderId, baseUrl];
  if (texts.every((text) => text === undefined || withoutSecrets(text) === text)) return;
  throw usageFailure(
    'The request has the credential in it, where something else should be. It was neither sent nor kept.',
    'Look at account, ids, keys and the address: perp accounts lists the accounts.',
  );
}

function withoutSecret(note: Note): Note {
  const { before, ...own } = note;
  refuseSecret(own.intent, own.baseUrl);
  return before === undefined ? own : { ...own, before: JSON.parse(withoutSecrets(JSON.stringify(before))) as unknown };
}

const checkSumLength = 16;

function checkSum(text: string): string {
  return hash('sha256', text, 'hex').slice(0, checkSumLength);
}

function isNote(value: unknown): value is Note {
  if (!isObject(value) || value.format !== 1 || !isIntent(value.intent)) return false;
  const { id, environment, time, until, pid } = value;
  const isDated = [time, until, pid].every((number) => typeof number === 'number' && Number.isFinite(number));
  return typeof id === 'string' && environments.some((name) => name === environment) && isDated;
}

/** An intent that is whole: its hash, made when it was formed, is the hash of what would be sent again. */
function isIntent(value: unknown): value is Intent {
  if (!isObject(value)) return false;
  const { operationId, method, target, path, body, payloadHash: wanted, idempotencyKey } = value;
  if (typeof operationId !== 'string' || !Object.hasOwn(operations, operationId) || !isObject(path)) return false;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
