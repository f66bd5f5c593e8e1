import type { Client } from '../../client/client.ts';
import type { Settlement } from '../../client/look.ts';
import { settle } from '../../client/settle.ts';
import { writeOf } from '../../client/writes.ts';
import type { Order } from '../../contract/orders.ts';
import { claim } from '../../desk/intents/claim.ts';
import { destinationName, destinationText } from '../../desk/intents/destination.ts';
import { isAlive, type KeptWrite } from '../../desk/intents/journals.ts';
import { keyOf, type Note } from '../../desk/intents/note.ts';
import { wordsOf } from '../../desk/intents/words.ts';
import type { Connection } from '../../desk/session/session.ts';
import { exitCodes } from '../../ground/failure/exit-codes.ts';
import { usageFailure } from '../../ground/failure/failure.ts';
import { factsOf } from '../../ground/failure/report.ts';
import type { EnvironmentName } from '../../ground/files/place.ts';
import { isSamePlace } from '../../ground/files/place.ts';
import { connect } from '../context/connection.ts';
import type { Context } from '../context/context.ts';
import { readConfig } from '../settings/config-file.ts';
import { baseUrlVariables, type Settings, settingsOf } from '../settings/settings.ts';
import { confirmWrite } from './confirm-write.ts';

/** An unsettled write in JSON output. */
export interface WriteRecord {
  key: string;
  operation: string;
  what: string;
  environment: EnvironmentName;
  base_url: string | undefined;
  state: string | undefined;
  account_id: string | undefined;
  client_order_id: string | undefined;
  sent_at: number;
  computed: { destination: string };
}

/** The outcome of a write. `under_way`: its process is still working on it. */
export type WriteOutcome = 'done' | 'not_done' | 'unknown' | 'under_way' | 'forgotten';

/** A settled write. */
export interface SettledWrite extends WriteRecord {
  outcome: WriteOutcome;
  reason: string;
  /** The resource as it is now. */
  resource?: unknown;
}

/** An unsettled write, without the data that is only needed to send it. */
export function recordOfWrite(note: Note): WriteRecord {
  const { environment, baseUrl, state, account, time, intent } = note;
  return {
    key: keyOf(note),
    operation: intent.operationId,
    what: wordsOf(intent),
    environment,
    base_url: baseUrl,
    state,
    account_id: account,
    client_order_id: intent.clientOrderId,
    sent_at: time,
    computed: { destination: destinationName(note, account) },
  };
}

/** Whether the process that sent a write may still get its answer. */
export function isUnderWay(note: Note, now: number): boolean {
  return note.pid !== process.pid && now < note.until && isAlive(note.pid);
}

/** Settles writes, each in the environment to which it was sent, with one connection per environment. */
export class Settler {
  readonly #context: Context;
  readonly #connections = new Map<string, Promise<Connection>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Settles one write. What can be looked up is: an order by its client order id, a TWAP or ladder in its list, a write
   * without a key by what it changes. What is absent after the arrival window did not happen, and with a key it is sent
   * again, after a prompt on a terminal. An error is reported as the reason of an `unknown` outcome.
   */
  async settle(kept: KeptWrite): Promise<SettledWrite> {
    const record = recordOfWrite(kept.note);
    if (isUnderWay(kept.note, this.#context.outside.now())) {
      return { ...record, outcome: 'under_way', reason: `process ${kept.note.pid} is still working on it` };
    }
    const release = claim(kept);
    if (typeof release === 'number') {
      return { ...record, outcome: 'under_way', reason: `process ${release} is settling it` };
    }
    try {
      const connection = await this.#connectionTo(kept.note);
      connection.intents.adopt(kept);
      return { ...record, ...outcomeOf(await this.#settleHere(connection, kept.note)) };
    } catch (error) {
      this.#context.signal.throwIfAborted();
      const { message, hint, exit } = factsOf(error);
      if (exit === exitCodes.interrupted) throw error;
      return { ...record, outcome: 'unknown', reason: hint === undefined ? message : `${message} ${hint}` };
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    for (const opened of this.#connections.values())
      await opened.then((connection) => connection.close()).catch(() => {});
  }

  async #settleHere({ client, arrivalMs }: Connection, note: Note): Promise<Settlement> {
    const { intent, before, time: sentAt } = note;
    const { signal } = this.#context;
    return this.#context.during('Looking up the outcome', () =>
      settle(client, intent, {
        before,
        sentAt,
        arrivalMs,
        signal,
        beforeRepeat: () => this.#allowRepeat(client, note),
      }),
    );
  }

  /** Asks on a terminal. Without one, an old write that nothing shows is not repeated where its key may be forgotten. */
  async #allowRepeat(client: Client, note: Note): Promise<void> {
    const { keepsKeys } = client;
    const accounts = note.account === undefined ? [] : [note.account];
    const ask = (question: string) => confirmWrite(this.#context, question, { client, destination: note, accounts });
    const { intent, time } = note;
    const isShown = writeOf(intent.operationId)?.readBack !== undefined;
    const covers = `a host that has forgotten its key would also ${newerOf(intent.operationId)} since`;
    if (isShown || keepsKeys) {
      const found = isShown ? 'Not found' : 'Unsettled';
      await ask(
        `${found} on ${destinationText(note, note.account)}: ${wordsOf(intent)}. Send it again under the same key?`,
      );
      return;
    }
    const { isInteractive, settings, outside } = this.#context;
    if (!isInteractive && !settings.yes && outside.now() - time > recentMs)
      throw usageFailure(
        `No list shows what became of it, and ${covers}.`,
        'Add --yes to send it again, or --forget to drop it.',
      );
    await ask(
      `No list shows what became of it on ${destinationText(note, note.account)}: ${wordsOf(intent)}. Send it again under the same key? In case of doubt, no: ${covers}.`,
    );
  }

  #connectionTo(note: Note): Promise<Connection> {
    const place = JSON.stringify([note.environment, note.baseUrl, note.state]);
    const known = this.#connections.get(place);
    if (known !== undefined) return known;
    const { outside, registry } = this.#context;
    const opened = connect({
      settings: settingsFor(note, this.#context),
      outside,
      version: registry.version,
      note: (text) => this.#context.note(text),
    });
    this.#connections.set(place, opened);
    return opened;
  }
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

/** An operation in parts that was sent this recently is continued without asking. */
const recentMs = 300_000;

/** What a bulk operation would do to what is newer than itself. */
function newerOf(operationId: string): string {
  return operationId === 'cancelAllAccountOrders' ? 'cancel what was placed' : 'close what was opened';
}

function outcomeOf(settlement: Settlement): Pick<SettledWrite, 'outcome' | 'reason' | 'resource'> {
  const { verdict, reason } = settlement;
  if (verdict === 'applied') {
    const { status } = (settlement.data ?? {}) as Partial<Order>;
    return status === 'rejected'
      ? { outcome: 'not_done', reason }
      : { outcome: 'done', reason, resource: settlement.data };
  }
  return { outcome: verdict === 'not_applied' ? 'not_done' : 'unknown', reason };
}
