import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { moveFile } from '../../base/system/system.ts';
import { translated } from '../../exchange/store/errors.ts';
import { assertRegularFile } from '../../exchange/store/opened-files.ts';
import { SimulationError, type StateFiles, stateFiles } from './state-directory.ts';

/** The addresses at which a state is served and its key, for commands of the same user (simulation 9.1). */
export interface RunningService {
  state: string;
  pid: number;
  baseUrl: string;
  sandboxUrl: string;
  /** Valid for everything on both ports, including `/sim/`, as long as the service runs. */
  key: string;
  /** Where its prices come from: `synthetic`, `recorded` or `live`. */
  source: string;
  /** The first moment of its recording, Unix ms. */
  firstTime: number | null;
  /** The time since which plain commands on a terminal mean it, Unix ms. */
  inUseSince?: number;
}

const startUpMs = 3_000;

/** Writes the file atomically, readable only by its owner. */
export function writeServiceFile({ service }: StateFiles, running: RunningService): void {
  const draft = `${service}.${running.pid}`;
  writeFileSync(draft, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  moveFile(draft, service);
}

/** Removes the file with a service's address and key; does nothing without one. */
export function removeServiceFile({ service }: StateFiles): void {
  rmSync(service, { force: true });
}

/**
 * The service of a state, or null if none runs. A file left behind by a killed service is not trusted: the lock shows
 * whether it is alive. Waits for a service that is just starting. Undefined if it has the lock but never wrote its
 * file.
 */
export async function runningService(
  stateDirectory: string,
  state: string,
): Promise<RunningService | null | undefined> {
  const files = stateFiles(stateDirectory, state);
  for (let waitedMs = 0; waitedMs <= startUpMs; waitedMs += 50) {
    if (!ServeLock.isHeld(files.lock)) return null;
    const running = readServiceFile(files);
    if (running) return running;
    await delay(50);
  }
  return undefined;
}

/** The error that names who serves a state and how to stop it; `instead` is the alternative. */
export function servedAlready(state: string, files: StateFiles, instead: string): SimulationError {
  const running = readServiceFile(files);
  const by = running === null ? '' : `, by process ${running.pid} at ${running.baseUrl}`;
  const stop = running === null ? 'Stop it with Ctrl-C' : `Stop it with Ctrl-C, or kill ${running.pid}`;
  return new SimulationError(
    'conflict',
    `State ${state} is already being served${by}.`,
    `perp sim status --state ${state} shows it. ${stop}; ${instead}`,
  );
}

function readServiceFile({ service }: StateFiles): RunningService | null {
  try {
    assertRegularFile(service);
    return JSON.parse(readFileSync(service, 'utf8')) as RunningService;
  } catch {
    return null;
  }
}

const acquireTimeoutMs = 300;

/**
 * The right to serve a state, held by at most one process (simulation 9.1). Node has no file locks, but SQLite does: an
 * exclusive transaction on an empty database ends with the process, however it dies, so there is nothing to clean up.
 */
export class ServeLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The lock, or null while another process holds it. */
  static acquire(file: string): ServeLock | null {
    assertRegularFile(file);
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: acquireTimeoutMs });
    try {
      // Nothing is ever written, not even a journal file.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return new ServeLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return null;
      throw translated(error, file);
    }
  }

  /** Whether some process holds it now. */
  static isHeld(file: string): boolean {
    if (!existsSync(file)) return false;
    assertRegularFile(file);
    const database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    try {
      database.prepare('SELECT count(*) FROM sqlite_schema').get();
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw translated(error, file);
    } finally {
      database.close();
    }
  }

  release(): void {
    this.#database.close();
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5;
}
