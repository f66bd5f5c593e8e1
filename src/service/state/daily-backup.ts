import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { moveFile } from '../../base/system/system.ts';
import { databaseHealth } from '../../exchange/store/check.ts';
import { StoreError } from '../../exchange/store/errors.ts';
import { backupFile } from '../../exchange/store/new-file.ts';
import { Store } from '../../exchange/store/store.ts';

/** The number of daily backups kept of a state, and their maximum total size. */
const keptDays = 7;
const keptBytes = 2 ** 30;
/**
 * The first backup waits until the service has started; then this is the interval between checks whether the day has
 * one.
 */
const firstAfterMs = 10_000;
const everyMs = 3_600_000;
/** An older draft was left by a process that ended. */
const staleMs = 3_600_000;

/** The outcome of a backup: the file, or why there is none. */
type DailyBackup = { file: string } | { problem: string };

/** The file of a day's backup of a state. */
export function dailyBackupFile(database: string, wallMs: number): string {
  return backupFile(database, dayOf(wallMs));
}

/**
 * Copies a state to its backup of the day, which replaces an earlier one of that day if the copy is sound, and removes
 * the oldest days beyond the bounds. A damaged state leaves all backups as they are.
 */
export function makeDailyBackup(database: string, wallMs: number): DailyBackup {
  removeDrafts(database, staleMs);
  const sizeBytes = statSync(database).size;
  if (sizeBytes > keptBytes) return { problem: `${database} is larger than 1 GB, so no daily backup is kept.` };
  const store = Store.open(database);
  let copy: string;
  try {
    copy = store.backUp(`unchecked-${dayOf(wallMs)}`);
  } finally {
    store.close();
  }
  const { problem } = databaseHealth(copy);
  if (problem !== null) {
    rmSync(copy, { force: true });
    const message = problem.message.replaceAll(copy, database);
    return { problem: `${message} Its earlier backups are kept; perp sim check shows what can be repaired.` };
  }
  const file = dailyBackupFile(database, wallMs);
  moveFile(copy, file);
  removeOldest(database);
  return { file };
}

/** Makes a backup of a served state each day, in its own thread, so that no request waits for it. */
export class DailyBackups {
  readonly #database: string;
  readonly #wall: () => number;
  readonly #onProblem: (problem: string) => void;
  #timer: NodeJS.Timeout;
  #worker: Worker | null = null;
  #lastProblem = '';

  constructor(database: string, wall: () => number, onProblem: (problem: string) => void, firstMs = firstAfterMs) {
    this.#database = database;
    this.#wall = wall;
    this.#onProblem = onProblem;
    this.#timer = setTimeout(() => this.#look(), firstMs).unref();
  }

  /** Ends a backup in progress, and leaves no trace of it. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker?.terminate();
    if (this.#worker !== null) removeDrafts(this.#database, 0);
    this.#worker = null;
  }

  #look(): void {
    this.#timer = setTimeout(() => this.#look(), everyMs).unref();
    if (this.#worker !== null || existsSync(dailyBackupFile(this.#database, this.#wall()))) return;
    const job: Job = { perpBackup: this.#database, wallMs: this.#wall() };
    const worker = new Worker(new URL(import.meta.url), { workerData: job, stderr: true });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (done: DailyBackup) => {
      if ('problem' in done) this.#report(done.problem);
    });
    worker.on('error', (error) => this.#report(`No backup of ${this.#database} could be made: ${error.message}`));
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null;
    });
  }

  #report(problem: string): void {
    if (problem === this.#lastProblem) return;
    this.#lastProblem = problem;
    this.#onProblem(problem);
  }
}

interface Job {
  perpBackup: string;
  wallMs: number;
}

/** In the thread: this module is its main file. */
function work({ perpBackup, wallMs }: Job): DailyBackup {
  try {
    return makeDailyBackup(perpBackup, wallMs);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { problem: error.message };
  }
}

if (!isMainThread && (workerData as Partial<Job> | null)?.perpBackup !== undefined)
  parentPort!.postMessage(work(workerData as Job));

/** Daily backups of a state, newest first. */
function dailyBackups(database: string): { path: string; sizeBytes: number }[] {
  const [before, after] = backupFile(database, '*').split('*') as [string, string];
  const days = filesBeside(database)
    .filter((path) => path.startsWith(before) && path.endsWith(after))
    .filter((path) => /^\d{4}-\d\d-\d\d$/.test(path.slice(before.length, -after.length)));
  return days
    .sort()
    .reverse()
    .map((path) => ({ path, sizeBytes: statSync(path).size }));
}

function removeOldest(database: string): void {
  let bytes = 0;
  for (const [index, { path, sizeBytes }] of dailyBackups(database).entries()) {
    bytes += sizeBytes;
    if (index >= keptDays || (index > 0 && bytes > keptBytes)) rmSync(path, { force: true });
  }
}

/** Copies that were not finished or not checked. */
function removeDrafts(database: string, olderThanMs: number): void {
  const [before] = backupFile(database, 'unchecked-*').split('*') as [string];
  for (const path of filesBeside(database)) {
    if (!path.startsWith(before)) continue;
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age >= olderThanMs) rmSync(path, { force: true });
  }
}

function filesBeside(database: string): string[] {
  const folder = dirname(database);
  return readdirSync(folder).map((name) => join(folder, name));
}

function dayOf(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
