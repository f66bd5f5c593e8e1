import { type ExitCode, exitCodes, type Failure, usageFailure } from '../../../base/failure/failure.ts';
import { isSamePlace } from '../../../base/files/folders.ts';
import type { KeptWrite } from '../../../desk/intents/intent-files.ts';
import { type Note, repetitionFailure, unsettledSentence } from '../../../desk/intents/note.ts';
import { type SettledWrite, Settler, type WriteOutcome } from '../../../desk/writes/settlement.ts';
import type { Console } from '../../console/console.ts';
import {
  type Column,
  fields,
  type ListResult,
  line,
  listOf,
  type RecordResult,
  type Result,
  recordOf,
  type Tone,
} from '../../console/output/result.ts';
import { confirmWrite } from '../../console/person.ts';
import { readConfig } from '../../console/settings/config-file.ts';
import { noProfile } from '../../console/settings/config-keys.ts';
import { profilesIn } from '../../console/settings/lookup.ts';
import { baseUrlVariables, type Settings, settingsOf } from '../../console/settings/settings.ts';

/** The outcome of a write, or an unreadable note. */
export type SettledRow = SettledWrite | { key: string; outcome: 'damaged' | 'forgotten'; reason: string };

/** The outcome of one write. */
export function settledRecord(row: SettledRow): RecordResult {
  const [words, tone] = outcomeWords[row.outcome];
  const what = 'what' in row ? `: ${row.what}` : '';
  const where = 'computed' in row ? row.computed.destination : undefined;
  const headline = { text: words.charAt(0).toUpperCase() + words.slice(1), tone };
  return recordOf(
    row,
    () => [line(headline, what), fields(['why', row.reason], ['key', row.key], ['on', where])],
    exitOf([row]),
  );
}

/** The outcomes of several writes. */
export function settledList(rows: readonly SettledRow[]): ListResult {
  return { ...listOf(rows, { fields: rowFields, columns, empty: 'Every write is settled.' }), exit: exitOf(rows) };
}

const outcomeWords: Readonly<Record<WriteOutcome | 'damaged', readonly [string, Tone]>> = {
  done: ['happened', 'good'],
  not_done: ['did not happen', 'strong'],
  unknown: ['still unknown', 'warn'],
  under_way: ['under way', 'warn'],
  forgotten: ['forgotten', 'faint'],
  damaged: ['damaged', 'bad'],
};

const columns: readonly Column<SettledRow>[] = [
  { header: 'WHAT', cell: (row) => ('what' in row ? row.what : '') },
  { header: 'OUTCOME', cell: ({ outcome }) => ({ text: outcomeWords[outcome][0], tone: outcomeWords[outcome][1] }) },
  { header: 'WHY', cell: ({ reason }) => reason },
  { header: 'WHERE', cell: (row) => ('computed' in row ? row.computed.destination : ''), keep: 2 },
  { header: 'KEY', cell: ({ key }) => key, keep: 1 },
];

/** Writes and their destinations, as CSV columns. */
export const writeFields = ['operation', 'what', 'environment', 'profile', 'base_url', 'state', 'account_id'];

const rowFields = ['key', 'outcome', 'reason', ...writeFields, 'computed.destination'];

function exitOf(rows: readonly SettledRow[]): ExitCode {
  const open: readonly SettledRow['outcome'][] = ['unknown', 'under_way', 'damaged'];
  return rows.some(({ outcome }) => open.includes(outcome)) ? exitCodes.outcomeUnknown : exitCodes.done;
}

/**
 * Offers to settle an earlier write instead of repeating it. With --yes there is no prompt and the repetition is
 * refused.
 */
export async function settleInstead(console: Console, earlier: KeptWrite): Promise<Result> {
  if (console.settings.yes) throw repetitionFailure(earlier.note);
  await console.person.confirm(`${unsettledSentence(earlier.note)} Settle it instead of sending a new one?`);
  const settler = settlerOf(console);
  try {
    return settledRecord(await console.person.during('Looking up the outcome', () => settler.settle(earlier)));
  } finally {
    await settler.close();
  }
}

/** Settles writes of this machine; asks on a terminal before it sends one again. */
export function settlerOf(console: Console): Settler {
  const { outside, registry } = console;
  return new Settler(console, {
    async connect(note) {
      const settings = settingsFor(note, console);
      const { openAccess } = await import('../../console/open-access.ts');
      return openAccess({ settings, outside, version: registry.version, note: (text) => console.note(text) });
    },
    ask: (question, sending) => confirmWrite(console, question, sending),
    isUnattended: !console.person.isInteractive && !console.settings.yes,
  });
}

/** The settings to settle a write with: its environment and profile, otherwise the current settings. */
function settingsFor(note: Note, { settings, variables }: Console): Settings {
  const state = note.state === undefined ? {} : { state: note.state };
  const place = { env: note.environment, profile: note.profile ?? noProfile, ...state };
  const config = readConfig(variables);
  if (note.profile !== undefined && !profilesIn(config).has(note.profile)) throw profileGone(note, note.profile);
  const own = settingsOf(place, variables, config);
  if (!isSamePlace(own.baseUrl, note.baseUrl)) {
    // Send the credential only to the configured host.
    const name = baseUrlVariables[note.environment as 'live' | 'sandbox'];
    const message = `The write was sent to ${note.baseUrl}, but the ${note.environment} API is now ${own.baseUrl ?? 'not set'}.`;
    throw usageFailure(message, `To settle it there, set ${name}=${note.baseUrl}.`);
  }
  const simulation = { ...own.simulation, books: undefined, clock: undefined, speed: undefined };
  const { environment, profile, profileKeyFile, baseUrl, streams } = own;
  return { ...settings, environment, profile, profileKeyFile, baseUrl, streams, simulation };
}

function profileGone({ environment, baseUrl, state }: Note, profile: string): Failure {
  const address = baseUrl === undefined ? '' : ` --base-url ${baseUrl}`;
  const simulation = state === undefined ? '' : ` --state ${state}`;
  return usageFailure(
    `The profile ${profile}, which sent it, is gone.`,
    `Add it again, with its API key file if it had one: perp profile add ${profile} --env ${environment}${address}${simulation}`,
  );
}
