import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { Query, Writer } from '../../../src/exchange/store/query.ts';
import { migrate } from '../../../src/exchange/store/schema.ts';
import { StateDatabase } from '../../../src/exchange/store/state-database.ts';
import type { Table, TableDeclaration } from '../../../src/exchange/store/table.ts';
import * as strategyTables from '../../../src/exchange/store/tables.ts';
import * as tables from '../../../src/exchange/store/tables.ts';
import * as any from './arbitraries.ts';
import { account } from './samples.ts';
import { temporaryFile } from './state-file.ts';

function roundTrips<R extends object>(
  name: string,
  table: Table<R>,
  records: Arbitrary<R>,
  fixed: readonly (keyof R)[],
): void {
  test(`${name} are read exactly as they were written, when new and after a change`, (t) => {
    const connection = new StateDatabase(temporaryFile(t));
    t.after(() => connection.close());
    migrate(connection);
    const writer = new Writer(connection, table);
    const all = new Query(connection, table, '');
    new Writer(connection, tables.accounts).put(account());
    fc.assert(
      fc.property(records, records, (first, second) => {
        connection.execute('BEGIN');
        try {
          if (table.name === 'accounts') connection.execute('DELETE FROM accounts');
          writer.add(first);
          assert.deepEqual(all.all(), [first]);
          if (fixed.length === 0) return;
          const changed = { ...second };
          for (const field of fixed) changed[field] = first[field];
          writer.put(changed);
          assert.deepEqual(all.all(), [changed]);
        } finally {
          connection.execute('ROLLBACK');
        }
      }),
    );
  });
}

const created = ['id', 'sequence', 'accountId', 'owner'] as const;

roundTrips('accounts', tables.accounts, any.accounts, ['id', 'owner', 'environment', 'createdAt']);
roundTrips('orders', tables.orders, any.orders, [...created, 'clientOrderId', 'requestedAt']);
roundTrips('positions', tables.positions, any.positions, [...created, 'openedAt']);
roundTrips('postings', tables.ledger, any.postings, []);
roundTrips('consumed levels', tables.consumption, any.consumptions, ['accountId', 'marketId', 'bookSide', 'price']);
roundTrips('explanations', tables.explanations, any.explanations, []);
roundTrips('TWAP orders', strategyTables.twaps, any.twaps, [...created, 'startedAt']);
roundTrips('scaled orders', strategyTables.scaledOrders, any.scaledOrders, [...created, 'startedAt']);
roundTrips('copy groups', strategyTables.copyGroups, any.copyGroups, ['id', 'sequence', 'owner', 'environment']);
roundTrips('bulk operations', strategyTables.operations, any.operations, [...created, 'createdAt', 'targets']);

test('a table that omits a field, or stores one in a column of the wrong kind, does not compile', () => {
  interface Coin {
    name: string;
    worth: bigint;
    lostAt: number | null;
  }
  const complete: TableDeclaration<Coin>['columns'] = { name: 'text', worth: 'money', lostAt: 'int?' };
  // @ts-expect-error: worth is missing
  const forgets: TableDeclaration<Coin>['columns'] = { name: 'text', lostAt: 'int?' };
  // @ts-expect-error: a bigint does not fit an int column
  const rounds: TableDeclaration<Coin>['columns'] = { name: 'text', worth: 'int', lostAt: 'int?' };
  // @ts-expect-error: null needs a column that allows it
  const insists: TableDeclaration<Coin>['columns'] = { name: 'text', worth: 'money', lostAt: 'int' };
  // @ts-expect-error: the record has no such field
  const invents: TableDeclaration<Coin>['columns'] = { ...complete, weight: 'real' };
  assert.equal([complete, forgets, rounds, insists, invents].length, 5);
});

test('a record that does not fit its columns is refused, not converted', (t) => {
  const connection = new StateDatabase(temporaryFile(t));
  t.after(() => connection.close());
  migrate(connection);
  const writer = new Writer(connection, tables.accounts);
  for (const [field, value] of [
    ['createdAt', 0.5],
    ['createdAt', null],
    ['balance', 2n ** 63n],
    ['name', undefined],
  ] as const)
    assert.throws(() => writer.put({ ...account(), [field]: value }), `${field} = ${value}`);
});
