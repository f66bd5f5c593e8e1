import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { stateFolder, type Variables } from '../../base/files/folders.ts';
import { existingOwnerSecret, ownerFolder, ownerSecret } from '../../base/files/owner-secret.ts';
import { namesIn, readRegularFile, writePrivateFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import { mandateHash, mandateText, type NamedMandate, parseMandate } from './mandate-file.ts';
import { bothOf, type Comparison, compared, fieldNames, isBotName } from './terms.ts';

/** A mandate that a person has agreed to. */
export interface SignedMandate {
  readonly mandate: NamedMandate;
  /** Unix ms. */
  readonly signedAt: number;
  /** SHA-256 of the terms, hex: what records name it by. */
  readonly hash: string;
}

/** The version of the signed copies. */
const version = 1;

function folderOf(variables: Variables): string {
  return join(ownerFolder(variables), 'mandates');
}

/** Signs a mandate with the owner's secret, and keeps the signed copy beside it. */
export function signMandate(variables: Variables, mandate: NamedMandate, now: number): SignedMandate {
  const text = mandateText(mandate);
  const signature = ownerSecret(variables).sign('mandate', signedText(text, now));
  const kept = { version, mandate: text, signed_at: now, signature };
  const file = join(folderOf(variables), `${mandate.name}.json`);
  changeFile({ file }, (write) => write(`${JSON.stringify(kept, null, 2)}\n`));
  forgetSeenTime(variables, mandate.name);
  return { mandate, signedAt: now, hash: mandateHash(mandate) };
}

/** Reads the signed terms of a name; undefined if there are none. Throws a failure for a copy that was changed. */
export function readSigned(variables: Variables, name: string): SignedMandate | undefined {
  if (!isBotName(name)) return undefined;
  const file = join(folderOf(variables), `${name}.json`);
  const kept = readCopy(file);
  if (kept === undefined) return undefined;
  const { version: found, mandate: text, signed_at: signedAt, signature } = kept;
  if (found !== version) throw refused(file, `it has version ${String(found)}, but this perp reads ${version}`);
  const isSound = typeof text === 'string' && typeof signedAt === 'number';
  if (!isSound || existingOwnerSecret(variables)?.isSigned('mandate', signedText(text, signedAt), signature) !== true)
    throw refused(file, 'its signature does not match its terms');
  const mandate = parseMandate(text, file);
  if (mandate.name !== name) throw refused(file, `it is the mandate of ${mandate.name}`);
  return { mandate, signedAt, hash: mandateHash(mandate) };
}

/** The names with signed terms. */
export function signedNames(variables: Variables): string[] {
  const files = namesIn(folderOf(variables)).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => file.slice(0, -'.json'.length))
    .filter(isBotName)
    .sort();
}

/**
 * The terms in force: each as signed, or tighter as the file has it. Terms that the file loosens are in force only as
 * signed.
 */
export function effectiveMandate({ mandate: signed }: SignedMandate, file: NamedMandate) {
  const changes = changesOf(signed, file);
  const terms = Object.fromEntries(
    fieldNames
      .map((field) => [field, bothOf(field, file[field], signed[field])])
      .filter(([, value]) => value !== undefined),
  );
  return {
    mandate: { ...terms, name: signed.name } as unknown as NamedMandate,
    // The signed value applies.
    looser: changes.filter(({ change }) => change === 'looser').map(({ field }) => field),
  };
}

/** The terms in force: the signed terms, tightened by a file. */
export type EffectiveMandate = ReturnType<typeof effectiveMandate>;

/** How each field of a mandate differs from what was signed. */
export function changesOf(
  signed: NamedMandate,
  file: NamedMandate,
): { field: (typeof fieldNames)[number]; change: Comparison }[] {
  return fieldNames.map((field) => ({ field, change: compared(field, file[field], signed[field]) }));
}

function signedText(text: string, at: number): string {
  return JSON.stringify([version, at, text]);
}

function readCopy(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    ({ text } = readRegularFile(file, 1 << 17));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refused(file, (error as Error).message);
  }
  const kept = jsonObjectIn(text);
  if (kept === null) throw refused(file, 'it is damaged');
  return kept;
}

function refused(file: string, why: string): Failure {
  return new Failure({
    code: 'not_signed',
    message: `The signed mandate ${file} is not valid: ${why}.`,
    hint: 'Sign it again: perp mandate sign FILE',
  });
}

/** Kept this often while time goes on, ms. */
const keptEveryMs = 10_000;
const lookEveryMs = 1_000;

interface Seen {
  /** The highest time seen, Unix ms, and its moment on the monotonic clock. */
  at: number;
  uptime: number;
  /** As it is on disk. */
  kept: number;
  lookedAt: number;
}

/**
 * The highest time at which each mandate and each key was used, kept across restarts: setting a clock back restores no
 * expired permission. From there, time advances by the monotonic clock.
 */
export class SeenTimes {
  readonly #folder: string;
  readonly #uptime: () => number;
  readonly #seen = new Map<string, Seen>();

  constructor(variables: Variables, uptime: () => number = () => performance.now()) {
    this.#folder = timesFolder(variables);
    this.#uptime = uptime;
  }

  /** The time for something that ends at `until`: the wall's, unless a higher one was seen. */
  timeOf(name: string, wall: number, until: number): number {
    const uptime = this.#uptime();
    const seen = this.#current(name, uptime) ?? this.#read(name, uptime);
    const at = Math.max(wall, seen.at + Math.max(0, uptime - seen.uptime));
    const isOverNow = at >= until && seen.kept < until;
    seen.at = at;
    seen.uptime = uptime;
    if (isOverNow || at - seen.kept >= keptEveryMs) this.#keep(name, seen);
    return at;
  }

  /** Known facts about a name, unless a person has signed again since: then its file is gone. */
  #current(name: string, uptime: number): Seen | undefined {
    const seen = this.#seen.get(name);
    if (seen === undefined || uptime - seen.lookedAt < lookEveryMs) return seen;
    seen.lookedAt = uptime;
    const isGone = Number.isFinite(seen.kept) && !existsSync(join(this.#folder, name));
    return isGone ? undefined : seen;
  }

  #read(name: string, uptime: number): Seen {
    const at = keptTime(join(this.#folder, name));
    const seen = { at, uptime, kept: at, lookedAt: uptime };
    this.#seen.set(name, seen);
    return seen;
  }

  /** A disk that accepts no file changes nothing for this process. */
  #keep(name: string, seen: Seen): void {
    seen.kept = seen.at;
    try {
      writePrivateFile(join(this.#folder, name), `${seen.at}\n`, 'quick');
    } catch {
      // The next one is tried in a while.
    }
  }
}

/** Starts over for a mandate that a person signs now: a clock that once ran ahead hasn't ended it permanently. */
export function forgetSeenTime(variables: Variables, bot: string): void {
  rmSync(join(timesFolder(variables), seenNameOf(bot)), { force: true });
}

/** The key of a mandate's stored time. */
export function seenNameOf(bot: string): string {
  return `mandate-${bot}`;
}

function timesFolder(variables: Variables): string {
  return join(stateFolder(variables), 'gate', 'times');
}

function keptTime(file: string): number {
  try {
    const time = Number(readFileSync(file, 'utf8'));
    return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}
