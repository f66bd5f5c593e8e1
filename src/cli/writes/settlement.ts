import { misfitOfResource } from '../../client/belonging.ts';
import type { Client } from '../../client/client.ts';
import { ProtocolError } from '../../client/errors.ts';
import { type Settlement, settle } from '../../client/settle.ts';
import type { Order } from '../../contract/orders.ts';
import { type Connection, connect } from '../context/connection.ts';
import type { Context } from '../context/context.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { usageFailure } from '../failure/failure.ts';
import { factsOf } from '../failure/report.ts';
import type { EnvironmentName } from '../grammar/global-options.ts';
import { isAlive, type KeptWrite } from '../intents/journals.ts';
import { keyOf, type Note } from '../intents/note.ts';
import { destinationWords, wordsOf } from '../intents/words.ts';
import { readConfig } from '../settings/config-file.ts';
import { baseUrlVariables, type Settings, settingsOf } from '../settings/settings.ts';

/** A kept write, as programs see it. */
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
}

/** What is known of a write now. `under_way`: the process that sent it is still at it. */
export type WriteOutcome = 'done' | 'not_done' | 'unknown' | 'under_way' | 'forgotten';

/** What came of settling one. */
export interface SettledWrite extends WriteRecord {
  outcome: WriteOutcome;
  reason: string;
  /** As it is now. */
  resource?: unknown;
}

/** A kept write without what only sending it takes. */
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
  };
}

/** Whether the process that sent a write may still hear what came of it. */
export function isUnderWay(note: Note, now: number): boolean {
  return note.pid !== process.pid && now < note.until && isAlive(note.pid);
}

/** Settles kept writes, each where it was sent, over one connection for each place. */
export class Settler {
  readonly #context: Context;
  readonly #connections = new Map<string, Promise<Connection>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Finds out what came of a write: an order that is there under its client order id has happened; any other write under
   * a key is sent again under it, after a question on a terminal; the rest is read back, and counts as not done when it
   * is not there after the time that one attempt may take. What stands in the way is the reason of an `unknown`.
   */
  async settle(kept: KeptWrite): Promise<SettledWrite> {
    const record = recordOfWrite(kept.note);
    if (isUnderWay(kept.note, this.#context.outside.now())) {
      return { ...record, outcome: 'under_way', reason: `process ${kept.note.pid} is still at it` };
    }
    try {
      const connection = await this.#connectionTo(kept.note);
      connection.intents.adopt(kept);
      const found = await settledByLooking(connection.client, kept.note);
      return { ...record, ...outcomeOf(found ?? (await this.#settleHere(connection, kept.note))) };
    } catch (error) {
      this.#context.signal.throwIfAborted();
      const { message, hint, exit } = factsOf(error);
      if (exit === exitCodes.interrupted) throw error;
      return { ...record, outcome: 'unknown', reason: hint === undefined ? message : `${message} ${hint}` };
    }
  }

  async close(): Promise<void> {
    for (const opened of this.#connections.values())
      await opened.then((connection) => connection.close()).catch(() => {});
  }

  async #settleHere({ client, travelMs }: Connection, note: Note): Promise<Settlement> {
    const { intent, before, time: sentAt } = note;
    const { signal } = this.#context;
    if (intent.idempotencyKey !== undefined) {
      await this.#context.confirm(
        `Not seen on ${destinationWords(note)}: ${wordsOf(intent)}. Send it again under its own key?`,
      );
    }
    return this.#context.during('Finding out', () => settle(client, intent, { before, sentAt, travelMs, signal }));
  }

  #connectionTo(note: Note): Promise<Connection> {
    const place = JSON.stringify([note.environment, note.baseUrl, note.state]);
    const known = this.#connections.get(place);
    if (known !== undefined) return known;
    const { variables, registry } = this.#context;
    const opened = connect({
      settings: settingsFor(note, this.#context),
      variables,
      version: registry.version,
      note: (text) => this.#context.note(text),
      now: this.#context.outside.now,
    });
    this.#connections.set(place, opened);
    return opened;
  }
}

/** The settings under which the write was sent: its place, and for the rest those of now. */
function settingsFor(note: Note, { settings, variables }: Context): Settings {
  const place = { env: note.environment, ...(note.state === undefined ? {} : { state: note.state }) };
  const own = settingsOf(place, variables, readConfig(variables));
  if (own.baseUrl !== note.baseUrl) {
    // A credential goes only where its owner says it may go.
    const name = baseUrlVariables[note.environment as 'live' | 'sandbox'];
    const message = `It was sent to ${note.baseUrl}, and the ${note.environment} API is now ${own.baseUrl ?? 'nowhere'}.`;
    throw usageFailure(message, `With ${name}=${note.baseUrl} it is settled there.`);
  }
  const simulation = { ...own.simulation, books: undefined, clock: undefined, speed: undefined };
  return { ...settings, environment: own.environment, baseUrl: own.baseUrl, simulation };
}

/** Looks for an order by its client order id, which is put down together with the order (API 4.5). */
async function settledByLooking(client: Client, { intent }: Note): Promise<Settlement | undefined> {
  if (intent.clientOrderId === undefined) return undefined;
  const { data } = await client.call('listOrders', { query: { client_order_id: intent.clientOrderId } });
  const [order] = data;
  if (order === undefined) return undefined;
  const why = misfitOfResource(intent, 200, order);
  if (why !== undefined) throw new ProtocolError(why);
  await client.settled(intent, { kind: 'done', status: 200, body: { data: order } });
  return foundOrder(order);
}

function foundOrder(order: Order): Settlement {
  if (order.status !== 'rejected')
    return { verdict: 'applied', reason: `order ${order.id} is ${order.status}`, data: order };
  return {
    verdict: 'not_applied',
    reason: `order ${order.id} was rejected: ${order.reject_message ?? order.reject_reason ?? 'no reason given'}`,
  };
}

function outcomeOf(settlement: Settlement): Pick<SettledWrite, 'outcome' | 'reason' | 'resource'> {
  const { verdict, reason } = settlement;
  if (verdict === 'applied') return { outcome: 'done', reason, resource: settlement.data };
  return { outcome: verdict === 'not_applied' ? 'not_done' : 'unknown', reason };
}
