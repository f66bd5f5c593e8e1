import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import type { Fault } from '../../../src/exchange/store/check.ts';
import { databaseHealth, faultText } from '../../../src/exchange/store/check.ts';
import { allTables } from '../../../src/exchange/store/schema.ts';
import { Work, works } from '../../service/interrupted-work.ts';
import { temporaryDirectory } from './state-file.ts';

/** The file of a state with much trading. */
export let sound: Buffer;

before(async () => {
  const stateDir = temporaryDirectory({ after });
  const { work, close } = await Work.open(stateDir);
  await works.copies.prepare(work);
  await works.copies.act(work);
  await works.slices.act(work);
  await work.order({ size: 0.3, type: 'limit', limit_price: 30_000 });
  close();
  sound = readFileSync(join(stateDir, 'default.db'));
});

/** A copy of it. */
export function copyOf(t: TestContext): string {
  const file = join(temporaryDirectory(t), 'state.db');
  writeFileSync(file, sound);
  return file;
}

/** Corrupts a file, ignoring its checksums and foreign keys. */
export function tamper(file: string, ...statements: string[]): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  for (const sql of statements) database.exec(sql);
  database.close();
}

/** The faults that a check finds. */
export function faultsOf(file: string): Fault[] {
  const { problem, examination } = databaseHealth(file);
  assert.equal(problem?.kind, examination!.faults.length > 0 ? 'corrupt' : undefined);
  return examination!.faults;
}

/** Tables without a row in it. */
export const mayBeEmpty = new Set(['scaled_orders', 'operations', 'keys', 'codes', 'consumption']);

/** Changes a value in every table: in each nth column. */
export function damagedColumns(nth: number): void {
  for (const { name } of allTables) {
    test(name, (t) => {
      const file = copyOf(t);
      using database = new DatabaseSync(file, { readOnly: true });
      const isEmpty = database.prepare(`SELECT 1 FROM ${name}`).all().length === 0;
      if (isEmpty && mayBeEmpty.has(name)) return;
      assert.equal(isEmpty, false, 'nothing to change');
      const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(name);
      for (const [at, { name: column, type }] of columns.entries()) {
        if (at % nth !== 0) continue;
        // SQLite itself refuses other values.
        if (column === 'row' && (name === 'head' || name === 'counts')) continue;
        const changed = type === 'TEXT' ? `coalesce(${column}, '') || ' '` : `coalesce(${column}, 0) + 100000`;
        const damaged = copyOf(t);
        tamper(
          damaged,
          `UPDATE ${name} SET ${column} = ${changed} WHERE checksum = (SELECT max(checksum) FROM ${name})`,
        );
        const found = faultsOf(damaged);
        assert.ok(
          found.some(({ table }) => table === name),
          `${column}: ${found.map(faultText).join(', ')}`,
        );
      }
    });
  }
}
