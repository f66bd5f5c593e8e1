import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Intent, IntentKeeper, IntentOutcome } from '../../client/intent.ts';
import { exitCodes } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { resourceBefore } from './before.ts';
import { JournalFile } from './journal-file.ts';
import { isAlive, type KeptWrite, settleKeptWrite, unsettledWrites } from './journals.ts';
import { isSamePlace, type Note, type Place } from './note.ts';
import { canDoTwice, repetitionFailure, unsettledSentence } from './repetition.ts';

export interface KeeperOptions {
  /** Of the journals. */
  folder: string;
  place: Place;
  /** For one attempt at a write. */
  timeoutMs: number;
  note(text: string): void;
  /** Wall time, Unix ms. */
  now(): number;
}

/** A write of this process, and those of others that its answer settles as well. */
interface UnderWay {
  note: Note;
  settledWithIt: readonly KeptWrite[];
}

/** All attempts at a keyed write and the waits between them; see the client's retries. */
const attemptsMs = 60_000;
/** What goes out this soon after its like, whose process is still at it, is a second wish and no repetition. */
const simultaneousMs = 5_000;

/**
 * Keeps every write of one connection from before it leaves until its outcome is known, and stops a write that would
 * repeat one whose outcome is not. What can't be kept is not sent.
 */
export class WriteKeeper implements IntentKeeper {
  /** Send even what repeats a write that is not settled. */
  isDeliberate = false;
  readonly #options: KeeperOptions;
  readonly #journal: JournalFile;
  readonly #underWay = new Map<Intent, UnderWay>();
  readonly #adopted = new Map<Intent, KeptWrite>();
  #client: Client | undefined;
  #hasToldOfDamage = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#journal = new JournalFile(options.folder);
  }

  /** The client whose writes it keeps: asked how a resource is before a write that can only be read back. */
  attach(client: Client): void {
    this.#client = client;
  }

  /** Takes over a write of an earlier process: what becomes of it now is put down in its journal. */
  adopt(kept: KeptWrite): void {
    this.#adopted.set(kept.note.intent, kept);
  }

  /** The unsettled write that this one could do a second time, if there is one and nobody means to. */
  earlier(intent: Intent): KeptWrite | undefined {
    if (this.isDeliberate || !canDoTwice(intent)) return undefined;
    return this.#others().find(({ note }) => this.#isRepeatedBy(intent, note));
  }

  /** Puts the write down. Throws a failure when it must not, or can't safely, be sent. */
  async beforeSend(intent: Intent): Promise<void> {
    const others = this.#others();
    const repeated = this.isDeliberate ? [] : others.filter(({ note }) => this.#isRepeatedBy(intent, note));
    if (repeated.length > 0) {
      const { note } = repeated[0]!;
      if (canDoTwice(intent)) throw repetitionFailure(note);
      this.#options.note(`${unsettledSentence(note)} It is sent again.`);
    }
    const before = this.#client === undefined ? undefined : await resourceBefore(this.#client, intent);
    const note = this.#noteOf(intent, before);
    try {
      this.#journal.open(note);
    } catch (error) {
      throw notKept(this.#options.folder, error);
    }
    const underOneKey = others.filter((other) => isUnderSameKey(intent, other.note.intent));
    this.#underWay.set(intent, { note, settledWithIt: [...underOneKey, ...repeated] });
  }

  /** Closes the write, and what its answer settles as well: the same key, or the same thing done now. */
  afterAnswer(intent: Intent, outcome: IntentOutcome): void {
    const adopted = this.#adopted.get(intent);
    if (adopted !== undefined) settleKeptWrite(adopted);
    const underWay = this.#underWay.get(intent);
    if (underWay === undefined) return;
    this.#underWay.delete(intent);
    this.#journal.close(underWay.note.id);
    for (const other of underWay.settledWithIt) {
      if (outcome.kind === 'done' || isUnderSameKey(intent, other.note.intent)) settleKeptWrite(other);
    }
  }

  /** The connection closes. What is not settled stays on disk. */
  end(): void {
    this.#journal.end();
  }

  /** Unsettled writes to the same place. */
  #others(): KeptWrite[] {
    const { folder, place } = this.#options;
    // One's own journal matters only while something in it is open.
    const { writes, damages } = unsettledWrites(folder, this.#journal.isOpen ? undefined : this.#journal.file);
    if (damages.length > 0 && !this.#hasToldOfDamage) {
      this.#hasToldOfDamage = true;
      this.#options.note('Notes of earlier writes are damaged; perp pending list tells more.');
    }
    return writes.filter(({ note }) => isSamePlace(note, place));
  }

  #isRepeatedBy(intent: Intent, note: Note): boolean {
    const { operationId, payloadHash } = note.intent;
    if (operationId !== intent.operationId || payloadHash !== intent.payloadHash) return false;
    return !isUnderSameKey(intent, note.intent) && !this.#isSimultaneous(note);
  }

  #isSimultaneous(note: Note): boolean {
    return note.pid !== process.pid && isAlive(note.pid) && Math.abs(this.#now() - note.time) < simultaneousMs;
  }

  #noteOf(intent: Intent, before: unknown): Note {
    const { place, timeoutMs } = this.#options;
    const time = this.#now();
    return {
      format: 1,
      id: `write-${randomBytes(6).toString('hex')}`,
      time,
      until: time + Math.max(attemptsMs, timeoutMs) + simultaneousMs,
      pid: process.pid,
      ...place,
      ...accountOf(intent),
      intent,
      ...(before === undefined ? {} : { before }),
    };
  }

  #now(): number {
    return this.#options.now();
  }
}

function isUnderSameKey(one: Intent, other: Intent): boolean {
  const { idempotencyKey, operationId } = one;
  return idempotencyKey !== undefined && idempotencyKey === other.idempotencyKey && operationId === other.operationId;
}

function accountOf(intent: Intent): { account?: string } {
  const body = intent.body === undefined ? {} : (JSON.parse(intent.body) as { account_id?: unknown });
  const account = body.account_id ?? intent.path.account_id;
  return typeof account === 'string' ? { account } : {};
}

function notKept(folder: string, error: unknown): Failure {
  const why = error instanceof Error ? error.message : String(error);
  return new Failure(
    {
      exit: exitCodes.unavailable,
      code: 'not_kept',
      message: `Nothing was sent: a write is put down before it leaves, and ${folder} can't be written (${why}).`,
      hint: 'Set PERP_STATE_DIR to a folder that can be written, on a disk with room.',
    },
    { cause: error },
  );
}
