import { randomUUID } from 'node:crypto';
import { closeWrite, openWrite } from '../../base/failure/ending.ts';
import { exitCodes, Failure } from '../../base/failure/failure.ts';
import type { Client } from '../../wire/client/client.ts';
import type { Intent, IntentKeeper, IntentOutcome } from '../../wire/client/intent.ts';
import { stateBefore } from '../../wire/client/outcome.ts';
import { makesStrategy } from '../../wire/client/read-back-made.ts';
import { IntentFile } from './intent-file.ts';
import {
  isAlive,
  type KeptWrite,
  readIntentFile,
  recordNotMade,
  settleKeptWrite,
  unsettledWrites,
} from './intent-files.ts';
import {
  canHappenTwice,
  commandHashOf,
  type Destination,
  type Given,
  isSameDestination,
  isSameLogin,
  type Note,
  repetitionFailure,
  unsettledSentence,
} from './note.ts';

/** Where writes are kept, and for which destination. */
interface KeeperOptions {
  /** Folder of the intent files. */
  folder: string;
  destination: Destination;
  /** Timeout of one attempt at a write. */
  timeoutMs: number;
  note(text: string): void;
  /** Wall time, Unix ms. */
  now(): number;
}

/** All attempts at a keyed write, the looks and the waits between them; see the client's retries. */
const attemptsMs = 240_000;
/** An order read this recently need not be read again before the write. */
const freshMs = 2_000;
/** An identical write from another running process within this time is a second request, not a repetition. */
const simultaneousMs = 5_000;

/**
 * Keeps every write of one access on disk from before sending until its outcome is known, and stops a write that would
 * repeat one with an unknown outcome. A write that can't be kept is not sent.
 */
export class WriteKeeper implements IntentKeeper {
  /** Send even if it repeats an unsettled write. */
  isDeliberate = false;
  /** The command that is now sending writes. */
  given: Given | undefined;
  readonly #options: KeeperOptions;
  readonly #intentFile: IntentFile;
  /** A write of this process, and other writes that its answer settles too. */
  readonly #underWay = new Map<Intent, { note: Note; settledWithIt: readonly KeptWrite[] }>();
  /** Notes of writes whose callers still wait in this process: they aren't writes with an unknown outcome. */
  readonly #inFlight = new Set<string>();
  /** Kept but not sent yet, by operation, payload and key. */
  readonly #ahead = new Map<string, Note>();
  /** Writes whose answers have not been shown yet. */
  readonly #answered = new Set<string>();
  readonly #adopted = new Map<Intent, KeptWrite>();
  /** Resources as they were before each write. */
  readonly #before = new WeakMap<Intent, unknown>();
  /** Orders read by commands, and when. */
  readonly #seen = new Map<string, { order: object; at: number }>();
  readonly #atExit = (exit: number) => this.#atEnd(exit);
  #client: Client | undefined;
  #hasToldOfDamage = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#intentFile = new IntentFile(options.folder);
  }

  /** The client whose writes it keeps; reads the resource before a write that can only be read back. */
  attach(client: Client): void {
    this.#client = client;
  }

  /** Takes over a write of an earlier process; its outcome is recorded in that process's file. */
  adopt(kept: KeptWrite): void {
    this.#adopted.set(kept.note.intent, kept);
  }

  /** Remembers an order that the command just read and may be about to change. */
  saw(order: { id: string }): void {
    this.#seen.set(order.id, { order, at: performance.now() });
  }

  /** The resource as it was before a write of this process; undefined if it was not read. */
  beforeOf(intent: Intent): unknown {
    return this.#before.get(intent);
  }

  /** The unsettled write that this one might duplicate, unless the user asked for that. */
  earlier(intent: Intent): KeptWrite | undefined {
    if (this.isDeliberate || !canHappenTwice(intent)) return undefined;
    return this.#repeatedBy(intent, this.#others())[0];
  }

  /** Prepares for a write that must not wait for more than itself. */
  makeReady(): void {
    this.#listen();
    this.#intentFile.makeReady();
  }

  /**
   * Keeps a write before its turn, so that one sync serves many. Only for writes with a key; `beforeSend` then finds
   * it, and `withdraw` undoes it.
   */
  keepAhead(intent: Intent, given?: Given): void {
    if (intent.idempotencyKey === undefined) return;
    const note: Note = { ...this.#noteOf(intent, undefined, given), ahead: true };
    try {
      this.#listen();
      this.#intentFile.openAhead(note);
      this.#ahead.set(sendingOf(intent), note);
    } catch {
      // `beforeSend` tries again, and refuses then.
    }
  }

  /** Undoes `keepAhead` for a write that will not be sent. */
  withdraw(intent: Intent): void {
    const note = this.#ahead.get(sendingOf(intent));
    if (note !== undefined) this.#intentFile.close(note.id);
    this.#ahead.delete(sendingOf(intent));
  }

  /**
   * Keeps the write. Throws a failure if it must not, or can't safely, be sent. It is a repetition if the same
   * request was sent under its key and got no answer.
   */
  async beforeSend(intent: Intent): Promise<{ isRepetition: boolean }> {
    const others = this.#others();
    const repeated = this.isDeliberate ? [] : this.#repeatedBy(intent, others);
    if (repeated.length > 0) {
      const { note } = repeated[0]!;
      if (canHappenTwice(intent)) {
        this.withdraw(intent);
        throw repetitionFailure(note);
      }
      this.#options.note(`${unsettledSentence(note)} It will be sent again.`);
    }
    const underOneKey = others.filter(({ note }) => this.#isUnderSameKey(intent, note));
    const note = await this.#kept(intent);
    // Another login's writes are settled by its own lookups.
    const settledWithIt = [...underOneKey, ...repeated].filter((other) => isSameLogin(other.note, note));
    this.#underWay.set(intent, { note, settledWithIt });
    this.#inFlight.add(note.id);
    openWrite(intent);
    return { isRepetition: underOneKey.length > 0 };
  }

  /** Records the answer and closes the other writes it settles: those with the same key, or the same write done now. */
  afterAnswer(intent: Intent, outcome: IntentOutcome): void {
    const adopted = this.#adopted.get(intent);
    if (adopted !== undefined) settleKeptWrite(adopted);
    const underWay = this.#underWay.get(intent);
    if (underWay === undefined) return;
    if (outcome.kind === 'done' && makesStrategy(intent.operationId)) this.#tellTwins(intent, outcome.body);
    this.#underWay.delete(intent);
    this.#inFlight.delete(underWay.note.id);
    closeWrite(intent);
    this.#answered.add(underWay.note.id);
    this.#intentFile.answer(underWay.note.id);
    for (const other of underWay.settledWithIt) {
      if (outcome.kind === 'done' || this.#isUnderSameKey(intent, other.note)) settleKeptWrite(other);
    }
  }

  /** The answer to this write isn't the result of an equal one whose outcome is unknown. */
  #tellTwins(intent: Intent, body: unknown): void {
    const { id } = ((body as { data?: unknown } | undefined)?.data ?? {}) as { id?: unknown };
    if (typeof id !== 'string') return;
    for (const other of this.#others()) {
      const isTwin = other.note.intent.payloadHash === intent.payloadHash;
      if (isTwin && !this.#isUnderSameKey(intent, other.note)) recordNotMade(other, id);
    }
  }

  /** Anyone who sent a write still waits for its outcome, or (`false`) has given up. */
  waits(intent: Intent, isWaiting: boolean): void {
    const id = this.#underWay.get(intent)?.note.id;
    if (id === undefined) return;
    if (isWaiting) this.#inFlight.add(id);
    else this.#inFlight.delete(id);
  }

  /** The writes whose answers have not been shown yet. */
  answered(): readonly string[] {
    return [...this.#answered];
  }

  /** Closes answered writes, after their answers have been shown. */
  shown(answered: readonly string[] = this.answered()): void {
    for (const id of answered) if (this.#answered.delete(id)) this.#intentFile.close(id);
  }

  /** Writes pending events, for other readers of the intent files in this process. */
  flush(): void {
    this.#intentFile.flush();
  }

  /** Ends the access: everything has been shown. Writes without an answer stay on disk. */
  end(): void {
    this.shown();
    this.#leave();
  }

  /** The process exits. If its output was lost, answered writes have not been shown, so they stay on disk too. */
  #atEnd(exit: number): void {
    if (exit !== exitCodes.outcomeUnknown) this.shown();
    this.#leave();
  }

  #leave(): void {
    process.off('exit', this.#atExit);
    for (const { id } of this.#ahead.values()) this.#intentFile.close(id);
    this.#ahead.clear();
    this.#intentFile.end();
  }

  async #kept(intent: Intent): Promise<Note> {
    const ahead = this.#ahead.get(sendingOf(intent));
    // A write under a key that is kept is found by its key.
    const isFound = intent.idempotencyKey !== undefined && (this.#client?.keepsKeys ?? true);
    const before = isFound ? undefined : await this.#readBefore(intent);
    this.#before.set(intent, before);
    const note = ahead ?? this.#noteOf(intent, before);
    try {
      if (ahead !== undefined) await this.#release(intent, ahead);
      else {
        this.#listen();
        this.#intentFile.open(note);
      }
    } catch (error) {
      throw notKept(this.#options.folder, error);
    }
    return note;
  }

  async #readBefore(intent: Intent): Promise<unknown> {
    const seen = this.#seen.get(intent.path.order_id ?? '');
    this.#seen.delete(intent.path.order_id ?? '');
    if (seen !== undefined && performance.now() - seen.at < freshMs) return seen.order;
    return this.#client === undefined ? undefined : await stateBefore(this.#client, intent);
  }

  async #release(intent: Intent, note: Note): Promise<void> {
    await this.#intentFile.syncFor(note.id);
    this.#intentFile.release(note.id);
    this.#ahead.delete(sendingOf(intent));
  }

  /** Answered writes are also closed when the process ends because the reader of its output has gone. */
  #listen(): void {
    if (this.#intentFile.file === undefined) process.off('exit', this.#atExit).on('exit', this.#atExit);
  }

  /** Unsettled writes to the same destination: those of other processes, and this one's unanswered ones. */
  #others(): KeptWrite[] {
    const { writes, damages } = unsettledWrites(this.#options.folder, this.#intentFile.file);
    if (damages.length > 0 && !this.#hasToldOfDamage) {
      this.#hasToldOfDamage = true;
      this.#options.note('The record of earlier writes is damaged; see perp pending list.');
    }
    return [...writes, ...this.#unanswered()].filter(({ note }) => isSameDestination(note, this.#options.destination));
  }

  /**
   * This process's own unanswered writes. Few if any, so the file is read to see whether another process has settled
   * them.
   */
  #unanswered(): KeptWrite[] {
    const { file } = this.#intentFile;
    if (file === undefined) return [];
    const open = new Set<string>();
    for (const { id, ahead } of this.#intentFile.openNotes) if (ahead !== true && !this.#answered.has(id)) open.add(id);
    if (open.size === 0) return [];
    return readIntentFile(file).writes.filter(({ note }) => open.has(note.id));
  }

  #repeatedBy(intent: Intent, others: readonly KeptWrite[]): KeptWrite[] {
    if (others.length === 0) return [];
    const { operationId, payloadHash } = intent;
    const commandHash = this.given === undefined ? undefined : commandHashOf(this.given);
    const { account } = accountOf(intent);
    return others.filter(({ note }) => {
      const isSameCommand = commandHash !== undefined && note.commandHash === commandHash && note.account === account;
      const isAlike =
        note.intent.operationId === operationId && (note.intent.payloadHash === payloadHash || isSameCommand);
      const isOfLiving = this.#inFlight.has(note.id) || this.#isSimultaneous(note);
      return isAlike && !this.#isUnderSameKey(intent, note) && !isOfLiving;
    });
  }

  /** A key names a write of one login. */
  #isUnderSameKey({ idempotencyKey, operationId }: Intent, note: Note): boolean {
    const { intent } = note;
    const isSameKey = idempotencyKey !== undefined && idempotencyKey === intent.idempotencyKey;
    return isSameKey && operationId === intent.operationId && isSameLogin(note, this.#options.destination);
  }

  #isSimultaneous(note: Note): boolean {
    return note.pid !== process.pid && isAlive(note.pid) && Math.abs(this.#options.now() - note.time) < simultaneousMs;
  }

  #noteOf(intent: Intent, before: unknown, given = this.given): Note {
    const { destination, timeoutMs, now } = this.#options;
    const time = now();
    return {
      format: 1,
      // Node makes UUIDs from a supply of random bytes; the first twelve digits are all random.
      id: `write-${randomUUID().slice(0, 13).replace('-', '')}`,
      time,
      until: time + Math.max(attemptsMs, timeoutMs) + simultaneousMs,
      pid: process.pid,
      ...destination,
      ...accountOf(intent),
      ...(given === undefined ? {} : { commandHash: commandHashOf(given) }),
      intent,
      ...(before === undefined ? {} : { before }),
    };
  }
}

function sendingOf({ operationId, idempotencyKey, payloadHash }: Intent): string {
  return `${operationId} ${payloadHash} ${idempotencyKey}`;
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
      code: 'not_kept',
      message: `Nothing was sent: writes are kept on disk before sending, but ${folder} can't be written (${why}).`,
      hint: 'Set PERP_STATE_DIR to a folder that you can write to, on a disk with free space.',
    },
    { cause: error },
  );
}
