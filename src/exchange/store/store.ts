import { existsSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { moveFile } from '../../base/system/system.ts';
import { assert } from '../../base/terms/invariants.ts';
import { defaultClose, defaultOrder } from '../../base/terms/order-fields.ts';
import type { Command, OpenState } from '../engine/commands.ts';
import type { Lots, Money, Ms } from '../engine/model.ts';
import { lostRow, StoreError, storeError, translated } from './errors.ts';
import { backUp, backupFile, createWhole, emptiedFile } from './new-file.ts';
import { assertRegularFiles, databaseSuffixes } from './opened-files.ts';
import { Query, Writer } from './query.ts';
import { Recorder } from './recorder.ts';
import { allTables, exchangeTables, isOfAnotherProgram, migrate, schema } from './schema.ts';
import {
  Credentials,
  commandLog,
  type IdempotencyRecord,
  idempotency,
  type NeededSetting,
  settings,
  type VersionsRecord,
  versions,
} from './service-tables.ts';
import { inMemory, StateDatabase, type StoreOptions } from './state-database.ts';
import { isOpen } from './tables.ts';

/**
 * One simulation's state in one SQLite file, safe with several processes and after a kill at any moment: everything
 * committed is on disk, and nothing else. Every method may throw a StoreError.
 */
export class Store extends Recorder {
  readonly file = this.database.file;
  /** The file had an older format when it was opened, and was backed up. */
  readonly wasMigrated: boolean;
  #credentials: Credentials | undefined;
  readonly #commandLog = new Query(this.database, commandLog, 'WHERE sequence > ? ORDER BY sequence LIMIT ?');
  readonly #newCommand = this.database.prepare(commandLog.insert());
  readonly #append = (values: SQLInputValue[]) => {
    this.#newCommand.write(values);
    this.database.gain(commandLog.name, 1);
  };
  readonly #settings = new Query(this.database, settings, 'WHERE name = ?');
  readonly #changedSettings = new Writer(this.database, settings);
  readonly #lastVersions = new Query(this.database, versions, 'ORDER BY journal_from DESC LIMIT 1');
  readonly #newVersions = new Writer(this.database, versions);
  readonly #idempotency = new Query(this.database, idempotency, 'WHERE owner = ? AND operation = ? AND key = ?', true);
  readonly #remembered = new Writer(this.database, idempotency);
  readonly #remember = (record: IdempotencyRecord) => assert(this.#remembered.addNew(record), 'key-once', record.key);
  #seenVersion = this.database.dataVersion();

  private constructor(database: StateDatabase, wasMigrated: boolean) {
    super(database);
    this.wasMigrated = wasMigrated;
    database.lookForLog();
  }

  /** Opens or creates the state in `file`, or `inMemory`; backs up and migrates an older one. */
  static open(file: string, options?: StoreOptions): Store {
    if (file !== inMemory) {
      assertOurs(resolve(file));
      ensureWhole(resolve(file));
    }
    const database = new StateDatabase(file, options);
    try {
      let wasMigrated = false;
      migrate(database, schema, (version) => {
        backUp(database, backupFile(database.file, `format-${version}`));
        wasMigrated = true;
      });
      const store = new Store(database, wasMigrated);
      database.snapshot(() => store.counts.checkSmall());
      return store;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  /**
   * Removes the state in `file`, sound or damaged, with its log and lock files; StoreError `busy` if any process has it
   * open, `foreign` for another program's. It is not an error if there is no state.
   */
  static destroy(file: string): void {
    const path = resolve(file);
    assertOurs(path);
    if (existsSync(path)) assertUnused(path);
    try {
      for (const suffix of databaseSuffixes) rmSync(path + suffix, { force: true });
    } catch (error) {
      throw translated(error, path);
    }
  }

  /**
   * Moves a damaged state and its log aside without opening it, and returns its new name; StoreError `foreign` for
   * another program's.
   */
  static setAside(file: string): string {
    const path = resolve(file);
    assertOurs(path);
    const aside = `${path}.damaged-${new Date().toISOString().replace(/[-:.]/g, '')}`;
    try {
      for (const suffix of databaseSuffixes) if (existsSync(path + suffix)) moveFile(path + suffix, aside + suffix);
    } catch (error) {
      throw translated(error, path);
    }
    return aside;
  }

  close(): void {
    this.database.close();
  }

  /** Keys, sessions and codes. */
  get credentials(): Credentials {
    this.#credentials ??= new Credentials(this.database);
    return this.#credentials;
  }

  get inTransaction(): boolean {
    return this.database.inTransaction;
  }

  /**
   * Runs `work` as the only writer of all processes and commits it durably, or keeps none of it; an error from `work`
   * is rethrown after the rollback. Waits up to 5 s for another writer, then throws `busy`. `in_doubt`: COMMIT failed,
   * and the next read of the store finds out whether it was kept.
   */
  transaction<T>(work: () => T): T {
    return this.database.transaction(work);
  }

  /**
   * From now on, `transaction` returns before its commit is on disk: callers wait for `unsynced` before they answer.
   * `onLost` is called if the disk fails before that.
   */
  syncLater(onLost: () => void): void {
    this.database.syncLater(onLost);
  }

  /** Resolves once everything read or committed here is on disk, or rejects with `in_doubt`; null: it is on disk. */
  unsynced(): Promise<void> | null {
    return this.database.unsynced();
  }

  /**
   * Resolves when a sync in the background ends; null if none is running. Commits in the meantime wait for the next
   * sync.
   */
  syncing(): Promise<void> | null {
    return this.database.syncing();
  }

  /** StoreError `moved` if the file was deleted or replaced since it was opened. */
  assertInPlace(): void {
    this.database.assertInPlace();
  }

  /** Whether any record refers to a market. */
  tradesIn(marketId: string): boolean {
    return marketTables.some((name) => this.#exists(`${name} WHERE market_id = ?`, marketId));
  }

  /** The last fill in each market that had one: its value, size and time. */
  lastFills(): Map<string, { notional: Money; size: Lots; time: Ms }> {
    const sql =
      'SELECT market_id, notional, size, settled_at, max(settle_sequence) FROM orders WHERE settle_sequence IS NOT NULL GROUP BY market_id';
    const rows = this.database.prepare(sql).rows();
    return new Map(
      rows.map(([marketId, notional, size, time]) => [
        marketId as string,
        { notional: notional as bigint, size: Number(size), time: Number(time) },
      ]),
    );
  }

  /** Whether anything is open in a market: a position, an order, a strategy. */
  holdsIn(marketId: string): boolean {
    return marketTables.some((name) => this.#exists(`${name} WHERE ${isOpen(name)} AND market_id = ?`, marketId));
  }

  #exists(rows: string, marketId: string): boolean {
    return this.database.prepare(`SELECT EXISTS (SELECT 1 FROM ${rows})`).row(marketId)![0] === 1n;
  }

  /** Whether another process (or handle) committed since this was last asked or `loadOpenState` was called. */
  changedElsewhere(): boolean {
    const version = this.database.dataVersion();
    const changed = version !== this.#seenVersion;
    this.#seenVersion = version;
    return changed;
  }

  /** Whether nothing was ever written to it. */
  isUnused(): boolean {
    return allTables.every(({ name }) => this.database.prepare(`SELECT 1 FROM ${name} LIMIT 1`).row() === undefined);
  }

  override loadOpenState(): OpenState | null {
    return this.database.snapshot(() => {
      this.#seenVersion = this.database.dataVersion();
      const state = super.loadOpenState();
      if (state !== null) this.counts.checkOpen(state);
      return state;
    });
  }

  /**
   * Deletes everything the exchange wrote, including command log and idempotency keys, inside a transaction: other
   * processes see the old state or none. Credentials and settings are kept. Call `initialize` next.
   */
  clear(): void {
    this.assertTransaction();
    for (const { name } of exchangeTables)
      this.database.gain(name, -this.database.prepare(`DELETE FROM ${name}`).run().changes);
    this.counts.clear();
  }

  /** Adds an executed command. */
  appendCommand(time: Ms, command: Command): void {
    const row = { sequence: null as unknown as number, time, command: commandText(command) };
    this.database.writeLater(commandLog.name, commandLog.encode(row), this.#append);
  }

  /** Commands after number `afterSequence`, oldest first, at most `limit`. */
  commands(afterSequence: number, limit: number): { sequence: number; time: Ms; command: Command }[] {
    return this.#commandLog
      .all(afterSequence, limit)
      .map(({ command, ...row }) => ({ ...row, command: commandOf(command) }));
  }

  /** The outcome of an earlier request with this key, if there was one. */
  idempotency(owner: string, operation: string, key: string): IdempotencyRecord | null {
    for (const row of this.database.waitingIn(idempotency.name)) {
      const record = row.record as IdempotencyRecord;
      if (record.key === key && record.owner === owner && record.operation === operation) return record;
    }
    return this.#idempotency.one(owner, operation, key);
  }

  /** Stores a request's outcome under its key, once, in the transaction of its effect. */
  remember(record: IdempotencyRecord): void {
    this.database.writeLater(idempotency.name, record, this.#remember);
  }

  setting(name: string): string | null {
    return this.#settings.one(name)?.value ?? null;
  }

  /** A setting that every state has from its first commit on; StoreError `corrupt` if it is missing. */
  neededSetting(name: NeededSetting): string {
    const value = this.setting(name);
    if (value === null) throw lostRow(this.file, 'settings', name);
    return value;
  }

  setSetting(name: string, value: string): void {
    this.database.within(() => this.#changedSettings.put({ name, value }));
  }

  /** The versions under which the state was last written; null if nothing was. */
  versions(): VersionsRecord | null {
    return this.#lastVersions.one();
  }

  /** Records that the state is written under other versions from now on; inside a transaction. */
  setVersions(written: Omit<VersionsRecord, 'journalFrom'>): void {
    const [last] = this.database.prepare('SELECT coalesce(max(sequence), 0) FROM journal').row()!;
    this.#newVersions.put({ journalFrom: Number(last) + 1, ...written });
  }

  /**
   * Writes a copy of the current state under a label, and returns the copy's file. Replaces a copy with the same label.
   */
  backUp(label: string): string {
    const copy = backupFile(this.file, label);
    backUp(this.database, copy);
    return copy;
  }
}

function assertOurs(path: string): void {
  assertRegularFiles(path);
  if (isOfAnotherProgram(path)) throw storeError('foreign', path);
}

const marketTables = ['orders', 'positions', 'twap_orders', 'scaled_orders'] as const;

/** Creates a file that does not exist; an empty one, or a log alone, is the remnant of a state. */
function ensureWhole(path: string): void {
  const lost = emptiedFile(path);
  if (lost !== null) throw lost;
  if (!existsSync(path)) createWhole(path, (draft) => migrate(draft));
}

/** Only the last process on the file can leave write-ahead mode; a damaged file can't be asked. */
function assertUnused(path: string): void {
  let database: StateDatabase | undefined;
  try {
    database = new StateDatabase(path, { busyTimeoutMs: 0 });
    database.execute('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof StoreError && error.kind === 'corrupt')) throw error;
  } finally {
    database?.close();
  }
}

/**
 * Default values of the most common commands, which are omitted: that saves two thirds of a command log. Part of the
 * file format: a value in here never changes.
 */
const usual = { place_order: defaultOrder, close_position: defaultClose };

/** A command as the command log stores it: JSON, without default values. */
function commandText(command: Command): string {
  if (command.kind !== 'place_order' && command.kind !== 'close_position') return JSON.stringify(command);
  const usually: Readonly<Record<string, unknown>> = usual[command.kind];
  const written: Record<string, unknown> = {};
  for (const name of Object.keys(command)) {
    const value = command[name as keyof typeof command];
    if (value !== usually[name]) written[name] = value;
  }
  return JSON.stringify(written);
}

/** The command that `commandText` wrote. */
export function commandOf(text: string): Command {
  const written = JSON.parse(text) as Command;
  if (written.kind !== 'place_order' && written.kind !== 'close_position') return written;
  return { ...usual[written.kind], ...written } as Command;
}
