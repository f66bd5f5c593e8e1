import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe } from 'node:test';
import type { Command } from '../../../src/exchange/engine/commands.ts';
import { plans } from '../../../src/exchange/engine/defaults.ts';
import { Exchange, emptyState } from '../../../src/exchange/engine/exchange.ts';
import { draw } from '../../../src/exchange/engine/random.ts';
import { databaseHealth, faultText } from '../../../src/exchange/store/check.ts';
import { StoreError } from '../../../src/exchange/store/errors.ts';
import { allTables } from '../../../src/exchange/store/schema.ts';
import { Store } from '../../../src/exchange/store/store.ts';
import { checksumOf } from '../../../src/exchange/store/table.ts';
import { test, trial } from '../../tiers.ts';
import { Chance } from '../engine/chance.ts';
import { randomPractice } from '../engine/random-practice.ts';
import { randomScript } from '../engine/random-script.ts';
import { definition, ScriptedSource } from '../engine/scripted-source.ts';
import { copyOf, damagedColumns, faultsOf, mayBeEmpty, sound, tamper } from './damage.ts';
import { temporaryDirectory } from './state-file.ts';

/** The file's complete contents as text. */
function contentOf(file: string): string {
  using database = new DatabaseSync(file, { readOnly: true });
  const rows = allTables.map(({ name }) => {
    const all = database.prepare(`SELECT * FROM ${name}`, { readBigInts: true, returnArrays: true }).all();
    return (all as unknown as unknown[][]).map((row) => row.map(String).join('\t')).sort();
  });
  return rows.flat().join('\n');
}

test('a state with much trading is sound: every row, all balances and ledgers, positions and fills', (t) => {
  const file = copyOf(t);
  const { problem, examination } = databaseHealth(file);
  assert.equal(problem, null);
  assert.deepEqual(examination!.faults, []);
  assert.ok(examination!.rows > 500, `${examination!.rows} rows`);
  assert.equal(examination!.log.fault, null);
  assert.ok(examination!.log.commands > 50);
  assert.deepEqual(readFileSync(file), sound, 'checking changes nothing');
});

// Every column: check.faults.test.ts.
describe('a damaged value is found', () => damagedColumns(6));

describe('a deleted row is missed in any table, by a check and when a small state is opened', () => {
  for (const { name } of allTables) {
    test(name, (t) => {
      const file = copyOf(t);
      const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
      const one = `checksum = (SELECT max(checksum) FROM ${name})`;
      const { changes } = database.prepare(`DELETE FROM ${name} WHERE ${one}`).run();
      database.close();
      if (changes === 0 && mayBeEmpty.has(name)) return;
      assert.equal(changes, 1);
      const found = faultsOf(file);
      assert.ok(
        found.some(({ table }) => table === name),
        found.map(faultText).join(', '),
      );
      if (name === 'counts') return;
      assert.throws(
        () => {
          using store = { store: Store.open(file), [Symbol.dispose]: () => store.store.close() };
          if (store.store.loadOpenState() === null) throw new StoreError('corrupt', file, 'its head is missing');
        },
        { name: 'StoreError', kind: 'corrupt', message: /missing/ },
      );
    });
  }
});

test('an open row that is deleted is missed whenever open rows are loaded, however large the state', (t) => {
  const cases: [sql: string, what: RegExp][] = [
    ["DELETE FROM orders WHERE status = 'resting'", /rows? of table orders (is|are) missing/],
    ["DELETE FROM positions WHERE status = 'open'", /rows? of table positions (is|are) missing/],
  ];
  for (const [sql, what] of cases) {
    const file = copyOf(t);
    const store = Store.open(file);
    t.after(() => store.close());
    assert.ok(store.loadOpenState()!.orders.length > 0);
    tamper(file, sql);
    assert.throws(() => store.loadOpenState(), { kind: 'corrupt', message: what });
  }
});

test('a checksum is the same as ever: states keep those that older versions wrote', () => {
  const rows: [values: (string | number | bigint | null)[], checksum: number][] = [
    [[], 2_166_136_261],
    [['acc_1', 1, -1], 1_050_266_905],
    [[0.5, 1e300, -0], 3_993_589],
    [[2n ** 62n, null, 'x', null], 3_250_531_594],
  ];
  assert.deepEqual(
    rows.map(([values]) => checksumOf(values)),
    rows.map(([, checksum]) => checksum),
  );
  assert.equal(checksumOf([7n]), checksumOf([7]), 'as SQLite returns either');
  assert.equal(checksumOf(['x', null, null]), checksumOf(['x']));
});

test('a row that matches its checksum but not the other rows is found', (t) => {
  const restamp = (name: string) => allTables.find((table) => table.name === name)!.stamp();
  const cases: [what: RegExp, ...statements: string[]][] = [
    [
      /ledger .*does not add up to its balance/,
      'UPDATE ledger SET amount = amount + 1 WHERE sequence = 5',
      restamp('ledger'),
    ],
    [/ledger .*does not add up to its balance/, "DELETE FROM ledger WHERE kind = 'deposit'"],
    [
      /accounts has a balance that differs from its ledger/,
      'UPDATE accounts SET balance = balance - 1',
      restamp('accounts'),
    ],
    [
      /positions is not the sum of its fills/,
      "UPDATE positions SET size = size + 1 WHERE status = 'open'",
      restamp('positions'),
    ],
    [/positions is not the sum of its fills/, 'DELETE FROM orders WHERE settle_sequence = 3'],
    [/journal: has gaps/, 'DELETE FROM journal WHERE sequence = 4'],
    [/orders: has a number that was not issued yet/, 'UPDATE head SET sequence = 5', restamp('head')],
    [/head: is missing/, 'DELETE FROM head'],
    [/orders belongs to an account that does not exist/, "DELETE FROM accounts WHERE environment = 'live'"],
    [/orders is stored in the wrong place/, "UPDATE orders SET environment = 'test'"],
  ];
  for (const [what, ...statements] of cases) {
    const file = copyOf(t);
    const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, readBigInts: true });
    database.function('row_checksum', { varargs: true, useBigIntArguments: true }, (...values) => checksumOf(values));
    for (const sql of statements) database.exec(sql);
    database.close();
    const told = faultsOf(file).map(({ table, row, what }) => `${table}${row === null ? ':' : ''} ${what}`);
    assert.match(told.join('\n'), what, statements[0]);
  }
});

trial('a flipped bit is found, or changed nothing that is read', (t) => {
  const file = copyOf(t);
  const content = contentOf(file);
  let found = 0;
  const flips = process.env.PERP_LONG ? 2_000 : 20;
  for (let flip = 0; flip < flips; flip++) {
    const bytes = Buffer.from(sound);
    const at = Math.floor(draw(1, 'flip', String(flip)) * bytes.length);
    bytes[at]! ^= 1 << (flip % 8);
    writeFileSync(file, bytes);
    const { problem } = databaseHealth(file);
    if (problem === null) assert.equal(contentOf(file), content, `bit ${flip % 8} of byte ${at}`);
    else found++;
  }
  assert.ok(found > flips / 3, `${found} of ${flips} were found`);
});

trial('any trading is stored soundly', (t) => {
  const seeds = process.env.PERP_LONG ? 200 : 3;
  for (let seed = 1; seed <= seeds; seed++) {
    const file = join(temporaryDirectory(t), 'state.db');
    practice(seed, file);
    assert.deepEqual(faultsOf(file).map(faultText), [], `seed ${seed}`);
  }
});

/** Random commands on a moving market, each stored as the service does it. */
function practice(seed: number, file: string): void {
  const chance = new Chance(seed);
  const market = definition();
  const script = randomScript(chance, market.marketId, 200);
  const exchange = new Exchange(new ScriptedSource(script, [market]), emptyState(seed, 0));
  const store = Store.open(file);
  const execute = (command: Command) => {
    store.appendCommand(exchange.time, command);
    exchange.execute(command);
    store.write(exchange.takeChanges());
  };
  store.transaction(() => {
    store.initialize(emptyState(seed, 0));
    for (const startingBalance of [4_000, 30_000])
      execute({ kind: 'open_account', owner: 'x', environment: 'live', name: 'x', plan: plans.none, startingBalance });
    const end = script.at(-1)!.time + 20;
    while (exchange.time < end) {
      exchange.advance(Math.min(end, exchange.time + chance.pick([0, 10, 50, 200])));
      const quote = exchange.quote(market.marketId);
      const near = quote.ok && quote.mid !== null ? Math.round(quote.mid / 2) : 1_000;
      execute(randomPractice(chance, { open: exchange.openState(), markets: [market], near }));
    }
  });
  store.close();
}

test('a read refuses a damaged row by table and row, and a damaged row that is not read does not prevent opening', (t) => {
  const file = copyOf(t);
  tamper(file, 'UPDATE orders SET leverage = leverage + 1 WHERE settle_sequence IS NOT NULL');
  const store = Store.open(file);
  t.after(() => store.close());
  const state = store.loadOpenState()!;
  const accountId = state.accounts[0]!.id;
  assert.throws(
    () => store.fills({ accountId, limit: 100, after: null }),
    (error) =>
      error instanceof StoreError && error.kind === 'corrupt' && /row ord_\w+ of table orders/.test(error.message),
  );
  tamper(file, 'UPDATE accounts SET balance = balance + 1');
  assert.throws(() => store.loadOpenState(), /row acc_\w+ of table accounts/);
});
