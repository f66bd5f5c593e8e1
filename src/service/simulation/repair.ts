import { copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { moveFile } from '../../base/system/system.ts';
import { isStateName } from '../../base/terms/state-names.ts';
import type { Command } from '../../exchange/engine/commands.ts';
import { Exchange, emptyState } from '../../exchange/engine/exchange.ts';
import type { Ms } from '../../exchange/engine/model.ts';
import { areSame, currentVersions, versionsText } from '../../exchange/markets/versions.ts';
import { databaseHealth, openForReading } from '../../exchange/store/check.ts';
import { syncFile, syncFolderOf } from '../../exchange/store/opened-files.ts';
import { codes, commandLog, idempotency, keys, settings } from '../../exchange/store/service-tables.ts';
import { commandOf, Store } from '../../exchange/store/store.ts';
import type { Table } from '../../exchange/store/table.ts';
import { head } from '../../exchange/store/tables.ts';
import { makeDailyBackup } from '../state/daily-backup.ts';
import { ServeLock, servedAlready } from '../state/service-file.ts';
import { SimulationError, type StateFiles, stateFiles } from '../state/state-directory.ts';
import { healthOf, type StateHealth } from '../state/state-health.ts';
import { writeVersions } from '../state/versions.ts';
import { catalogOf, chooseSource, type SourceSetting } from './source.ts';

/** Reads the intact parts of a damaged state, and changes nothing in it. */
class Salvage {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = openForReading(file);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  setting(name: string): string | null {
    return this.#sound(settings).find((setting) => setting.name === name)?.value ?? null;
  }

  /** Exchange time of the last event, if still known. */
  get time(): Ms | null {
    return this.#sound(head)[0]?.time ?? null;
  }

  /** The command log's commands, oldest first. */
  *commands(): Iterable<{ time: Ms; command: Command }> {
    for (const row of this.#rows(commandLog, 'ORDER BY sequence')) {
      const { time, command } = commandLog.decode(row);
      yield { time, command: commandOf(command) };
    }
  }

  /** Copies the settings, keys and idempotency records to a new state; inside a transaction. */
  handOver(store: Store): void {
    for (const { name, value } of this.#sound(settings)) if (name !== 'run') store.setSetting(name, value);
    for (const key of this.#sound(keys)) store.credentials.addKey(key);
    for (const code of this.#sound(codes)) store.credentials.addCode(code);
    for (const record of this.#sound(idempotency)) store.remember(record);
  }

  #sound<R extends object>(table: Table<R>): R[] {
    return [...this.#rows(table, '')].filter((row) => table.isSound(row)).map((row) => table.decode(row));
  }

  #rows<R extends object>(table: Table<R>, tail: string): Iterable<SQLOutputValue[]> {
    const statement = this.#database.prepare(table.select(tail), { readBigInts: true, returnArrays: true });
    return statement.iterate() as unknown as Iterable<SQLOutputValue[]>;
  }
}

/** How a damaged state can be restored. */
type Repair =
  /** Its command log is intact, and replaying it gives the same state: nothing is lost. */
  | { kind: 'rebuild'; commands: number }
  /** A sound backup, and the number of later commands that are lost; null if that is unknown. */
  | { kind: 'restore'; backup: string; madeAt: Ms; lostCommands: number | null };

/** The result of a repair: what replaced the damaged file, and where that file was moved. */
export interface Repaired {
  repair: Repair;
  setAside: string;
}

/** Every way to restore a damaged state, best first, and why its command log can't be replayed (null: it can). */
function repairsOf(stateDir: string, health: StateHealth): { repairs: Repair[]; rebuildProblem: string | null } {
  const rebuildProblem = problemOfRebuild(health);
  const log = health.examination?.log;
  const backup = newestBackup(stateDir, health.state);
  const repairs: Repair[] = [];
  if (rebuildProblem === null) repairs.push({ kind: 'rebuild', commands: log!.commands });
  if (backup !== null) {
    const { commands, ...restore } = backup;
    const lost = log === undefined || log.commands < commands ? null : log.commands - commands;
    repairs.push({ kind: 'restore', ...restore, lostCommands: lost });
  }
  return { repairs, rebuildProblem };
}

/** Only a whole command log written under the current rules, markets and prices replays to the same state. */
function problemOfRebuild({ file, examination }: StateHealth): string | null {
  if (examination === null) return 'its file can no longer be read.';
  const { fault, versions } = examination.log;
  if (fault !== null) return `its command log ${fault}.`;
  using salvage = new Salvage(file);
  const source = sourceOf(salvage);
  const lost = ['source', 'initial_time', 'clock'].filter((name) => salvage.setting(name) === null);
  if (source === null || lost.length > 0) return `its ${lost.join(', ')} are missing.`;
  const [written] = versions;
  const current = currentVersions[source.kind];
  if (versions.length > 1)
    return `its command log was written under more than one version: ${versions.map(versionsText).join('; then ')}.`;
  if (areSame(written!, current)) return null;
  return `its command log was written under ${versionsText(written!)}; this perp has ${versionsText(current)}.`;
}

function sourceOf(salvage: Salvage): SourceSetting | null {
  const text = salvage.setting('source');
  return text === null ? null : (JSON.parse(text) as SourceSetting);
}

/**
 * Restores a damaged state from its command log, or from its newest sound backup. The damaged file is moved aside.
 * Throws `SimulationError` if that way is not available, or the state is being served.
 */
export async function repairState(stateDir: string, state: string, kind: Repair['kind']): Promise<Repaired> {
  const files = stateFiles(stateDir, state);
  const lock = ServeLock.acquire(files.lock);
  if (lock === null) throw servedAlready(state, files, 'then repair it.');
  try {
    const health = { state, file: files.database, sizeBytes: 0, ...databaseHealth(files.database) };
    if (health.problem === null)
      throw new SimulationError('conflict', `State ${state} is undamaged: there is nothing to repair.`);
    const { repairs, rebuildProblem } = repairsOf(stateDir, health);
    const repair = repairs.find((one) => one.kind === kind);
    if (repair === undefined) throw unavailable(state, kind, rebuildProblem);
    const draft = join(stateDir, `${state}.repaired-${process.pid}`);
    if (repair.kind === 'rebuild') await rebuild(stateDir, files, draft);
    else copyFileSync(repair.backup, draft);
    return { repair, setAside: putInPlace(draft, files) };
  } finally {
    lock.release();
  }
}

function unavailable(state: string, kind: Repair['kind'], rebuildProblem: string | null): SimulationError {
  return kind === 'rebuild'
    ? new SimulationError(
        'conflict',
        `State ${state} can't be rebuilt: ${rebuildProblem}`,
        'perp sim check shows whether a backup can be restored.',
      )
    : new SimulationError('conflict', `There is no undamaged backup of state ${state}.`);
}

/** Replays a command log from the first state on, into its own file. */
async function rebuild(stateDir: string, { database }: StateFiles, draft: string): Promise<void> {
  using salvage = new Salvage(database);
  const setting = sourceOf(salvage)!;
  const { facts } = await chooseSource({ stateDir }, setting);
  Store.destroy(draft);
  const store = Store.open(draft);
  try {
    const initial = emptyState(setting.seed, Number(salvage.setting('initial_time')));
    const exchange = new Exchange(facts.source, initial);
    // One transaction: a draft is complete or empty.
    store.transaction(() => {
      store.initialize(initial);
      writeVersions(store, currentVersions[setting.kind], catalogOf(setting), []);
      for (const { time, command } of salvage.commands()) {
        exchange.advance(time);
        store.appendCommand(time, command);
        exchange.execute(command);
        store.write(exchange.takeChanges());
      }
      exchange.advance(Math.max(exchange.time, salvage.time ?? 0));
      store.write(exchange.takeChanges());
      salvage.handOver(store);
    });
  } finally {
    store.close();
    facts.close();
  }
}

/** The draft replaces the database, which is moved aside with its log. */
function putInPlace(draft: string, { database }: StateFiles): string {
  syncFile(draft);
  const aside = Store.setAside(database);
  moveFile(draft, database);
  syncFolderOf(database);
  return aside;
}

/** `default.2026-11-17.backup` is a backup of `default`; a label has no dot. */
function backupOf(name: string): string | undefined {
  return /^(.+)\.[^.]+\.backup$/.exec(name)?.[1];
}

/** The newest sound backup of a state, and how many commands it has. */
function newestBackup(stateDir: string, state: string): { backup: string; madeAt: Ms; commands: number } | null {
  const backups = readdirSync(stateDir)
    .filter((name) => backupOf(name) === state)
    .map((name) => join(stateDir, name))
    .map((backup) => ({ backup, madeAt: Math.round(statSync(backup).mtimeMs) }))
    .sort((one, other) => other.madeAt - one.madeAt);
  for (const found of backups) {
    const { problem, examination } = databaseHealth(found.backup);
    if (problem === null) return { ...found, commands: examination?.log.commands ?? 0 };
  }
  return null;
}

/** The result of checking everything in a state. */
export interface StateCheck extends StateHealth {
  /** The backup made of a sound state; null if none was made, and an earlier one is kept. */
  backup: string | null;
  /** Why there is no backup of a sound state; null if there is one. */
  backupProblem: string | null;
  /** How a damaged state can be restored, best way first. */
  repairs: Repair[];
  /** For a damaged state: why replaying its command log isn't among them; null if it is. */
  rebuildProblem: string | null;
}

/**
 * Checks a state, whether it is served or not; a sound one is backed up if requested, and an older one is first
 * migrated to the current format. Throws `SimulationError` `missing` if there is no state with the name.
 */
export function checkState(stateDir: string, state: string, backsUp = true, wallMs = Date.now()): StateCheck {
  if (!isStateName(state) || !existsSync(stateFiles(stateDir, state).database))
    throw new SimulationError('missing', `There is no state ${state}.`);
  let health = healthOf(stateDir, state);
  if (health.problem === null && health.examination === null) {
    Store.open(health.file).close();
    health = healthOf(stateDir, state);
  }
  if (health.problem !== null) return { ...health, backup: null, backupProblem: null, ...repairsOf(stateDir, health) };
  const sound = { ...health, repairs: [], rebuildProblem: null };
  if (!backsUp) return { ...sound, backup: null, backupProblem: null };
  const made = makeDailyBackup(health.file, wallMs);
  return 'file' in made
    ? { ...sound, backup: made.file, backupProblem: null }
    : { ...sound, backup: null, backupProblem: made.problem };
}
