import type { Context } from '../context/context.ts';
import { fields, line, type Result, recordOf } from '../output/result.ts';
import { resolvePosition } from '../resolve/position.ts';
import { usd } from '../text/format.ts';
import { blankEntry, Journal, type JournalEntry } from './journal.ts';

/** Changes the journal's entry of a position, which must exist, and shows the entry. */
export async function editEntry(
  context: Context,
  positionText: string,
  change: (entry: JournalEntry) => Partial<JournalEntry>,
): Promise<Result> {
  const position = await resolvePosition(context, positionText);
  const journal = new Journal(context, position.account_id);
  const written = journal.entry(position.id);
  // A position of the same id from before a reset of the simulation is another one.
  const isSame = written?.opened_at === position.opened_at && written.market_id === position.market_id;
  const before = isSame ? written : blankEntry(position);
  const entry = { ...before, ...change(before) };
  const { dryRun } = context.settings;
  if (!dryRun) journal.put(entry);
  const { note, tags, risk } = entry;
  return recordOf(entry, () => [
    line({ text: `${position.symbol} ${position.side}  ${position.id}`, tone: 'strong' }, dryRun ? '  (dry run)' : ''),
    fields(
      ['tags', tags.length === 0 ? 'none' : tags.join(' ')],
      ['note', note ?? undefined],
      ['risk', risk === null ? undefined : `${usd(risk)} USD`],
    ),
  ]);
}
