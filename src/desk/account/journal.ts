import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure, usageFailure } from '../../base/failure/failure.ts';
import { formerPlacesOf, placeOf, stateFolder } from '../../base/files/folders.ts';
import { namesIn, readRegularFile, renameFormer } from '../../base/files/private-files.ts';
import { changeFile } from '../../base/files/shared-file.ts';
import { roundedUnits } from '../../base/terms/decimal.ts';
import { defaultState } from '../../base/terms/state-names.ts';
import { plain, quoted } from '../../base/text/plain-text.ts';
import type { Position } from '../../wire/contract/positions.ts';
import type { Session } from '../session/session.ts';
import { type Cover, lossPerUnit } from './means.ts';

/** A trader's notes on a round trip. */
export interface TripNotes {
  readonly position_id: string;
  readonly market_id: string;
  readonly side: Position['side'];
  readonly opened_at: number;
  readonly note: string | null;
  readonly tags: readonly string[];
  /** 1R of the trip, USD, if its owner set it. */
  readonly risk: number | null;
  /** 1R by its first stops, as perp has seen them. */
  readonly first?: FirstRisk | undefined;
}

const format = 1;
const longestNote = 2_000;
const maxTags = 20;
const maxBytes = 100_000;

/**
 * The journal entries of one account in one environment. Each is a private file, replaced atomically, so concurrent
 * commands lose nothing and a damaged file costs only one entry.
 */
export class Journal {
  readonly #folder: string;

  constructor(session: Session, accountId: string) {
    const { environment, baseUrl } = session.settings;
    const folderAt = (where: string) =>
      join(stateFolder(session.machine.variables), 'journal', hashOf(JSON.stringify([environment, where, accountId])));
    if (baseUrl === undefined) this.#folder = folderAt(session.memory.destination?.state ?? defaultState);
    else {
      this.#folder = folderAt(placeOf(baseUrl));
      for (const former of formerPlacesOf(baseUrl)) renameFormer(folderAt(former), this.#folder);
    }
  }

  /** The entry of a position; null if there is none. Throws a Failure if it is damaged. */
  notesOn(positionId: string): TripNotes | null {
    return notesIn(this.#fileOf(positionId));
  }

  /** All entries, by position id; `damaged` receives a failure for each that can't be read. */
  all(damaged: (failure: Failure) => void): Map<string, TripNotes> {
    const all = new Map<string, TripNotes>();
    for (const name of namesIn(this.#folder).filter((one) => one.endsWith('.json'))) {
      try {
        const notes = notesIn(join(this.#folder, name));
        if (notes !== null) all.set(notes.position_id, notes);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        damaged(error);
      }
    }
    return all;
  }

  /** Changes an entry as it is then, and removes one that has become empty. */
  change(positionId: string, change: (notes: TripNotes | null) => TripNotes): TripNotes {
    const file = this.#fileOf(positionId);
    return changeFile({ file }, (write) => {
      const notes = change(notesIn(file));
      const isEmpty =
        notes.note === null && notes.tags.length === 0 && notes.risk === null && notes.first === undefined;
      write(isEmpty ? null : `${JSON.stringify({ format, ...notes }, null, 2)}\n`);
      return notes;
    });
  }

  #fileOf(positionId: string): string {
    const isPlain = /^[A-Za-z0-9_-]{1,100}$/.test(positionId);
    return join(this.#folder, `${isPlain ? positionId : hashOf(positionId)}.json`);
  }
}

/** An empty entry of a position. */
export function blankNotes({ id, market_id, side, opened_at }: Position): TripNotes {
  return { position_id: id, market_id, side, opened_at, note: null, tags: [], risk: null };
}

/** Checks a note: one line of text that a terminal can show unchanged. */
export function checkedNote(text: string): string {
  const note = text.trim();
  if (note === '') throw usageFailure('The note is empty.', 'Use --remove to remove a note.');
  if (note.length > longestNote)
    throw usageFailure(`The note has ${note.length} characters.`, `The limit is ${longestNote}.`);
  const at = [...note].findIndex((character) => plain(character) !== character);
  if (at < 0) return note;
  throw usageFailure(
    `The note contains ${plain([...note][at]!)} at character ${at + 1}, which a terminal can't show as text.`,
    'Use letters, digits, punctuation and spaces.',
  );
}

/** Checks tags: lower-case words. */
export function checkedTags(texts: readonly string[]): string[] {
  const tags = [...new Set(texts.map((text) => text.toLowerCase()))];
  for (const tag of tags) {
    if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u.test(tag)) continue;
    throw usageFailure(
      `The tag ${quoted(tag)} is not a word.`,
      'A tag has up to 40 letters, digits, dots, dashes and underscores, such as breakout.',
    );
  }
  if (tags.length > maxTags) throw usageFailure(`A position has at most ${maxTags} tags.`);
  return tags;
}

function notesIn(file: string): TripNotes | null {
  let text: string;
  try {
    ({ text } = readRegularFile(file, maxBytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damage(file, (error as Error).message);
  }
  let notes: TripNotes & { format?: unknown };
  try {
    notes = JSON.parse(text);
  } catch {
    throw damage(file, 'it is not JSON');
  }
  const wrong = wrongField(notes);
  if (wrong !== undefined) throw damage(file, wrong);
  const { position_id, market_id, side, opened_at, note, tags, risk, first } = notes;
  return { position_id, market_id, side, opened_at, note, tags, risk, first };
}

function wrongField(notes: TripNotes & { format?: unknown }): string | undefined {
  if (typeof notes !== 'object' || notes === null) return 'it is not an object';
  if (notes.format !== format) return `its format is not ${format}`;
  const isText = (value: unknown) => typeof value === 'string';
  const checks: Record<keyof TripNotes, boolean> = {
    position_id: isText(notes.position_id),
    market_id: isText(notes.market_id),
    side: notes.side === 'long' || notes.side === 'short',
    opened_at: Number.isFinite(notes.opened_at),
    note: notes.note === null || isText(notes.note),
    tags: Array.isArray(notes.tags) && notes.tags.every(isText),
    risk: notes.risk === null || isAmount(notes.risk),
    first: notes.first === undefined || isFirstRisk(notes.first),
  };
  const field = Object.entries(checks).find(([, isRight]) => !isRight)?.[0];
  return field === undefined ? undefined : `its field ${field} is not valid`;
}

function isFirstRisk({ unit, size, held, entry, run }: FirstRisk): boolean {
  const areNumbers = isAmount(size) && isAmount(entry) && Number.isFinite(held);
  return areNumbers && (unit === null || isAmount(unit)) && (run === undefined || typeof run === 'string');
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value > 0;
}

function damage(file: string, why: string): Failure {
  return new Failure({
    code: 'damaged_journal',
    message: `The journal entry ${file} can't be used: ${why}.`,
    hint: 'Correct the file, or delete it to start this entry over.',
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** 1R of a position, and the position when that was last noted. */
export interface FirstRisk {
  /** USD that one unit loses from its entry at the stops, fees included; null: its first stops are unknown. */
  readonly unit: number | null;
  /** The total size opened so far that `unit` is the average of, base asset. */
  readonly size: number;
  readonly held: number;
  /** Average entry of `held`. */
  readonly entry: number;
  /** Identity of the simulation's run; absent on a host. */
  readonly run?: string | undefined;
}

type Sized = Pick<Position, 'size' | 'entry_price'>;

/**
 * 1R of a position once its stops cover all of it: the loss at them then. Later additions count with their own size and
 * distance; moving a stop and closing a part change nothing. Undefined before anything covered it.
 */
export function firstRiskOf(
  before: FirstRisk | undefined,
  position: Position,
  cover: Cover,
  { feeBps, wasMoved, run }: { feeBps: number | undefined; wasMoved: boolean; run: string | undefined },
): FirstRisk | undefined {
  const { size, entry_price: entry } = position;
  if (!Number.isFinite(size) || !Number.isFinite(entry)) return before;
  if (before === undefined) {
    if (cover.uncovered !== 0 || size === 0) return undefined;
    return {
      unit: wasMoved ? null : losing(lossPerUnit(position, cover, entry, feeBps)),
      size,
      held: size,
      entry,
      run,
    };
  }
  const added = addedTo(before, position);
  if (added === undefined) return { ...before, held: size, entry };
  if (cover.uncovered !== 0) return before;
  const own = lossPerUnit(position, cover, added.price, feeBps);
  const whole = before.size + added.size;
  const isKnown = before.unit !== null && own !== undefined;
  const unit = isKnown ? losing((before.unit! * before.size + Math.max(0, own!) * added.size) / whole) : null;
  return { ...before, unit, size: roundedTo(whole), held: size, entry };
}

/** Whether an addition has never been covered by a stop: then 1R of the whole is unknown. */
export function isGrown(first: FirstRisk, position: Sized): boolean {
  return addedTo(first, position) !== undefined;
}

/** The additions to a position since it was noted; undefined if there are none. */
function addedTo({ held, entry }: FirstRisk, { size, entry_price: average }: Sized) {
  const added = roundedTo(size - held);
  return added > 0 ? { size: added, price: (average * size - entry * held) / added } : undefined;
}

/** Stops that secure a gain don't define R. */
function losing(unit: number | undefined): number | null {
  return unit !== undefined && Number.isFinite(unit) && unit > 1e-8 ? unit : null;
}

function roundedTo(size: number): number {
  return Number(`${roundedUnits(size, 12)}e-12`);
}
