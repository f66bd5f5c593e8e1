import { closeSync, copyFileSync, fsyncSync, openSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Exchange, emptyState } from '../engine/exchange.ts';
import type { Ms } from '../engine/model.ts';
import { databaseHealth } from '../store/health.ts';
import { syncFolderOf } from '../store/opened-files.ts';
import { Salvage } from '../store/salvage.ts';
import { Store } from '../store/store.ts';
import { ServeLock } from './lock.ts';
import { servedAlready } from './service-file.ts';
import { SimulationError } from './simulation-error.ts';
import { catalogOf, chooseSource, type SourceSetting } from './source.ts';
import { type StateFiles, stateFiles } from './state-directory.ts';
import type { StateHealth } from './state-health.ts';
import { areSame, currentVersions, writeVersions } from './versions.ts';

/** How a damaged state can be restored. */
export type Repair =
  /** Its journal is intact, and replaying it gives the same state: nothing is lost. */
  | { kind: 'rebuild'; commands: number }
  /** A sound backup; everything after it is lost. */
  | { kind: 'restore'; backup: string; madeAt: Ms };

/** The result of a repair: what replaced the damaged file, and where that file was moved. */
export interface Repaired {
  repair: Repair;
  setAside: string;
}

/** Every way to restore a damaged state, best first. */
export function repairsOf(stateDir: string, health: StateHealth): Repair[] {
  const backup = newestBackup(stateDir, health.state);
  return [
    ...(isReplayable(health) ? [{ kind: 'rebuild', commands: health.examination!.journal.commands } as const] : []),
    ...(backup === null ? [] : [{ kind: 'restore', ...backup } as const]),
  ];
}

/** Only a journal written under the current rules, markets and prices replays to the same state. */
function isReplayable({ file, examination }: StateHealth): boolean {
  const journal = examination?.journal;
  if (!journal?.isWhole || journal.versions === null) return false;
  using salvage = new Salvage(file);
  const source = sourceOf(salvage);
  if (source === null || salvage.setting('initial_time') === null || salvage.setting('clock') === null) return false;
  return areSame(journal.versions, currentVersions[source.kind]);
}

function sourceOf(salvage: Salvage): SourceSetting | null {
  const text = salvage.setting('source');
  return text === null ? null : (JSON.parse(text) as SourceSetting);
}

/**
 * Restores a damaged state from its journal, or from its newest sound backup. The damaged file is moved aside. Throws
 * `SimulationError` if that way is not available, or the state is being served.
 */
export async function repairState(stateDir: string, state: string, kind: Repair['kind']): Promise<Repaired> {
  const files = stateFiles(stateDir, state);
  const lock = ServeLock.acquire(files.lock);
  if (lock === null) throw servedAlready(state, files, 'then repair it.');
  try {
    const health = { state, file: files.database, sizeBytes: 0, ...databaseHealth(files.database) };
    if (health.problem === null)
      throw new SimulationError('conflict', `State ${state} is sound: there is nothing to repair.`);
    const repair = repairsOf(stateDir, health).find((one) => one.kind === kind);
    if (repair === undefined) throw unavailable(state, kind);
    const draft = join(stateDir, `${state}.repaired-${process.pid}`);
    if (repair.kind === 'rebuild') await rebuild(stateDir, files, draft);
    else copyFileSync(repair.backup, draft);
    return { repair, setAside: putInPlace(draft, files) };
  } finally {
    lock.release();
  }
}

function unavailable(state: string, kind: Repair['kind']): SimulationError {
  return kind === 'rebuild'
    ? new SimulationError(
        'conflict',
        `The journal of state ${state} can't be replayed: it is damaged, or other versions wrote it.`,
      )
    : new SimulationError('conflict', `There is no sound backup of state ${state}.`);
}

/** Replays a journal from the first state on, into its own file. */
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
      writeVersions(store, currentVersions[setting.kind], catalogOf(setting));
      for (const { time, command } of salvage.commands()) {
        exchange.advance(time);
        store.appendJournal(time, command);
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
  const descriptor = openSync(draft, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const aside = Store.setAside(database);
  renameSync(draft, database);
  syncFolderOf(database);
  return aside;
}

/** `default.checked.backup` is a backup of `default`; a label has no dot. */
function backupOf(name: string): string | undefined {
  return /^(.+)\.[^.]+\.backup$/.exec(name)?.[1];
}

/** The newest sound backup of a state. */
function newestBackup(stateDir: string, state: string): { backup: string; madeAt: Ms } | null {
  const backups = readdirSync(stateDir)
    .filter((name) => backupOf(name) === state)
    .map((name) => join(stateDir, name))
    .map((backup) => ({ backup, madeAt: Math.round(statSync(backup).mtimeMs) }))
    .sort((one, other) => other.madeAt - one.madeAt);
  return backups.find(({ backup }) => databaseHealth(backup).problem === null) ?? null;
}
