import type { KeptWrite } from '../../desk/intents/journals.ts';
import type { Note } from '../../desk/intents/note.ts';
import { repetitionFailure, unsettledSentence } from '../../desk/intents/repetition.ts';
import { Settler } from '../../desk/writes/settlement.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { isSamePlace } from '../../ground/files/place.ts';
import { connect } from '../context/connection.ts';
import type { Context } from '../context/context.ts';
import type { Result } from '../output/result.ts';
import { readConfig } from '../settings/config-file.ts';
import type { Settings } from '../settings/settings.ts';
import { baseUrlVariables, settingsOf } from '../settings/settings.ts';
import { confirmWrite } from './confirm-write.ts';
import { settledRecord } from './settled-view.ts';

/**
 * Offers to settle an earlier write instead of repeating it. With --yes there is no prompt and the repetition is
 * refused.
 */
export async function settleInstead(context: Context, earlier: KeptWrite): Promise<Result> {
  if (context.settings.yes) throw repetitionFailure(earlier.note);
  await context.confirm(`${unsettledSentence(earlier.note)} Settle it instead of sending a new one?`);
  const settler = settlerOf(context);
  try {
    return settledRecord(await context.during('Looking up the outcome', () => settler.settle(earlier)));
  } finally {
    await settler.close();
  }
}

/** Settles writes of this machine; asks on a terminal before it sends one again. */
export function settlerOf(context: Context): Settler {
  const { outside, registry } = context;
  return new Settler(context, {
    connect: (note) =>
      connect({
        settings: settingsFor(note, context),
        outside,
        version: registry.version,
        note: (text) => context.note(text),
      }),
    ask: (question, sending) => confirmWrite(context, question, sending),
    isUnattended: !context.isInteractive && !context.settings.yes,
  });
}

/** The settings to settle a write with: its environment, otherwise the current settings. */
function settingsFor(note: Note, { settings, variables }: Context): Settings {
  const place = { env: note.environment, ...(note.state === undefined ? {} : { state: note.state }) };
  const own = settingsOf(place, variables, readConfig(variables));
  if (!isSamePlace(own.baseUrl, note.baseUrl)) {
    // Send the credential only to the configured host.
    const name = baseUrlVariables[note.environment as 'live' | 'sandbox'];
    const message = `The write was sent to ${note.baseUrl}, but the ${note.environment} API is now ${own.baseUrl ?? 'not set'}.`;
    throw usageFailure(message, `To settle it there, set ${name}=${note.baseUrl}.`);
  }
  const simulation = { ...own.simulation, books: undefined, clock: undefined, speed: undefined };
  return { ...settings, environment: own.environment, baseUrl: own.baseUrl, simulation };
}
