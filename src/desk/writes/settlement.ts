import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, Failure, usageFailure } from '../../base/failure/failure.ts';
import { factsOf } from '../../base/failure/report.ts';
import { placeOf as hostPlace } from '../../base/files/folders.ts';
import { placeOf, withPlace } from '../../base/text/place-options.ts';
import type { Client } from '../../wire/client/client.ts';
import { outcome } from '../../wire/client/outcome.ts';
import type { Outcome } from '../../wire/client/question.ts';
import { writeOf } from '../../wire/client/writes.ts';
import type { Order } from '../../wire/contract/orders.ts';
import { removeFile } from '../intents/intent-file.ts';
import { isAlive, type KeptWrite } from '../intents/intent-files.ts';
import { type Destination, destinationName, destinationText, keyOf, type Note, wordsOf } from '../intents/note.ts';
import type { Access, Session } from '../session/session.ts';

/** The outcome of a write. `under_way`: its process is still working on it. */
export type WriteOutcome = 'done' | 'not_done' | 'unknown' | 'under_way' | 'forgotten';

/** A settled write. */
export interface SettledWrite extends WriteRecord {
  outcome: WriteOutcome;
  reason: string;
  /** The resource as it is now. */
  resource?: unknown;
}

/** An unsettled write in JSON output. */
export type WriteRecord = ReturnType<typeof recordOfWrite>;

/** An unsettled write, without the data that is only needed to send it. */
export function recordOfWrite(note: Note) {
  const { environment, profile, baseUrl, state, account, time, intent } = note;
  return {
    key: keyOf(note),
    operation: intent.operationId,
    what: wordsOf(intent),
    environment,
    profile,
    base_url: baseUrl,
    state,
    account_id: account,
    client_order_id: intent.clientOrderId,
    sent_at: time,
    computed: { destination: destinationName(note, account) },
  };
}

/** Whether the process that sent a write may still get its answer. */
export function isAwaited(note: Note, now: number): boolean {
  return note.pid !== process.pid && now < note.until && isAlive(note.pid);
}

/** The parts of an access that settling needs. */
type SettlingAccess = Pick<Access, 'client' | 'arrivalMs' | 'close'> & {
  readonly intents: Pick<Access['intents'], 'adopt'>;
};

/** The services that a program provides to settle its writes. */
interface SettlingWays {
  /** Opens the environment to which a write was sent. */
  connect(note: Note): Promise<SettlingAccess>;
  /** Asks before a write is sent again, if someone can answer; rejects if the answer is no. */
  ask(question: string, sending: Sending): Promise<void>;
  /** Nobody answers, and nobody has agreed in advance. */
  readonly isUnattended: boolean;
}

/** The destination of a write, and the accounts that it changes. */
export interface Sending {
  client: Client;
  destination: Destination;
  accounts: readonly string[];
}

type SettlingSession = Pick<Session, 'signal'> & { readonly machine: Pick<Session['machine'], 'now'> };

/** Settles writes, each in the environment to which it was sent, with one access per environment. */
export class Settler {
  readonly #session: SettlingSession;
  readonly #ways: SettlingWays;
  readonly #opened = new Map<string, Promise<SettlingAccess>>();

  constructor(session: SettlingSession, ways: SettlingWays) {
    this.#session = session;
    this.#ways = ways;
  }

  /**
   * Settles one write. Looks up whatever it can: an order by its client order id, a TWAP or ladder in its list, a write
   * without a key by its effect. A write that is still absent after the arrival window did not happen; with a key it is
   * sent again, after a prompt on a terminal. An error is reported as the reason of an `unknown` outcome.
   */
  async settle(kept: KeptWrite): Promise<SettledWrite> {
    const record = recordOfWrite(kept.note);
    if (isAwaited(kept.note, this.#session.machine.now())) {
      return { ...record, outcome: 'under_way', reason: `process ${kept.note.pid} is still working on it` };
    }
    const release = claim(kept);
    if (typeof release === 'number') {
      return { ...record, outcome: 'under_way', reason: `process ${release} is settling it` };
    }
    try {
      const access = await this.#accessTo(kept.note);
      if (kept.note.profile !== undefined) await checkOwner(access.client, kept.note);
      access.intents.adopt(kept);
      return { ...record, ...outcomeOf(await this.#settleHere(access, kept.note)) };
    } catch (error) {
      this.#session.signal.throwIfAborted();
      const { message, hint, exit } = factsOf(error);
      if (exit === exitCodes.interrupted) throw error;
      // The hint is that of its profile, not of this command's.
      const there = hint === undefined ? '' : ` ${withPlace(hint, placeOf({ profile: kept.note.profile }))}`;
      return { ...record, outcome: 'unknown', reason: `${message}${there}` };
    } finally {
      release();
    }
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await opened.then((access) => access.close()).catch(() => {});
  }

  async #settleHere({ client, arrivalMs }: SettlingAccess, note: Note): Promise<Outcome> {
    const { intent, before, time: sentAt } = note;
    const { signal } = this.#session;
    return await outcome(client, intent, {
      before,
      sentAt,
      arrivalMs,
      signal,
      beforeRepeat: () => this.#allowRepeat(client, note),
    });
  }

  /**
   * Asks on a terminal. Without one, an old write that nothing shows is not repeated where its key may be forgotten.
   */
  async #allowRepeat(client: Client, note: Note): Promise<void> {
    const { keepsKeys } = client;
    const accounts = note.account === undefined ? [] : [note.account];
    const ask = (question: string) => this.#ways.ask(question, { client, destination: note, accounts });
    const { intent, time } = note;
    const isShown = writeOf(intent.operationId)?.readBack !== undefined;
    const covers = `a host that has forgotten the key would also ${newerOf(intent.operationId)} since`;
    const what = `on ${destinationText(note, note.account)}: ${wordsOf(intent)}. Send it again under the same key?`;
    if (isShown || keepsKeys) return await ask(`${isShown ? 'Not found' : 'Unsettled'} ${what}`);
    if (this.#ways.isUnattended && this.#session.machine.now() - time > recentMs)
      throw usageFailure(
        `No list shows its outcome, and ${covers}.`,
        'Add --yes to send it again, or --forget to drop it.',
      );
    await ask(`No list shows its outcome ${what} If in doubt, answer no: ${covers}.`);
  }

  #accessTo(note: Note): Promise<SettlingAccess> {
    const where = note.place ?? (note.baseUrl === undefined ? note.state : hostPlace(note.baseUrl));
    const place = JSON.stringify([note.environment, where, note.profile]);
    const known = this.#opened.get(place);
    if (known !== undefined) return known;
    const opened = this.#ways.connect(note);
    this.#opened.set(place, opened);
    return opened;
  }
}

/** A write that another owner's credential doesn't find may have happened anyway. */
async function checkOwner(client: Client, { account, profile }: Note): Promise<void> {
  if (account === undefined) return;
  try {
    await client.call('getAccount', { path: { account_id: account } });
  } catch (error) {
    const { status } = error as Error & { status?: number };
    if (status !== 403 && status !== 404) throw error;
    throw new Failure({
      code: 'other_login',
      message: `The credential in use has no account ${account}, so a different credential sent this.`,
      hint: `Unset PERP_API_KEY, or log in again: perp login --profile ${profile}.`,
    });
  }
}

/** An operation in parts that was sent this recently is continued without asking. */
const recentMs = 300_000;

/** The effect of a bulk operation on items newer than itself. */
function newerOf(operationId: string): string {
  return operationId === 'cancelAllAccountOrders' ? 'cancel orders placed' : 'close positions opened';
}

function outcomeOf(settlement: Outcome): Pick<SettledWrite, 'outcome' | 'reason' | 'resource'> {
  const { verdict, reason } = settlement;
  if (verdict === 'applied') {
    const { status } = (settlement.data ?? {}) as Partial<Order>;
    return status === 'rejected'
      ? { outcome: 'not_done', reason }
      : { outcome: 'done', reason, resource: settlement.data };
  }
  return { outcome: verdict === 'not_applied' ? 'not_done' : 'unknown', reason };
}

/**
 * Claims a kept write for this process, so that no two processes settle it at the same time and both send it. Returns a
 * function that ends the claim, or the id of the process that has it.
 */
function claim({ note, file }: KeptWrite): (() => void) | number {
  const claimed = join(dirname(file), `${note.id}.claim`);
  for (let tries = 0; tries < 3; tries++) {
    try {
      const descriptor = openSync(claimed, 'wx', 0o600);
      writeSync(descriptor, String(process.pid));
      closeSync(descriptor);
      return () => removeFile(claimed);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = holderOf(claimed);
    if (holder !== undefined && holder !== process.pid && isAlive(holder)) return holder;
    // Its process has ended without ending the claim.
    removeFile(claimed);
  }
  return 0;
}

/** The process that has a claim; undefined if it has just ended. */
function holderOf(claimed: string): number | undefined {
  try {
    return Number(readFileSync(claimed, 'utf8'));
  } catch {
    return undefined;
  }
}
