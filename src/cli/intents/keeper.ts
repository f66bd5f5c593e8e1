import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import type { Intent, IntentKeeper, IntentOutcome } from '../../client/intent.ts';
import { exitCodes } from '../failure/exit-codes.ts';
import { Failure } from '../failure/failure.ts';
import { resourceBefore } from './before.ts';
import { JournalFile } from './journal-file.ts';
import { isAlive, type KeptWrite, OtherJournals, readJournal, settleKeptWrite } from './journals.ts';
import { type Destination, type Given, isSameDestination, type Note, wishOf } from './note.ts';
import { canDoTwice, repetitionFailure, unsettledSentence } from './repetition.ts';

export interface KeeperOptions {
  /** Of the journals. */
  folder: string;
  destination: Destination;
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
/** An order that a command read this recently need not be read again before the write. */
const freshMs = 2_000;
/** What goes out this soon after its like, whose process is still at it, is a second wish and no repetition. */
const simultaneousMs = 5_000;

/**
 * Keeps every write of one connection from before it leaves until its outcome is known, and stops a write that would
 * repeat one whose outcome is not. What can't be kept is not sent.
 */
export class WriteKeeper implements IntentKeeper {
  /** Send even what repeats a write that is not settled. */
  isDeliberate = false;
  /** The command whose writes come now. */
  given: Given | undefined;
  readonly #options: KeeperOptions;
  readonly #journal: JournalFile;
  readonly #otherJournals: OtherJournals;
  readonly #underWay = new Map<Intent, UnderWay>();
  /** Kept, but not on their way yet; by operation, payload and key. */
  readonly #ahead = new Map<string, Note>();
  /** Their answers have not been shown yet. */
  readonly #answered = new Set<string>();
  readonly #adopted = new Map<Intent, KeptWrite>();
  /** Resources as they were before each write. */
  readonly #before = new WeakMap<Intent, unknown>();
  /** Orders that commands have read, and when. */
  readonly #seen = new Map<string, { order: object; at: number }>();
  readonly #atExit = (exit: number) => this.#atEnd(exit);
  #client: Client | undefined;
  #hasToldOfDamage = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#journal = new JournalFile(options.folder);
    this.#otherJournals = new OtherJournals(options.folder);
  }

  /** The client whose writes it keeps: asked how a resource is before a write that can only be read back. */
  attach(client: Client): void {
    this.#client = client;
  }

  /** Takes over a write of an earlier process: what becomes of it now is put down in its journal. */
  adopt(kept: KeptWrite): void {
    this.#adopted.set(kept.note.intent, kept);
  }

  /** Remembers an order that a command has just read and may be about to change. */
  saw(order: { id: string }): void {
    this.#seen.set(order.id, { order, at: performance.now() });
  }

  /** The resource as it was before a write of this process; undefined if it was not read. */
  beforeOf(intent: Intent): unknown {
    return this.#before.get(intent);
  }

  /** The unsettled write that this one could do a second time, if there is one and nobody means to. */
  earlier(intent: Intent): KeptWrite | undefined {
    if (this.isDeliberate || !canDoTwice(intent)) return undefined;
    return this.#repeatedBy(intent, this.#others())[0];
  }

  /**
   * Puts a write down before its turn to be sent comes, so that one wait for the disk serves many. Only for writes under
   * a key; `beforeSend` then finds it kept, and `withdraw` takes it back.
   */
  keepAhead(intent: Intent, given?: Given): void {
    if (intent.idempotencyKey === undefined) return;
    const note: Note = { ...this.#noteOf(intent, undefined, given), ahead: true };
    try {
      this.#listen();
      this.#journal.openAhead(note);
      this.#ahead.set(sendingOf(intent), note);
    } catch {
      // It is tried again before it is sent, and refused then.
    }
  }

  /** A write kept ahead is not going to be sent. */
  withdraw(intent: Intent): void {
    const note = this.#ahead.get(sendingOf(intent));
    if (note !== undefined) this.#journal.close(note.id);
    this.#ahead.delete(sendingOf(intent));
  }

  /** Puts the write down. Throws a failure when it must not, or can't safely, be sent. */
  async beforeSend(intent: Intent): Promise<void> {
    const others = this.#others();
    const repeated = this.isDeliberate ? [] : this.#repeatedBy(intent, others);
    if (repeated.length > 0) {
      const { note } = repeated[0]!;
      if (canDoTwice(intent)) {
        this.withdraw(intent);
        throw repetitionFailure(note);
      }
      this.#options.note(`${unsettledSentence(note)} It is sent again.`);
    }
    const underOneKey = others.filter(({ note }) => isUnderSameKey(intent, note.intent));
    const note = await this.#kept(intent);
    this.#underWay.set(intent, { note, settledWithIt: [...underOneKey, ...repeated] });
  }

  /** Puts down that the write is answered, and closes what the answer settles as well: the same key, or the same done now. */
  afterAnswer(intent: Intent, outcome: IntentOutcome): void {
    const adopted = this.#adopted.get(intent);
    if (adopted !== undefined) settleKeptWrite(adopted);
    const underWay = this.#underWay.get(intent);
    if (underWay === undefined) return;
    this.#underWay.delete(intent);
    this.#answered.add(underWay.note.id);
    this.#journal.answer(underWay.note.id);
    for (const other of underWay.settledWithIt) {
      if (outcome.kind === 'done' || isUnderSameKey(intent, other.note.intent)) settleKeptWrite(other);
    }
  }

  /** What was answered so far has been shown to whoever asked for it: only then is it closed. */
  shown(): void {
    for (const id of this.#answered) this.#journal.close(id);
    this.#answered.clear();
  }

  /** Writes down what is settled now, for whoever reads the journals next in this process. */
  flush(): void {
    this.#journal.flush();
  }

  /** The connection closes: all has been shown. What was sent and not answered stays on disk. */
  end(): void {
    this.shown();
    this.#leave();
  }

  /** The process ends by itself. With its output lost, what was answered has not been shown and stays on disk as well. */
  #atEnd(exit: number): void {
    if (exit !== exitCodes.outcomeUnknown) this.shown();
    this.#leave();
  }

  #leave(): void {
    process.off('exit', this.#atExit);
    for (const { id } of this.#ahead.values()) this.#journal.close(id);
    this.#ahead.clear();
    this.#journal.end();
  }

  async #kept(intent: Intent): Promise<Note> {
    const ahead = this.#ahead.get(sendingOf(intent));
    const before = ahead === undefined ? await this.#readBefore(intent) : undefined;
    this.#before.set(intent, before);
    const note = ahead ?? this.#noteOf(intent, before);
    try {
      if (ahead === undefined) this.#open(note);
      else this.#release(intent, ahead);
    } catch (error) {
      throw notKept(this.#options.folder, error);
    }
    return note;
  }

  async #readBefore(intent: Intent): Promise<unknown> {
    const seen = this.#seen.get(intent.path.order_id ?? '');
    this.#seen.delete(intent.path.order_id ?? '');
    if (seen !== undefined && performance.now() - seen.at < freshMs) return seen.order;
    return this.#client === undefined ? undefined : await resourceBefore(this.#client, intent);
  }

  #open(note: Note): void {
    this.#listen();
    this.#journal.open(note);
  }

  #release(intent: Intent, note: Note): void {
    this.#journal.syncFor(note.id);
    this.#journal.release(note.id);
    this.#ahead.delete(sendingOf(intent));
  }

  /** Answers are closed also when the process ends because the reader of its results went away. */
  #listen(): void {
    if (this.#journal.file === undefined) process.off('exit', this.#atExit).on('exit', this.#atExit);
  }

  /** Unsettled writes of other processes, and of this one as far as it got no answer, to the same place. */
  #others(): KeptWrite[] {
    const { writes, damages } = this.#otherJournals.unsettled(this.#journal.file);
    if (damages.length > 0 && !this.#hasToldOfDamage) {
      this.#hasToldOfDamage = true;
      this.#options.note('Notes of earlier writes are damaged; perp pending list tells more.');
    }
    return [...writes, ...this.#unanswered()].filter(({ note }) => isSameDestination(note, this.#options.destination));
  }

  /** Its own: few if any, so that the disk is asked whether they were settled since, by another process. */
  #unanswered(): KeptWrite[] {
    const { file } = this.#journal;
    const ahead = new Set([...this.#ahead.values()].map(({ id }) => id));
    const open = new Set([...this.#journal.openIds].filter((id) => !ahead.has(id) && !this.#answered.has(id)));
    if (file === undefined || open.size === 0) return [];
    return readJournal(file).writes.filter(({ note }) => open.has(note.id));
  }

  #repeatedBy(intent: Intent, others: readonly KeptWrite[]): KeptWrite[] {
    const { operationId, payloadHash } = intent;
    const wish = this.given !== undefined && others.length > 0 ? wishOf(this.given) : undefined;
    const { account } = accountOf(intent);
    return others.filter(({ note }) => {
      const isSameWish = wish !== undefined && note.wish === wish && note.account === account;
      const isAlike =
        note.intent.operationId === operationId && (note.intent.payloadHash === payloadHash || isSameWish);
      return isAlike && !isUnderSameKey(intent, note.intent) && !this.#isSimultaneous(note);
    });
  }

  #isSimultaneous(note: Note): boolean {
    return note.pid !== process.pid && isAlive(note.pid) && Math.abs(this.#now() - note.time) < simultaneousMs;
  }

  #noteOf(intent: Intent, before: unknown, given = this.given): Note {
    const { destination, timeoutMs } = this.#options;
    const time = this.#now();
    return {
      format: 1,
      id: `write-${randomBytes(6).toString('hex')}`,
      time,
      until: time + Math.max(attemptsMs, timeoutMs) + simultaneousMs,
      pid: process.pid,
      ...destination,
      ...accountOf(intent),
      ...(given === undefined ? {} : { wish: wishOf(given) }),
      intent,
      ...(before === undefined ? {} : { before }),
    };
  }

  #now(): number {
    return this.#options.now();
  }
}

function sendingOf({ operationId, idempotencyKey, payloadHash }: Intent): string {
  return `${operationId} ${payloadHash} ${idempotencyKey}`;
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
