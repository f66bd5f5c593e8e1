import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseHealth } from '../../src/exchange/store/check.ts';
import { inProcessTransport } from '../../src/service/public.ts';
import { dailyBackupFile, makeDailyBackup } from '../../src/service/state/daily-backup.ts';
import { test, trial } from '../tiers.ts';
import { ask, served, startTime } from './serving.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const dayMs = 24 * 3_600_000;

/** The file of a new state. */
async function newState(t: TestContext): Promise<string> {
  const stateDir = temporaryDirectory(t);
  (await inProcessTransport({ stateDir, seed: 7, clock: 'manual', startTime })).close();
  return join(stateDir, 'default.db');
}

const backupsOf = (database: string) =>
  readdirSync(join(database, '..'))
    .filter((name) => name.endsWith('.backup'))
    .sort();

test('a day has one backup, which is a sound state that only its owner can read', async (t) => {
  const database = await newState(t);
  const first = makeDailyBackup(database, startTime);
  assert.ok('file' in first);
  assert.equal(basename(first.file), 'default.2026-11-17.backup');
  assert.equal(databaseHealth(first.file).problem, null);
  assert.equal((statSync(first.file).mode & 0o777).toString(8), '600');
  assert.deepEqual(makeDailyBackup(database, startTime + 60_000), first);
  assert.deepEqual(backupsOf(database), ['default.2026-11-17.backup']);
});

test('seven days are kept; other backups, and those of other states, stay', async (t) => {
  const database = await newState(t);
  const others = ['default.format-2.backup', 'default.late.2026-11-01.backup', 'other.2026-11-01.backup'];
  for (const name of others) {
    writeFileSync(join(database, '..', name), 'another');
    // However old they are.
    utimesSync(join(database, '..', name), 0, 0);
  }
  for (let day = 0; day < 10; day++) makeDailyBackup(database, startTime + day * dayMs);
  const kept = Array.from({ length: 7 }, (_, day) =>
    basename(dailyBackupFile(database, startTime + (day + 3) * dayMs)),
  );
  assert.deepEqual(backupsOf(database), [...kept, ...others].sort());
});

test('damage never replaces a sound backup', async (t) => {
  const database = await newState(t);
  const { file } = makeDailyBackup(database, startTime) as { file: string };
  const before = readFileSync(file);
  const damaging = new DatabaseSync(database);
  damaging.exec("UPDATE ledger SET amount = amount + 1 WHERE kind = 'deposit'");
  damaging.close();
  const made = makeDailyBackup(database, startTime + 60_000);
  assert.ok('problem' in made);
  assert.match(made.problem, /default\.db is damaged.*row .* of table ledger .*earlier backups are kept/);
  assert.deepEqual(readFileSync(file), before);
  assert.deepEqual(backupsOf(database), [basename(file)]);
});

trial('a service backs its state up by itself, and answers meanwhile', async (t) => {
  const problems: string[] = [];
  const stateDir = temporaryDirectory(t);
  const serving = await served(t, { stateDir, backupAfterMs: 1, onBackupProblem: (problem) => problems.push(problem) });
  const database = join(stateDir, 'default.db');
  const made = () => backupsOf(database).find((name) => !name.includes('unchecked'));
  while (made() === undefined && problems.length === 0) {
    assert.equal((await ask(`${serving.baseUrl}/v1/markets/binance|BTCUSDT`, serving.key)).status, 200);
    await delay(20);
  }
  assert.deepEqual(problems, []);
  assert.equal(databaseHealth(join(stateDir, made()!)).problem, null);
  await serving.stop();
  assert.deepEqual(
    readdirSync(stateDir).filter((name) => /unchecked|new-/.test(name)),
    [],
  );
});
