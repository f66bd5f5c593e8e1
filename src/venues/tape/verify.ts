import { createHash } from 'node:crypto';
import { messageOf } from '../../exchange/markets/recorded/recording-error.ts';
import { PartCompile } from './part-tape.ts';
import { isBeingWritten, linesIn, type PartFile, TapeError, tapeOf, textOf, wholeParts } from './parts.ts';
import { hashIn, readLineOf, readSummaries } from './summary.ts';

const hashMark = 'sha256":"';

/**
 * The facts verified about a part. `verified`: its contents are those that its recorder hashed. `unproved`: it can be
 * read, but has no hash, or none at its end. `damaged`: it can't be read, or is not what was hashed.
 */
type PartProof = 'verified' | 'unproved' | 'damaged';

/** A part of a tape after its verification. */
interface VerifiedPart {
  number: number;
  file: string;
  lines: number;
  proof: PartProof;
  /** Why it is not verified; null if it is. */
  problem: string | null;
  sha256: string | null;
}

/**
 * Reads every line of a tape, part by part: whether it is a valid recording, matches the hash in its last line, and
 * follows on the part before it. Throws a TapeError if there is no such tape.
 */
export function* verifyTape(tape: string): Generator<VerifiedPart> {
  const files = new Map(wholeParts(tape).map((part) => [part.number, part]));
  if (files.size === 0) throw new TapeError(tape, 'there is no such tape');
  const numbers = [...files.keys()];
  const isOpen = isBeingWritten(tape);
  const stated = new Map(readSummaries(tape).map(({ number, sha256 }) => [number, sha256]));
  // A part that is verified alone may follow on any other.
  let before: string | null | undefined = tapeOf(tape) === tape.replace(/\.gz$/, '') ? null : undefined;
  for (let number = 1; number <= numbers.at(-1)!; number += 1) {
    const part = files.get(number);
    const verified: VerifiedPart =
      part === undefined
        ? { ...{ number, file: tape, lines: 0, sha256: null }, proof: 'damaged', problem: 'it is missing' }
        : verifyPart(part, { before, stated: stated.get(number), isOpen: isOpen && number === numbers.at(-1) });
    before = verified.sha256;
    yield verified;
  }
}

interface Expected {
  /** The hash of the part before; undefined accepts any. */
  before: string | null | undefined;
  /** The hash that the tape's summary states for this part. */
  stated: string | undefined;
  isOpen: boolean;
}

function verifyPart(part: PartFile, expected: Expected): VerifiedPart {
  const { number, file } = part;
  const about = { number, file, lines: 0, sha256: null };
  let compile: PartCompile;
  try {
    compile = new PartCompile(part);
  } catch (error) {
    return { ...about, proof: 'damaged', problem: messageOf(error) };
  }
  try {
    compile.step();
  } catch (error) {
    return { ...about, proof: 'damaged', problem: messageOf(error) };
  } finally {
    compile.tape.close();
  }
  return { ...about, ...hashesOf(part, expected) };
}

function hashesOf(part: PartFile, { before, stated, isOpen }: Expected): Omit<VerifiedPart, 'number' | 'file'> {
  const text = textOf(part);
  const hash = createHash('sha256');
  let lines = 0;
  let last: string | null = null;
  let follows: string | null = null;
  let read = 0;
  for (const [at, end] of linesIn(text)) {
    lines += 1;
    const line = text.subarray(at, end + 1);
    const mark = line.length < 300 && line.includes(hashMark) ? markIn(line.toString('utf8')) : null;
    last = mark?.sha256 ?? null;
    if (last !== null && hash.copy().digest('hex') !== last)
      return {
        lines,
        sha256: null,
        proof: 'damaged',
        problem: `line ${lines} states another hash than its lines have`,
      };
    follows = mark?.follows ?? follows;
    hash.update(line);
    read = end + 1;
  }
  const found = { lines, sha256: last };
  if (read < text.length) {
    if (isOpen) return { ...found, proof: 'unproved', problem: 'it is being written' };
    // Leftovers of a recorder that was killed.
    const isKilled = !part.isGzip && stated === undefined;
    return { ...found, proof: isKilled ? 'unproved' : 'damaged', problem: 'its last line is incomplete' };
  }
  if (follows !== null && before !== undefined && follows !== before)
    return { ...found, proof: 'damaged', problem: 'it follows on another part than the one before it' };
  if (last !== null) return { ...found, proof: 'verified', problem: null };
  if (stated !== undefined && !isOpen) return { ...found, proof: 'damaged', problem: 'its hash is gone' };
  const problem = isOpen ? 'it is being written' : 'it does not end with a hash';
  return { ...found, proof: 'unproved', problem };
}

function markIn(line: string): { sha256: string | null; follows: string | null } | null {
  const read = readLineOf(line.trimEnd());
  if (read === null || read.content !== null) return null;
  return { sha256: read.sha256, follows: hashIn(line, 'previous_sha256') };
}
