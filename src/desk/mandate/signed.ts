import { join } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import type { Variables } from '../../base/files/folders.ts';
import { existingOwnerSecret, ownerFolder, ownerSecret } from '../../base/files/owner-secret.ts';
import { namesIn, readRegularFile } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { jsonObjectIn } from '../../base/terms/json-object.ts';
import { isBotName, mandateHash, mandateText, type NamedMandate, parseMandate } from './mandate-file.ts';
import { forgetSeenTime } from './seen-times.ts';
import { bothOf, type Comparison, compared, fieldNames } from './terms.ts';

/** A mandate that a person has agreed to. */
export interface SignedMandate {
  readonly mandate: NamedMandate;
  /** Unix ms. */
  readonly signedAt: number;
  /** SHA-256 of the terms, hex: what records name it by. */
  readonly hash: string;
}

/** The terms in force: the signed terms, tightened by a file. */
export interface EffectiveMandate {
  readonly mandate: NamedMandate;
  /** Terms that the file loosens: the signed value applies. */
  readonly looser: readonly (typeof fieldNames)[number][];
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
export function effectiveMandate({ mandate: signed }: SignedMandate, file: NamedMandate): EffectiveMandate {
  const changes = changesOf(signed, file);
  const terms = Object.fromEntries(
    fieldNames
      .map((field) => [field, bothOf(field, file[field], signed[field])])
      .filter(([, value]) => value !== undefined),
  );
  return {
    mandate: { ...terms, name: signed.name } as unknown as NamedMandate,
    looser: changes.filter(({ change }) => change === 'looser').map(({ field }) => field),
  };
}

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
