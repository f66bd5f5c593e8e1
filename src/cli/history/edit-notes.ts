import type { Console } from '../../console/console.ts';
import { fields, line, type Result, recordOf } from '../../console/output/result.ts';
import { blankNotes, checkedNote, checkedTags, Journal, type TripNotes } from '../../desk/history/journal.ts';
import { resolvePosition } from '../../desk/resolve/holdings.ts';
import { marketName, usd } from '../../ground/text/format.ts';

/** Writes a note on a position, or removes it. Shows the journal's entry, as the others do. */
export async function writeNote(console: Console, position: string, text: string | null): Promise<Result> {
  const note = text === null ? null : checkedNote(text);
  return editNotes(console, position, () => ({ note }));
}

/** Adds tags to a position. */
export async function addTags(console: Console, position: string, tags: readonly string[]): Promise<Result> {
  const given = checkedTags(tags);
  return editNotes(console, position, (notes) => ({ tags: checkedTags([...notes.tags, ...given]) }));
}

/** Removes tags from a position. */
export async function removeTags(console: Console, position: string, tags: readonly string[]): Promise<Result> {
  const given = checkedTags(tags);
  return editNotes(console, position, (notes) => ({ tags: notes.tags.filter((tag) => !given.includes(tag)) }));
}

/** Sets a position's risk, in USD; null uses the stop of its order. */
export async function setRisk(console: Console, position: string, risk: number | null): Promise<Result> {
  return editNotes(console, position, () => ({ risk }));
}

/** Changes the journal's entry of a position, which must exist, and shows the entry. */
async function editNotes(
  console: Console,
  positionText: string,
  change: (notes: TripNotes) => Partial<TripNotes>,
): Promise<Result> {
  const position = await resolvePosition(console, positionText);
  const journal = new Journal(console, position.account_id);
  const written = journal.notesOn(position.id);
  // A position with the same id from before a reset of the simulation is a different one.
  const isSame = written?.opened_at === position.opened_at && written.market_id === position.market_id;
  const before = isSame ? written : blankNotes(position);
  const notes = { ...before, ...change(before) };
  const { dryRun } = console.settings;
  if (!dryRun) journal.put(notes);
  const { note, tags, risk } = notes;
  return recordOf(notes, () => [
    line(
      { text: `${marketName(position.market_id, position.symbol)} ${position.side}  ${position.id}`, tone: 'strong' },
      dryRun ? '  (dry run)' : '',
    ),
    fields(
      ['tags', tags.length === 0 ? 'none' : tags.join(' ')],
      ['note', note ?? undefined],
      ['risk', risk === null ? undefined : `${usd(risk)} USD`],
    ),
  ]);
}
