import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure/failure.ts';
import { isOpenToOthers, isWindows } from '../system/system.ts';
import { stateFolder, type Variables } from './folders.ts';
import { createPrivateFile, reading } from './private-files.ts';

/** The purposes of the owner secret's signatures: one for a purpose isn't valid for another. */
export type Purpose =
  | 'mandate'
  | 'audit head'
  | 'approval request'
  | 'approval facts'
  | 'approval'
  | 'approval end'
  | 'gate control';

const secretBytes = 32;

/** Signs what only the owner of this machine's state may write: mandates, approvals, the head of the audit log. */
export class OwnerSecret {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * Signs records that only the owner of this machine's state may write: mandates, approvals, the head of the audit
   * log.
   */
  sign(purpose: Purpose, text: string): string {
    return createHmac('sha256', this.#bytes).update(`${purpose}\0${text}`).digest('hex');
  }

  /** HMAC-SHA256 of a text for a purpose, 64 hexadecimal digits. */
  isSigned(purpose: Purpose, text: string, signature: unknown): boolean {
    const wanted = Buffer.from(this.sign(purpose, text));
    const given = Buffer.from(typeof signature === 'string' ? signature : '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
}

/** The folder of what only the owner may read: the secret, and the head of the audit log. */
export function ownerFolder(variables: Variables): string {
  return join(stateFolder(variables), 'owner');
}

/** The folder that only the owner may read: the secret, and the head of the audit log. */
export function ownerSecretFile(variables: Variables): string {
  return join(ownerFolder(variables), 'secret');
}

/** The owner's secret, made at first use. Throws a failure if others can read it, or if it can't be read or stored. */
export function ownerSecret(variables: Variables): OwnerSecret {
  const file = ownerSecretFile(variables);
  return secretIn(file) ?? madeSecret(file);
}

/** The same if it was ever made: nothing can be signed without it. */
export function existingOwnerSecret(variables: Variables): OwnerSecret | undefined {
  return secretIn(ownerSecretFile(variables));
}

function madeSecret(file: string): OwnerSecret {
  try {
    createPrivateFile(file, randomBytes(secretBytes));
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
  const made = secretIn(file);
  if (made === undefined) throw unusable(file, 'it was removed while perp made it');
  return made;
}

function secretIn(file: string): OwnerSecret | undefined {
  let bytes: Buffer;
  try {
    bytes = privateBytes(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, messageOf(error), error);
  }
  if (bytes.length !== secretBytes) throw unusable(file, `it has ${bytes.length} bytes instead of ${secretBytes}`);
  return new OwnerSecret(bytes);
}

function privateBytes(file: string): Buffer {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  return reading(file, flags, (descriptor, status) => {
    const { mode, uid, size } = status;
    if (!status.isFile()) throw unusable(file, 'it is not a regular file');
    if (size > 4_096) throw unusable(file, 'it is too large');
    // Windows stores permissions elsewhere; the folder is in the user's own profile.
    if (!isWindows() && uid !== process.geteuid?.()) throw unusable(file, 'it belongs to another user');
    if (isOpenToOthers(mode)) throw exposed(file);
    return readFileSync(descriptor);
  });
}

function exposed(file: string): Failure {
  return new Failure({
    code: 'secret_exposed',
    message: `Other users can read the owner's secret ${file}, so its signatures can't be trusted.`,
    hint: 'If nobody has read it, run chmod 600 on it. Otherwise remove it, and sign your mandates again.',
  });
}

function unusable(file: string, why: string, cause?: unknown): Failure {
  return new Failure(
    {
      code: 'secret_unusable',
      message: `The owner's secret ${file} can't be used: ${why}.`,
      hint: 'If you remove it, perp makes a new one, and you must sign your mandates again.',
    },
    { cause },
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
