import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { StrategyModules } from './realm/realm.ts';
import { isOfMachine, sweepHash, type Trial, type TrialSpec, unpacked } from './trial.ts';
import type { PackedAnswer } from './workers/worker.ts';

/** A trials file can't be used; the message says why, in one line. */
export class TrialsFileError extends Error {
  override readonly name = 'TrialsFileError';
  /** The disk is full or fails: nothing was written, and it may be possible later. */
  readonly isOfDisk: boolean;

  constructor(message: string, isOfDisk = false) {
    super(message);
    this.isOfDisk = isOfDisk;
  }
}

/** A part of a sweep that was run into a file: number `shard` of `of`. */
export interface SweepPart {
  /** Identifies the sweep: the same for each of its shards. */
  readonly sweep: string;
  readonly shard: number;
  readonly of: number;
  /** The command's settings, for people. */
  readonly settings: object;
  readonly isDone: boolean;
}

/** A trial as a worker gave it. */
export interface NewTrial extends Pick<PackedAnswer, 'packed' | 'hash' | 'cpuMs'> {
  readonly id: string;
  readonly spec: TrialSpec;
}

/** Marks the file as ours ("perl"), and the version of its tables. */
const applicationId = 0x70_65_72_6c;
const version = 1;
const busyMs = 10_000;
/** SQLite's codes of a disk that is full, fails, or takes no new file. */
const diskCodes = { full: 13, failed: 10, noFile: 14 };

const schema = `
CREATE TABLE strategies (hash TEXT PRIMARY KEY, modules TEXT NOT NULL) WITHOUT ROWID, STRICT;
CREATE TABLE sweeps (
  sweep TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL, settings TEXT NOT NULL, done INTEGER NOT NULL,
  PRIMARY KEY (sweep, shard, shards)
) WITHOUT ROWID, STRICT;
CREATE TABLE trials (
  id TEXT PRIMARY KEY, spec TEXT NOT NULL, hash TEXT NOT NULL, cpu_ms INTEGER NOT NULL, result BLOB NOT NULL
) STRICT;
CREATE TABLE facts (kind TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (kind, name))
WITHOUT ROWID, STRICT;
PRAGMA application_id = ${applicationId};
PRAGMA user_version = ${version};`;

type Row = Readonly<Record<string, SQLInputValue>>;

/** Whether a row has no result, only the reason why this machine gave none. Such a row has used no CPU time. */
function isWithout({ cpu_ms, result }: Row): boolean {
  return Number(cpu_ms) === 0 && isOfMachine(unpacked(result as Uint8Array).problem);
}

/** Every trial that was run, in one SQLite file. A trial is in it completely, or not at all. */
export class TrialsFile {
  readonly file: string;
  readonly #database: DatabaseSync;

  private constructor(file: string, database: DatabaseSync) {
    this.file = file;
    this.#database = database;
  }

  /** Opens a file; `create`: makes it if there is none. Throws a TrialsFileError. */
  static open(file: string, { create = false, readOnly = false } = {}): TrialsFile {
    let opened: TrialsFile | undefined;
    try {
      const known = statSync(file, { throwIfNoEntry: false });
      const isNew = known === undefined;
      if (isNew && !create) throw new TrialsFileError(`There is no trials file ${file}.`);
      if (known?.isFile() === false)
        throw new TrialsFileError(`${file} is ${known.isDirectory() ? 'a folder' : 'not a regular file'}.`);
      if (isNew) closeSync(openSync(file, 'ax', 0o600));
      // A killed writer left an unfinished write, which only a writer can roll back.
      else if (readOnly && existsSync(`${file}-journal`)) TrialsFile.open(file).close();
      opened = new TrialsFile(file, new DatabaseSync(file, { readOnly, timeout: busyMs }));
      opened.#prepare(readOnly);
      return opened;
    } catch (error) {
      opened?.close();
      throw asFileError(file, error);
    }
  }

  #prepare(isReadOnly: boolean): void {
    const number = (pragma: string) => Number(Object.values(this.#database.prepare(`PRAGMA ${pragma}`).get()!)[0]);
    if (number('application_id') === 0 && number('schema_version') === 0) {
      if (isReadOnly) throw new TrialsFileError(`${this.file} has no trials.`);
      this.#write(() => this.#database.exec(schema));
      return;
    }
    if (number('application_id') !== applicationId) throw new TrialsFileError(`${this.file} is not a trials file.`);
    const found = number('user_version');
    if (found === version) return;
    const advice = found > version ? 'use a newer perp' : 'use an older perp, or another --out';
    throw new TrialsFileError(`${this.file} has trials format ${found}, but this perp reads ${version}: ${advice}.`);
  }

  /** Which of these trials are in the file with a result. */
  known(ids: Iterable<string>): Set<string> {
    const statement = this.#database.prepare('SELECT cpu_ms, result FROM trials WHERE id = ?');
    return new Set(
      [...ids].filter((id) => {
        const row = statement.get(id);
        return row !== undefined && !isWithout(row);
      }),
    );
  }

  /** How many trials are in it. */
  get count(): number {
    return Number(this.#database.prepare('SELECT count(*) AS n FROM trials').get()!.n);
  }

  /** Adds trials, all of them or none. An existing one with a result must be the same. */
  add(trials: readonly NewTrial[]): void {
    this.#write(() => {
      const put = this.#putting(({ id }) => `Trial ${id} is already in ${this.file}, with another result.`);
      for (const { id, spec, hash, cpuMs, packed } of trials)
        put({ id, spec: JSON.stringify(spec), hash, cpu_ms: cpuMs, result: packed });
    });
  }

  /** Puts rows in their table: a result takes the place of none; two different ones are an error. */
  #putting(problemOf: (row: Row) => string): (row: Row) => void {
    const there = this.#database.prepare('SELECT hash, cpu_ms, result FROM trials WHERE id = ?');
    const insert = this.#database.prepare('INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?)');
    return (row) => {
      const found = there.get(row.id!);
      if (found?.hash === row.hash) return;
      if (found !== undefined && !isWithout(found)) {
        if (isWithout(row)) return;
        throw new TrialsFileError(problemOf(row));
      }
      insert.run(row.id!, row.spec!, row.hash!, row.cpu_ms!, row.result!);
    };
  }

  /** Every trial, by id. */
  *trials(): Generator<Trial> {
    for (const row of this.#database
      .prepare('SELECT id, spec, hash, cpu_ms, result FROM trials ORDER BY id')
      .iterate()) {
      const { id, spec, hash, cpu_ms, result } = row as Record<string, SQLInputValue>;
      yield {
        id: String(id),
        spec: JSON.parse(String(spec)) as TrialSpec,
        result: unpacked(result as Uint8Array),
        hash: String(hash),
        cpuMs: Number(cpu_ms),
      };
    }
  }

  /** A trial by its id; undefined if it is not there. */
  trial(id: string): Trial | undefined {
    const row = this.#database.prepare('SELECT spec, hash, cpu_ms, result FROM trials WHERE id = ?').get(id);
    if (row === undefined) return undefined;
    const { spec, hash, cpu_ms, result } = row;
    const parsed = JSON.parse(String(spec)) as TrialSpec;
    return { id, spec: parsed, result: unpacked(result as Uint8Array), hash: String(hash), cpuMs: Number(cpu_ms) };
  }

  /** One hash over all trials: the same however they were divided and in whatever order they ran. */
  hash(): string {
    const rows = this.#database.prepare('SELECT id, hash FROM trials ORDER BY id').iterate();
    return sweepHash(rows as Iterable<{ id: string; hash: string }>);
  }

  /** Keeps a strategy's text, so that its trials can be run again. */
  addStrategy(hash: string, modules: StrategyModules): void {
    this.#write(() =>
      this.#database.prepare('INSERT OR IGNORE INTO strategies VALUES (?, ?)').run(hash, JSON.stringify(modules)),
    );
  }

  /** A strategy's modules by their hash. */
  strategy(hash: string): StrategyModules | undefined {
    const row = this.#database.prepare('SELECT modules FROM strategies WHERE hash = ?').get(hash);
    return row === undefined ? undefined : (JSON.parse(String(row.modules)) as StrategyModules);
  }

  /** Notes which part of which sweep is run into the file, and whether it is complete. */
  addPart({ sweep, shard, of, settings, isDone }: SweepPart): void {
    this.#write(() =>
      this.#database
        .prepare(
          `INSERT INTO sweeps VALUES (?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET done = max(done, excluded.done), settings = excluded.settings`,
        )
        .run(sweep, shard, of, JSON.stringify(settings), isDone ? 1 : 0),
    );
  }

  /** The parts of sweeps that were run into the file. */
  parts(): SweepPart[] {
    const rows = this.#database.prepare('SELECT * FROM sweeps ORDER BY sweep, shards, shard').all();
    return rows.map(({ sweep, shard, shards, settings, done }) => ({
      sweep: String(sweep),
      shard: Number(shard),
      of: Number(shards),
      settings: JSON.parse(String(settings)) as object,
      isDone: Number(done) === 1,
    }));
  }

  /** Stores a fact about the trials: a proof, criteria. An earlier value under the name is replaced. */
  setFact(kind: string, name: string, value: unknown): void {
    this.#write(() =>
      this.#database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)').run(kind, name, JSON.stringify(value)),
    );
  }

  /** Facts about a kind, by name. */
  facts(kind: string): Map<string, unknown> {
    const rows = this.#database.prepare('SELECT name, value FROM facts WHERE kind = ? ORDER BY name').all(kind);
    return new Map(rows.map(({ name, value }) => [String(name), JSON.parse(String(value))]));
  }

  /**
   * Copies everything from another file. Of two facts under the same name, `worse` chooses. Throws if both files have a
   * trial with different results.
   */
  take(other: TrialsFile, worse: (kind: string, one: unknown, other: unknown) => unknown): void {
    for (const part of other.parts()) this.addPart(part);
    this.#write(() => {
      const here = this.#database;
      const strategy = here.prepare('INSERT OR IGNORE INTO strategies VALUES (?, ?)');
      for (const { hash, modules } of other.#rows('strategies')) strategy.run(hash!, modules!);
      const known = here.prepare('SELECT value FROM facts WHERE kind = ? AND name = ?');
      const fact = here.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)');
      for (const { kind, name, value } of other.#rows('facts')) {
        const there = known.get(kind!, name!);
        const both = [there?.value ?? value, value].map((text) => JSON.parse(String(text)) as unknown);
        fact.run(kind!, name!, JSON.stringify(worse(String(kind), both[0], both[1])));
      }
      const why =
        'the same trial with another result. Only one of them can be right; with --think real, run each trial once';
      const put = this.#putting(({ id }) => `${other.file} and the files before it have ${id}, ${why}.`);
      for (const row of other.#rows('trials')) put(row);
    });
  }

  *#rows(table: string): Generator<Row> {
    try {
      yield* this.#database.prepare(`SELECT * FROM ${table}`).iterate() as Iterable<Row>;
    } catch (error) {
      throw asFileError(this.file, error);
    }
  }

  /** Releases the file. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #write(work: () => unknown): void {
    try {
      this.#database.exec('BEGIN IMMEDIATE');
      try {
        work();
        this.#database.exec('COMMIT');
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    } catch (error) {
      throw asFileError(this.file, error);
    }
  }
}

/** An error of SQLite or of the file's system calls, in words; any other stays as it is. */
export function asFileError(file: string, error: unknown): unknown {
  if (error instanceof TrialsFileError) return error;
  const { message, code, errcode } = error as Error & { code?: string; errcode?: number };
  const primary = errcode === undefined ? undefined : errcode & 0xff;
  if (primary === diskCodes.full || code === 'ENOSPC' || code === 'EDQUOT')
    return new TrialsFileError(`There is no space left to write ${file}.`, true);
  if (primary === 26) return new TrialsFileError(`${file} is not a trials file.`);
  if (primary === 5) return new TrialsFileError(`${file} is in use by another process.`);
  if (errcode === undefined && code === undefined) return error;
  const isOfDisk = primary === diskCodes.failed || primary === diskCodes.noFile;
  return new TrialsFileError(`${file} can't be used: ${message}.`, isOfDisk);
}
